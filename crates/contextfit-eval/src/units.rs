//! Whole lines and sentences, and lines made of them.

use std::collections::{BTreeSet, HashSet};

use contextfit_kernel::ByteRange;

use crate::python::{folded, lines};

/// The whole lines and sentences of texts, folded. Only their hashes are stored: those of all beginnings of a line are
/// found in one pass over it.
#[derive(Debug, Default)]
pub(crate) struct Units(HashSet<u64>);

impl Units {
    /// Adds the units of `text`. A colon also ends a unit, as the text before it is often a label.
    pub(crate) fn add(&mut self, text: &str) {
        for line in lines(text).map(folded).filter(|line| !line.is_empty()) {
            self.0.extend(sentences(&line, &['.', '!', '?', ':']).map(hash));
            self.0.insert(hash(&line));
        }
    }

    /// Whether `line` is a run of units, taking the longest that fits each time; an empty line is.
    pub(crate) fn make_up(&self, line: &str) -> bool {
        let line = folded(line);
        let mut rest = line.as_str();
        while let Some(end) = self.longest(rest) {
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        rest.is_empty()
    }

    /// The end of the longest unit at the start of `text`.
    fn longest(&self, text: &str) -> Option<usize> {
        let (mut hash, mut longest) = (EMPTY, None);
        for (at, byte) in text.bytes().chain([b' ']).enumerate() {
            if byte == b' ' && self.0.contains(&hash) {
                longest = Some(at);
            }
            hash = next(hash, byte);
        }
        longest
    }
}

/// The lines of `text`, from 1, that lie within one of `ranges`, ignoring their line feeds, and bytes at their ends that
/// `may_miss`. Linear in the length of the text and of the ranges.
pub(crate) fn lines_within(text: &str, ranges: &[ByteRange], may_miss: fn(u8) -> bool) -> BTreeSet<usize> {
    let starts: Vec<usize> = [0].into_iter().chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let end_of = |line: usize| starts.get(line + 1).map_or(text.len(), |next| next - 1);
    let mut within = BTreeSet::new();
    for range in ranges {
        let lines = starts.partition_point(|start| *start < range.start())
            ..starts.partition_point(|start| *start < range.end());
        let missing = |line| text.as_bytes().get(range.end()..end_of(line)).unwrap_or_default();
        let is_within = |line: &usize| missing(*line).iter().all(|byte| may_miss(*byte));
        within.extend(lines.filter(is_within).map(|line| line + 1));
    }
    within
}

/// The sentences of the folded `text`, split at every space after one of `ends`.
pub(crate) fn sentences<'a>(text: &'a str, ends: &'static [char]) -> impl Iterator<Item = &'a str> {
    let mut ended = false;
    text.split(move |c| {
        let cut = c == ' ' && ended;
        ended = ends.contains(&c);
        cut
    })
}

/// FNV-1a (Fowler, Noll and Vo), 64 bits: the hash of a text continues that of its beginning.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(EMPTY, next)
}

/// The hash of the empty text.
const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash after one more byte.
fn next(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_whole_lines_and_sentences() {
        let mut units = Units::default();
        units.add("error: disk full\nRetry it.  Then stop! Or not\n\n  let x = 1;\n");
        for (line, expect) in [
            ("", true),
            ("  ", true),
            ("Error:  Disk full", true),
            ("disk full", true),
            ("Then stop! Retry it.", true),
            ("then stop! let x = 1; or not", true),
            ("Retry it. Then", false),
            ("disk", false),
            ("x = 1;", false),
        ] {
            assert_eq!(units.make_up(line), expect, "{line:?}");
        }
    }

    #[test]
    fn the_longest_unit_is_taken() {
        let mut units = Units::default();
        units.add("a\na b\nb c");
        // `a` and `b c` would match, but `a b` is longer.
        assert!(units.make_up("a b a") && !units.make_up("a b c"));
    }

    #[track_caller]
    fn check_lines(text: &str, ranges: &[(usize, usize)], expect: &[usize]) {
        let ranges: Vec<ByteRange> =
            ranges.iter().map(|(start, end)| ByteRange::new(*start, *end).unwrap()).collect();
        assert_eq!(
            lines_within(text, &ranges, |_| false).into_iter().collect::<Vec<_>>(),
            expect,
            "{text:?} {ranges:?}"
        );
    }

    #[test]
    fn a_line_is_shown_without_its_line_feed_and_not_without_more() {
        check_lines("ab\ncd\nef", &[(0, 8)], &[1, 2, 3]);
        check_lines("ab\ncd\nef", &[(3, 5)], &[2]);
        check_lines("ab\ncd\nef", &[(3, 6)], &[2]);
        check_lines("ab\ncd\nef", &[(3, 4), (6, 8)], &[3]);
        check_lines("ab\ncd\nef", &[(1, 8)], &[2, 3]);
        check_lines("ab\r\ncd", &[(0, 2)], &[]);
        check_lines("ab\r\ncd", &[(0, 3)], &[1]);
        // A blank line counts if something after it is shown.
        check_lines("ab\n\ncd\n", &[(3, 6)], &[2, 3]);
        check_lines("", &[], &[]);
    }
}
