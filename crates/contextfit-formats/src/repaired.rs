//! Repairs JSON that is almost valid, so that one broken character does not cost the whole request.
//!
//! Programs that cut text between the two halves of a surrogate pair write `\ud83d` without its partner, which is valid
//! JSON but not valid Unicode. Others copy the output of a tool into a string with its NULs and other control
//! characters, which JSON allows only as escapes.

use std::borrow::Cow;

use crate::FormatError;

/// The length of an escape such as `\ud83d`.
const ESCAPE: usize = 6;

/// The replacement for a half: U+FFFD, in the same length, so that all other bytes keep their position.
const REPLACEMENT: &str = "\\ufffd";

/// JSON that was repaired where necessary.
///
/// ```
/// # mod contextfit { pub use ::contextfit_formats as formats; }
/// use contextfit::formats::{Repaired, SearchRequest};
///
/// let sent = r#"{"budget": 9, "chunks": [{"id": "a", "text": "cut within \ud83d"}]}"#;
/// assert!(SearchRequest::parse(sent).is_err());
/// let repaired = Repaired::new(sent);
/// assert_eq!(repaired.halves, 1);
/// assert_eq!(repaired.parse(SearchRequest::parse)?.chunks.len(), 1);
/// # Ok::<(), contextfit::formats::FormatError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repaired<'t> {
    /// The text, with U+FFFD for each NUL and each half of a surrogate pair without its partner, and with escapes for other
    /// control characters.
    pub text: Cow<'t, str>,
    /// The text with escapes for its NULs, if it has any.
    pub with_nuls: Option<String>,
    /// The number of NULs.
    pub nuls: usize,
    /// The number of halves without their partners.
    pub halves: usize,
}

impl<'t> Repaired<'t> {
    /// Repairs `text`. Linear in its length.
    #[must_use]
    pub fn new(text: impl Into<Cow<'t, str>>) -> Self {
        let text = text.into();
        let nuls = text.bytes().filter(|byte| *byte == 0).count();
        let with_nuls = (nuls > 0).then(|| mended(escaped(text.clone(), "\\u0000")).0.into_owned());
        let (text, halves) = mended(escaped(text, "\u{fffd}"));
        Self { text, with_nuls, nuls, halves }
    }

    /// The request, as `parse` reads it; if it cannot, then with escapes for tabs and line breaks in strings.
    ///
    /// # Errors
    /// The error of the first attempt.
    pub fn parse<R>(&self, parse: impl Fn(&str) -> Result<R, FormatError>) -> Result<R, FormatError> {
        parse(&self.text)
            .or_else(|error| with_breaks_escaped(&self.text).and_then(|text| parse(&text).ok()).ok_or(error))
    }
}

/// `text` with `nul` for every NUL and escapes for other control characters that JSON does not allow in strings. NULs
/// before and after the document, as from programs that pad, are dropped. Linear in the length of `text`.
fn escaped<'t>(text: Cow<'t, str>, nul: &str) -> Cow<'t, str> {
    let is_broken = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | b'\x7f');
    if !text.bytes().any(|byte| is_broken(&byte)) {
        return text;
    }
    let text = text.trim_start_matches('\0');
    let is_padding = |c: char| c == '\0' || c.is_ascii_whitespace();
    let text = if text.trim_ascii_end().ends_with('\0') { text.trim_end_matches(is_padding) } else { text };
    let mut escaped = String::with_capacity(text.len() + 64);
    for (at, c) in text.char_indices() {
        match u8::try_from(c).ok().filter(is_broken).filter(|_| is_escape(text, at)) {
            Some(0) => escaped.push_str(nul),
            Some(byte) => escaped.push_str(&format!("\\u{byte:04x}")),
            None => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

/// `text` with escapes for the tabs and line breaks in its strings; `None` if there are none. Linear in its length.
fn with_breaks_escaped(text: &str) -> Option<String> {
    let mut escaped = String::with_capacity(text.len() + 64);
    let (mut in_string, mut follows_backslash, mut any) = (false, false, false);
    for c in text.chars() {
        in_string ^= c == '"' && !follows_backslash;
        follows_backslash = in_string && c == '\\' && !follows_backslash;
        match c {
            '\t' | '\n' | '\r' if in_string => {
                any = true;
                escaped.extend(c.escape_default());
            }
            _ => escaped.push(c),
        }
    }
    any.then_some(escaped)
}

/// `text` with [`REPLACEMENT`] for every half without its partner, and their number. Linear in the length of `text`.
///
/// A backslash outside a string is never valid JSON, so there is no need to distinguish strings from the rest.
fn mended(text: Cow<'_, str>) -> (Cow<'_, str>, usize) {
    let halves = halves(&text);
    if halves.is_empty() {
        return (text, 0);
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

/// The positions of the escapes of halves without a partner, in order.
fn halves(text: &str) -> Vec<usize> {
    let mut halves = Vec::new();
    // The end of the last escape examined.
    let mut done = 0;
    for (at, _) in text.match_indices("\\u") {
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

/// Whether a backslash at `at` starts an escape, rather than being escaped itself.
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
        let (mended, count) = mended(text.into());
        assert_eq!((mended.as_ref(), count), (expect, replaced));
        assert_eq!(mended.len(), text.len());
        assert_eq!(serde_json::from_str::<Value>(text).is_err(), replaced > 0);
        serde_json::from_str::<Value>(&mended).unwrap();
    }

    /// What `text` is repaired to, and with which NULs.
    #[track_caller]
    fn check_repaired(text: &str, expect: &str, with_nuls: Option<&str>) {
        let repaired = Repaired::new(text);
        assert_eq!((repaired.text.as_ref(), repaired.with_nuls.as_deref()), (expect, with_nuls));
    }

    #[test]
    fn broken_characters_are_repaired() {
        check_repaired("[\"a\0b\x1b[0m\"]", "[\"a\u{fffd}b\\u001b[0m\"]", Some("[\"a\\u0000b\\u001b[0m\"]"));
        check_repaired("[\"\\\\\0\\ud83d\"]", "[\"\\\\\u{fffd}\\ufffd\"]", Some("[\"\\\\\\u0000\\ufffd\"]"));
        check_repaired("\0[1]\0\0\n", "[1]", Some("[1]"));
        // A backslash before a NUL does not become one before an escape.
        assert!(serde_json::from_str::<Value>(&Repaired::new("\"\\\0\"").text).is_err());
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
    fn breaks_in_strings_are_escaped() {
        let check =
            |text: &str, expect: Option<&str>| assert_eq!(with_breaks_escaped(text).as_deref(), expect);
        check("[\n\t\"a\"\r\n]", None);
        check("[\n\"a\tb\r\n\"\n]", Some("[\n\"a\\tb\\r\\n\"\n]"));
        check(r#"{"a\\": "b\"", "c": 1}"#, None);
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
            assert_eq!(mended(text.into()), (Cow::Borrowed(text), 0));
        }
        let text = r#"["a", \ud83d]"#;
        let error = |text: &str| serde_json::from_str::<Value>(text).unwrap_err().to_string();
        assert_eq!(error(&mended(text.into()).0), error(text));
    }
}
