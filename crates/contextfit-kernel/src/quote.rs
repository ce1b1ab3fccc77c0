//! Quotes: the parts of a turn that a record entry shows.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Block, ByteRange, LINE_BREAKS};

/// The text that a quote is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QuoteSource {
    /// The arguments of the call at this index among the turn's calls.
    Arguments(usize),
    /// The text of the turn.
    Text,
    /// The turn's attachments `from..to`, which have the same medium. They have no text: the entry names them, and the
    /// range of the quote is empty.
    Attachments {
        /// The first attachment.
        from: usize,
        /// The end, exclusive.
        to: usize,
    },
}

/// A run of whole units of a turn: sentences, lines, members of an object, a whole call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Quote {
    /// Where it is from.
    pub source: QuoteSource,
    /// Its byte range in the source.
    pub range: ByteRange,
    /// Whether it is part of a JSON string. Its escapes (`\n`, `\"`) are then decoded when it is shown.
    #[serde(default)]
    pub escaped: bool,
}

impl Quote {
    /// Creates a quote of a part of `source`.
    #[must_use]
    pub const fn new(source: QuoteSource, range: ByteRange) -> Self {
        Self { source, range, escaped: false }
    }

    /// Marks the quote as part of a JSON string.
    #[must_use]
    pub const fn with_escapes(mut self) -> Self {
        self.escaped = true;
        self
    }

    /// The quoted text of `block`; `None` if the block has no such range.
    #[must_use]
    pub fn text<'a>(&self, block: &'a Block) -> Option<Cow<'a, str>> {
        if let QuoteSource::Attachments { from, to } = self.source {
            let medium = block.as_turn()?.attachments.get(from)?.medium;
            return Some(Cow::Owned(medium.named(to.saturating_sub(from))));
        }
        let text = self.range.of(self.source.of(block)?)?;
        Some(if self.escaped { said(text) } else { Cow::Borrowed(text) })
    }

    /// Whether words of the source are left out between this quote and `next`: anything but white space and the
    /// punctuation of JSON.
    #[must_use]
    pub fn leaves_gap(&self, next: &Self, block: &Block) -> bool {
        let between = |source: &str| {
            let between = source.get(self.range.end()..next.range.start())?;
            Some(Self::says(between, self.escaped && next.escaped))
        };
        self.source == next.source && self.source.of(block).and_then(between) == Some(true)
    }

    /// The range of the text that it is of, in its source: a part of a message, each of which is a text of its own, or
    /// all arguments of a call. `None` if no part contains the quote, and for attachments.
    #[must_use]
    pub fn around(&self, block: &Block) -> Option<ByteRange> {
        match block.as_turn().filter(|_| self.source == QuoteSource::Text) {
            Some(turn) => turn.text_around(&block.text, self.range).map(|(part, _)| part),
            None => self.source.of(block).map(ByteRange::whole),
        }
    }

    /// Whether the part of `source` in `range` has words outside `quotes`, which are in order.
    pub(crate) fn leave_gap<'q>(
        quotes: impl Iterator<Item = &'q Self>,
        range: ByteRange,
        source: &str,
    ) -> bool {
        let (mut at, mut escaped) = (range.start(), None);
        let says = |from: usize, to: usize, escaped: bool| {
            source.get(from..to).is_some_and(|text| Self::says(text, escaped))
        };
        for quote in quotes {
            if says(at, quote.range.start(), escaped.unwrap_or(quote.escaped) && quote.escaped) {
                return true;
            }
            (at, escaped) = (at.max(quote.range.end()), Some(quote.escaped));
        }
        says(at, range.end(), escaped == Some(true))
    }

    /// Whether `text` has anything but white space and the punctuation of JSON; `escaped` if it is in a JSON string.
    fn says(text: &str, escaped: bool) -> bool {
        let plain = if escaped { unescaped(text) } else { Cow::Borrowed(text) };
        plain.contains(|c: char| !c.is_whitespace() && !"{}[],:\"\\".contains(c))
    }
}

impl QuoteSource {
    /// The text of `block` that this source refers to; attachments have none.
    #[must_use]
    pub fn of(self, block: &Block) -> Option<&str> {
        match self {
            Self::Text => Some(&block.text),
            Self::Arguments(n) => block.as_turn()?.calls.get(n).map(|call| call.arguments.as_str()),
            Self::Attachments { .. } => None,
        }
    }
}

/// The lines in a JSON string as they are shown: decoded, but if one of them reads like members of JSON, their quotation
/// marks stay escaped, because they are not members of the value around them.
fn said(text: &str) -> Cow<'_, str> {
    let plain = unescaped(text);
    let is_member = |line: &str| line.trim_start().starts_with('"') && line.contains("\":");
    match plain.split(LINE_BREAKS).any(is_member) {
        true => unescaped(&text.replace(r#"\""#, r#"\\\""#)).into_owned().into(),
        false => plain,
    }
}

/// Decodes the escapes of a JSON string (RFC 8259, section 7); invalid escapes are left unchanged. Linear.
#[must_use]
pub fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        plain.push_str(before);
        let (read, length) = read_escape(escape).unwrap_or(('\\', 1));
        plain.push(read);
        rest = escape.get(length..).unwrap_or_default();
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The character that `escape` encodes, and the length of the escape in bytes. `escape` begins with a backslash.
fn read_escape(escape: &str) -> Option<(char, usize)> {
    let read = match escape.as_bytes().get(1)? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        c @ (b'"' | b'\\' | b'/') => char::from(*c),
        b'u' => return read_unicode(escape),
        _ => return None,
    };
    Some((read, 2))
}

/// The character encoded by `\uXXXX`, or by two of them that form a surrogate pair.
fn read_unicode(escape: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = escape.get(at..at + 4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u16::from_str_radix(digits, 16).ok()
    };
    let first = unit(2)?;
    if let Some(c) = char::from_u32(first.into()) {
        return Some((c, 6));
    }
    let second = escape.get(6..8).filter(|start| *start == "\\u").and_then(|_| unit(8))?;
    let pair = char::decode_utf16([first, second]).next()?.ok()?;
    Some((pair, 12))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(escaped: &str, expect: &str) {
        assert_eq!(unescaped(escaped), expect);
    }

    #[test]
    fn escapes() {
        check("plain", "plain");
        check(r#"a\tb \"c\" \\n \/"#, "a\tb \"c\" \\n /");
        check(r"\u00e9\ud83d\ude00\n", "é😀\n");
        check(r"\ud83d \x \u12 \", r"\ud83d \x \u12 \");
        check(r"\ud83d\n", "\\ud83d\n");
    }

    #[test]
    fn lines_that_read_like_members() {
        assert_eq!(said(r#"3 passed\n\"why\" is known"#), "3 passed\n\"why\" is known");
        assert_eq!(said(r#"a\n  \"code\": 0, \"ok\": \"y\""#), "a\n  \\\"code\\\": 0, \\\"ok\\\": \\\"y\\\"");
    }
}
