//! The strategy that builds a context up, block by block, on the ladder.

use std::{fmt, sync::Arc};

use contextfit_kernel::{Error, Level, Measured, Plan, Planner, Scorer, Strategy, Tokens};
use contextfit_packing::{Choice, Items, Mode, Packer, TooSmall};

use crate::{
    CompressionOptions,
    forms::{Form, Forms, SMALLEST_EXTRACT, cost},
    items::{Draft, Item, Undecided, by_relevance},
    relevance::relevance,
};

/// What a block by its metadata is worth, next to the whole block.
const GIST: f64 = 0.05;

/// What a block by its id is worth, next to the whole block.
const REFERENCE: f64 = 0.01;

/// When so many names of blocks did not fit into what is left, no more are tried.
const MISSES: usize = 64;

/// Builds the context incrementally (seed 001) on the ladder of fidelity: each block at the level that its worth and
/// the room allow, the best of them whole, later ones under stronger compression, the rest named or left out.
///
/// Worth is the retriever's score, else what the [`Scorer`] says of the query, else the order. Blocks below the score
/// threshold are shown by their metadata at most; blocks over `maxLength` are cut to it until every other wish is met.
/// The [packer](contextfit_packing::Packer) chooses among all sizes of all blocks; what is left goes to the best blocks that were cut. Linear-logarithmic in
/// the number of blocks, linear in their text.
#[derive(Clone)]
pub struct Incremental {
    options: CompressionOptions,
    scorer: Option<Arc<dyn Scorer>>,
    mode: Mode,
}

impl Incremental {
    /// The strategy with `options`; worth by score or order, packed as well as can be.
    #[must_use]
    pub const fn new(options: CompressionOptions) -> Self {
        Self { options, scorer: None, mode: Mode::Optimal }
    }

    /// The same strategy, packing in another [mode](Mode): greedily, say.
    #[must_use]
    pub const fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// The same strategy, with `scorer` for inputs that bring no scores of their own.
    #[must_use]
    pub fn with_scorer(mut self, scorer: Arc<dyn Scorer>) -> Self {
        self.scorer = Some(scorer);
        self
    }
}

impl fmt::Debug for Incremental {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Incremental")
            .field("options", &self.options)
            .field("mode", &self.mode)
            .finish_non_exhaustive()
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
        let forms = Forms::new(input, &self.options).with_focus(scorer);
        let undecided = Undecided::of(input, &forms, &relevance(input.context, scorer));
        let order = by_relevance(&undecided.items);
        let ladders: Vec<Vec<Rung>> = undecided.items.iter().map(|item| ladder(&forms, item)).collect();
        let mut offers = Items::new();
        for ladder in &ladders {
            offers.push(ladder.iter().map(|rung| Choice::new(rung.cost.get(), rung.value)));
        }
        let packer = Packer::new(offers, self.mode);
        Box::new(move |room| {
            let (mut draft, mut room) = Draft::new(input, &forms, &undecided, room);
            let mut packing = packer.pack(room.get()).map_err(too_small)?;
            if packing.chosen.contains(&None) && draft.marker > Tokens::ZERO {
                room = room.saturating_sub(draft.marker);
                packing = packer.pack(room.get()).map_err(too_small)?;
            }

            // Extracts come out a little shorter than planned: what is left moves on to the next best item.
            let mut spare = room.saturating_sub(Tokens::new(packing.weight));
            let mut left_out = Vec::new();
            for &place in &order {
                let chosen = packing.chosen.get(place).copied().flatten();
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
            // Names come out shorter than planned too: what is left names those that were left out.
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
            Ok(draft.finish(&forms, self.name()))
        })
    }
}

/// The packer's error as the kernel's. Nothing is required, so that packing cannot fail.
const fn too_small(TooSmall { needed, available }: TooSmall) -> Error {
    let (needed, available) = (Tokens::new(needed), Tokens::new(available));
    Error::Infeasible { needed, available, blockers: Vec::new() }
}

/// A way to show an item, offered to the packer before it is carried out.
#[derive(Debug, Clone, PartialEq)]
struct Rung {
    level: Level,
    cost: Tokens,
    value: f64,
}

impl Rung {
    /// Carries the rung out within `allowed` tokens; `None` when no form of it fits.
    fn form(&self, forms: &Forms<'_, '_>, item: &Item, allowed: Tokens) -> Option<Vec<Form>> {
        let fits = |formed: &Vec<Form>| cost(formed) <= allowed;
        let shown = self.level.shows_source().then(|| source(forms, item, allowed)).flatten().filter(fits);
        shown.or_else(|| named(forms, item, allowed))
    }
}

/// `item` without its text in at most `allowed` tokens: by its metadata, else by its id; `None` when neither fits.
fn named(forms: &Forms<'_, '_>, item: &Item, allowed: Tokens) -> Option<Vec<Form>> {
    let levels = [Level::Gist, Level::Reference].into_iter();
    levels.filter_map(|level| described(forms, item, level)).find(|formed| cost(formed) <= allowed)
}

/// All ways to show `item`.
fn ladder(forms: &Forms<'_, '_>, item: &Item) -> Vec<Rung> {
    let mut rungs = Vec::with_capacity(8);
    let below = item.members.iter().all(|&n| forms.below_threshold(n).is_some());
    if !below {
        let longest: Tokens = item.members.iter().map(|&n| forms.cost_at_max_length(n)).sum();
        let mut offer = |cost: usize| {
            let cost = Tokens::new(cost);
            rungs.push(Rung { level: Level::Extract, cost, value: worth(item) * fidelity(cost, longest) });
        };
        offer(longest.get());
        if item.members.iter().any(|&n| forms.can_cut(n)) {
            // Three quarters, then ever half of what was offered before: as many sizes as the text has doublings.
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

/// What an item is worth: the square of its relevance, so that the best are shown well before the rest is shown at all.
fn worth(item: &Item) -> f64 {
    item.relevance * item.relevance
}

/// What a part of the longest text offered is worth: its 0.75th power, since the parts that matter most are chosen first.
#[expect(clippy::cast_precision_loss, reason = "token counts stay far below 2^53")]
fn fidelity(part: Tokens, longest: Tokens) -> f64 {
    match longest.get() {
        0 => 1.0,
        longest => {
            // Roots, unlike powers, are the same on every machine.
            let root = (part.get() as f64 / longest as f64).min(1.0).sqrt();
            root * root.sqrt()
        }
    }
}

/// Every member without its text; members that are shorter whole stay whole. `None` when that saves nothing.
fn described(forms: &Forms<'_, '_>, item: &Item, level: Level) -> Option<Vec<Form>> {
    let mut saves = false;
    let mut form = |&n: &usize| {
        let described = forms.described(n, level);
        saves |= described.is_some();
        described.unwrap_or_else(|| forms.whole(n))
    };
    let formed = item.members.iter().map(&mut form).collect();
    saves.then_some(formed)
}

/// Every member with as much of its text as `allowed` has room for: members in turn take what they need, up to their
/// share of what is left.
fn source(forms: &Forms<'_, '_>, item: &Item, allowed: Tokens) -> Option<Vec<Form>> {
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
