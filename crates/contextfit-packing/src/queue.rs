//! A queue of candidates, the best first.

use std::{cmp::Ordering, collections::BinaryHeap};

/// A number as a score: it is finite and can be ordered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score(pub f64);

impl Eq for Score {}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A queue of entries, the greatest first.
///
/// The entries are sorted once, which is faster than a heap because it uses the cache better. Only entries that are put
/// back, usually with a lower [`Score`], are in a heap.
///
/// ```
/// use std::cmp::Reverse;
///
/// use contextfit_packing::{Queue, Score};
///
/// let entries = [(Score(1.0), Reverse(0)), (Score(3.0), Reverse(2)), (Score(3.0), Reverse(1))];
/// let mut queue = Queue::from_iter(entries);
/// assert_eq!(queue.pop(), Some((Score(3.0), Reverse(1))));
/// queue.put_back((Score(2.0), Reverse(1)));
/// assert_eq!(queue.pop(), Some((Score(3.0), Reverse(2))));
/// assert_eq!(queue.pop(), Some((Score(2.0), Reverse(1))));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Queue<T> {
    /// In ascending order: the last entry is next.
    sorted: Vec<T>,
    again: BinaryHeap<T>,
}

impl<T: Ord> FromIterator<T> for Queue<T> {
    /// O(n log n).
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut sorted: Vec<T> = entries.into_iter().collect();
        sorted.sort_unstable();
        Self { sorted, again: BinaryHeap::new() }
    }
}

impl<T: Ord> Queue<T> {
    /// Puts back an entry that was popped.
    pub fn put_back(&mut self, entry: T) {
        self.again.push(entry);
    }

    /// Removes and returns the next entry.
    pub fn pop(&mut self) -> Option<T> {
        match (self.again.peek(), self.sorted.last()) {
            (Some(again), Some(first)) if again > first => self.again.pop(),
            (Some(_), None) => self.again.pop(),
            _ => self.sorted.pop(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;

    #[test]
    fn the_highest_first() {
        let entry = |(n, score): (usize, f64)| (Score(score), Reverse(n));
        let all = [(0, 1.0), (1, 3.0), (2, 2.0), (3, 3.0), (4, 0.0)];
        let mut queue: Queue<(Score, Reverse<usize>)> = all.map(entry).into_iter().collect();
        assert_eq!([queue.pop(), queue.pop()], [Some(entry((1, 3.0))), Some(entry((3, 3.0)))]);
        queue.put_back(entry((1, 1.0)));
        queue.put_back(entry((3, 2.5)));
        let mut rest = Vec::new();
        while let Some((_, Reverse(n))) = queue.pop() {
            rest.push(n);
        }
        assert_eq!(rest, [3, 2, 0, 1, 4]);
    }
}
