//! What stands for lines that are left out.

use contextfit_text::Language;
use memchr::memchr_iter;

/// How many lines `text` has.
pub(crate) fn lines(text: &str) -> usize {
    memchr_iter(b'\n', text.as_bytes()).count() + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// A comment that says that so many lines are folded.
pub(crate) fn fold(language: Option<&Language>, lines: usize, is_first: bool) -> String {
    let noun = if lines == 1 { "line" } else { "lines" };
    let lines = lines.to_string();
    match language {
        Some(Language { comment_open, comment_close, .. }) if !comment_open.is_empty() => {
            let (space, noun) = if is_first { (" ", noun) } else { ("", "") };
            [comment_open, lines.as_str(), space, noun, "...", comment_close].concat()
        }
        language => Language::marker(language, &[&lines, " ", noun].concat()),
    }
}
