//! Decodes bytes as text.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use memchr::memchr;

use crate::{console, summary::counted};

/// A file with a zero byte within this many bytes is binary, as git and ripgrep see it.
pub(crate) const SNIFFED: usize = 8 << 10;

/// One in nine random bytes is a control character; text in an old encoding has hardly any.
const CONTROLS: usize = 32;

/// A byte order mark at the start of a text.
pub(crate) const MARK: char = '\u{feff}';

/// What a NUL byte means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nuls {
    /// That a file is binary: nobody said that it is text.
    Binary,
    /// A broken byte of a text, read as U+FFFD.
    Replaced,
    /// A character like any other.
    Kept,
}

/// A text, and what it took to read it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// The first byte that is not UTF-8, if such bytes were read as Windows-1252 because nothing declares the encoding.
    pub(crate) guessed: Option<usize>,
    /// The number of NUL bytes that were read as U+FFFD.
    pub(crate) nuls: usize,
    /// Whether some of it is not UTF-16 although a mark says so, and was read as U+FFFD.
    pub(crate) broken: bool,
    /// The bytes, unless they are those of the text.
    pub(crate) raw: Option<Vec<u8>>,
}

impl Text {
    /// Warns of what was read as something else in the source called `name`.
    pub(crate) fn warn(&self, name: &str) {
        if let Some(at) = self.guessed {
            console::warning(format!("{name} is not UTF-8 (byte {at}); reading such bytes as Windows-1252"));
        }
        if self.nuls > 0 {
            let found = counted(self.nuls, "NUL byte", "NUL bytes");
            console::warning(format!("{name} has {found}; reading each as U+FFFD"));
        }
        if self.broken {
            console::warning(format!("{name} is not UTF-16 throughout; reading the rest as U+FFFD"));
        }
    }
}

/// Decodes `bytes` by their byte order mark, which is no part of the text, or else as UTF-8, and what is not UTF-8 as
/// Windows-1252, which includes Latin-1. `None` if they are binary. Linear in the number of bytes.
///
/// A text whose NULs are [kept](Nuls::Kept) keeps the mark of UTF-8 too: it is what is sent.
pub(crate) fn decode(bytes: Vec<u8>, nuls: Nuls) -> Option<Text> {
    let read = str::from_utf8(&bytes);
    if is_binary(&bytes, read.is_ok(), nuls) {
        return None;
    }
    let mut broken = false;
    let (text, guessed) = match (marked(&bytes), read) {
        (Some((encoding, mark)), _) => {
            let (text, malformed) =
                encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default());
            if nuls == Nuls::Binary && (malformed || text.contains('\0')) {
                return None;
            }
            broken = malformed;
            (text, None)
        }
        (None, Ok(text)) => (Cow::Borrowed(text), None),
        (None, Err(error)) => (Cow::Owned(recovered(&bytes)), Some(error.valid_up_to())),
    };
    let mut text = text.as_ref();
    if nuls != Nuls::Kept {
        text = text.strip_prefix(MARK).unwrap_or(text);
    }
    let replaced = if nuls == Nuls::Replaced { text.matches('\0').count() } else { 0 };
    if replaced == 0 && text.as_bytes() == bytes {
        return String::from_utf8(bytes).ok().map(|text| Text { text, ..Text::default() });
    }
    let text = if replaced > 0 { text.replace('\0', "\u{fffd}") } else { text.to_owned() };
    Some(Text { text, guessed, nuls: replaced, broken, raw: Some(bytes) })
}

/// `bytes` as UTF-8 where they are, and as Windows-1252 elsewhere: a single broken byte does not spoil the rest.
fn recovered(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
    }
    text
}

/// The encoding that a byte order mark indicates, if it is not UTF-8, and the length of the mark.
pub(crate) fn marked(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    Encoding::for_bom(bytes).filter(|(encoding, _)| *encoding != UTF_8)
}

/// Whether the start of a file says that it is binary, if nobody said that it is text.
pub(crate) fn starts_binary(bytes: &[u8]) -> bool {
    marked(bytes).is_none() && memchr(0, bytes.get(..SNIFFED).unwrap_or(bytes)).is_some()
}

fn is_binary(bytes: &[u8], is_utf8: bool, nuls: Nuls) -> bool {
    let has_nul = || memchr(0, bytes).is_some();
    match (nuls, marked(bytes)) {
        (Nuls::Binary, None) => starts_binary(bytes) || !is_utf8 && (has_nul() || is_noise(bytes)),
        (_, None) => is_wide(bytes) || (!is_utf8 || has_nul()) && is_noise(bytes),
        // UTF-32 starts like UTF-16.
        _ => is_wide(bytes),
    }
}

