//! Sentences in the order in which they are considered.

use std::{cmp::Reverse, collections::BinaryHeap};

/// Sentences by score, the highest first; of equal scores the first.
///
/// All are sorted once, which is more cache-friendly than a heap of all of them; only those put back with a lower score
/// are in a heap.
#[derive(Default)]
pub(crate) struct Queue {
    /// In ascending order: the last entry is next.
    sorted: Vec<Entry>,
    again: BinaryHeap<Entry>,
}

type Entry = (Score, Reverse<usize>);

/// A finite score.
#[derive(PartialEq)]
pub(crate) struct Score(pub(crate) f64);

impl Eq for Score {}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Queue {
    /// Creates a queue of these sentences with their scores. O(n log n) in their number.
    pub(crate) fn new(sentences: impl Iterator<Item = (usize, f64)>) -> Self {
        let mut sorted: Vec<Entry> = sentences.map(|(n, score)| (Score(score), Reverse(n))).collect();
        sorted.sort_unstable();
        Self { sorted, again: BinaryHeap::new() }
    }

    /// Puts sentence `n` back with a new score.
    pub(crate) fn put_back(&mut self, n: usize, score: f64) {
        self.again.push((Score(score), Reverse(n)));
    }

    /// The next sentence and its score.
    pub(crate) fn pop(&mut self) -> Option<(usize, f64)> {
        let next = match (self.again.peek(), self.sorted.last()) {
            (Some(again), Some(first)) if again > first => self.again.pop(),
            (Some(_), None) => self.again.pop(),
            _ => self.sorted.pop(),
        };
        next.map(|(Score(score), Reverse(n))| (n, score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_first() {
        let mut queue = Queue::new([(0, 1.0), (1, 3.0), (2, 2.0), (3, 3.0), (4, 0.0)].into_iter());
        assert_eq!([queue.pop(), queue.pop()], [Some((1, 3.0)), Some((3, 3.0))]);
        queue.put_back(1, 1.0);
        queue.put_back(3, 2.5);
        let mut rest = Vec::new();
        while let Some((n, _)) = queue.pop() {
            rest.push(n);
        }
        assert_eq!(rest, [3, 2, 0, 1, 4]);
    }
}
