//! Sentences within a paragraph.

mod abbreviation;
mod latin;
mod repair;

use std::ops::Range;

use memchr::memchr_iter;
use unicode_segmentation::UnicodeSegmentation;

pub(crate) use self::abbreviation::ends_in_bound_word;
use self::repair::sentence_end;

/// Calls `found` with the end of each sentence of `text` except the last: before the white space after it, or after the
/// line feed in that white space.
///
/// The breaks are those of Unicode Standard Annex 29, which treats line feeds as ends, repaired by [`sentence_end`].
/// Linear in the length of `text`.
pub(crate) fn sentence_ends(text: &str, mut found: impl FnMut(usize)) {
    let mut sentences = Sentences { text: text.trim_end(), last: 0, looked: 0, pending: None };
    let body = sentences.text;
    match latin::covers(body) {
        true => latin::breaks(body, |at, annex| sentences.take(at, annex, &mut found)),
        false => breaks_by_annex(body, |at, annex| sentences.take(at, annex, &mut found)),
    }
    sentences.finish(found);
}

/// The maximum characters in a run of white space and punctuation that is read whole. `unicode-segmentation` reads the
/// whole run from each of its characters, so its time is quadratic in the run.
const MAX_RUN: usize = 128;

/// Does the same as [`latin::breaks`], in any script. Linear: the middle of a run longer than [`MAX_RUN`] is skipped.
fn breaks_by_annex(text: &str, found: impl FnMut(usize, bool)) {
    let middles = middles_of_runs(text);
    if middles.is_empty() {
        return breaks_of(text, text.split_sentence_bound_indices().map(|(at, part)| at + part.len()), found);
    }
    let mut read = String::new();
    let mut start = 0;
    for middle in &middles {
        read.push_str(text.get(start..middle.start).unwrap_or_default());
        start = middle.end;
    }
    read.push_str(text.get(start..).unwrap_or_default());
    let mut ahead = middles.iter().peekable();
    let mut left_out = 0;
    let ends = read.split_sentence_bound_indices().map(|(at, part)| {
        let end = at + part.len();
        while let Some(middle) = ahead.next_if(|middle| middle.start < end + left_out) {
            left_out += middle.len();
        }
        end + left_out
    });
    breaks_of(text, ends, found);
}

/// The bytes in the middle of each run of `text` that is longer than [`MAX_RUN`]: all but half of that many characters
/// at either end.
fn middles_of_runs(text: &str) -> Vec<Range<usize>> {
    let mut middles = Vec::new();
    let mut start = 0;
    for run in text.split_inclusive(char::is_alphanumeric) {
        if run.len() > MAX_RUN {
            let from = run.char_indices().nth(MAX_RUN / 2).map(|(at, _)| at);
            let to = run.char_indices().nth_back(MAX_RUN / 2).map(|(at, _)| at);
            middles.extend(
                from.zip(to).filter(|(from, to)| from < to).map(|(from, to)| start + from..start + to),
            );
        }
        start += run.len();
    }
    middles
}

/// Calls `found` with the ends of the sentences of `text` by the annex, and with the full stops within them.
fn breaks_of(text: &str, ends: impl Iterator<Item = usize>, mut found: impl FnMut(usize, bool)) {
    let mut start = 0;
    for at in ends {
        let part = text.get(start..at).unwrap_or_default();
        for stop in memchr_iter(b'.', part.as_bytes()).map(|stop| stop + 1) {
            if stop < part.trim_end().len() {
                found(start + stop, false);
            }
        }
        found(at, true);
        start = at;
    }
}

/// The sentences found so far.
struct Sentences<'t> {
    /// The paragraph.
    text: &'t str,
    /// The end of the last sentence.
    last: usize,
    /// There is no letter or digit from `last` up to here.
    looked: usize,
    /// The end of the last sentence, while it is not certain that another one follows.
    pending: Option<usize>,
}

impl Sentences<'_> {
    /// Takes the end of a sentence near `at`, if there is one; `annex` is whether the annex breaks there.
    fn take(&mut self, at: usize, annex: bool, found: &mut impl FnMut(usize)) {
        if at >= self.text.len() || at <= self.last {
            return;
        }
        let Some(end) = sentence_end(self.text, self.last, at, annex) else { return };
        if end <= self.last || end >= self.text.len() || !self.says_something(end) {
            return;
        }
        if let Some(end) = self.pending.replace(end) {
            found(end);
        }
        (self.last, self.looked) = (end, end);
    }

    /// Whether there is a letter or a digit between the last sentence and `end`.
    fn says_something(&mut self, end: usize) -> bool {
        let new = self.text.get(self.looked..end).unwrap_or_default();
        self.looked = self.looked.max(end);
        new.contains(char::is_alphanumeric)
    }

    /// Reports the last end, unless only punctuation follows.
    fn finish(mut self, mut found: impl FnMut(usize)) {
        if let Some(end) = self.pending.take().filter(|_| self.says_something(self.text.len())) {
            found(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use icu_segmenter::{SentenceSegmenter, options::SentenceBreakInvariantOptions};
    use proptest::prelude::*;

    use super::*;

    /// The ends that `breaks` produces.
    fn ends(text: &str, breaks: impl Fn(&str, &mut dyn FnMut(usize, bool))) -> Vec<usize> {
        let mut sentences = Sentences { text, last: 0, looked: 0, pending: None };
        let mut ends = Vec::new();
        breaks(text, &mut |at, annex| sentences.take(at, annex, &mut |end| ends.push(end)));
        sentences.finish(|end| ends.push(end));
        ends
    }

    fn breaks_by_icu(text: &str, found: impl FnMut(usize, bool)) {
        let segmenter = SentenceSegmenter::new(SentenceBreakInvariantOptions::default());
        breaks_of(text, segmenter.segment_str(text).skip(1), found);
    }

    proptest! {
        // A text takes some microseconds.
        #![proptest_config(ProptestConfig::with_cases(64 * ProptestConfig::default().cases))]

        /// In mixed text both ways find the same sentences.
        #[test]
        fn sentences_are_those_of_icu(
            text in "(The |He |Dr|U\\.S|e\\.g|words |said |Node|js|1990|[12]|[.!?,;: \"')(\\[\\]-]|[.!?;] |\\. |\\.\\[2\\]|[ˈɪʃəαςΤḥἐƀ½§−नि\u{301}\u{200e}אمに日本東京한국é’“”»…–]){0,30}əx",
        ) {
            prop_assert!(latin::covers(&text));
            let by_rules = ends(&text, |text, found| latin::breaks(text, found));
            let by_icu = ends(&text, |text, found| breaks_by_icu(text, found));
            prop_assert_eq!(by_rules, by_icu);
        }

        /// Both libraries read the annex in the same way, in any script.
        #[test]
        fn the_annex_is_that_of_icu(
            text in "(The |He |U\\.S|words |said |1990|[.!?,;: \"')(-]|[.!?;] |[\r\n]|[।॥؟。！？．؛;ςΤḥनमदि\u{301}\u{200e}אמع日本語東京한국кыไทยμ’“”…\u{2028}\u{85}]|\\PC){0,40}",
        ) {
            let by_annex = ends(&text, |text, found| breaks_by_annex(text, found));
            let by_icu = ends(&text, |text, found| breaks_by_icu(text, found));
            prop_assert_eq!(by_annex, by_icu);
        }
    }
}
