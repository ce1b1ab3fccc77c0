//! Selection of sentences: the best first, each with what it needs, as long as they fit, including the cost of headings
//! and markers.

use std::{ops::Range, rc::Rc};

use contextfit_kernel::{MeasuredBlock, Tokens};
use contextfit_text::Needs;

use crate::{corpus::Corpus, options::weight, queue::Queue, repetition::Carried};

/// For each block, the blocks of its group including itself; `None` for blocks in no group.
pub(crate) type Groups = Vec<Option<Rc<[usize]>>>;

/// What a sentence entails, for each block.
#[derive(Clone, Copy)]
pub(crate) struct Costs<'r> {
    /// The cost of a marker in the block.
    pub(crate) markers: &'r [Tokens],
    pub(crate) groups: &'r Groups,
    /// The other units that its units need; none if it is not prose.
    pub(crate) needs: &'r [Needs],
}

/// What a sentence is taken together with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needing {
    /// Everything that it needs.
    All,
    /// The units that it needs itself, such as its headings, but not some of the text of each heading.
    Each,
    /// The units that it needs itself, such as the author of what it says, but not what those need.
    Direct,
    Nothing,
}

/// A selection of sentences within a room.
pub(crate) struct Selection<'r, 'a> {
    blocks: &'r [MeasuredBlock<'a>],
    corpus: &'r Corpus,
    costs: Costs<'r>,
    /// What sentences are taken together with.
    needing: Needing,
    taken: Vec<bool>,
    opened: Vec<bool>,
    /// For each block, whether more of it has been taken since the last query.
    changed: Vec<bool>,
    /// For each block, how often its group did not fit.
    refused: Vec<u8>,
    left: i64,
    carried: Carried,
}

