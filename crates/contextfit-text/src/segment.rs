//! Units: the smallest parts of a text that are kept or cut as a whole.

mod blocks;
mod border;
mod lines;
mod needs;
mod parts;
mod torn;
mod wrap;

use memchr::memchr_iter;

pub(crate) use self::border::border;
pub(crate) use self::lines::is_heading;
pub use self::lines::{CodeFence, is_item, is_underline};
pub use self::needs::Needs;
pub use self::parts::{GIANT_LINE, are_lines_longer, part_ends};
use crate::{Shape, json};

/// The ends of the units of `text`: byte offsets, ascending, the last one the length of the text.
///
/// In [`Shape::Code`] every line is a unit, including its line feed. In [`Shape::Prose`] every sentence is one:
///
/// - Headings, rules, table rows and lines of fenced code are separate units; list items and block quotes start new
///   ones. Code whose opening fence is missing is recognized by its closing one. In a paragraph that is not wrapped
///   text (addresses, logs, poems, titles), every line is a unit.
/// - Everything else is divided into sentences, even across soft line breaks, by Unicode Standard Annex 29. Its breaks
///   after abbreviations, initials and ordinals and before a lowercase letter are dropped, and breaks are added if the
///   space after a full stop is missing. Anything longer than 32 lines is not a sentence: each of its lines is a unit.
/// - A line feed belongs to the line it ends, blank lines to the unit before them (at the start of the text, to the
///   first unit), and all other white space between two sentences to the second one. White space alone is a unit only
///   if the text contains nothing else.
///
/// In [`Shape::Json`] a unit ends after every comma and opening bracket and before every closing bracket, including the
/// white space up to the end of the line: indented text is divided into its lines, other text into its members and
/// elements. Inner brackets on one line that take at most 64 bytes are not divided. A string of more than 160 bytes is
/// divided before each `\n` in it, and a line of such a string that has more than 512 bytes is divided between words. A
/// text that is not JSON is divided into lines.
///
/// Nothing is rewritten. Linear in the length of the text.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::{Shape, unit_ends};
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
