//! A counter that remembers short texts.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use contextfit_kernel::{TokenCounter, Tokens};

/// The longest text that is remembered, in bytes: a header, a marker, a gist.
const LONGEST: usize = 256;

/// No more texts than this are remembered.
const MOST: usize = 4096;

/// A counter that counts each short text once: markers and the ends of lines are the same in many blocks, and what is
/// shown in place of a block is counted to plan with, and again in its place.
pub(crate) struct Remembered<'c> {
    counter: &'c dyn TokenCounter,
    known: Mutex<HashMap<Box<str>, Tokens>>,
}

impl<'c> Remembered<'c> {
    pub(crate) fn new(counter: &'c dyn TokenCounter) -> Self {
        Self { counter, known: Mutex::default() }
    }

    /// The counter itself: quicker on texts that come but once.
    pub(crate) const fn counter(&self) -> &'c dyn TokenCounter {
        self.counter
    }
}

impl TokenCounter for Remembered<'_> {
    fn name(&self) -> &str {
        self.counter.name()
    }

    fn count(&self, text: &str) -> Tokens {
        if text.len() > LONGEST {
            return self.counter.count(text);
        }
        // Whoever panicked while holding the lock left whole entries.
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tokens) = known.get(text) {
            return *tokens;
        }
        let tokens = self.counter.count(text);
        if known.len() < MOST {
            known.insert(text.into(), tokens);
        }
        tokens
    }

    fn splits_at(&self, text: &str, at: usize) -> bool {
        self.counter.splits_at(text, at)
    }
}
