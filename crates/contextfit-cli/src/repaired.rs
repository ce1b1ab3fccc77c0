//! Replaces unpaired surrogates in JSON strings.
//!
//! Programs that cut text between the two halves of a surrogate pair write `\ud83d` without its partner. That is valid
//! JSON but not valid Unicode, so the whole request would be refused because of one emoji.

use std::borrow::Cow;

use memchr::memmem;

use crate::{console, summary::counted};

/// The length of an escape such as `\ud83d`.
const ESCAPE: usize = 6;

/// The replacement for a half: U+FFFD, in the same length, so that all other bytes keep their position.
const REPLACEMENT: &str = "\\ufffd";

/// `text` with [`REPLACEMENT`] for every half without its partner, and their number. Linear in the length of `text`.
///
/// A backslash outside a string is never valid JSON, so there is no need to distinguish strings from the rest.
pub(crate) fn mended(text: &str) -> (Cow<'_, str>, usize) {
    let halves = halves(text);
    if halves.is_empty() {
        return (Cow::Borrowed(text), 0);
    }
    let mut mended = String::with_capacity(text.len());
    let mut from = 0;
    for &at in &halves {
        mended.extend([text.get(from..at).unwrap_or_default(), REPLACEMENT]);
        from = at + ESCAPE;
    }
    mended.push_str(text.get(from..).unwrap_or_default());
    (Cow::Owned(mended), halves.len())
}

/// Prints a note on how many halves were replaced, if any.
pub(crate) fn tell(replaced: usize) {
    if replaced > 0 {
        let halves = counted(replaced, "unpaired surrogate", "unpaired surrogates");
        console::note(format!(
            "note: read {halves} (such as \\ud83d alone) as U+FFFD: text was cut within a character"
        ));
    }
}

/// The positions of the escapes of halves without a partner, in order.
fn halves(text: &str) -> Vec<usize> {
    let mut halves = Vec::new();
    // The end of the last escape examined.
    let mut done = 0;
    for at in memmem::find_iter(text.as_bytes(), b"\\u") {
        let Some(first) = unit(text, at).filter(|unit| at >= done && is_half(*unit)) else { continue };
        if !is_escape(text, at) {
            continue;
        }
        let second = unit(text, at + ESCAPE);
        let is_pair = first < 0xdc00 && second.is_some_and(|second| (0xdc00..0xe000).contains(&second));
        done = at + if is_pair { 2 * ESCAPE } else { ESCAPE };
        if !is_pair {
            halves.push(at);
        }
    }
    halves
}

/// The value of the escape `\uXXXX` at `at`, if there is one.
fn unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at.checked_add(ESCAPE)?)?.strip_prefix("\\u")?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
}

/// Whether `unit` is a surrogate: one half of a character.
fn is_half(unit: u16) -> bool {
    (0xd800..0xe000).contains(&unit)
}

/// Whether the backslash at `at` starts an escape rather than being escaped itself.
fn is_escape(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str, replaced: usize) {
        let (mended, count) = mended(text);
        assert_eq!((mended.as_ref(), count), (expect, replaced));
        assert_eq!(mended.len(), text.len());
        assert_eq!(serde_json::from_str::<Value>(text).is_err(), replaced > 0);
        serde_json::from_str::<Value>(&mended).unwrap();
    }

    #[test]
    fn halves_alone_are_replaced() {
        check(r#""\ud83d""#, r#""\ufffd""#, 1);
        check(r#""\uDE00 a""#, r#""\ufffd a""#, 1);
        check(r#""\ud83dé\ud83d\u0041\ud83d\n""#, r#""\ufffdé\ufffd\u0041\ufffd\n""#, 3);
        check(r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#, 1);
        check(r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#, 2);
        check(r#"{"\ud83d": ["\\\ud83d\\"]}"#, r#"{"\ufffd": ["\\\ufffd\\"]}"#, 2);
    }

    #[test]
    fn all_else_is_left_alone() {
        for text in [
            "{}",
            r#""\ud83d\ude00\uD83D\uDE00""#,
            r#""\\ud83d\\\\ud83d\"\\ude00""#,
            r#""\ud55c\ud7ff\ue000\ufffd""#,
            r#"["ud83d", "😀"]"#,
        ] {
            check(text, text, 0);
        }
    }

    /// Invalid JSON stays invalid, and a truncated escape is not taken for one.
    #[test]
    fn what_is_no_json_is_left_to_the_parser() {
        for text in [r"\", r#""\u"#, r#""\ud83"#, r#""\ud83é""#, r#""\u+d83d""#, r#""\ud8é0""#] {
            assert_eq!(mended(text), (Cow::Borrowed(text), 0));
        }
        let text = r#"["a", \ud83d]"#;
        let error = |text: &str| serde_json::from_str::<Value>(text).unwrap_err().to_string();
        assert_eq!(error(&mended(text).0), error(text));
    }
}
