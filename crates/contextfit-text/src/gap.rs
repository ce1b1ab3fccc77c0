//! What stands in the place of units that are left out.

use contextfit_kernel::MeasuredBlock;

use crate::Language;

/// Where words have more characters on average, characters are counted.
const LONG_WORD: usize = 20;

/// The marker for the gap of units `from..to` of `block`, with the white space that sets it apart: on a line of its own
/// where whole lines are missing, in the line where sentences are. It says how many lines or sentences those are, or how many words or
/// characters where a sentence is missing in part.
///
/// `language` is that of the block: in code, the marker is a comment. Linear in the length of the gap.
#[must_use]
pub fn gap_marker(block: &MeasuredBlock<'_>, language: Option<&Language>, from: usize, to: usize) -> String {
    let gap = block.text(from, to);
    let starts_line = from == 0 || block.text(from - 1, from).ends_with('\n');
    let ends_line = gap.ends_with('\n') || block.start_of(to) == block.block().text.len();
    let feed = if gap.ends_with('\n') { "\n" } else { "" };
    let marker = |space: &str, language, n: usize, one, many| {
        let [open, dots, close] = Language::brackets(language);
        [space, open, dots, &n.to_string(), if n == 1 { one } else { many }, close, feed].concat()
    };
    if starts_line && ends_line {
        return marker("", language, gap.lines().count(), " line", " lines");
    }
    let space = if !starts_line && gap.starts_with(char::is_whitespace) { " " } else { "" };
    let is_whole = |unit: usize| unit == 0 || ends_sentence(block.text(unit - 1, unit));
    if !is_whole(from) || !is_whole(to) {
        let (words, characters) = (gap.split_whitespace().count(), gap.trim().chars().count());
        // Base64, and scripts that set no spaces.
        return match characters > LONG_WORD * words {
            true => marker(space, None, characters, " character", " characters"),
            false => marker(space, None, words, " word", " words"),
        };
    }
    let holds = |unit: &usize| !block.text(*unit, *unit + 1).trim().is_empty();
    marker(space, None, (from..to).filter(holds).count(), " sentence", " sentences")
}

/// Whether a unit ends as sentences and lines do, and not within one.
fn ends_sentence(unit: &str) -> bool {
    let closes = |c: char| {
        c.is_whitespace()
            || matches!(c, ')' | ']' | '"' | '\'' | '\u{201d}' | '\u{2019}' | '»' | '*' | '_' | '`')
    };
    unit.ends_with('\n')
        || !unit.trim_end_matches(closes).ends_with(|c: char| c.is_alphanumeric() || c == ',')
}
