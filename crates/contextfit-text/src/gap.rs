//! What stands in the place of units that are left out.

use contextfit_kernel::MeasuredBlock;

use crate::{Language, Shape};

/// The marker for the gap of units `from..to` of `block`, with the white space that sets it apart: on a line of its own
/// where whole lines are missing, in the line where sentences are. It says how many lines or sentences those are; of a part of a
/// line of code, how many characters.
///
/// `language` is that of the block: in code, the marker for lines is a comment. Linear in the length of the gap.
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
    if language.is_some_and(|language| language.shape == Shape::Code) {
        return marker("", None, gap.trim_end_matches('\n').chars().count(), " character", " characters");
    }
    let space = if !starts_line && gap.starts_with(char::is_whitespace) { " " } else { "" };
    let holds = |unit: &usize| !block.text(*unit, *unit + 1).trim().is_empty();
    marker(space, None, (from..to).filter(holds).count(), " sentence", " sentences")
}
