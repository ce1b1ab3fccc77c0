//! The strategy that shows code as an outline.

use std::{collections::HashMap, fmt, sync::Arc};

use contextfit_kernel::{
    Action, Error, Hold, Measured, MeasuredBlock, Piece, Plan, Reason, Scorer, Step, Strategy, Tokens,
};
use contextfit_packing::Mode;
use contextfit_text::keep_shown;

use crate::{
    candidates::candidates,
    choice::{Ranking, choose},
    cut::cut_tokens,
    page::Page,
    selection::Costs,
};

/// How often a choice is made anew when it costs more or less than was reckoned.
const ATTEMPTS: usize = 3;

/// A choice that leaves no more than one in so many tokens of its room is good enough.
const GOOD: usize = 100;

/// Shows code as an outline: signatures, the bodies that answer the query, all else folded.
///
/// Where a block is code, what can be left out follows from its syntax tree, so that what is left still parses: whole
/// definitions, bodies, statements. Each gap is marked by a comment that says how many lines are folded. One ranking goes
/// over the definitions of all blocks: by the words of the query in their names, comments and bodies, as the [`Scorer`]
/// finds. The most relevant bodies come first, and the more room for signatures they would take, the more relevant they
/// must be; then signatures, the cheapest first; then other bodies and whatever still fits. Text that is no code is shown by its paragraphs.
///
/// Each block is parsed once; linear in the text, linear-logarithmic in the number of definitions.
#[derive(Clone)]
pub struct Outlining {
    scorer: Arc<dyn Scorer>,
    mode: Mode,
}

impl Outlining {
    /// The strategy; `scorer` says what is relevant to the query. What signatures leave is packed as well as can be.
    #[must_use]
    pub fn new(scorer: Arc<dyn Scorer>) -> Self {
        Self { scorer, mode: Mode::Optimal }
    }

    /// The same strategy, packing bodies in another [mode](Mode): greedily, say.
    #[must_use]
    pub const fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }
}

impl fmt::Debug for Outlining {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outlining").field("mode", &self.mode).finish_non_exhaustive()
    }
}

impl Strategy for Outlining {
    fn name(&self) -> &str {
        "outline"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let draft = Draft::new(input);
        let mut candidates = candidates(&draft.pages, input.context, self.scorer.as_ref());
        candidates.retain(|candidate| !draft.is_pinned(candidate.page));
        let focus = input.context.query.as_deref().map(|query| (query, self.scorer.as_ref()));
        let target = room.saturating_sub(draft.kept + draft.reserve());
        let ranking = Ranking::new(&draft.pages, &draft.costs, candidates, self.mode);
        let actions = draft.fit(&ranking, target, focus);
        let steps = draft.pages.iter().zip(actions).enumerate();
        let steps = steps.map(|(n, (page, action))| {
            let reason = if draft.is_pinned(n) { Reason::Pinned } else { reason(page, &action, input) };
            Step::new(&page.block.block().id, action, reason)
        });
        let mut plan = Plan { strategy: self.name().into(), steps: steps.collect() };
        keep_shown(&mut plan, input, room);
        Ok(plan)
    }
}

/// Why a block is shown so.
fn reason(page: &Page<'_, '_>, action: &Action, input: &Measured<'_>) -> Reason {
    match action {
        Action::Keep => Reason::Fits,
        Action::Cut { pieces } => {
            let units = |range: &Piece| match range {
                Piece::Source(range) => {
                    page.block.units_before(range.end()) - page.block.units_before(range.start())
                }
                Piece::Marker(_) => 0,
            };
            Reason::NoRoomWhole { kept: pieces.iter().map(units).sum(), of: page.block.units().len() }
        }
        Action::Record { .. } | Action::Render { .. } | Action::Summarize { .. } | Action::Drop => {
            Reason::NoRoom { needed: page.block.cost(&Action::Keep, input.counter) }
        }
    }
}

/// The pages of `blocks`.
#[cfg(not(feature = "parallel"))]
fn pages<'a, 'b>(blocks: &'b [MeasuredBlock<'a>]) -> Vec<Page<'a, 'b>> {
    blocks.iter().map(Page::new).collect()
}

/// The pages of `blocks`, parsed on all cores.
#[cfg(feature = "parallel")]
fn pages<'a, 'b>(blocks: &'b [MeasuredBlock<'a>]) -> Vec<Page<'a, 'b>> {
    use rayon::prelude::*;

    blocks.par_iter().map(Page::new).collect()
}

