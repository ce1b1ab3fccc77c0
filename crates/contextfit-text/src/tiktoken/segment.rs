//! Segments: the parts in which a text is counted, each by the engine that is fast on it.

use super::{seam::is_seam, sort::is_tame};

/// The length that segments aim for, in bytes. Much longer ones slow the fast engine down on non-ASCII text.
pub(super) const LENGTH: usize = 512;

/// The length that segments for the steady engine may grow to, in bytes.
const STEADY_LENGTH: usize = 16 * LENGTH;

/// How far before [`LENGTH`] ordinary text has a seam.
const CLOSE: usize = 48;

/// The engine that counts a segment. Both give the same count; only their speed differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Engine {
    /// Faster on ordinary text, and a hundred times slower on the oddest.
    Fast,
    /// Never slow.
    Steady,
}

/// A part of a text that starts and ends at seams or at the text's ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment<'a> {
    pub(super) text: &'a str,
    pub(super) engine: Engine,
}

/// The segments of a text, in order.
#[derive(Debug)]
pub(super) struct Segments<'a> {
    rest: &'a str,
}

impl<'a> Segments<'a> {
    pub(super) const fn of(text: &'a str) -> Self {
        Self { rest: text }
    }
}

impl<'a> Iterator for Segments<'a> {
    type Item = Segment<'a>;

    fn next(&mut self) -> Option<Segment<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (mut end, engine) = first(self.rest);
        // The steady engine takes a while to start, so it gets as much as there is for it.
        while engine == Engine::Steady && end < STEADY_LENGTH {
            let behind = self.rest.get(end..).unwrap_or_default();
            match first(behind) {
                (0, _) | (_, Engine::Fast) => break,
                (more, Engine::Steady) => end += more,
            }
        }
        let (text, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        Some(Segment { text, engine })
    }
}

/// Where the first segment of `text` ends, and which engine counts it.
fn first(text: &str) -> (usize, Engine) {
    let Some(end) = short_end(text) else { return (long_end(text), Engine::Steady) };
    (end, if is_quick(text.get(..end).unwrap_or_default()) { Engine::Fast } else { Engine::Steady })
}

/// Where a segment for the fast engine can end; `None` if the text starts with a long piece, which the fast engine
/// would merge pair by pair, or with one that it would not be fast on anyway.
fn short_end(text: &str) -> Option<usize> {
    if text.len() <= LENGTH {
        return Some(text.len());
    }
    last_seam(text, LENGTH).or_else(|| {
        let head = text.get(..text.floor_char_boundary(LENGTH))?;
        is_quick(head).then(|| (1..LENGTH).rev().find(|&at| is_seam(text, at))).flatten()
    })
}

/// Where a segment of text without nearby seams ends; checked only now and then.
fn long_end(text: &str) -> usize {
    let lengths = (2 * LENGTH..text.len()).step_by(LENGTH);
    { lengths }.find_map(|length| last_seam(text, length)).unwrap_or(text.len())
}

/// The last seam close to byte `end` of `text`.
fn last_seam(text: &str, end: usize) -> Option<usize> {
    (end - CLOSE..=end).rev().find(|&at| is_seam(text, at))
}

/// Whether the fast engine is fast on `text`.
fn is_quick(text: &str) -> bool {
    !has_long_run(text) && is_tame(text)
}

/// The size of the blocks that are checked for runs, in bytes.
const RUN: usize = 64;

/// Whether letters, or one other byte, fill two consecutive blocks of 64 bytes of `text`, as they do in any run of 191:
/// the steady engine is up to ten times as fast on these, except for tabs.
pub(super) fn has_long_run(text: &str) -> bool {
    let mut before = None;
    text.len() >= 2 * RUN
        && text.as_bytes().chunks_exact(RUN).any(|block| {
            let last = std::mem::replace(&mut before, run_of(block));
            before.is_some() && before == last
        })
}

/// The byte that fills `block`; `a` for letters.
fn run_of(block: &[u8]) -> Option<u8> {
    let first = *block.first()?;
    if first.is_ascii_alphabetic() {
        return block.iter().all(u8::is_ascii_alphabetic).then_some(b'a');
    }
    (first != b'\t' && block.iter().all(|byte| *byte == first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the lengths of the segments of `text`; those of the steady engine are negative.
    #[track_caller]
    fn check(text: &str, expect: &[isize]) {
        let segments: Vec<_> = Segments::of(text).collect();
        assert_eq!(segments.iter().map(|segment| segment.text).collect::<String>(), text);
        let signed = |segment: &Segment<'_>| match segment.engine {
            Engine::Fast => segment.text.len().cast_signed(),
            Engine::Steady => -segment.text.len().cast_signed(),
        };
        assert_eq!(segments.iter().map(signed).collect::<Vec<_>>(), expect);
    }

    #[test]
    fn short_texts_are_one_segment() {
        check("", &[]);
        check("a", &[1]);
        check(&"a ".repeat(256), &[512]);
    }

    #[test]
    fn segments_end_at_the_last_seam() {
        check(&" seven..".repeat(100), &[512, 288]);
        check(&"seven .".repeat(100), &[509, 191]);
    }

    #[test]
    fn long_runs_are_for_the_steady_engine() {
        check(&"a".repeat(10_000), &[-10_000]);
        check(&format!("word {} word", "!".repeat(1000)), &[-1010]);
        check(&format!("{}{} word", "word ".repeat(100), "ab".repeat(500)), &[499, -1006]);
        check(&format!("字{}。", "字".repeat(1000)), &[-3006]);
    }

    #[test]
    fn runs_are_for_the_steady_engine() {
        check(&"=".repeat(127), &[127]);
        check(&"=".repeat(128), &[-128]);
        check(&format!("{}{}", "word ".repeat(20), "=".repeat(191)), &[-291]);
        check(&"ACGT".repeat(48), &[-192]);
        check(&"\t".repeat(191), &[191]);
        check(&format!("{0}ab{0}", "=".repeat(64)), &[130]);
    }

    #[test]
    fn wild_text_is_for_the_steady_engine() {
        check("नमस्ते", &[-18]);
        check(&format!("{} ગ", "abc ".repeat(200)), &[511, -293]);
    }
}
