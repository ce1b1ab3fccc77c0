//! Outlines of texts that were read before.

use std::{
    collections::HashMap,
    hash::BuildHasher,
    sync::{Arc, Mutex, PoisonError},
};

use contextfit_text::{Language, Shape};
use foldhash::quality::RandomState;

use crate::Outline;

/// The most bytes of texts whose outlines are kept. An outline takes about as much as its text.
const KEPT_BYTES: usize = 256 << 20;

/// A text is known by its length, two hashes with seeds of their own, and its language.
type Key = (usize, u64, u64, &'static str);

/// Outlines by their texts, so that a server which answers many questions about the same files parses each once. Any
/// number of threads may use it at once.
///
/// ```
/// # mod contextfit { pub use ::contextfit_outline as code; pub use ::contextfit_text as text; }
/// use contextfit::{code::Outlines, text::Language};
///
/// let outlines = Outlines::default();
/// let rust = Language::named("rust").ok_or("no language")?;
/// assert_eq!(outlines.of("fn one() {}\n", rust), outlines.of("fn one() {}\n", rust));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Outlines {
    known: Mutex<Known>,
    hashes: (RandomState, RandomState),
}

#[derive(Debug, Default)]
struct Known {
    outlines: HashMap<Key, Arc<Outline>>,
    bytes: usize,
}

/// Whether texts in `language` have more of an outline than their paragraphs.
pub(crate) fn is_parsed(language: &Language) -> bool {
    language.shape == Shape::Code || language.name == "markdown"
}

impl Outlines {
    /// Reads the file at `path`, so that a later request need not. Linear in the length of `text`.
    pub fn read_ahead(&self, path: &str, text: &str) {
        let language = Language::of_path(path).or_else(|| Language::of_shebang(text));
        if let Some(language) = language.filter(|language| is_parsed(language)) {
            let _ = self.of(text, language);
        }
    }

    /// The outline of `text` in `language`, as [`Outline::of`] reads it. Linear in the length of the text.
    #[must_use]
    pub fn of(&self, text: &str, language: &'static Language) -> Arc<Outline> {
        let (one, other) = &self.hashes;
        let key = (text.len(), one.hash_one(text), other.hash_one(text), language.name);
        // A thread that panicked while holding the lock left complete entries.
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outline) = known().outlines.get(&key) {
            return Arc::clone(outline);
        }
        // The lock is not held here: other threads read other texts.
        let outline = Arc::new(Outline::of(text, language));
        let mut known = known();
        if known.bytes + text.len() > KEPT_BYTES {
            *known = Known::default();
        }
        known.bytes += text.len();
        known.outlines.insert(key, Arc::clone(&outline));
        outline
    }
}
