//! Segments: the parts a text is counted in, each by the engine that is quick on it.

use super::{
    seam::{is_seam, seams},
    sort::is_tame,
};

/// The length that segments aim at, in bytes. Much longer ones slow the fast engine down on text that is not ASCII.
pub(super) const LENGTH: usize = 512;

/// The length that segments for the steady engine may grow to, in bytes.
const STEADY_LENGTH: usize = 16 * LENGTH;

/// How far before [`LENGTH`] usual text has a seam.
const CLOSE: usize = 48;

/// Which engine counts a segment. Both count the same; it is a matter of speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Engine {
    /// The one that is faster on usual text, and a hundred times slower on the oddest.
    Fast,
    /// The one that is never slow.
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
        // The steady engine takes a while to start: it gets as much as there is for it.
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
    let (end, long) = first_end(text);
    let tame = || is_tame(text.get(..end).unwrap_or_default());
    (end, if !long && tame() { Engine::Fast } else { Engine::Steady })
}

/// Where the first segment of `text` ends, and whether it may be one long piece, which the fast engine would merge
/// pair by pair.
fn first_end(text: &str) -> (usize, bool) {
    if text.len() <= LENGTH {
        return (text.len(), false);
    }
    if let Some(end) = (LENGTH - CLOSE..=LENGTH).rev().find(|&at| is_seam(text, at)) {
        return (end, false);
    }
    let mut last = None;
    for seam in seams(text) {
        if seam > LENGTH {
            return last.map_or((seam, true), |last| (last, false));
        }
        last = Some(seam);
    }
    last.map_or((text.len(), true), |last| (last, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lengths of the segments of `text`, those of the steady engine negative.
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
        check(&"a".repeat(512), &[512]);
    }

    #[test]
    fn segments_end_at_the_last_seam() {
        check(&" seven..".repeat(100), &[512, 288]);
        check(&"seven .".repeat(100), &[509, 191]);
    }

    #[test]
    fn long_runs_are_for_the_steady_engine() {
        check(&"a".repeat(10_000), &[-10_000]);
        check(&format!("word {} word", "!".repeat(1000)), &[4, -1001, 5]);
        check(&format!("字{}。", "字".repeat(1000)), &[-3003, 3]);
    }

    #[test]
    fn wild_text_is_for_the_steady_engine() {
        check("नमस्ते", &[-18]);
        check(&format!("{} ગ", "abc ".repeat(200)), &[511, -293]);
    }
}