/// Whether `bytes` are UTF-32, or UTF-16 without a mark: every second byte of the latter is zero if it is ASCII.
fn is_wide(bytes: &[u8]) -> bool {
    let zeros = |from: usize| bytes.iter().skip(from).step_by(2).all(|byte| *byte == 0);
    bytes.starts_with(b"\xff\xfe\0\0")
        || bytes.starts_with(b"\0\0\xfe\xff")
        || bytes.len() >= 4 && bytes.len().is_multiple_of(2) && (zeros(0) || zeros(1))
}

/// Whether `bytes` have as many control characters as no text has.
fn is_noise(bytes: &[u8]) -> bool {
    let is_control = |byte: &&u8| byte.is_ascii_control() && **byte != 0 && !is_space(**byte);
    bytes.iter().filter(is_control).count() * CONTROLS > bytes.len()
}

/// Whether `byte` is a control character that occurs in texts: white space, or the escape that starts a colour.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\x08'..=b'\r' | b'\x1b')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text in `bytes` and where they stop being UTF-8; `None` if they are not text.
    #[track_caller]
    fn check(bytes: &[u8], expect: Option<(&str, Option<usize>)>) {
        check_as(Nuls::Binary, bytes, expect.map(|(text, guessed)| (text, guessed, 0)));
    }

    /// The text in `bytes`, where they stop being UTF-8, and the replaced NULs.
    #[track_caller]
    fn check_as(nuls: Nuls, bytes: &[u8], expect: Option<(&str, Option<usize>, usize)>) {
        let found = decode(bytes.to_vec(), nuls);
        let expect = expect.map(|(text, guessed, nuls)| {
            let raw = (text.as_bytes() != bytes).then(|| bytes.to_vec());
            let broken = guessed.is_none() && text.matches('\u{fffd}').count() > nuls;
            Text { text: text.into(), guessed, nuls, broken, raw }
        });
        assert_eq!(found, expect);
    }

    #[test]
    fn a_text_is_read_in_its_encoding() {
        check(b"", Some(("", None)));
        check("naïve".as_bytes(), Some(("naïve", None)));
        check(b"\xef\xbb\xbfabc", Some(("abc", None)));
        check(b"\xff\xfea\0\n\0", Some(("a\n", None)));
        check(b"\xfe\xff\0a\0\n", Some(("a\n", None)));
        check(b"\xff\xfe\x3d\xd8\x00\xde", Some(("\u{1f600}", None)));
        check(b"na\xefve \x80 5", Some(("naïve € 5", Some(2))));
        check(b"\x1b[31mna\xefve\r\n\x1b[0m", Some(("\x1b[31mnaïve\r\n\x1b[0m", Some(7))));
        // One broken byte does not spoil the rest.
        check(b"na\xc3\xafve na\xefve", Some(("naïve naïve", Some(9))));
    }

    #[test]
    fn what_is_no_text_is_binary() {
        check(b"a\0b", None);
        // UTF-16 without a mark, UTF-32, half a pair of surrogates, an odd byte.
        check(b"a\0\n\0", None);
        check(b"\xff\xfe\0\0a\0\0\0", None);
        check(b"\xff\xfe\x3d\xd8", None);
        check(b"\xff\xfea\0b", None);
        check(&[[0x80; 16].as_slice(), &[1]].concat(), None);
        // A zero far from the start also counts if the rest is not UTF-8 either.
        check(&[&[b' '; SNIFFED][..], b"\xe9\0"].concat(), None);
    }

    #[test]
    fn a_named_text_may_have_broken_bytes() {
        let replaced = |bytes: &[u8], expect| check_as(Nuls::Replaced, bytes, expect);
        replaced(b"a\0b", Some(("a\u{fffd}b", None, 1)));
        replaced(b"\xef\xbb\xbfna\xefve\0\0", Some(("naïve\u{fffd}\u{fffd}", Some(5), 2)));
        replaced(b"\xff\xfea\0b", Some(("a\u{fffd}", None, 0)));
        replaced(
            &[&[0; 512][..], b"a log that was cut"].concat(),
            Some((&("\u{fffd}".repeat(512) + "a log that was cut"), None, 512)),
        );
        check_as(Nuls::Kept, b"\xef\xbb\xbfa\0\xe9", Some(("\u{feff}a\0é", Some(5), 0)));
        for nuls in [Nuls::Replaced, Nuls::Kept] {
            check_as(nuls, b"\0\x01", None);
            check_as(nuls, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", None);
            check_as(nuls, b"a\0\n\0", None);
            check_as(nuls, b"\xff\xfe\0\0a\0\0\0", None);
        }
    }
}
