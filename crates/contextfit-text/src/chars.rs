//! The rule of thumb: N characters per token.

use std::num::NonZeroUsize;

use contextfit_kernel::{TokenCounter, Tokens};

/// Counts one token per `N` characters, rounding up.
///
/// An estimate for models whose encoding is unknown: English prose has about four characters per token, source code
/// about three, Chinese about one. A text that fits a budget by this count may not fit it for the model.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel::{TokenCounter, Tokens}; pub use ::contextfit_text as text; }
/// use contextfit::{TokenCounter, Tokens, text::CharsPer};
///
/// let counter = CharsPer::new(4).unwrap();
/// assert_eq!(counter.name(), "chars/4");
/// assert_eq!(counter.count("Grüße!"), Tokens::new(2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CharsPer {
    per_token: NonZeroUsize,
    name: String,
}

impl CharsPer {
    /// The rule with `n` characters per token; `None` if `n` is zero.
    #[must_use]
    pub fn new(n: usize) -> Option<Self> {
        let per_token = NonZeroUsize::new(n)?;
        Some(Self { per_token, name: format!("chars/{per_token}") })
    }
}

impl TokenCounter for CharsPer {
    fn name(&self) -> &str {
        &self.name
    }

    fn count(&self, text: &str) -> Tokens {
        Tokens::new(text.chars().count().div_ceil(self.per_token.get()))
    }

    /// Splits between any two characters if each is a token; otherwise nowhere, because both parts round up.
    fn splits_at(&self, text: &str, at: usize) -> bool {
        self.per_token.get() == 1 && at > 0 && at < text.len() && text.is_char_boundary(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(n: usize, text: &str, expect: usize) {
        assert_eq!(CharsPer::new(n).unwrap().count(text), Tokens::new(expect));
    }

    #[test]
    fn every_begun_token_counts() {
        check(4, "", 0);
        check(4, "a", 1);
        check(4, "abcd", 1);
        check(4, "abcde", 2);
        check(1, "日本語", 3);
        check(usize::MAX, "日本語", 1);
    }

    #[test]
    fn no_characters_to_a_token_is_no_rule() {
        assert_eq!(CharsPer::new(0), None);
    }

    #[test]
    fn splits_only_where_nothing_is_rounded() {
        let places = |n: usize, text: &str| -> Vec<usize> {
            (0..=text.len() + 1).filter(|&at| CharsPer::new(n).unwrap().splits_at(text, at)).collect()
        };
        assert_eq!(places(1, "aéb"), [1, 3]);
        assert!(places(2, "aéb").is_empty());
    }
}
