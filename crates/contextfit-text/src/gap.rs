//! Markers for units that are left out.

use contextfit_kernel::MeasuredBlock;

use crate::Language;

/// The marker for the gap of units `from..to` of `block`, including the white space that sets it apart: on a separate
/// line if whole lines are missing, within the line if sentences are. It says how many lines or sentences are missing
/// or, if only part of one is, how many words or characters. If parts of lines are missing with what is between them,
/// each counts as a line.
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
    let space = if !starts_line && gap.starts_with(char::is_whitespace) { " " } else { "" };
    if block.divides_at(block.start_of(from)) || block.divides_at(block.start_of(to)) {
        return match is_wordy(gap) {
            // A part of a line, and whole ones: a number of characters would hide them.
            _ if gap.trim_end_matches('\n').contains('\n') => {
                marker(space, None, gap.lines().count(), " line", " lines")
            }
            true => marker(space, None, gap.split_whitespace().count(), " word", " words"),
            false => marker(space, None, gap.trim().chars().count(), " character", " characters"),
        };
    }
    let holds = |unit: &usize| !block.text(*unit, *unit + 1).trim().is_empty();
    marker(space, None, (from..to).filter(holds).count(), " sentence", " sentences")
}

/// Whether `gap` consists of words with spaces between them: no code, data or base64, and no script without spaces.
fn is_wordy(gap: &str) -> bool {
    let (mut all, mut words, mut spaces) = (0, 0, 0);
    for c in gap.chars() {
        all += 1;
        words += usize::from(c.is_alphabetic());
        spaces += usize::from(c.is_whitespace());
    }
    (words + spaces) * 100 >= all * 85 && spaces * 16 >= all
}
