//! The tokens of JSON.

use memchr::memchr2;

/// The kind of a token of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonKind {
    /// A bracket, a colon or a comma.
    Sign,
    /// A string with its quotes, whether key or value.
    Text,
    /// A string without its closing quote: the text ends in it.
    CutText,
    /// A number or a literal, or anything else that is neither a string nor a sign in a text that is not JSON.
    Scalar,
}

/// A token of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonToken<'t> {
    /// The kind of the token.
    pub kind: JsonKind,
    /// The position of its first byte.
    pub at: usize,
    /// The token as it is written.
    pub text: &'t str,
}

impl<'t> JsonToken<'t> {
    /// The first token of `text` at or after byte `at`; `None` if only blanks are left.
    #[inline]
    pub(crate) fn after(text: &'t str, at: usize) -> Option<Self> {
        let rest = text.as_bytes().get(at..)?;
        let blanks = rest.iter().position(|byte| !is_blank(*byte))?;
        let (rest, at) = (rest.get(blanks..)?, at + blanks);
        let (kind, len) = match *rest.first()? {
            b'"' => match string_end(rest.get(1..)?) {
                Some(end) => (JsonKind::Text, end + 2),
                None => (JsonKind::CutText, rest.len()),
            },
            sign if is_sign(sign) => (JsonKind::Sign, 1),
            _ => {
                let ends = |byte: &u8| is_blank(*byte) || is_sign(*byte) || *byte == b'"';
                (JsonKind::Scalar, rest.iter().position(ends).unwrap_or(rest.len()))
            }
        };
        Some(Self { kind, at, text: text.get(at..at + len)? })
    }

    /// The text between the quotes of a string, with its escapes; `None` for other tokens.
    #[must_use]
    pub fn inside(&self) -> Option<&'t str> {
        match self.kind {
            JsonKind::Text => self.text.get(1..self.text.len() - 1),
            JsonKind::CutText => self.text.get(1..),
            JsonKind::Sign | JsonKind::Scalar => None,
        }
    }

    /// The position after its last byte.
    #[must_use]
    pub const fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// The tokens of `text` in order, with nothing but blanks between them. Any text can be read: everything that is
/// neither a string nor a sign is a scalar. Linear, in constant memory; brackets need not match.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::{JsonKind, json_tokens};
///
/// let tokens: Vec<&str> = json_tokens(r#"{"a": [1, "b\"]"]"#).map(|token| token.text).collect();
/// assert_eq!(tokens, ["{", r#""a""#, ":", "[", "1", ",", r#""b\"]""#, "]"]);
/// assert_eq!(json_tokens(r#""cut o"#).next().map(|token| token.kind), Some(JsonKind::CutText));
/// ```
pub fn json_tokens(text: &str) -> impl Iterator<Item = JsonToken<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let token = JsonToken::after(text, at)?;
        at = token.end();
        Some(token)
    })
}

/// The position of the quote that ends the string in which `text` begins; `None` if `text` ends before it. Linear in
/// the position.
#[must_use]
pub fn json_string_end(text: &str) -> Option<usize> {
    string_end(text.as_bytes())
}

fn string_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let found = at + memchr2(b'"', b'\\', bytes.get(at..)?)?;
        match bytes.get(found) {
            Some(b'"') => return Some(found),
            _ => at = found + 2,
        }
    }
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

const fn is_sign(byte: u8) -> bool {
    matches!(byte, b'{' | b'}' | b'[' | b']' | b':' | b',')
}
