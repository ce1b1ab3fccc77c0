//! Counting tokens.

use std::sync::Arc;

use crate::Tokens;

/// Counts the tokens of a text.
///
/// Callers may rely on this, and implementers owe it:
/// - `count("")` is zero; the same text always has the same count; any UTF-8 of any size is counted, in linear time.
/// - In general `count(a) + count(b)` is *not* `count(ab)`; where [`splits_at`](TokenCounter::splits_at) says `true`,
///   it is.
///
/// The conformance suite of `contextfit-testkit` checks all of it.
pub trait TokenCounter: Send + Sync {
    /// The name of the encoding or rule, as the command line spells it: `o200k_base`, `chars/4`.
    fn name(&self) -> &str;

    /// The number of tokens of `text`. Linear in the length of `text`.
    fn count(&self, text: &str) -> Tokens;

    /// Whether the count splits at byte `at` of `text`: the tokens of the whole are those of the two parts added, for
    /// this text and for every longer one that it is a part of.
    ///
    /// `true` is a promise, `false` promises nothing and is the answer at both ends of the text and inside a
    /// character. Constant time: only so many bytes around `at` are looked at.
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
