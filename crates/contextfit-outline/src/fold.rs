//! What stands for lines that are left out.

use contextfit_text::Language;

/// How many lines `text` has.
pub(crate) fn lines(text: &str) -> usize {
    let feeds = text.bytes().filter(|byte| *byte == b'\n').count();
    feeds + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// A comment that says that so many lines are folded.
pub(crate) fn fold(language: Option<&Language>, lines: usize, is_first: bool) -> String {
    let noun = if lines == 1 { "line" } else { "lines" };
    let lines = lines.to_string();
    match language {
        Some(Language { comment_open, comment_close, .. }) if !comment_open.is_empty() => {
            let noun = if is_first { [" ", noun] } else { ["", ""] };
            [comment_open, lines.as_str(), &noun.concat(), "...", comment_close].concat()
        }
        language => Language::marker(language, &[&lines, " ", noun].concat()),
    }
}
