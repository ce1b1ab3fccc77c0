//! Reads files that may turn out not to be text.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use thiserror::Error;

use crate::input;

/// A file with a zero byte within this many bytes is binary, as git and ripgrep see it.
const SNIFFED: usize = 8 << 10;

/// The longest file to read: the texts of all cores together must fit into memory.
const LONGEST: u64 = 1 << 30;

/// One in nine random bytes is a control character; text in an old encoding has hardly any.
const CONTROLS: usize = 32;

/// Why a file is not used.
#[derive(Debug, Error)]
pub(crate) enum Unread {
    #[error("binary")]
    Binary,
    #[error("not UTF-8 (at byte {0})")]
    NotUtf8(usize),
    #[error("larger than 1 GiB")]
    TooLong,
    #[error("{0}")]
    Unreadable(io::Error),
    #[error("contains a secret: {0} (--allow-secrets reads it anyway)")]
    Secret(&'static str),
}

impl Unread {
    /// The reason in a word or two.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::NotUtf8(_) => "not UTF-8",
            Self::TooLong => "too large",
            Self::Unreadable(_) => "unreadable",
            Self::Secret(_) => "with secrets",
        }
    }
}

/// The text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// The first byte that is not UTF-8, if the text was read as Windows-1252 because nothing declares its encoding.
    pub(crate) guessed: Option<usize>,
}

impl Text {
    /// The text, unless its encoding was guessed.
    ///
    /// # Errors
    /// [`Unread::NotUtf8`] if the encoding was guessed.
    pub(crate) fn certain(self) -> Result<String, Unread> {
        match self.guessed {
            Some(at) => Err(Unread::NotUtf8(at)),
            None => Ok(self.text),
        }
    }
}

/// Reads the file at `path` as text.
pub(crate) fn read(path: &Path) -> Result<Text, Unread> {
    let mut file = File::open(path).map_err(Unread::Unreadable)?;
    let found = file.metadata().map_err(Unread::Unreadable)?;
    if found.len() > LONGEST {
        return Err(Unread::TooLong);
    }
    // Read only the start of a binary file.
    let length = usize::try_from(found.len()).unwrap_or_default();
    let mut bytes = Vec::with_capacity(length + 1);
    file.by_ref().take(SNIFFED as u64).read_to_end(&mut bytes).map_err(Unread::Unreadable)?;
    if is_binary(&bytes) {
        return Err(Unread::Binary);
    }
    file.read_to_end(&mut bytes).map_err(Unread::Unreadable)?;
    decode(bytes)
}

/// Reads what the command line names: a file, a pipe, or standard input for `-`, whatever files exist.
pub(crate) fn read_named(path: &Path) -> Result<Text, Unread> {
    match path.metadata() {
        Ok(found) if found.is_file() && path != Path::new(input::STDIN) => read(path),
        _ => read_stream(path),
    }
}

/// Reads a stream, which has no length and can be read only once: standard input for `-`, otherwise a pipe.
pub(crate) fn read_stream(path: &Path) -> Result<Text, Unread> {
    let mut bytes = Vec::new();
    let read = if path == Path::new(input::STDIN) {
        io::stdin().lock().read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|mut pipe| pipe.read_to_end(&mut bytes))
    };
    read.map_err(Unread::Unreadable)?;
    decode(bytes)
}

/// Decodes `bytes` by their byte order mark, as UTF-8, or else as Windows-1252, which includes Latin-1.
fn decode(bytes: Vec<u8>) -> Result<Text, Unread> {
    if is_binary(&bytes) {
        return Err(Unread::Binary);
    }
    if let Some((encoding, mark)) = marked(&bytes) {
        let (text, malformed) = encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default());
        // UTF-32 starts like UTF-16, but every second character is then zero.
        return if malformed || text.contains('\0') {
            Err(Unread::Binary)
        } else {
            Ok(Text { text: text.into_owned(), guessed: None })
        };
    }
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok(Text { text, guessed: None }),
        Err(error) => error,
    };
    let at = error.utf8_error().valid_up_to();
    let bytes = error.as_bytes();
    let controls = bytes.iter().filter(|byte| byte.is_ascii_control() && !is_space(**byte)).count();
    if bytes.contains(&0) || controls * CONTROLS > bytes.len() {
        return Err(Unread::Binary);
    }
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
    Ok(Text { text: text.into_owned(), guessed: Some(at) })
}

/// The encoding that a byte order mark indicates, if it is not UTF-8, and the length of the mark.
fn marked(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
    Encoding::for_bom(bytes).filter(|(encoding, _)| *encoding != UTF_8)
}

/// Whether `byte` is a control character that occurs in texts: white space, or the escape that starts a colour.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\x08'..=b'\r' | b'\x1b')
}

fn is_binary(bytes: &[u8]) -> bool {
    marked(bytes).is_none() && memchr::memchr(0, bytes.get(..SNIFFED).unwrap_or(bytes)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text in `bytes` and where they stop being UTF-8; `None` if they are not text.
    #[track_caller]
    fn check(bytes: &[u8], expect: Option<(&str, Option<usize>)>) {
        let found = decode(bytes.to_vec()).ok();
        assert_eq!(found, expect.map(|(text, guessed)| Text { text: text.into(), guessed }));
    }

    #[test]
    fn a_text_is_read_in_its_encoding() {
        check(b"", Some(("", None)));
        check("naïve".as_bytes(), Some(("naïve", None)));
        check(b"\xef\xbb\xbfabc", Some(("\u{feff}abc", None)));
        check(b"\xff\xfea\0\n\0", Some(("a\n", None)));
        check(b"\xfe\xff\0a\0\n", Some(("a\n", None)));
        check(b"\xff\xfe\x3d\xd8\x00\xde", Some(("\u{1f600}", None)));
        check(b"na\xefve \x80 5", Some(("naïve € 5", Some(2))));
        check(b"\x1b[31mna\xefve\r\n\x1b[0m", Some(("\x1b[31mnaïve\r\n\x1b[0m", Some(7))));
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
}
