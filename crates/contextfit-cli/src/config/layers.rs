//! The configuration in force: layers of settings, of which later ones take precedence key by key.
//!
//! From the bottom: the defaults, the profile, the user's file, the project's file (or, instead of both, the named
//! file), the environment, the flags.

use std::path::Path;

use contextfit::presets::CompressionStrategy;
use serde_json::{Value, json};

use super::{
    environment, find,
    layer::{Layer, merge},
    locate::{remove, steps},
    origin::Origin,
    shape::Config,
};
use crate::{console, error::CliError};

/// All layers, the lowest first.
#[derive(Debug)]
pub(crate) struct Layers(Vec<Layer>);

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
        let mut merged = Value::Null;
        for layer in &self.0 {
            if layer.counts_by_model() {
                remove(&mut merged, &steps(&["tokenizer"]));
            }
            merge(&mut merged, &layer.values);
        }
        serde_json::from_value(merged).map_err(CliError::Json)
    }

    /// The value of the key at `path` and its origin; `None` if it is not set and has no default.
    pub(super) fn setting(&self, path: &[String]) -> Option<(Value, &Origin)> {
        for layer in self.0.iter().rev() {
            if let Some(value) = path.iter().try_fold(&layer.values, |value, key| value.get(key)) {
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
