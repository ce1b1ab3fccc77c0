//! The selection of sentences: the best first, each with its needs, as long as they fit with their headings and
//! markers.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    ops::Deref,
};

use contextfit_kernel::{Measured, Tokens, Values};
use contextfit_packing::{Holder, Ledger, Need, Node, Queue, Relation, Score, Selection, With};
use contextfit_text::{Needs, Term, float};
use foldhash::fast::FixedState;

use crate::{corpus::Corpus, options::weight};

/// Sentences with their costs, scores and needs.
pub(crate) struct Sentences {
    /// The costs. Each block is a holder.
    pub(crate) ledger: Ledger,
    relation: Relation,
}

impl Sentences {
    /// Creates the sentences of `input` with these `scores` and `needs`. A gap in a block costs its marker. Linear.
    pub(crate) fn new(input: &Measured<'_>, scores: &[f64], needs: &[Needs], markers: &[Tokens]) -> Self {
        let mut groups = input.context.groups();
        groups.retain(|members| members.len() > 1);
        let numbered = groups.iter().enumerate();
        let numbers: HashMap<usize, usize> =
            numbered.flat_map(|(group, members)| members.iter().map(move |&n| (n, group))).collect();
        let mut ledger = Ledger::default();
        for (n, (block, marker)) in input.blocks.iter().zip(markers).enumerate() {
            let (opening, marker, group) = (block.framing().get(), marker.get(), numbers.get(&n).copied());
            let holder = Holder { opening, marker, group, ..Holder::default() };
            let rows = scores.get(ledger.len()..).unwrap_or_default().iter().take(block.units().len());
            let cost = |unit: usize| block.tokens_between(unit, unit + 1).get();
            ledger.hold(holder, rows.enumerate().map(|(unit, score)| (cost(unit), *score)));
        }
        let needs = needs.iter().enumerate();
        let mut relation: Vec<(Node, Need)> =
            needs.flat_map(|(block, needs)| needs.edges(ledger.rows(block).start)).collect();
        // A group is shown completely: each of its blocks needs the next one, and at least one of its own sentences.
        for members in &groups {
            for (&block, &next) in members.iter().zip(members.iter().cycle().skip(1)) {
                let needs = [Need::Holder(next), Need::One(ledger.rows(block))];
                relation.extend(needs.map(|need| (Node::Holder(block), need)));
            }
        }
        Self { ledger, relation: relation.into_iter().collect() }
    }
}

/// A choice of sentences within a room.
pub(crate) struct SentenceChoice<'r> {
    ledger: &'r Ledger,
    corpus: &'r Corpus,
    selection: Selection<'r>,
    /// For each block, whether more of it was taken since [`has_changed`](Self::has_changed) was last called.
    changed: Vec<bool>,
    /// The number of times that each group did not fit.
    refused: Vec<u8>,
    is_empty: bool,
    carried: Carried,
}

impl<'r> Deref for SentenceChoice<'r> {
    type Target = Selection<'r>;

    fn deref(&self) -> &Selection<'r> {
        &self.selection
    }
}

impl<'r> SentenceChoice<'r> {
    /// Creates an empty choice.
    pub(crate) fn new(sentences: &'r Sentences, corpus: &'r Corpus, room: Tokens) -> Self {
        let Sentences { ledger, relation } = sentences;
        Self {
            ledger,
            corpus,
            selection: Selection::new(ledger, relation, room.get()).with_most(MAX_NEEDED_SENTENCES),
            changed: vec![false; corpus.n_blocks()],
            refused: vec![0; corpus.n_blocks()],
            is_empty: true,
            // A pair of words rarely takes less than one token.
            carried: Carried::with_room(corpus.terms().len().min(room.get())),
        }
    }

    /// Takes sentences in descending order of score, equal ones in order, and skips those that do not fit. Sentences
    /// below `min_score` and sentences of blocks marked in `skip` are not taken.
    ///
    /// A sentence whose word pairs are already in the result loses up to `repetition` of its score. O(n log n) in the
    /// number of sentences.
    pub(crate) fn take_best(&mut self, scores: &[f64], min_score: f64, repetition: f64, skip: &[bool]) {
        let (corpus, ledger) = (self.corpus, self.ledger);
        let open = |block: &usize| !skip.at(*block);
        let all = (0..corpus.n_blocks()).filter(open).flat_map(|block| corpus.sentences(block));
        let sentences = all.filter(|&n| !self.is_taken(n));
        let score = |n: usize| scores.get(n).copied().filter(|score| score.is_finite()).unwrap_or(0.0);
        let scored = sentences.map(|n| (n, score(n))).filter(|(_, score)| *score >= min_score);
        let cost = |n: usize| ledger.cost(&(n..n + 1));
        let mut cheapest = usize::MAX;
        let scored = scored.inspect(|(n, _)| cheapest = cheapest.min(cost(*n)));
        let mut queue: Queue<_> = scored.map(|(n, score)| (Score(score), Reverse(n))).collect();
        let repetition = weight(repetition).min(1.0);
        self.refused.fill(0);
        while let Some((Score(queued), Reverse(n))) = queue.pop() {
            // At best, the sentence closes a gap and saves its marker.
            let most = self.left() + ledger.longest_marker();
            if most < cheapest {
                break;
            }
            if cost(n) > most {
                continue;
            }
            if repetition > 0.0 {
                let share = self.carried.share(corpus.sentence(n));
                let worth = score(n) * (1.0 - repetition * share * share);
                if worth < queued {
                    queue.put_back((Score(worth), Reverse(n)));
                    continue;
                }
            }
            // The best sentence with fewer of its needs is worth more than a weaker one with all of them.
            for with in [With::All, With::Each, With::Direct, With::Nothing] {
                if self.take(n, with) || !self.is_empty {
                    break;
                }
            }
        }
    }

