//! The strategy that builds up a context and chooses a level for each block.

use std::sync::Arc;

use crate::feedback::State;
use contextfit_kernel::{Error, Level, Measured, Plan, Planner, Scorer, Strategy, Tokens, Values};
use contextfit_packing::{Choice, Items, Packer, PackingMode, TooSmall};
use contextfit_text::float;

use crate::{
    TruncationOptions,
    forms::{Form, Forms, SMALLEST_EXTRACT, cost},
    items::{Draft, RankedGroup, Undecided},
    relevance::weighted,
};

/// The value of a block's metadata relative to the relevance of the block.
const GIST: f64 = 0.05;

/// The value of a block's id relative to the relevance of the block.
const REFERENCE: f64 = 0.01;

/// After this many items that do not fit by name into the remaining room, no more are tried.
const MISSES: usize = 64;

/// Builds the context incrementally, as KB Labs Mind does, with each block at the level that its value and the room
/// allow. The best blocks are shown whole, later ones are compressed more strongly, and the rest are named or left out.
///
/// A block's value comes from the retriever's score, otherwise from the [`Scorer`] and the query, otherwise from its
/// position. Blocks below the score threshold are shown at most by their metadata. Blocks over `maxLength` are cut to
/// it until all others are satisfied. The [packer](contextfit_packing::Packer) chooses among all sizes of all blocks,
/// and the remaining room goes to the best blocks that were cut. O(n log n) in the number of blocks, linear in their
/// text.
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
///     search::{Incremental, TruncationOptions},
/// };
///
/// let found = [("src/count.rs", 0.9, "fn count() {}\n".repeat(4)), ("src/page.rs", 0.5, "fn page() {}\n".repeat(40))];
/// let blocks = found.map(|(path, score, text)| Block::passage(path, Passage::at(path).with_score(score), text));
/// let pipeline = Pipeline::new(counter("chars/4")?).with_strategy(Incremental::new(TruncationOptions::default()));
/// let context = Context::new(blocks.into());
/// let shown = |budget| pipeline.fit(&context, &Budget::new(budget)).map(|result| result.text);
/// assert!(shown(45)?.ends_with("[metadata-only] src/page.rs"));
/// assert!(shown(100)?.contains("// ... 19 lines"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Incremental {
    options: TruncationOptions,
    scorer: Option<Arc<dyn Scorer>>,
    mode: PackingMode,
    feedback: Option<Arc<State>>,
}

impl Incremental {
    /// Creates the strategy with `options`, values by score or position, and optimal packing.
    #[must_use]
    pub fn new(options: impl Into<TruncationOptions>) -> Self {
        Self { options: options.into(), scorer: None, mode: PackingMode::Optimal, feedback: None }
    }

    /// Sets the packing [mode](PackingMode), for example greedy.
    #[must_use]
    pub const fn with_mode(mut self, mode: PackingMode) -> Self {
        self.mode = mode;
        self
    }

    /// Uses the thresholds and weights that were learned from feedback, if there are any.
    #[must_use]
    pub fn with_feedback(mut self, feedback: Arc<State>) -> Self {
        self.feedback = Some(feedback);
        self
    }

    /// Sets the `scorer` for inputs without retriever scores.
    #[must_use]
    pub fn with_scorer(mut self, scorer: Arc<dyn Scorer>) -> Self {
        self.scorer = Some(scorer);
        self
    }
}

