//! The strategy that shows code as an outline.

use std::{collections::HashMap, sync::Arc};

use contextfit_kernel::{
    Action, ByteRange, Error, Hold, Measured, MeasuredBlock, Piece, Plan, Planner, Reason, Scorer, Step,
    Strategy, Tokens, Values,
};
use contextfit_packing::Holder;
use contextfit_text::keep_shown;

#[cfg(feature = "meaning")]
use crate::ranking::CodeVectors;
use crate::{
    Outlines,
    choice::{Ranking, choose},
    page::OutlinePage,
    ranking::{Document, Ranked, Ranker},
    shelf::{Shelf, cut_tokens},
    stretches::{Divided, stretches},
    units::{Candidate, candidates, document},
};

/// The maximum number of times that a choice is made: its cost may differ from the estimate. With three, a passage that
/// fits is lost to a shorter one at some budgets (`more_room_is_used` in the tests).
const REMAKE_ATTEMPTS: usize = 6;

/// A choice is good enough if it leaves at most one in this many tokens of its room unused.
const GOOD: usize = 100;

/// What compares units with the query by meaning, unless the caller says otherwise.
#[cfg(feature = "meaning")]
const BUILT_IN: Option<&dyn Scorer> = Some(&CodeVectors);
#[cfg(not(feature = "meaning"))]
const BUILT_IN: Option<&dyn Scorer> = None;

/// Shows the functions, types and passages that answer the query, whole, with the lines that lead to them.
///
/// A single ranking covers the units of all blocks ([`Ranker`]), by words and by meaning. Whole bodies come first, by
/// score and size, in about 90 % of the room, each under its enclosing lines and with the comment before it if that is
/// short; the rest is for the signatures of the next best. Without a query, the signatures of the most-used definitions
/// come first: a map. Lines that changed ([`Passage::changed`](contextfit_kernel::Passage::changed)) come before
/// everything else, whatever the query: the units that have some, then those that name these units.
///
/// The syntax tree determines which lines can be left out, so the remaining code still parses. A comment in each gap
/// has the number of missing lines and the names of the definitions in them.
///
/// Each block is parsed once. Linear in the text, linearithmic in the number of definitions.
#[derive(Debug, Clone, Default)]
pub struct Outlining {
    known: Option<Arc<Outlines>>,
    scorer: Option<Arc<dyn Scorer>>,
}

impl Outlining {
    /// The strategy.
    #[must_use]
    pub const fn new() -> Self {
        Self { known: None, scorer: None }
    }

    /// Parses no text whose outline is among `known` ones, and adds the others. The result is the same.
    #[must_use]
    pub fn with_outlines(mut self, known: Arc<Outlines>) -> Self {
        self.known = Some(known);
        self
    }

    /// Also ranks units by `scorer`, which finds matches that share no words with the query, instead of by the built-in
    /// table of the feature `meaning`. It gets stretches of the best units by words.
    #[must_use]
    pub fn with_scorer(mut self, scorer: Arc<dyn Scorer>) -> Self {
        self.scorer = Some(scorer);
        self
    }

    fn scorer(&self) -> Option<&dyn Scorer> {
        // ablate: outline.meaning => None
        self.scorer.as_deref().or(BUILT_IN)
    }

    /// The units of all blocks of `input`, in order, each with its score for the query and the reasons for it. Linear
    /// in the length of the text.
    #[must_use]
    pub fn units(&self, input: &Measured<'_>) -> Vec<RankedUnit> {
        let pages = pages(&input.blocks, self.known.as_deref());
        let (_, documents) = read(&pages, &repeated(&pages, &pinned(input)));
        let ranked = Ranker::new(query(input)).rank(&documents, self.scorer());
        let units = documents.iter().zip(ranked).enumerate().flat_map(|(block, (document, ranked))| {
            let units = document.units.iter().zip(ranked);
            units.map(move |(unit, ranked)| RankedUnit {
                block,
                range: unit.range,
                name: unit.name.into(),
                ranked,
            })
        });
        units.collect()
    }
}

impl Strategy for Outlining {
    fn name(&self) -> &str {
        "outline"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        Ok(Draft::new(input, self).plan(room, self.name()))
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let draft = Draft::new(input, self);
        Box::new(move |room| Ok(draft.plan(room, self.name())))
    }
}

/// A unit of a context with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedUnit {
    /// The index of its block in the context.
    pub block: usize,
    /// Its range in the text of the block.
    pub range: ByteRange,
    /// Its name; empty if it has none.
    pub name: String,
    /// Its score and the reasons for it.
    pub ranked: Ranked,
}

/// The query of `input`, empty if there is none.
fn query<'a>(input: &Measured<'a>) -> &'a str {
    input.context.query.as_deref().unwrap_or_default()
}

/// Whether each block of `input` is pinned.
fn pinned(input: &Measured<'_>) -> Vec<bool> {
    input.context.holds().into_iter().map(|hold| hold == Hold::Pinned).collect()
}

