//! Which parts of a block's text are shown.

use contextfit_kernel::{Action, ByteRange};

/// The parts of a text that the output shows, verbatim or rewritten without loss: ascending ranges that do not touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown(Vec<ByteRange>);

impl Shown {
    /// What `action` shows of `text`.
    pub(crate) fn of(text: &str, action: &Action) -> Self {
        Self::merged(action.shown(text))
    }

    fn merged(mut ranges: Vec<ByteRange>) -> Self {
        ranges.sort_unstable();
        let mut merged: Vec<ByteRange> = Vec::with_capacity(ranges.len());
        for range in ranges.into_iter().filter(|range| !range.is_empty()) {
            let joined = merged.last().filter(|last| last.end() >= range.start());
            match joined.and_then(|last| ByteRange::new(last.start(), last.end().max(range.end()))) {
                Some(joined) => {
                    merged.pop();
                    merged.push(joined);
                }
                None => merged.push(range),
            }
        }
        Self(merged)
    }

    /// Whether all of `range` is shown. Logarithmic in the number of ranges.
    pub(crate) fn covers(&self, range: ByteRange) -> bool {
        let next = self.0.partition_point(|shown| shown.end() < range.end());
        range.is_empty() || self.0.get(next).is_some_and(|shown| shown.start() <= range.start())
    }

    /// The number of bytes shown.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|range| range.len()).sum()
    }

    /// The number of bytes that `other` shows too. Linear in the number of ranges.
    pub(crate) fn shared(&self, other: &Self) -> usize {
        let (mut bytes, mut at) = (0, 0);
        for range in &self.0 {
            while let Some(theirs) = other.0.get(at) {
                let (start, end) = (range.start().max(theirs.start()), range.end().min(theirs.end()));
                bytes += end.saturating_sub(start);
                // The longer of the two may meet the other's next range as well.
                if theirs.end() > range.end() {
                    break;
                }
                at += 1;
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(ranges: &[(usize, usize)]) -> Shown {
        Shown::merged(ranges.iter().map(|(start, end)| ByteRange::new(*start, *end).unwrap()).collect())
    }

    #[test]
    fn ranges_are_merged_and_compared() {
        let a = shown(&[(8, 12), (0, 4), (4, 6), (6, 6)]);
        assert_eq!(a, shown(&[(0, 6), (8, 12)]));
        assert_eq!(a.len(), 10);
        let covers = |start, end| a.covers(ByteRange::new(start, end).unwrap());
        assert!(covers(0, 6) && covers(2, 5) && covers(8, 12) && covers(7, 7));
        assert!(!covers(5, 8) && !covers(5, 7) && !covers(11, 13) && !covers(20, 21));
        assert_eq!(a.shared(&shown(&[(1, 9), (10, 20)])), 5 + 1 + 2);
        assert_eq!(a.shared(&shown(&[])), 0);
        assert_eq!(shown(&[(0, 2), (3, 4), (5, 9)]).shared(&shown(&[(1, 6)])), 1 + 1 + 1);
    }
}
