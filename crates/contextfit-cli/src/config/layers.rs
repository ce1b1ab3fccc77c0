//! The configuration in force: layers of settings, of which later ones take precedence key by key.
//!
//! From the bottom: the defaults, the profile, the user's file, the project's file (or, instead of both, the named
//! file), the environment, the flags.

use std::path::Path;

use contextfit::{
    presets::{CacheBackend, CompressionStrategy, Profile},
    search::TruncationOptions,
};
use serde_json::{Map, Value, json};

use super::{environment, find, locate::Step, origin::Origin, shape::Config};
use crate::{console, error::CliError};

/// Settings from one place.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    origin: Origin,
    /// Only the keys that are set there, as in a file.
    values: Map<String, Value>,
}

/// All layers, the lowest first.
#[derive(Debug)]
pub(crate) struct Layers(Vec<Layer>);

/// A key, its value in force, and where that comes from.
pub(crate) struct Setting<'l> {
    /// The steps from the document to the key.
    pub(crate) path: Vec<String>,
    /// The value and its origin; `None` if the key is not set and has no default.
    pub(crate) value: Option<(Value, &'l Origin)>,
}

impl Layer {
    /// The object `values` from `origin`. A null leaves its key to the layers below.
    pub(crate) fn new(origin: Origin, values: &Value) -> Self {
        let mut layer = Self { origin, values: Map::new() };
        merge(&mut layer.values, values.as_object().unwrap_or(&Map::new()));
        layer
    }

    fn defaults() -> Self {
        let mut document = Config::defaults().document();
        // Unless it is set, `cache` decides.
        if let Some(cache) = document.pointer_mut("/compression/cache") {
            *cache = Value::Null;
        }
        Self::new(Origin::Default, &document)
    }

    /// What a profile decides; models and caches are none of its business.
    fn of_profile(profile: Profile) -> Self {
        let compression = TruncationOptions::from(profile.options());
        let values = json!({
            "strategy": profile.passages(),
            "chat": profile.conversations(),
            "compression": compression,
            "bm25": profile.sentences(),
        });
        Self::new(Origin::Profile(profile), &values)
    }

    /// The setting `values` that the flag `name` makes.
    pub(crate) fn flag(name: &'static str, values: &Value) -> Self {
        Self::new(Origin::Flag(name), values)
    }

    /// Adds the section `cache` that `compression.cache`, the setting of KB Labs Mind, stands for, unless there is one.
    pub(crate) fn with_cache_of_compression(mut self) -> Self {
        let named = self.values.get("compression").and_then(|compression| compression.get("cache"));
        let backend = named.and_then(|name| serde_json::from_value(name.clone()).ok());
        if let Some(backend) = backend
            && !self.values.contains_key("cache")
        {
            let cache = match backend {
                CacheBackend::Qdrant if cfg!(feature = "cache-qdrant") => "qdrant",
                CacheBackend::Both if cfg!(feature = "cache-qdrant") => "both",
                _ => "memory",
            };
            let url = (cache != "memory").then_some(crate::llm::QDRANT);
            merge(&mut self.values, &object(json!({"cache": {"kind": cache, "url": url}})));
        }
        self
    }

    /// The name of the profile, if the layer sets one.
    fn profile(&self) -> Option<Profile> {
        self.values.get("profile")?.as_str()?.parse().ok()
    }

    /// Whether the layer decides how tokens are counted by naming only the model.
    fn counts_by_model(&self) -> bool {
        self.values.contains_key("model") && !self.values.contains_key("tokenizer")
    }
}

impl Layers {
    /// The layers for a command with these `flags`: `named` is the file of `--config`.
    ///
    /// # Errors
    /// [`CliError::Config`] for problems in a file or in the environment, [`CliError::Read`] for an unreadable file.
    pub(crate) fn read(named: Option<&Path>, flags: Vec<Layer>) -> Result<Self, CliError> {
        let mut layers = find::files(named)?;
        layers.extend(environment::layers()?);
        for name in environment::unknown() {
            console::warning(format!("the environment variable {name} is not a setting and has no effect"));
        }
        layers.extend(flags);
        Ok(Self::new(layers))
    }

    /// The defaults, the profile that one of `layers` names, and `layers`: no files and no environment.
    pub(crate) fn new(layers: Vec<Layer>) -> Self {
        let mut all = vec![Layer::defaults()];
        if let Some(llm) = layers.iter().find(|layer| layer.origin == Origin::Flag("--llm")) {
            // Whoever names a model wants to use it.
            let chat = json!({"chat": CompressionStrategy::Summarize});
            all.push(Layer::new(llm.origin.clone(), &chat));
        }
        if let Some(profile) = layers.iter().rev().find_map(Layer::profile) {
            all.push(Layer::of_profile(profile));
        }
        all.extend(layers);
        Self(all)
    }

    /// The configuration in force.
    ///
    /// # Errors
    /// [`CliError::Json`] if a layer holds values of the wrong type; those that were read are checked already.
    pub(crate) fn config(&self) -> Result<Config, CliError> {
        let mut merged = Map::new();
        for layer in &self.0 {
            if layer.counts_by_model() {
                merged.shift_remove("tokenizer");
            }
            merge(&mut merged, &layer.values);
        }
        serde_json::from_value(Value::Object(merged)).map_err(CliError::Json)
    }

    /// Every key, in the order of the template.
    pub(crate) fn settings(&self) -> Vec<Setting<'_>> {
        keys().into_iter().map(|path| Setting { value: self.setting(&path), path }).collect()
    }

    fn setting(&self, path: &[String]) -> Option<(Value, &Origin)> {
        for layer in self.0.iter().rev() {
            if let Some(value) = value_at(&layer.values, path) {
                return Some((value.clone(), &layer.origin));
            }
            if path == ["tokenizer"] && layer.counts_by_model() {
                let name = layer.values.get("model")?.as_str()?;
                return Some((contextfit::text::model(name).ok()?.encoding.into(), &layer.origin));
            }
        }
        None
    }
}

/// The paths of all keys that hold values.
pub(crate) fn keys() -> Vec<Vec<String>> {
    let mut found = Vec::new();
    collect(&Config::defaults().document(), &mut Vec::new(), &mut found);
    found
}

/// `path` for the visitor that finds its place in a file.
pub(crate) fn steps(path: &[String]) -> Vec<Step> {
    path.iter().cloned().map(Step::Key).collect()
}

/// The document in which `path` leads to `value`.
pub(crate) fn document(path: &[String], value: Value) -> Value {
    path.iter().rev().fold(value, |inner, key| Value::Object(Map::from_iter([(key.clone(), inner)])))
}

fn collect(value: &Value, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    let Some(keys) = value.as_object() else { return found.push(path.clone()) };
    for (key, value) in keys {
        path.push(key.clone());
        collect(value, path, found);
        path.pop();
    }
}

fn value_at<'v>(values: &'v Map<String, Value>, path: &[String]) -> Option<&'v Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(values.get(first)?, |value, key| value.get(key))
}

/// Sets in `into` what is set in `from`, key by key.
fn merge(into: &mut Map<String, Value>, from: &Map<String, Value>) {
    for (key, value) in from {
        match (into.get_mut(key), value) {
            (_, Value::Null) => {}
            (Some(Value::Object(inner)), Value::Object(value)) => merge(inner, value),
            (_, Value::Object(value)) => {
                let mut inner = Map::new();
                merge(&mut inner, value);
                into.insert(key.clone(), Value::Object(inner));
            }
            (_, value) => {
                into.insert(key.clone(), value.clone());
            }
        }
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
