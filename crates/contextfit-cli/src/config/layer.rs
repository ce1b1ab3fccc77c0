//! A layer of settings: what one place sets.

use contextfit::presets::{CacheBackend, CompressionOptions, Profile};
use serde_json::{Value, json};

use super::{
    origin::Origin,
    shape::{Config, QDRANT},
};

/// Settings from one place.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    pub(super) origin: Origin,
    /// Only the keys that are set there, as in a file.
    pub(super) values: Value,
}

impl Layer {
    /// The object `values` from `origin`. A null leaves its key to the layers below.
    pub(crate) fn new(origin: Origin, values: &Value) -> Self {
        let mut layer = Self { origin, values: Value::Null };
        merge(&mut layer.values, values);
        layer
    }

    pub(super) fn defaults() -> Self {
        let mut document = Config::defaults().document();
        // Unless it is set, `cache` decides.
        if let Some(cache) = document.pointer_mut("/compression/cache") {
            *cache = Value::Null;
        }
        Self::new(Origin::Default, &document)
    }

    /// What a profile decides; models and caches are none of its business.
    pub(super) fn of_profile(profile: Profile) -> Self {
        let CompressionOptions { enabled, smart_truncation, metadata_only, .. } = profile.options();
        let compression =
            json!({"enabled": enabled, "smartTruncation": smart_truncation, "metadataOnly": metadata_only});
        let values = json!({
            "strategy": profile.passages(),
            "chat": profile.conversations(),
            "compression": compression,
            "bm25": profile.sentences(),
        });
        Self::new(Origin::Profile(profile), &values)
    }

    /// A layer for each of `flags` that is given: its name, the key that it sets, and the value, null if it is not.
    pub(crate) fn flags<const N: usize>(flags: [(&'static str, &str, Value); N]) -> Vec<Self> {
        let given = flags.into_iter().filter(|(_, _, value)| !value.is_null());
        given
            .map(|(name, key, value)| Self::new(Origin::Flag(name), &document(key.split('.'), value)))
            .collect()
    }

    /// Adds the section `cache` that `compression.cache`, the setting of KB Labs Mind, stands for, unless there is one.
    pub(crate) fn with_cache_of_compression(mut self) -> Self {
        let named = self.values.get("compression").and_then(|compression| compression.get("cache"));
        let backend = named.and_then(|name| serde_json::from_value(name.clone()).ok());
        if let Some(backend) = backend
            && self.values.get("cache").is_none()
        {
            let cache = match backend {
                CacheBackend::Qdrant if cfg!(feature = "cache-qdrant") => "qdrant",
                CacheBackend::Both if cfg!(feature = "cache-qdrant") => "both",
                _ => "memory",
            };
            let url = (cache != "memory").then_some(QDRANT);
            merge(&mut self.values, &json!({"cache": {"kind": cache, "url": url}}));
        }
        self
    }

    /// The name of the profile, if the layer sets one.
    pub(super) fn profile(&self) -> Option<Profile> {
        self.values.get("profile")?.as_str()?.parse().ok()
    }

    /// Whether the layer decides how tokens are counted by naming only the model.
    pub(super) fn counts_by_model(&self) -> bool {
        self.values.get("model").is_some() && self.values.get("tokenizer").is_none()
    }
}

/// The paths of all keys that hold values.
pub(crate) fn keys() -> Vec<Vec<String>> {
    let mut found = Vec::new();
    collect(&Config::defaults().document(), &mut Vec::new(), &mut found);
    found
}

/// The document in which `path` leads to `value`.
pub(crate) fn document<'p>(path: impl DoubleEndedIterator<Item = &'p str>, value: Value) -> Value {
    path.rev().fold(value, |inner, key| json!({key: inner}))
}

fn collect(value: &Value, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let Some(keys) = value.as_object() else { return found.push(path.clone()) };
    for (key, value) in keys {
        path.push(key.clone());
        collect(value, path, found);
        path.pop();
    }
}

/// Sets in `into` what is set in `from`, key by key.
pub(super) fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from.iter().filter(|(_, value)| !value.is_null()) {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, Value::Object(_)) => {
            *into = json!({});
            merge(into, from);
        }
        (into, from) => into.clone_from(from),
    }
}