impl Strategy for Incremental {
    fn name(&self) -> &str {
        "incremental"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        self.planner(input)(room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let scorer = self.scorer.as_deref();
        let feedback = self.feedback.as_deref();
        let forms = Forms::new(input, &self.options, feedback).with_focus(scorer);
        let undecided = Undecided::of(&forms, &weighted(input.context, scorer, feedback));
        let ladders: Vec<Vec<Rung>> = undecided.items.iter().map(|item| ladder(&forms, item)).collect();
        let mut offers = Items::new();
        for ladder in &ladders {
            offers.push(ladder.iter().map(|rung| Choice::new(rung.cost.get(), rung.value)));
        }
        let packer = Packer::new(offers, self.mode);
        Box::new(move |room| {
            let (mut draft, mut room) = Draft::new(&forms, &undecided, room);
            let mut packing = packer.pack(room.get()).map_err(too_small)?;
            if packing.chosen.contains(&None) && draft.marker > Tokens::ZERO {
                room = room.saturating_sub(draft.marker);
                packing = packer.pack(room.get()).map_err(too_small)?;
            }

            // Extracts turn out a little shorter than planned, and the next best item gets the remaining room.
            let mut spare = room.saturating_sub(Tokens::new(packing.weight));
            let mut left_out = Vec::new();
            for &place in &undecided.order {
                let chosen = packing.chosen.at(place);
                let rung = chosen.and_then(|choice| ladders.get(place)?.get(choice));
                let Some(item) = undecided.items.get(place) else { continue };
                let allowed = rung.map_or(Tokens::ZERO, |rung| rung.cost) + spare;
                let Some(formed) = rung.and_then(|rung| rung.form(&forms, item, allowed)) else {
                    spare = allowed;
                    left_out.push(item);
                    continue;
                };
                spare = allowed.saturating_sub(cost(&formed));
                draft.set_all(item, formed);
            }
            // Names turn out shorter than planned too, and the remaining room is used to name items that were left out.
            let mut misses = 0;
            for item in left_out {
                match named(&forms, item, spare) {
                    Some(formed) => {
                        spare = spare.saturating_sub(cost(&formed));
                        draft.set_all(item, formed);
                    }
                    None => misses += 1,
                }
                if misses >= MISSES {
                    break;
                }
            }
            Ok(draft.finish(self.name()))
        })
    }
}

/// Converts the packer's error, which never occurs because nothing is required.
const fn too_small(TooSmall { needed, available }: TooSmall) -> Error {
    let (needed, available) = (Tokens::new(needed), Tokens::new(available));
    Error::Infeasible { needed, available, blockers: Vec::new() }
}

/// A way to show an item, offered to the packer before it is produced.
#[derive(Debug, Clone, PartialEq)]
struct Rung {
    level: Level,
    cost: Tokens,
    value: f64,
}

impl Rung {
    /// The form of the rung within `allowed` tokens, or else by name. `None` if neither fits. If the packer chose a name,
    /// the room that no other item needs may still be enough for a cut.
    fn form(&self, forms: &Forms<'_, '_>, item: &RankedGroup, allowed: Tokens) -> Option<Vec<Form>> {
        let fits = |formed: &Vec<Form>| cost(formed) <= allowed;
        let may_show = self.level.shows_source() || allowed > self.cost && !is_below(forms, item);
        let shown = may_show.then(|| source(forms, item, allowed)).flatten().filter(fits);
        shown.or_else(|| named(forms, item, allowed))
    }
}

/// `item` without its text, within `allowed` tokens: by its metadata, otherwise by its id. `None` if neither fits.
fn named(forms: &Forms<'_, '_>, item: &RankedGroup, allowed: Tokens) -> Option<Vec<Form>> {
    let levels = [Level::Gist, Level::Reference].into_iter();
    levels.filter_map(|level| described(forms, item, level)).find(|formed| cost(formed) <= allowed)
}

/// All ways to show `item`, for the packer.
fn ladder(forms: &Forms<'_, '_>, item: &RankedGroup) -> Vec<Rung> {
    let mut rungs = Vec::with_capacity(8);
    if !is_below(forms, item) {
        let longest: Tokens = item.members.iter().map(|&n| forms.cost_at_max_length(n)).sum();
        let mut offer = |cost: usize| {
            let cost = Tokens::new(cost);
            rungs.push(Rung { level: Level::Extract, cost, value: worth(item) * fidelity(cost, longest) });
        };
        offer(longest.get());
        if item.members.iter().any(|&n| forms.can_cut(n)) {
            // Three quarters, a half, a quarter and so on, so that the number of sizes is logarithmic in the length.
            offer(longest.get() / 4 * 3);
            let mut part = longest.get() / 2;
            while part >= 2 * SMALLEST_EXTRACT.get() {
                offer(part);
                part /= 2;
            }
        }
    }
    for (level, value) in [(Level::Gist, GIST), (Level::Reference, REFERENCE)] {
        // Members that are shorter whole stay whole.
        let member = |&n: &usize| forms.described_cost(n, level).unwrap_or_else(|| forms.whole_cost(n));
        let cost = item.members.iter().map(member).sum();
        if item.members.iter().any(|&n| forms.described_cost(n, level).is_some()) {
            rungs.push(Rung { level, cost, value: item.relevance * value });
        }
    }
    rungs
}

/// Whether all of `item` scores below the threshold, so that no text of it is shown.
fn is_below(forms: &Forms<'_, '_>, item: &RankedGroup) -> bool {
    item.members.iter().all(|&n| forms.below_threshold(n).is_some())
}

/// The value of an item: the square of its relevance, so that the best items are shown in detail before the others are
/// shown at all.
fn worth(item: &RankedGroup) -> f64 {
    item.relevance * item.relevance
}

/// The value of a part of the longest text offered: its share to the power of 0.75, because the parts that matter most
/// are chosen first.
fn fidelity(part: Tokens, longest: Tokens) -> f64 {
    match longest.get() {
        0 => 1.0,
        longest => {
            // Roots give the same bits on every machine, unlike powers.
            let root = (float(part.get()) / float(longest)).min(1.0).sqrt();
            root * root.sqrt()
        }
    }
}

/// All members without their text. Those that are shorter whole stay whole. `None` if that saves nothing.
fn described(forms: &Forms<'_, '_>, item: &RankedGroup, level: Level) -> Option<Vec<Form>> {
    let mut saves = false;
    let mut form = |&n: &usize| {
        let described = forms.described(n, level);
        saves |= described.is_some();
        described.unwrap_or_else(|| forms.whole(n))
    };
    let formed = item.members.iter().map(&mut form).collect();
    saves.then_some(formed)
}

/// All members with as much of their text as `allowed` permits, in order. Each takes what it needs, up to its share of
/// the remaining room.
fn source(forms: &Forms<'_, '_>, item: &RankedGroup, allowed: Tokens) -> Option<Vec<Form>> {
    let mut left = allowed;
    let mut wanted: Tokens = item.members.iter().map(|&n| forms.whole_cost(n)).sum();
    let mut formed = Vec::with_capacity(item.members.len());
    for &n in &item.members {
        let whole = forms.whole_cost(n);
        let share = match wanted.get() {
            0 => left,
            wanted => Tokens::new(left.get().saturating_mul(whole.get()).div_ceil(wanted)).min(left),
        };
        let form = forms.within(n, share)?;
        left = left.saturating_sub(form.cost);
        wanted = wanted.saturating_sub(whole);
        formed.push(form);
    }
    Some(formed)
}
