//! A counter that caches the counts of short texts.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use contextfit_kernel::{TokenCounter, Tokens};
use foldhash::fast::RandomState;

/// The maximum length in bytes of a cached text, such as a header, a marker or a gist.
const TEXT_BYTES: usize = 256;

/// The maximum number of cached texts.
const MAX_TEXTS: usize = 4096;

/// A counter that counts each short text once. Markers and line ends recur in many blocks, and a text that replaces a
/// block is counted for planning and again for rendering.
pub(crate) struct Remembered<'c> {
    counter: &'c dyn TokenCounter,
    known: Mutex<HashMap<Box<str>, Tokens, RandomState>>,
}

impl<'c> Remembered<'c> {
    pub(crate) fn new(counter: &'c dyn TokenCounter) -> Self {
        Self { counter, known: Mutex::default() }
    }

    /// The underlying counter, which is faster for texts that occur only once.
    pub(crate) const fn counter(&self) -> &'c dyn TokenCounter {
        self.counter
    }
}

impl TokenCounter for Remembered<'_> {
    fn name(&self) -> &str {
        self.counter.name()
    }

    fn count(&self, text: &str) -> Tokens {
        if text.len() > TEXT_BYTES {
            return self.counter.count(text);
        }
        // A thread that panicked while holding the lock left complete entries.
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tokens) = known().get(text) {
            return *tokens;
        }
        // The lock is not held here: a counter may have threads of its own, which call this function for other blocks.
        let tokens = self.counter.count(text);
        let mut known = known();
        if known.len() < MAX_TEXTS {
            known.insert(text.into(), tokens);
        }
        tokens
    }

    fn splits_at(&self, text: &str, at: usize) -> bool {
        self.counter.splits_at(text, at)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// A counter of one token per byte that records the number of texts counted.
    struct Bytes(AtomicUsize);

    impl TokenCounter for Bytes {
        fn name(&self) -> &'static str {
            "bytes"
        }

        fn count(&self, text: &str) -> Tokens {
            self.0.fetch_add(1, Ordering::Relaxed);
            Tokens::new(text.len())
        }
    }

    #[test]
    fn short_texts_are_counted_once_and_long_ones_each_time() {
        let counter = Bytes(AtomicUsize::new(0));
        let memory = Remembered::new(&counter);
        for (text, times) in
            [("", 1), ("one", 1), (&"x".repeat(TEXT_BYTES), 1), (&"x".repeat(TEXT_BYTES + 1), 2)]
        {
            let before = counter.0.load(Ordering::Relaxed);
            assert_eq!([memory.count(text), memory.count(text)], [Tokens::new(text.len()); 2]);
            assert_eq!(counter.0.load(Ordering::Relaxed) - before, times, "{} bytes", text.len());
        }
    }

    #[test]
    fn what_does_not_fit_in_is_counted_all_the_same() {
        let counter = Bytes(AtomicUsize::new(0));
        let memory = Remembered::new(&counter);
        assert!((0..MAX_TEXTS + 10).all(|n| memory.count(&n.to_string()).get() == n.to_string().len()));
        assert_eq!(memory.count("10"), Tokens::new(2));
    }
}
