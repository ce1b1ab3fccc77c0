//! Units: the smallest parts of a text that are kept or cut as a whole.

use icu_segmenter::{SentenceSegmenter, SentenceSegmenterBorrowed, options::SentenceBreakInvariantOptions};
use memchr::memchr_iter;

use crate::Shape;

/// Prose lines of at most this many bytes stay whole: cutting inside them saves less than a marker costs.
const WHOLE_LINE: usize = 160;

/// Where the units of `text` end: byte offsets, ascending, the last one the length of the text.
///
/// Every line is a unit, its line feed included. In prose, a line longer than 160 bytes is divided into its sentences
/// (Unicode Standard Annex 29), each with the white space behind it; a break after an initial, an abbreviation or a
/// number is not taken. Linear in the length of the text.
///
/// ```
/// use contextfit_text::{Shape, unit_ends};
///
/// assert_eq!(unit_ends("one\ntwo\nthree", Shape::Code), [4, 8, 13]);
/// ```
#[must_use]
pub fn unit_ends(text: &str, shape: Shape) -> Vec<usize> {
    let segmenter =
        (shape == Shape::Prose).then(|| SentenceSegmenter::new(SentenceBreakInvariantOptions::default()));
    let mut ends = Vec::with_capacity(text.len() / 32);
    let mut start = 0;
    let feeds = memchr_iter(b'\n', text.as_bytes()).map(|feed| feed + 1);
    for end in feeds.chain([text.len()]) {
        if end == start {
            continue;
        }
        if let Some(segmenter) = segmenter.filter(|_| end - start > WHOLE_LINE) {
            sentence_ends(segmenter, text.get(start..end).unwrap_or_default(), start, &mut ends);
        } else {
            ends.push(end);
        }
        start = end;
    }
    ends
}

/// Adds the sentence ends of `line`, which starts at byte `base`.
fn sentence_ends(segmenter: SentenceSegmenterBorrowed<'_>, line: &str, base: usize, ends: &mut Vec<usize>) {
    for end in segmenter.segment_str(line).skip(1) {
        if end == line.len() || !ends_in_abbreviation(line.get(..end).unwrap_or_default()) {
            ends.push(base + end);
        }
    }
}

/// Whether `text` ends in a word that carries its full stop: one or two letters, a word with inner full stops, a
/// title, or a number. Wrongly staying together costs a few tokens; wrongly parting cuts a sentence in two.
fn ends_in_abbreviation(text: &str) -> bool {
    let Some(body) = text.trim_end().strip_suffix('.') else { return false };
    let word = body.rsplit(|c: char| !(c.is_alphanumeric() || c == '.')).next().unwrap_or_default();
    let letters = word.chars().take(3).count();
    let lower = word.to_ascii_lowercase();
    (1..=2).contains(&letters) && word.chars().all(char::is_alphabetic)
        || word.contains('.')
        || TITLES.contains(&lower.as_str())
}

/// Words that stand before what they belong to.
const TITLES: [&str; 14] =
    ["mrs", "prof", "gen", "gov", "sen", "rep", "capt", "sgt", "col", "rev", "etc", "vol", "fig", "approx"];
