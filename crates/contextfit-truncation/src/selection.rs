//! The selection of a block's units, and its cost.

use std::ops::Range;

use contextfit_text::Needs;

/// A selection of units within a room, including the cost of gap markers.
pub(crate) struct Selection<'s, S> {
    taken: Vec<bool>,
    left: usize,
    marker: usize,
    size: &'s S,
}

impl<'s, S: Fn(usize, usize) -> usize> Selection<'s, S> {
    /// Creates a selection with none of `units` taken; `None` if not even the marker for all of them fits into `room`.
    pub(crate) fn new(units: usize, room: usize, marker: usize, size: &'s S) -> Option<Self> {
        let left = room.checked_sub(marker)?;
        Some(Self { taken: vec![false; units], left, marker, size })
    }

    /// The room left.
    pub(crate) const fn left(&self) -> usize {
        self.left
    }

    /// Takes those of `units` that are not taken yet, all or none. Returns whether all are taken now. Linear in their
    /// number.
    ///
    /// A unit between two gaps requires one more marker; one that closes a gap frees a marker.
    pub(crate) fn take(&mut self, units: impl IntoIterator<Item = usize>) -> bool {
        let before = self.left;
        let mut debt = 0;
        let mut new = Vec::new();
        for unit in units {
            if self.is_taken(unit) {
                continue;
            }
            let closed = self.is_taken(unit.wrapping_sub(1)) && self.is_taken(unit + 1);
            let opened = !self.is_taken(unit.wrapping_sub(1)) && !self.is_taken(unit + 1);
            debt += (self.size)(unit, unit + 1) + if opened { self.marker } else { 0 };
            self.left += if closed { self.marker } else { 0 };
            if let Some(taken) = self.taken.get_mut(unit) {
                *taken = true;
                new.push(unit);
            }
        }
        if let Some(left) = self.left.checked_sub(debt) {
            self.left = left;
            return true;
        }
        self.left = before;
        for unit in new {
            if let Some(taken) = self.taken.get_mut(unit) {
                *taken = false;
            }
        }
        false
    }

    /// The runs of taken units, in order. A gap no larger than its marker is taken too, since that costs less, if its
    /// units have what they need.
    pub(crate) fn runs(self, needs: &Needs) -> Vec<Range<usize>> {
        let is_filled = |gap: Range<usize>| {
            (self.size)(gap.start, gap.end) <= self.marker
                && gap
                    .clone()
                    .all(|unit| needs.are_met(unit, |other| gap.contains(&other) || self.is_taken(other)))
        };
        let mut runs: Vec<Range<usize>> = Vec::new();
        for unit in (0..self.taken.len()).filter(|&unit| self.is_taken(unit)) {
            match runs.last_mut() {
                Some(Range { end, .. }) if *end == unit || is_filled(*end..unit) => *end = unit + 1,
                _ => runs.push(unit..unit + 1),
            }
        }
        runs
    }

    /// Whether `unit` is taken. Beyond both ends nothing can be missing, so units there count as taken.
    pub(crate) fn is_taken(&self, unit: usize) -> bool {
        self.taken.get(unit).copied().unwrap_or(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes `ranges` of ten units of size 10 in order, with markers of cost 4, and checks which units are kept and how
    /// much room is left.
    #[track_caller]
    fn check(room: usize, ranges: &[(usize, usize)], runs: &[(usize, usize)], left: usize) {
        let size = |from: usize, to: usize| 10 * (to - from);
        let mut selection = Selection::new(10, room, 4, &size).unwrap();
        for &(from, to) in ranges {
            selection.take(from..to);
        }
        assert_eq!(selection.left(), left);
        assert!(
            selection
                .runs(&Needs::default())
                .into_iter()
                .map(|run| (run.start, run.end))
                .eq(runs.iter().copied())
        );
    }

    #[test]
    fn gaps_are_paid_for_and_paid_back() {
        check(104, &[], &[], 100);
        check(104, &[(0, 3)], &[(0, 3)], 70);
        check(104, &[(0, 3), (7, 10)], &[(0, 3), (7, 10)], 40);
        check(104, &[(4, 5)], &[(4, 5)], 86);
        check(104, &[(4, 5), (5, 6)], &[(4, 6)], 76);
        check(104, &[(0, 4), (5, 10), (4, 5)], &[(0, 10)], 4);
        check(104, &[(0, 3), (1, 4)], &[(0, 4)], 60);
    }

    #[test]
    fn all_or_nothing() {
        check(33, &[(0, 2), (3, 6), (9, 10)], &[(0, 2)], 9);
        assert!(Selection::new(3, 3, 4, &|_, _| 0).is_none());
    }
}