    /// Takes sentence `n` with its needs, and the best sentence of every block of its group that shows nothing yet.
    /// Takes none of them if they do not all fit.
    fn take(&mut self, n: usize, with: With) -> bool {
        let block = self.corpus.block_of(n);
        let group = self.ledger.group(block).filter(|_| !self.is_open(block));
        let refused = group.and_then(|group| self.refused.get_mut(group));
        if refused.as_ref().is_some_and(|refused| **refused >= GROUP_ATTEMPTS) {
            return false;
        }
        if !self.selection.take([Node::Row(n)], with, 0) {
            refused.into_iter().for_each(|refused| *refused += 1);
            return false;
        }
        self.is_empty = false;
        for &n in self.selection.last() {
            self.carried.add(self.corpus.sentence(n));
            let block = self.corpus.block_of(n);
            self.changed.set(block, true);
        }
        true
    }

    /// Updates the remaining room after the sentences taken actually cost `spent` of `room`, because most markers cost
    /// less than the longest one. Returns whether there is more room than before.
    pub(crate) fn settle(&mut self, room: Tokens, spent: Tokens) -> bool {
        let before = self.left();
        self.selection.set_left(room.saturating_sub(spent).get());
        self.left() > before
    }

    /// Whether more of `block` was taken since the last call for it.
    pub(crate) fn has_changed(&mut self, block: usize) -> bool {
        self.changed.get_mut(block).is_some_and(std::mem::take)
    }
}

/// The number of sentences of a group that are tried before the group is given up, because each attempt examines the
/// whole group.
const GROUP_ATTEMPTS: u8 = 16;

/// The maximum number of other sentences that are taken because a sentence needs them. Sentences with more needs belong
/// to a list or a log.
const MAX_NEEDED_SENTENCES: usize = 64;

/// The pairs of adjacent terms in the sentences taken so far.
struct Carried {
    pairs: HashSet<u64, FixedState>,
}

impl Carried {
    /// Creates an empty set with room for `pairs` pairs.
    fn with_room(pairs: usize) -> Self {
        Self { pairs: HashSet::with_capacity_and_hasher(pairs, FixedState::default()) }
    }

    /// The share of the pairs of `terms` that are already in the set, from 0 to 1. Linear in their number.
    pub(crate) fn share(&self, terms: &[Term]) -> f64 {
        let (mut all, mut carried) = (0, 0);
        for pair in pairs(terms) {
            all += 1;
            carried += usize::from(self.pairs.contains(&pair));
        }
        float(carried) / float(all.max(1))
    }

    /// Adds the pairs of `terms` to the set.
    pub(crate) fn add(&mut self, terms: &[Term]) {
        self.pairs.extend(pairs(terms));
    }
}

/// The pairs of adjacent terms. A single term is paired with itself.
fn pairs(terms: &[Term]) -> impl Iterator<Item = u64> {
    let pair = |first: Term, second: Term| u64::from(first) << 32 | u64::from(second);
    let single = match terms {
        [only] => Some(pair(*only, *only)),
        _ => None,
    };
    single.into_iter().chain(terms.iter().zip(terms.iter().skip(1)).map(move |(a, b)| pair(*a, *b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(taken: &[&[Term]], terms: &[Term], expect: f64) {
        let mut carried = Carried::with_room(0);
        taken.iter().for_each(|terms| carried.add(terms));
        assert!((carried.share(terms) - expect).abs() < 1e-12, "{} of {terms:?}", carried.share(terms));
    }

    #[test]
    fn shares() {
        check(&[], &[1, 2, 3], 0.0);
        check(&[&[1, 2, 3]], &[1, 2, 3], 1.0);
        check(&[&[1, 2, 3]], &[2, 3, 4], 0.5);
        check(&[&[1, 2], &[2, 3]], &[1, 2, 3], 1.0);
        // The same words in a different order have a different meaning.
        check(&[&[1, 2, 3]], &[3, 2, 1], 0.0);
        check(&[&[1]], &[1], 1.0);
        check(&[&[1, 2]], &[1], 0.0);
        check(&[&[1, 2]], &[], 0.0);
        check(&[&[]], &[], 0.0);
    }
}
