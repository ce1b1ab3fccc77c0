//! Reads JSON from bytes, and repairs what is almost valid.

use std::borrow::Cow;

use contextfit::formats::{FormatError, Repaired};
use memchr::memchr;

use crate::{
    console,
    decode::{Nuls, Text, decode},
    summary::counted,
};

/// A request.
#[derive(Debug)]
pub(crate) struct Sent<R> {
    pub(crate) request: R,
    /// The request with the NULs that were read as U+FFFD, if there were any: what handles restore.
    pub(crate) original: Option<R>,
}

/// JSON that was read, and repaired where necessary.
#[derive(Debug)]
pub(crate) struct Json<'a> {
    repaired: Repaired<'a>,
    pub(crate) repairs: Repairs,
}

/// What was repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Repairs {
    /// The first byte that is not UTF-8.
    pub(crate) guessed: Option<usize>,
    pub(crate) nuls: usize,
    /// Unpaired surrogates.
    pub(crate) halves: usize,
}

impl<'a> Json<'a> {
    /// The text of `bytes`; `None` if they are binary. Linear in their number.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (text, guessed) = match str::from_utf8(bytes) {
            Ok(text) if memchr(0, bytes).is_none() => (Cow::Borrowed(text), None),
            _ => {
                let Text { text, guessed, .. } = decode(bytes.to_vec(), Nuls::Kept)?;
                (Cow::Owned(text), guessed)
            }
        };
        let repaired = Repaired::new(text);
        let repairs = Repairs { guessed, nuls: repaired.nuls, halves: repaired.halves };
        Some(Self { repaired, repairs })
    }

    /// The text.
    pub(crate) fn text(&self) -> &str {
        &self.repaired.text
    }

    /// The request, as `parse` reads it.
    pub(crate) fn parse<R>(
        &self,
        parse: impl Fn(&str) -> Result<R, FormatError>,
    ) -> Result<Sent<R>, FormatError> {
        let request = self.repaired.parse(&parse)?;
        Ok(Sent { request, original: self.repaired.with_nuls.as_deref().and_then(|text| parse(text).ok()) })
    }
}

impl Repairs {
    /// Says what was repaired in the source called `name`.
    pub(crate) fn tell(self, name: &str) {
        let Self { guessed, nuls, halves } = self;
        Text { guessed, nuls, ..Text::default() }.warn(name);
        if halves > 0 {
            let halves = counted(halves, "unpaired surrogate", "unpaired surrogates");
            console::note(format!(
                "note: read {halves} (such as \\ud83d alone) as U+FFFD: text was cut within a character"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf8() {
        let check = |bytes: &[u8], text: &str, guessed: Option<usize>| {
            let json = Json::read(bytes).unwrap();
            assert_eq!((json.text(), json.repairs.guessed), (text, guessed));
        };
        check(b"{\"a\": \"\xc3\xa9\"}", r#"{"a": "é"}"#, None);
        check(b"{\"a\": \"\xc3\xa9 \xe9\"}", r#"{"a": "é é"}"#, Some(10));
        check(b"\xff\xfe[\x001\0]\0", "[1]", None);
        check(b"\xef\xbb\xbf[1]", "\u{feff}[1]", None);
        assert!(Json::read(b"[\0\"\0a\0\"\0]\0").is_none());
    }
}
