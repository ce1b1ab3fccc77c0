//! Cache keys.

use std::{collections::BTreeMap, fmt};

use sha2::{Digest as _, Sha256};

use crate::Digest;

/// A part of every key, which keeps the keys of incompatible versions of this crate distinct.
const SCHEME: &str = "contextfit-cache/1";

/// The kinds of values, kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Vectors of texts.
    Embedding,
    /// Summaries of turns.
    Summary,
    /// Chunks shortened by a model.
    Chunk,
    /// Texts replaced by markers.
    Original,
}

contextfit_kernel::names!(
    Space, "space": Embedding => "embedding", Summary => "summary", Chunk => "chunk", Original => "original",
);

impl Space {
    /// The spaces of a cache, in the order of statistics: all but the originals.
    pub const CACHED: [Self; 3] = [Self::Embedding, Self::Summary, Self::Chunk];

    /// The byte of the space in keys on disk.
    #[must_use]
    pub const fn tag(self) -> u8 {
        match self {
            Self::Embedding => 1,
            Self::Summary => 2,
            Self::Chunk => 3,
            Self::Original => 4,
        }
    }
}

/// The key of a value: the space, and a digest of everything that the value depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The kind of value.
    pub space: Space,
    /// Digest of what the value was made from.
    pub digest: Digest,
}

impl Key {
    /// The key of the original `text`: its own digest, so that it can be verified when read.
    #[must_use]
    pub fn of_original(text: &[u8]) -> Self {
        Self { space: Space::Original, digest: Digest::of(text) }
    }

    /// The space's tag and the digest.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 33] {
        let mut bytes = [self.space.tag(); 33];
        if let Some((_, digest)) = bytes.split_first_mut() {
            digest.copy_from_slice(self.digest.as_bytes());
        }
        bytes
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.space.name(), self.digest)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Everything but the text that a model's answer depends on.
///
/// Each field enters the digest after its length, so that different fields never give the same bytes. Parameters are a
/// set of names with values, whose order does not matter.
///
/// ```
/// # mod contextfit { pub use ::contextfit_cache as caches; }
/// use contextfit::caches::{Recipe, Space};
///
/// let recipe = Recipe::new("openai", "small-model").with_prompt_version("summary/1");
/// let key = recipe.key(Space::Summary, &["the text"]);
/// assert_eq!(key, recipe.key(Space::Summary, &["the text"]));
/// assert_ne!(key, recipe.key(Space::Chunk, &["the text"]));
/// assert_ne!(key, recipe.clone().with_parameter("temperature", "0").key(Space::Summary, &["the text"]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    provider: String,
    model: String,
    prompt_version: String,
    parameters: BTreeMap<String, String>,
}

impl Recipe {
    /// A recipe without prompt or parameters. `provider` distinguishes services that have a model of the same name.
    #[must_use]
    pub fn new(provider: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            model: model.into(),
            prompt_version: String::new(),
            parameters: BTreeMap::new(),
        }
    }

    /// Sets the version of the prompt. Other words give other answers, so the version must change with them.
    #[must_use]
    pub fn with_prompt_version(mut self, version: impl Into<String>) -> Self {
        self.prompt_version = version.into();
        self
    }

    /// Sets a parameter of the call, replacing one of the same name.
    #[must_use]
    pub fn with_parameter(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.parameters.insert(name.into(), value.into());
        self
    }

    /// The key of the model's answer to `texts`. Linear in their length.
    #[must_use]
    pub fn key(&self, space: Space, texts: &[&str]) -> Key {
        let Self { provider, model, prompt_version, parameters } = self;
        let mut fields = Fields(Sha256::new());
        fields.add(SCHEME);
        fields.add(space.name());
        for field in [provider, model, prompt_version] {
            fields.add(field);
        }
        fields.count(parameters.len());
        for (name, value) in parameters {
            fields.add(name);
            fields.add(value);
        }
        fields.count(texts.len());
        texts.iter().for_each(|text| fields.add(text));
        Key { space, digest: Digest::from_bytes(fields.0.finalize().into()) }
    }
}

/// A hash of fields, each after its length.
struct Fields(Sha256);

impl Fields {
    fn add(&mut self, field: &str) {
        self.count(field.len());
        self.0.update(field.as_bytes());
    }

    fn count(&mut self, n: usize) {
        self.0.update((n as u64).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Recipe and texts, from fields.
    fn key(fields: &[String; 5], texts: &[String]) -> Key {
        let [provider, model, version, name, value] = fields;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Recipe::new(provider, model)
            .with_prompt_version(version)
            .with_parameter(name, value)
            .key(Space::Summary, &texts)
    }

    proptest! {
        /// A key that joins its fields would let bytes move between them.
        #[test]
        fn no_byte_moves_between_fields(
            fields in prop::array::uniform5("[ab]{0,3}"),
            texts in prop::collection::vec("[ab]{0,3}", 0..3),
            other in prop::array::uniform5("[ab]{0,3}"),
            others in prop::collection::vec("[ab]{0,3}", 0..3),
        ) {
            let same = fields == other && texts == others;
            prop_assert_eq!(key(&fields, &texts) == key(&other, &others), same);
        }
    }

    #[track_caller]
    fn check_differ(left: Key, right: Key) {
        assert_ne!(left, right);
    }

    #[test]
    fn every_field_counts() {
        let recipe = Recipe::new("p", "m");
        let key = recipe.key(Space::Summary, &["text"]);
        check_differ(key, Recipe::new("pm", "").key(Space::Summary, &["text"]));
        check_differ(key, Recipe::new("p", "m2").key(Space::Summary, &["text"]));
        check_differ(key, recipe.clone().with_prompt_version("1").key(Space::Summary, &["text"]));
        check_differ(key, recipe.clone().with_parameter("", "").key(Space::Summary, &["text"]));
        check_differ(key, recipe.key(Space::Summary, &["te", "xt"]));
        check_differ(key, recipe.key(Space::Summary, &["text", ""]));
        check_differ(key, recipe.key(Space::Summary, &["text "]));
        check_differ(key, recipe.key(Space::Chunk, &["text"]));
        check_differ(key, Key { space: Space::Summary, ..Key::of_original(b"text") });
    }

    #[test]
    fn parameters_are_a_set() {
        let (a, b) = (("a", "1"), ("b", "2"));
        let recipe = |first: (&str, &str), second: (&str, &str)| {
            Recipe::new("p", "m").with_parameter(first.0, first.1).with_parameter(second.0, second.1)
        };
        assert_eq!(recipe(a, b).key(Space::Chunk, &[]), recipe(b, a).key(Space::Chunk, &[]));
        check_differ(
            recipe(a, b).key(Space::Chunk, &[]),
            recipe(("a", "2"), ("b", "1")).key(Space::Chunk, &[]),
        );
    }

    #[test]
    fn bytes_hold_space_and_digest() {
        let key = Key::of_original(b"abc");
        assert_eq!(key.to_bytes()[0], 4);
        assert_eq!(&key.to_bytes()[1..], Digest::of(b"abc").as_bytes());
    }
}