/// For each page, the one whose text it repeats: of pages with the same text, the first pinned one, or else the first of
/// those with the shortest path, is ranked and shown. Linear in the length of the text.
fn repeated(pages: &[OutlinePage<'_, '_>], pinned: &[bool]) -> Vec<Option<usize>> {
    let path = |n: usize| {
        let path = pages.get(n).and_then(|page| page.block.block().as_passage()?.path.as_ref());
        (pinned.get(n) != Some(&true), path.map_or(0, String::len))
    };
    let mut originals: HashMap<&str, usize> = HashMap::new();
    for (n, page) in pages.iter().enumerate() {
        let original = originals.entry(&page.block.block().text).or_insert(n);
        if path(n) < path(*original) {
            *original = n;
        }
    }
    let original = |page: &OutlinePage<'_, '_>| originals.get(page.block.block().text.as_str()).copied();
    pages.iter().enumerate().map(|(n, page)| original(page).filter(|original| *original != n)).collect()
}

/// The candidates of all pages that repeat no other, and the pages as documents to rank.
fn read<'a>(
    pages: &[OutlinePage<'a, '_>],
    repeated: &[Option<usize>],
) -> (Vec<Candidate>, Vec<Document<'a>>) {
    let (mut all, mut documents) = (Vec::new(), Vec::with_capacity(pages.len()));
    for ((n, page), repeated) in pages.iter().enumerate().zip(repeated) {
        let found = if repeated.is_none() { candidates(n, page) } else { Vec::new() };
        documents.push(document(page, &found));
        all.extend(found);
    }
    (all, documents)
}

/// The reason for the action of a block.
fn reason(page: &OutlinePage<'_, '_>, action: &Action, input: &Measured<'_>) -> Reason {
    match action {
        Action::Keep => Reason::Fits,
        Action::Cut { pieces } => {
            let units = |range: ByteRange| {
                page.block.units_before(range.end()) - page.block.units_before(range.start())
            };
            let kept = pieces.iter().filter_map(Piece::range).map(units);
            Reason::NoRoomWhole { kept: kept.sum(), of: page.block.units().len() }
        }
        Action::Record { .. } | Action::Render { .. } | Action::Summarize { .. } | Action::Drop => {
            Reason::NoRoom { needed: page.block.cost(&Action::Keep, input.counter) }
        }
    }
}

/// The pages of `blocks`.
#[cfg(not(feature = "parallel"))]
fn pages<'a, 'b>(blocks: &'b [MeasuredBlock<'a>], known: Option<&Outlines>) -> Vec<OutlinePage<'a, 'b>> {
    blocks.iter().map(|block| OutlinePage::new(block, known)).collect()
}

/// The pages of `blocks`, parsed on all cores.
#[cfg(feature = "parallel")]
fn pages<'a, 'b>(blocks: &'b [MeasuredBlock<'a>], known: Option<&Outlines>) -> Vec<OutlinePage<'a, 'b>> {
    use rayon::prelude::*;

    blocks.par_iter().with_max_len(1).map(|block| OutlinePage::new(block, known)).collect()
}

/// The data that all choices for one input share.
struct Draft<'a, 'b> {
    input: &'b Measured<'a>,
    pages: Vec<OutlinePage<'a, 'b>>,
    costs: Vec<Holder>,
    shelf: Shelf,
    pinned: Vec<bool>,
    /// The cost of the pinned blocks.
    kept: Tokens,
    ranker: Ranker,
    ranking: Ranking,
    /// Whether any word of the query occurs.
    is_asked: bool,
    /// For each page, the one whose text it repeats.
    repeated: Vec<Option<usize>>,
}

impl<'a, 'b> Draft<'a, 'b> {
    fn new(input: &'b Measured<'a>, strategy: &Outlining) -> Self {
        let pinned = pinned(input);
        let kept = input.blocks.iter().zip(&pinned).filter(|(_, keep)| **keep);
        let kept = kept.map(|(block, _)| block.framing() + block.tokens()).sum();
        let pages = pages(&input.blocks, strategy.known.as_deref());
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let costs = pages.iter().map(|page| {
            let group = page.block.block().group.as_deref().map(|group| {
                let next = numbers.len();
                *numbers.entry(group).or_insert(next)
            });
            let stand_in = || page.block.cost(&page.stand_in(input.counter), input.counter).get();
            Holder {
                opening: page.block.framing().get(),
                marker: input.counter.count(&page.usual_marker()).get(),
                stand_in: group.map_or(0, |_| stand_in()),
                group,
                ..Holder::default()
            }
        });
        let costs: Vec<Holder> = costs.collect();
        let shelf = Shelf::new(&pages, &costs);
        let repeated = repeated(&pages, &pinned);
        let (mut candidates, documents) = read(&pages, &repeated);
        let ranker = Ranker::new(query(input));
        let ranked = ranker.rank(&documents, strategy.scorer());
        for (candidate, ranked) in candidates.iter_mut().zip(ranked.iter().flatten()) {
            candidate.score = ranked.score;
        }
        candidates.retain(|candidate| pinned.get(candidate.page) != Some(&true));
        let is_asked = ranked.iter().flatten().any(|ranked| ranked.is_asked);
        let is_changed = documents.iter().flat_map(|document| &document.units).any(|unit| unit.is_changed);
        let ranking = Ranking::new(candidates, !is_asked && !is_changed);
        Self { input, pages, costs, shelf, pinned, kept, ranker, ranking, is_asked, repeated }
    }

