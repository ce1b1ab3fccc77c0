//! The cached form of a model's answer.

use contextfit_kernel::Tokens;

use crate::{CacheError, Key};

/// An unknown number of tokens.
const UNKNOWN: u64 = u64::MAX;

/// A model's answer as bytes, with its cost, from which the savings of a hit are computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The text, or the numbers of a vector, four bytes each, little-endian.
    pub body: Vec<u8>,
    /// Tokens read for it, if known.
    pub tokens_in: Option<Tokens>,
    /// Tokens written, if known.
    pub tokens_out: Option<Tokens>,
    /// Whether the answer was cut off at the token limit.
    pub truncated: bool,
}

impl Answer {
    /// A text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::of(text.as_bytes().to_vec())
    }

    /// A vector.
    #[must_use]
    pub fn vector(vector: &[f32]) -> Self {
        Self::of(vector.iter().flat_map(|x| x.to_le_bytes()).collect())
    }

    const fn of(body: Vec<u8>) -> Self {
        Self { body, tokens_in: None, tokens_out: None, truncated: false }
    }

    /// Sets the cost.
    #[must_use]
    pub const fn with_tokens(mut self, tokens_in: Option<Tokens>, tokens_out: Option<Tokens>) -> Self {
        self.tokens_in = tokens_in;
        self.tokens_out = tokens_out;
        self
    }

    /// Sets whether the answer was cut off.
    #[must_use]
    pub const fn with_truncated(mut self, truncated: bool) -> Self {
        self.truncated = truncated;
        self
    }

    /// The text; `None` if the body is not one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        str::from_utf8(&self.body).ok()
    }

    /// The vector; `None` if the body is not one.
    #[must_use]
    pub fn to_vector(&self) -> Option<Vec<f32>> {
        let (numbers, []) = self.body.as_chunks::<4>() else { return None };
        Some(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    /// The stored form: the costs, whether it was cut off, then the body.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let cost =
            |tokens: Option<Tokens>| tokens.map_or(UNKNOWN, |tokens| tokens.get() as u64).to_le_bytes();
        [cost(self.tokens_in).as_slice(), &cost(self.tokens_out), &[self.truncated.into()], &self.body]
            .concat()
    }

    pub(crate) fn from_bytes(key: Key, bytes: &[u8]) -> Result<Self, CacheError> {
        let damaged = || CacheError::Damaged { key, what: "it is too short for an answer" };
        let (tokens_in, rest) = bytes.split_first_chunk().ok_or_else(damaged)?;
        let (tokens_out, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
        let (truncated, body) = rest.split_first().ok_or_else(damaged)?;
        let cost = |bytes: &[u8; 8]| match u64::from_le_bytes(*bytes) {
            UNKNOWN => None,
            tokens => usize::try_from(tokens).ok().map(Tokens::new),
        };
        let answer = Self::of(body.to_vec()).with_truncated(*truncated != 0);
        Ok(answer.with_tokens(cost(tokens_in), cost(tokens_out)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &Answer) {
        let key = Key::of_original(b"key");
        assert_eq!(&Answer::from_bytes(key, &answer.to_bytes()).unwrap(), answer);
    }

    #[test]
    fn answers_come_back_as_they_went() {
        check(&Answer::text(""));
        check(&Answer::text("naïve 漢字").with_tokens(Some(Tokens::new(12)), Some(Tokens::ZERO)));
        check(&Answer::text("cut").with_truncated(true));
        check(&Answer::vector(&[0.0, -1.5, f32::MIN_POSITIVE]).with_tokens(Some(Tokens::new(3)), None));
        assert_eq!(Answer::vector(&[0.25, -1.5]).to_vector(), Some(vec![0.25, -1.5]));
        assert_eq!(Answer::text("abcde").to_vector(), None);
        assert_eq!(Answer::of(vec![0xff]).as_text(), None);
    }
}
