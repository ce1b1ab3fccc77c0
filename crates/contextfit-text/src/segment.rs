//! Units: the smallest parts of a text that are kept or cut as a whole.

use memchr::memchr_iter;

use crate::{Shape, sentences::sentence_ends};

/// Prose lines of at most this many bytes stay whole: cutting inside them saves less than a marker costs.
const WHOLE_LINE: usize = 160;

/// Where the units of `text` end: byte offsets, ascending, the last one the length of the text.
///
/// Every line is a unit, its line feed included. In prose, a line longer than 160 bytes is divided into its sentences
/// (Unicode Standard Annex 29), each but the first with the white space before it; a break behind an initial, an
/// abbreviation or a title, or before a small letter, is not taken. Linear in the length of the text.
///
/// ```
/// use contextfit_text::{Shape, unit_ends};
///
/// assert_eq!(unit_ends("one\ntwo\nthree", Shape::Code), [4, 8, 13]);
/// ```
#[must_use]
pub fn unit_ends(text: &str, shape: Shape) -> Vec<usize> {
    let mut ends = Vec::with_capacity(text.len() / 32);
    let mut start = 0;
    let feeds = memchr_iter(b'\n', text.as_bytes()).map(|feed| feed + 1);
    for end in feeds.chain([text.len()]) {
        if end == start {
            continue;
        }
        if shape == Shape::Prose && end - start > WHOLE_LINE {
            sentence_ends(text.get(start..end).unwrap_or_default(), |at| ends.push(start + at));
        }
        ends.push(end);
        start = end;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `text` with a bar after every unit.
    #[track_caller]
    fn check(shape: Shape, text: &str, expect: &str) {
        let mut start = 0;
        let units = unit_ends(text, shape)
            .into_iter()
            .map(|end| text.get(std::mem::replace(&mut start, end)..end).unwrap());
        assert_eq!(units.collect::<Vec<_>>().join("|"), expect);
    }

    #[test]
    fn lines() {
        check(Shape::Code, "", "");
        check(Shape::Code, "\n\na", "\n|\n|a");
        check(Shape::Code, "a. B.\r\nc\n", "a. B.\r\n|c\n");
        check(Shape::Prose, "Short. Line.\n", "Short. Line.\n");
    }

    #[test]
    fn sentences_of_long_lines() {
        let filler = "word ".repeat(30);
        check(
            Shape::Prose,
            &format!(
                "{filler}ends. Dr. Who of the U.S. paid $3.50. \"Why?\" asked J. R. Smith! No more...\nNext.\n"
            ),
            &format!(
                "{filler}ends.| Dr. Who of the U.S. paid $3.50.| \"Why?\" asked J. R. Smith!| No more...\n|Next.\n"
            ),
        );
        let filler = "文".repeat(60);
        check(
            Shape::Prose,
            &format!("{filler}。彼は行った。「はい！」 と。"),
            &format!("{filler}。|彼は行った。|「はい！」| と。"),
        );
    }
}