    fn plan(&self, room: Tokens, strategy: &str) -> Plan {
        let actions = self.fit(room.saturating_sub(self.kept + self.reserve()));
        let is_shown: Vec<bool> = actions.iter().map(|action| *action != Action::Drop).collect();
        let steps = self.pages.iter().zip(actions).enumerate();
        let steps = steps.map(|(n, (page, action))| {
            let unmatched = !self.is_asked && !query(self.input).trim().is_empty();
            let original = self.repeated.at(n);
            let original = original.filter(|n| action == Action::Drop && is_shown.at(*n));
            let reason = match reason(page, &action, self.input) {
                _ if self.pinned.at(n) => Reason::Pinned,
                Reason::NoRoom { .. } if let Some(original) = original.and_then(|n| self.pages.get(n)) => {
                    Reason::SaidAgain { by: original.block.block().id.clone() }
                }
                Reason::NoRoomWhole { kept, of } if unmatched => Reason::Unmatched { kept, of },
                reason => reason,
            };
            Step::new(&page.block.block().id, action, reason)
        });
        let mut plan = Plan { strategy: strategy.into(), steps: steps.collect() };
        keep_shown(&mut plan, self.input, room);
        plan
    }

    /// The tokens of the line about omitted blocks. Zero for a single block, which is shown if anything of it fits.
    fn reserve(&self) -> Tokens {
        let single = self.pages.len() == 1 && self.input.context.omitted == 0;
        if single { Tokens::ZERO } else { self.input.omission }
    }

    /// The actions that come closest to `target` tokens. The exact cost of a choice is known only after it is made,
    /// because the parts of a line tokenize differently on their own. So the choice is made again, with the room
    /// adjusted by the difference, or half way between one that left tokens unused and one that took too many.
    fn fit(&self, target: Tokens) -> Vec<Action> {
        let (mut room, mut too_much) = (target, None);
        let mut best: Option<(Tokens, Tokens, Vec<Action>)> = None;
        for _ in 0..REMAKE_ATTEMPTS {
            let actions = self.actions(room);
            let cost = self.cost(&actions);
            if cost > target {
                too_much = Some(room);
            } else if best.as_ref().is_none_or(|(_, before, _)| *before <= cost) {
                best = Some((room, cost, actions));
            }
            let next = match (&best, too_much) {
                (Some((_, cost, _)), _)
                    if target.saturating_sub(*cost).get().saturating_mul(GOOD) <= target.get() =>
                {
                    break;
                }
                (Some((least, ..)), Some(most)) => Tokens::new(usize::midpoint(least.get(), most.get())),
                (Some((_, cost, _)), None) => room + target.saturating_sub(*cost),
                (None, _) => room.saturating_sub(cost.saturating_sub(target) + Tokens::new(1)),
            };
            if next == room || best.as_ref().is_some_and(|(least, ..)| *least == next) {
                break;
            }
            room = next;
        }
        // The caller shortens a choice that is too large.
        best.map_or_else(|| self.actions(room), |(.., actions)| actions)
    }

    /// The action for each block within about `room` tokens.
    fn actions(&self, room: Tokens) -> Vec<Action> {
        let stretches = |candidate: &Candidate, what: Divided| {
            let page = self.pages.get(candidate.page);
            page.map_or_else(Default::default, |page| stretches(page, candidate, what, &self.ranker))
        };
        let selection = choose(&self.shelf, self.pages.len(), &self.ranking, &stretches, room);
        let action = |(n, (page, costs)): (usize, (&OutlinePage<'_, '_>, &Holder))| match selection.is_open(n)
        {
            _ if self.pinned.at(n) => Action::Keep,
            true => page.action(selection.shown(n), Tokens::new(costs.marker)),
            false if selection.group_is_open(n) => page.stand_in(self.input.counter),
            false => Action::Drop,
        };
        self.pages.iter().zip(&self.costs).enumerate().map(action).collect()
    }

    /// The cost of the blocks that are not pinned under these actions. Each cut text is counted as it will appear.
    fn cost(&self, actions: &[Action]) -> Tokens {
        let others = self.pages.iter().zip(actions).enumerate().filter(|(n, _)| !self.pinned.at(*n));
        let cost = |(_, (page, action)): (usize, (&OutlinePage<'_, '_>, &Action))| match action {
            Action::Cut { pieces } if !self.input.context.layout.line_numbers => {
                page.block.framing() + cut_tokens(page.block, pieces, self.input.counter)
            }
            _ => page.block.cost(action, self.input.counter),
        };
        others.map(cost).sum()
    }
}
