//! The strategy that cuts long blocks.

use contextfit_kernel::{Error, Level, Measured, Plan, Planner, Strategy, Tokens};

use crate::{
    TruncationOptions,
    forms::{Form, Forms, SMALLEST_EXTRACT, cost},
    items::{Draft, RankedGroup, Undecided},
    relevance::relevance,
};

/// Cuts every block over `maxLength` to its start, its declarations and its end, as KB Labs Mind does.
///
/// If that is still too long, all blocks share the room evenly: each may take the same maximum number of tokens, so
/// short blocks stay whole and the longest lose the most. If that is not enough either, the least relevant blocks are
/// only named, or left out. O(n log n) in the number of blocks, linear in their text.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Block, Budget, Context, Passage};
/// #     pub use ::contextfit_pipeline::Pipeline;
/// #     pub use ::contextfit_text::counter;
/// #     pub use ::contextfit_truncation as search;
/// # }
/// use contextfit::{
///     Block, Budget, Context, Passage, Pipeline, counter,
///     search::{SmartTruncation, SmartTruncationOptions},
/// };
///
/// let code = "use std::fs;\n\n".to_owned() + &"    step();\n".repeat(60) + "fn end() {}\n";
/// let context = Context::new(vec![Block::passage("a", Passage::at("src/a.rs"), code)]);
/// let options = SmartTruncationOptions::default().with_max_length(120);
/// let pipeline = Pipeline::new(counter("chars/4")?).with_strategy(SmartTruncation::new(options));
/// let text = pipeline.fit(&context, &Budget::new(100))?.text;
/// assert!(text.starts_with("File: src/a.rs\n\nuse std::fs;\n"));
/// assert!(text.ends_with("    step();\n// ... 54 lines\n    step();\nfn end() {}\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SmartTruncation {
    options: TruncationOptions,
}

impl SmartTruncation {
    /// Creates the strategy with `options`.
    #[must_use]
    pub fn new(options: impl Into<TruncationOptions>) -> Self {
        Self { options: options.into() }
    }
}

impl Strategy for SmartTruncation {
    fn name(&self) -> &str {
        "smart-truncation"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        self.planner(input)(room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let forms = Forms::new(input, &self.options, None);
        let undecided = Undecided::of(&forms, &relevance(input.context, None));
        let items = undecided.order.iter().filter_map(|&place| undecided.items.get(place));
        let ranked: Vec<Candidate> = items.map(|item| Candidate::new(&forms, item.clone())).collect();
        Box::new(move |room| {
            let (mut draft, room) = Draft::new(&forms, &undecided, room);
            if cost_at(&ranked, Tokens::MAX) <= room {
                for candidate in &ranked {
                    draft.set_all(&candidate.item, candidate.at_max_length(&forms));
                }
                return Ok(draft.finish(self.name()));
            }
            let share = Share::of(&ranked, room);
            // The tokens of its share that a candidate does not use go to the next.
            let mut spare = room.saturating_sub(share.planned);
            for (candidate, inside) in ranked.iter().zip(share.inside) {
                let planned = if inside { candidate.cost_at(share.cap) } else { Tokens::ZERO };
                let shown = inside.then(|| candidate.within(&forms, share.cap + spare)).flatten();
                let Some(shown) = shown.or_else(|| candidate.named(&forms)) else { continue };
                if let Some(rest) = (planned + spare).checked_sub(cost(&shown)) {
                    spare = rest;
                    draft.set_all(&candidate.item, shown);
                }
            }
            Ok(draft.finish(self.name()))
        })
    }
}

/// An item and its possible costs.
struct Candidate {
    item: RankedGroup,
    /// The costs of each member.
    members: Vec<Costs>,
}

/// The possible costs of a member.
struct Costs {
    /// The cost at `maxLength`.
    top: Tokens,
    /// The cost without its text if that can be cut, otherwise the cost of the whole block.
    fixed: Tokens,
}

impl Costs {
    /// The cost with a text of at most `cap` tokens.
    fn at(&self, cap: Tokens) -> Tokens {
        self.top.min(self.fixed + cap)
    }
}

impl Candidate {
    fn new(forms: &Forms<'_, '_>, item: RankedGroup) -> Self {
        let costs = |&n: &usize| Costs { top: forms.cost_at_max_length(n), fixed: forms.fixed_cost(n) };
        Self { members: item.members.iter().map(costs).collect(), item }
    }

    /// The members, cut to `maxLength`.
    fn at_max_length(&self, forms: &Forms<'_, '_>) -> Vec<Form> {
        self.item.members.iter().map(|&n| forms.at_max_length(n).unwrap_or_else(|| forms.whole(n))).collect()
    }

    /// The cost if each member's text may take `cap` tokens.
    fn cost_at(&self, cap: Tokens) -> Tokens {
        self.members.iter().map(|costs| costs.at(cap)).sum()
    }

    /// The members with texts of at most `cap` tokens; `None` if one cannot be cut that short.
    fn within(&self, forms: &Forms<'_, '_>, cap: Tokens) -> Option<Vec<Form>> {
        let members = self.item.members.iter().zip(&self.members);
        members.map(|(&n, costs)| forms.within(n, costs.at(cap))).collect()
    }

    /// The members by their metadata. `None` if that is not allowed or one is not shorter.
    fn named(&self, forms: &Forms<'_, '_>) -> Option<Vec<Form>> {
        self.item.members.iter().map(|&n| forms.described(n, Level::Gist)).collect()
    }
}

/// The total cost of `candidates` if each text may take `cap` tokens.
fn cost_at<'c>(candidates: impl IntoIterator<Item = &'c Candidate>, cap: Tokens) -> Tokens {
    candidates.into_iter().map(|candidate| candidate.cost_at(cap)).sum()
}

/// The shares of candidates in a room that is too small for all of them.
struct Share {
    /// Whether each candidate is shown with its text.
    inside: Vec<bool>,
    /// The maximum number of tokens per text.
    cap: Tokens,
    /// The total planned cost of the candidates shown with their text.
    planned: Tokens,
}

impl Share {
    /// Includes the candidates that fit at their smallest, in order of rank. The cap is the largest at which they still
    /// fit.
    fn of(ranked: &[Candidate], room: Tokens) -> Self {
        let mut left = room;
        let fits = |candidate: &Candidate| match left.checked_sub(candidate.cost_at(SMALLEST_EXTRACT)) {
            Some(rest) => {
                left = rest;
                true
            }
            None => false,
        };
        let inside: Vec<bool> = ranked.iter().map(fits).collect();
        let shown = ranked.iter().zip(&inside).filter(|(_, inside)| **inside);
        let shown: Vec<&Candidate> = shown.map(|(candidate, _)| candidate).collect();
        let at = |cap: usize| cost_at(shown.iter().copied(), Tokens::new(cap));
        let (mut low, mut high) = (SMALLEST_EXTRACT.get(), room.get().max(SMALLEST_EXTRACT.get()));
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if at(middle) <= room { low = middle } else { high = middle - 1 }
        }
        let planned = at(low);
        Self { inside, cap: Tokens::new(low), planned }
    }
}
