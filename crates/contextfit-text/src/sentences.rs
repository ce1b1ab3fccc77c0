//! Sentences within a paragraph.

mod abbreviation;
mod latin;
mod lexicon;
mod repair;

use icu_segmenter::{SentenceSegmenter, options::SentenceBreakInvariantOptions};
use memchr::memchr2_iter;

pub(crate) use self::abbreviation::ends_in_bound_word;
use self::repair::sentence_end;

/// Calls `found` with the place where each sentence of `text` ends but the last: before the white space behind it, or
/// behind the line feed in it.
///
/// The breaks are those of Unicode Standard Annex 29, which takes line feeds for ends, repaired by [`sentence_end`].
/// Linear in the length of `text`.
pub(crate) fn sentence_ends(text: &str, mut found: impl FnMut(usize)) {
    let mut sentences = Sentences { text: text.trim_end(), last: 0, looked: 0, pending: None };
    let body = sentences.text;
    if latin::is_latin(body) {
        latin::breaks(body, |at, annex| sentences.take(at, annex, &mut found));
    } else {
        let segmenter = SentenceSegmenter::new(SentenceBreakInvariantOptions::default());
        let mut start = 0;
        for at in segmenter.segment_str(body).skip(1) {
            let part = body.get(start..at).unwrap_or_default();
            for stop in memchr2_iter(b'.', b';', part.as_bytes()).map(|stop| stop + 1) {
                if stop < part.trim_end().len() {
                    sentences.take(start + stop, false, &mut found);
                }
            }
            sentences.take(at, true, &mut found);
            start = at;
        }
    }
    sentences.finish(found);
}

/// The sentences found so far.
struct Sentences<'t> {
    /// The paragraph.
    text: &'t str,
    /// Where the last sentence ends.
    last: usize,
    /// Up to here from `last`, there is no letter and no digit.
    looked: usize,
    /// The end of the last sentence, if it is not yet known that another one follows.
    pending: Option<usize>,
}

impl Sentences<'_> {
    /// Takes the end of a sentence near `at`, if there is one.
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

    /// The last end, unless nothing but punctuation follows.
    fn finish(mut self, mut found: impl FnMut(usize)) {
        if let Some(end) = self.pending.take().filter(|_| self.says_something(self.text.len())) {
            found(end);
        }
    }
}