impl<'r, 'a> Selection<'r, 'a> {
    /// Creates an empty selection.
    pub(crate) fn new(
        blocks: &'r [MeasuredBlock<'a>],
        corpus: &'r Corpus,
        costs: Costs<'r>,
        room: Tokens,
    ) -> Self {
        let (taken, opened) = (vec![false; corpus.len()], vec![false; blocks.len()]);
        Self {
            blocks,
            corpus,
            costs,
            needing: Needing::All,
            taken,
            opened,
            changed: vec![false; blocks.len()],
            refused: vec![0; blocks.len()],
            left: signed(room),
            // A pair of words rarely takes less than one token.
            carried: Carried::with_room(corpus.terms().len().min(room.get())),
        }
    }

    /// Takes sentences in descending order of score, skipping those that do not fit; equal ones in their order.
    /// Sentences below `min_score` and sentences of blocks marked in `skip` are not taken.
    ///
    /// What limits a sentence is taken right after it. A sentence whose words are already in the result loses up to
    /// `repetition` of its score. O(n log n) in the number of sentences.
    pub(crate) fn take_best(&mut self, scores: &[f64], min_score: f64, repetition: f64, skip: &[bool]) {
        let corpus = self.corpus;
        let open = |block: &usize| !skip.get(*block).copied().unwrap_or(false);
        let all = (0..self.blocks.len()).filter(open).flat_map(|block| corpus.sentences(block));
        let sentences = all.filter(|&n| !self.is_taken(n));
        let score = |n: usize| scores.get(n).copied().filter(|score| score.is_finite()).unwrap_or(0.0);
        let scored = sentences.map(|n| (n, score(n))).filter(|(_, score)| *score >= min_score);
        let mut cheapest = i64::MAX;
        let mut queue = Queue::new(scored.inspect(|(n, _)| cheapest = cheapest.min(signed(self.tokens(*n)))));
        let marker = self.costs.markers.iter().max().map_or(0, |tokens| signed(*tokens));
        let repetition = weight(repetition).min(1.0);
        self.refused.fill(0);
        // There may be room now for what limits the sentences taken before.
        let taken: Vec<usize> = (0..self.taken.len()).filter(|&n| self.is_taken(n)).collect();
        self.take_limits(&taken, scores);
        while let Some((n, queued)) = queue.pop() {
            // Closing a gap frees its marker.
            if self.left + marker < cheapest {
                break;
            }
            // At best, it closes a gap.
            if signed(self.tokens(n)) - marker > self.left {
                continue;
            }
            if repetition > 0.0 {
                let share = self.carried.share(corpus.sentence(n));
                let worth = score(n) * (1.0 - repetition * share * share);
                if worth < queued {
                    queue.put_back(n, worth);
                    continue;
                }
            }
            let mut taken = self.take(n, scores);
            // The best sentence with less is worth more than a weaker one with everything it needs.
            for needing in [Needing::Each, Needing::Direct, Needing::Nothing] {
                if taken.is_empty() && !self.opened.contains(&true) {
                    self.needing = needing;
                    taken = self.take(n, scores);
                }
            }
            self.needing = Needing::All;
            taken.extend(self.take_limits(&taken, scores));
            for taken in taken {
                self.carried.add(corpus.sentence(taken));
            }
        }
    }

    /// Takes the rest of every small table, list and section of which a sentence that scores at least `min_score` was
    /// taken, the best first, as long as it fits: half of a list misleads. O(n log n) in the number of sentences taken.
    pub(crate) fn complete(&mut self, scores: &[f64], min_score: f64) {
        // ablate: bm25.complete => ()
        let score = |n: usize| scores.get(n).copied().unwrap_or(0.0);
        let mut taken: Vec<usize> = (0..self.taken.len()).filter(|&n| self.is_taken(n)).collect();
        taken.retain(|&n| score(n) >= min_score);
        taken.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        for n in taken {
            let block = self.corpus.block_of(n);
            let start = self.corpus.sentences(block).start;
            let whole = self.costs.needs.get(block).map_or(0..0, |needs| needs.whole_of(n - start));
            if whole.len() <= WHOLE {
                whole.for_each(|unit| drop(self.take(start + unit, scores)));
            }
        }
    }

    /// Takes sentence `n`, everything it needs, and the best sentence of every block of its group that shows nothing
    /// yet; all of these, or none if they do not fit. Returns the sentences taken.
    fn take(&mut self, n: usize, scores: &[f64]) -> Vec<usize> {
        let block = self.corpus.block_of(n);
        let mut wanted = vec![n];
        let before = self.left;
        let (mut taken, mut opening) = (Vec::new(), Vec::new());
        if !self.is_opened(block) {
            let group = self.costs.groups.get(block).and_then(Option::as_deref).unwrap_or_default();
            if self.refused.get(block).is_some_and(|&refused| refused >= ATTEMPTS) {
                return Vec::new();
            }
            for &other in group.iter().filter(|&&other| other != block) {
                match best(self.corpus.sentences(other), scores) {
                    Some(n) => wanted.push(n),
                    // Without a sentence it is shown by its header.
                    None if !self.is_opened(other) => self.open_at_cost(other, &mut opening),
                    None => {}
                }
            }
        }
        let most = wanted.len() + TOGETHER;
        while let Some(n) = wanted.pop().filter(|_| taken.len() <= most) {
            if self.is_taken(n) {
                continue;
            }
            let block = self.corpus.block_of(n);
            self.left -= self.cost(n);
            if !self.is_opened(block) {
                self.open_at_cost(block, &mut opening);
            }
            self.set(n, true);
            taken.push(n);
            self.add_needs(block, n, scores, &taken, &mut wanted);
        }
        if self.left < 0 || taken.len() > most {
            self.left = before;
            taken.drain(..).for_each(|n| self.set(n, false));
            for &n in &opening {
                self.open(n, false);
                let refused = self.refused.get_mut(n).filter(|_| opening.len() > 1);
                refused.into_iter().for_each(|refused| *refused = refused.saturating_add(1));
            }
        }
        for &n in &taken {
            let block = self.corpus.block_of(n);
            self.changed.get_mut(block).into_iter().for_each(|changed| *changed = true);
        }
        taken
    }

    /// Takes what limits the sentences `taken`, as far as it fits; returns what was taken.
    fn take_limits(&mut self, taken: &[usize], scores: &[f64]) -> Vec<usize> {
        let limits: Vec<usize> = taken.iter().flat_map(|&n| self.limits_of(n)).collect();
        limits.into_iter().flat_map(|limit| self.take(limit, scores)).collect()
    }

    /// The sentences that limit what sentence `n` says.
    fn limits_of(&self, n: usize) -> impl Iterator<Item = usize> + use<'r, 'a> {
        let block = self.corpus.block_of(n);
        let start = self.corpus.sentences(block).start;
        let limits = self.costs.needs.get(block).map(|needs| needs.limits_of(n - start));
        limits.into_iter().flatten().map(move |limit| start + limit)
    }

    /// Opens `block`, pays for its framing, and notes it in `opening`.
    fn open_at_cost(&mut self, block: usize, opening: &mut Vec<usize>) {
        self.left -= self.blocks.get(block).map_or(0, |block| signed(block.framing()));
        self.open(block, true);
        opening.push(block);
    }

    /// Adds to `wanted` what sentence `n` of `block` needs. The sentences just `taken` are looked at first, because the
    /// range of a heading can be all of the block.
    fn add_needs(&self, block: usize, n: usize, scores: &[f64], taken: &[usize], wanted: &mut Vec<usize>) {
        let needs_any = match self.needing {
            Needing::All | Needing::Each => true,
            Needing::Direct => taken.len() == 1,
            Needing::Nothing => false,
        };
        let Some(needs) = self.costs.needs.get(block).filter(|_| needs_any) else { return };
        let start = self.corpus.sentences(block).start;
        wanted.extend(needs.all_of(n - start).iter().map(|unit| start + unit));
        if self.needing != Needing::All {
            return;
        }
        let one = needs.one_of(n - start);
        let mut one = start + one.start..start + one.end;
        let met = taken.iter().any(|n| one.contains(n))
            || one.clone().any(|n| self.is_taken(n) || wanted.contains(&n));
        if !met {
            wanted.extend(best(one.by_ref(), scores));
        }
    }

    /// The cost of sentence `n` given those already taken: its tokens, plus or minus markers.
    fn cost(&self, n: usize) -> i64 {
        let block = self.corpus.block_of(n);
        let all = self.corpus.sentences(block);
        let marker = self.costs.markers.get(block).map_or(0, |tokens| signed(*tokens));
        let held = |n: Option<usize>| n.is_none_or(|n| !all.contains(&n) || self.is_taken(n));
        // The first sentence of a block pays for the gaps on both sides.
        let first = !self.is_opened(block);
        let gaps = match (held(n.checked_sub(1)), held(Some(n + 1))) {
            (true, true) if !first => -1,
            (true, true) => 0,
            (false, false) if first => 2,
            (true, false) | (false, true) if !first => 0,
            _ => 1,
        };
        signed(self.tokens(n)) + gaps * marker
    }

    /// The runs of units taken of `block`, in order. A gap that costs no more than its marker is taken too, if
    /// everything in it has what it needs.
    pub(crate) fn runs(&self, block: usize) -> Vec<Range<usize>> {
        let Some(measured) = self.blocks.get(block) else { return Vec::new() };
        let all = self.corpus.sentences(block);
        let marker = self.costs.markers.get(block).copied().unwrap_or(Tokens::ZERO);
        let is_filled = |gap: Range<usize>| {
            let is_shown = |unit: usize| gap.contains(&unit) || self.is_taken(all.start + unit);
            let needs = self.costs.needs.get(block);
            measured.tokens_between(gap.start, gap.end) <= marker
                && needs.is_none_or(|needs| gap.clone().all(|unit| needs.are_met(unit, is_shown)))
        };
        let mut runs: Vec<Range<usize>> = Vec::new();
        for unit in all.clone().filter(|&n| self.is_taken(n)).map(|n| n - all.start) {
            match runs.last_mut() {
                Some(run) if run.end == unit || is_filled(run.end..unit) => run.end = unit + 1,
                _ => runs.push(unit..unit + 1),
            }
        }
        if let Some(first) = runs.first_mut().filter(|run| is_filled(0..run.start)) {
            first.start = 0;
        }
        if let Some(last) = runs.last_mut().filter(|run| is_filled(run.end..all.len())) {
            last.end = all.len();
        }
        runs
    }

    /// Updates the remaining room, given that the sentences taken actually cost `spent` of `room`: markers usually cost
    /// less than the longest of them. Returns whether there is more room than before.
    pub(crate) fn settle(&mut self, room: Tokens, spent: Tokens) -> bool {
        let before = std::mem::replace(&mut self.left, signed(room) - signed(spent));
        self.left > before
    }

    /// Whether more of `block` has been taken since this was last called for it.
    pub(crate) fn has_changed(&mut self, block: usize) -> bool {
        self.changed.get_mut(block).is_some_and(std::mem::take)
    }

    /// Whether any of `block` is shown.
    pub(crate) fn is_opened(&self, block: usize) -> bool {
        self.opened.get(block).copied().unwrap_or(false)
    }

    /// Whether sentence `n` was taken for its score.
    pub(crate) fn is_taken(&self, n: usize) -> bool {
        self.taken.get(n).copied().unwrap_or(false)
    }

    fn open(&mut self, block: usize, opened: bool) {
        self.opened.get_mut(block).into_iter().for_each(|place| *place = opened);
    }

    fn set(&mut self, n: usize, taken: bool) {
        self.taken.get_mut(n).into_iter().for_each(|place| *place = taken);
    }

    fn tokens(&self, n: usize) -> Tokens {
        let block = self.corpus.block_of(n);
        let unit = n - self.corpus.sentences(block).start;
        self.blocks.get(block).map_or(Tokens::ZERO, |block| block.tokens_between(unit, unit + 1))
    }
}

/// Number of a group's sentences that are tried, the best first, before the group is considered not to fit; each
/// attempt examines the whole group.
const ATTEMPTS: u8 = 16;

/// A table, a list or a section of more units than this is not completed.
const WHOLE: usize = 20;

/// A sentence that needs more others than this is not taken: it belongs to a list or a log.
const TOGETHER: usize = 64;

/// The highest-scoring one of `sentences`; of equal ones the first.
fn best(sentences: impl DoubleEndedIterator<Item = usize>, scores: &[f64]) -> Option<usize> {
    let score = |n: &usize| scores.get(*n).copied().unwrap_or(0.0);
    sentences.rev().max_by(|a, b| score(a).total_cmp(&score(b)))
}

/// Tokens as a signed number, since they may be owed.
fn signed(tokens: Tokens) -> i64 {
    i64::try_from(tokens.get()).unwrap_or(i64::MAX / 4)
}
