//! Counting tokens.

use std::sync::Arc;

use crate::Tokens;

/// Counts the tokens of a text.
///
/// Every implementation must guarantee, and callers may assume:
/// - `count("")` is zero; the same text always has the same count; any UTF-8 text of any size is counted in linear
///   time.
/// - `count(a) + count(b)` is in general *not* `count(ab)`. It is equal if [`splits_at`](TokenCounter::splits_at)
///   returns `true` for the place where `a` ends.
///
/// The conformance suite in `contextfit-testkit` checks all of this.
pub trait TokenCounter: Send + Sync {
    /// The name of the encoding or rule, as the command line spells it: `o200k_base`, `chars/4`.
    fn name(&self) -> &str;

    /// The number of tokens of `text`. Linear in the length of `text`.
    fn count(&self, text: &str) -> Tokens;

    /// Whether the count splits at byte `at` of `text`: the tokens of the whole are then the sum of those of the two
    /// parts, in this text and in every longer text that contains it.
    ///
    /// `true` is a guarantee; `false` is none. The result is `false` at both ends of the text and inside a character.
    /// Constant time: implementations look at a bounded number of bytes around `at`.
    fn splits_at(&self, text: &str, at: usize) -> bool {
        let _ = (text, at);
        false
    }
}

impl<T: TokenCounter + ?Sized> TokenCounter for Arc<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn count(&self, text: &str) -> Tokens {
        (**self).count(text)
    }

    fn splits_at(&self, text: &str, at: usize) -> bool {
        (**self).splits_at(text, at)
    }
}

impl<T: TokenCounter + ?Sized> TokenCounter for Box<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn count(&self, text: &str) -> Tokens {
        (**self).count(text)
    }

    fn splits_at(&self, text: &str, at: usize) -> bool {
        (**self).splits_at(text, at)
    }
}
