//! Units: the smallest parts of a text that are kept or cut as a whole.

mod blocks;
mod json;
mod lines;
mod needs;
mod parts;
mod wrap;

use memchr::memchr_iter;

pub use self::needs::Needs;
pub use self::parts::{GIANT_LINE, are_lines_longer, part_ends};
use crate::Shape;

/// Where the units of `text` end: byte offsets, ascending, the last one the length of the text.
///
/// In [`Shape::Code`] every line is a unit, its line feed included. In [`Shape::Prose`] sentences are:
///
/// - Headings, rules, table rows and the lines of fenced code are units of their own; list items and block quotes start
///   new ones. Lines of a paragraph that are no wrapped text (addresses, logs, poems, titles) are units as well.
/// - Everything else is divided into sentences, also across soft line breaks: Unicode Standard Annex 29, less the breaks
///   behind abbreviations, initials and ordinals and those before a small letter, and with breaks where a space is
///   missing behind a stop. A sentence of more than 32 lines is taken for none, and each of its lines is a unit.
/// - A line feed belongs to the line it ends, blank lines to the unit before them (to the first unit where the text
///   begins with them), all other white space between two sentences to the second one. White space alone is a unit only
///   where the text holds nothing else.
///
/// In [`Shape::Json`] a unit ends behind every comma and opening bracket and before every closing one, with the white space
/// up to the end of the line: an indented text is divided into its lines, another into its members and elements. Inner
/// brackets are not divided where they take 64 bytes at most and stand in one line; a string of more than 160 bytes is, before each `\\n` in it, and a line of it that has more than 512 between words. A text that is no JSON is divided
/// into lines.
///
/// Nothing is rewritten. Linear in the length of the text.
///
/// ```
/// use contextfit_text::{Shape, unit_ends};
///
/// assert_eq!(unit_ends("one\ntwo\nthree", Shape::Code), [4, 8, 13]);
/// assert_eq!(unit_ends("Dr. Who left.\nHe took\nthe box. Why?", Shape::Prose), [14, 30, 35]);
/// assert_eq!(unit_ends(r#"{"a": [1, 2]}"#, Shape::Json), [1, 12, 13]);
/// ```
#[must_use]
pub fn unit_ends(text: &str, shape: Shape) -> Vec<usize> {
    let capacity = if shape == Shape::Json { 0 } else { text.len() / 32 };
    let mut ends = Vec::with_capacity(capacity);
    match shape {
        Shape::Code => ends.extend(memchr_iter(b'\n', text.as_bytes()).map(|feed| feed + 1)),
        Shape::Prose => blocks::divide(text, &mut ends),
        Shape::Json => match json::divide(text) {
            Some(found) => ends = found,
            None => return unit_ends(text, Shape::Code),
        },
    }
    if ends.last().copied().unwrap_or(0) < text.len() {
        ends.push(text.len());
    }
    ends
}

/// Whether `text` is an array or an object of JSON, or several of these, each on lines of its own. Linear in the length of
/// the text; where its first byte is no bracket, constant.
#[must_use]
pub fn is_json(text: &str) -> bool {
    json::is_json(text)
}