/// What does not change while choices are made.
struct Draft<'a, 'b> {
    input: &'b Measured<'a>,
    pages: Vec<Page<'a, 'b>>,
    costs: Vec<Costs>,
    pinned: Vec<bool>,
    /// What the pinned blocks cost.
    kept: Tokens,
}

impl<'a, 'b> Draft<'a, 'b> {
    fn new(input: &'b Measured<'a>) -> Self {
        let pinned: Vec<bool> = input.context.holds().into_iter().map(|hold| hold == Hold::Pinned).collect();
        let kept = input.blocks.iter().zip(&pinned).filter(|(_, keep)| **keep);
        let kept = kept.map(|(block, _)| block.framing() + block.tokens()).sum();
        let pages = pages(&input.blocks);
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let costs = pages.iter().map(|page| {
            let group = page.block.block().group.as_deref().map(|group| {
                let next = numbers.len();
                *numbers.entry(group).or_insert(next)
            });
            let stand_in = || page.block.cost(&page.stand_in(input.counter), input.counter).get();
            Costs {
                framing: page.block.framing().get(),
                marker: input.counter.count(&page.usual_marker()).get(),
                stand_in: group.map_or(0, |_| stand_in()),
                group,
            }
        });
        let costs = costs.collect();
        Self { input, pages, costs, pinned, kept }
    }

    fn is_pinned(&self, n: usize) -> bool {
        self.pinned.get(n).copied().unwrap_or_default()
    }

    /// What the line about blocks left out takes; a single block is not left out where anything of it fits.
    fn reserve(&self) -> Tokens {
        let single = self.pages.len() == 1 && self.input.context.omitted == 0;
        if single { Tokens::ZERO } else { self.input.omission }
    }

    /// The actions that come closest to `target` tokens. What a choice costs exactly is only known when it is made: the
    /// parts of a line have tokens of their own. So it is made again with as much more or less room.
    fn fit(&self, ranking: &Ranking, target: Tokens, focus: Option<(&str, &dyn Scorer)>) -> Vec<Action> {
        let mut room = target;
        let mut best: Option<(Tokens, Vec<Action>)> = None;
        for _ in 0..ATTEMPTS {
            let actions = self.actions(ranking, room, focus);
            let cost = self.cost(&actions);
            if cost > target {
                let excess = cost.saturating_sub(target) + Tokens::new(1);
                room = room.saturating_sub(excess);
                continue;
            }
            let slack = target.saturating_sub(cost);
            if best.as_ref().is_some_and(|(before, _)| *before >= cost) {
                break;
            }
            best = Some((cost, actions));
            if slack.get().saturating_mul(GOOD) <= target.get() {
                break;
            }
            room += slack;
        }
        // A choice that is too large is shortened by whoever asked for it.
        best.map_or_else(|| self.actions(ranking, room, focus), |(_, actions)| actions)
    }

    /// What becomes of each block in about `room` tokens.
    fn actions(&self, ranking: &Ranking, room: Tokens, focus: Option<(&str, &dyn Scorer)>) -> Vec<Action> {
        let selection = choose(&self.pages, &self.costs, ranking, room, focus);
        let action = |(n, (page, costs)): (usize, (&Page<'_, '_>, &Costs))| match selection.shown(n) {
            _ if self.is_pinned(n) => Action::Keep,
            Some(shown) => page.action(shown, Tokens::new(costs.marker)),
            None if selection.group_is_shown(n) => page.stand_in(self.input.counter),
            None => Action::Drop,
        };
        self.pages.iter().zip(&self.costs).enumerate().map(action).collect()
    }

    /// What blocks that are not pinned cost so, each cut text counted as it will stand.
    fn cost(&self, actions: &[Action]) -> Tokens {
        let others = self.pages.iter().zip(actions).enumerate().filter(|(n, _)| !self.is_pinned(*n));
        let cost = |(_, (page, action)): (usize, (&Page<'_, '_>, &Action))| match action {
            Action::Cut { pieces } if !self.input.context.layout.line_numbers => {
                page.block.framing() + cut_tokens(page.block, pieces, self.input.counter)
            }
            _ => page.block.cost(action, self.input.counter),
        };
        others.map(cost).sum()
    }
}
