//! Text that replaces omitted lines.

use contextfit_text::Language;
use memchr::memchr_iter;

/// At most this many names of omitted definitions are listed.
const MAX_LISTED_NAMES: usize = 3;

/// Names longer than this many bytes are not listed.
const LONGEST_LISTED_NAME_BYTES: usize = 40;

/// The number of lines in `text`.
pub(crate) fn lines(text: &str) -> usize {
    memchr_iter(b'\n', text.as_bytes()).count() + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// A description of what is missing: the number of lines and the first definitions in them, as in
/// `329 lines: send, close and 2 more`.
pub(crate) fn missing<'t>(lines: usize, names: impl Iterator<Item = &'t str>) -> String {
    let noun = if lines == 1 { "line" } else { "lines" };
    let mut text = format!("{lines} {noun}");
    // A type and its implementation share one name.
    let mut told: Vec<&str> = Vec::new();
    let mut more = 0;
    for name in names.filter(|name| is_plain(name)) {
        if told.len() < MAX_LISTED_NAMES && !told.contains(&name) {
            text.push_str(if told.is_empty() { ": " } else { ", " });
            text.push_str(name);
            told.push(name);
        } else if !told.contains(&name) {
            more += 1;
        }
    }
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

/// Whether a name is short and safe in any comment.
fn is_plain(name: &str) -> bool {
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | '.' | ':' | '-' | '$' | '#' | '?' | '!');
    !name.is_empty()
        && name.len() <= LONGEST_LISTED_NAME_BYTES
        && name.chars().all(plain)
        && !name.contains("--")
}

/// A marker within a line, before the bracket that closes the omitted lines. `None` in languages without inline
/// comments.
pub(crate) fn fold_within(language: &Language, missing: &str) -> Option<String> {
    let (open, close) = language.comment_within()?;
    Some(format!(" {open} ... {missing} {close} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_what_is_missing() {
        for (lines, names, expect) in [
            (1, &[][..], "1 line"),
            (12, &["send"], "12 lines: send"),
            (329, &["send", "close", "open"], "329 lines: send, close, open"),
            (
                329,
                &["send", "a*/b", "send", "close", "open", "read"],
                "329 lines: send, close, open and 1 more",
            ),
            (3, &["*/"], "3 lines"),
        ] {
            assert_eq!(missing(lines, names.iter().copied()), expect);
        }
    }
}
