//! Errors from looking up a token counter.

use std::{error::Error, io, path::PathBuf};

/// The reason a token counter is unavailable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CounterError {
    /// The name is neither a counter nor a file.
    #[error(
        "unknown token counter `{name}`{}; expected one of {}, or the path of a tokenizer.json",
        nearest.map(|known| format!(" (did you mean `{known}`?)")).unwrap_or_default(),
        known.join(", ")
    )]
    Unknown {
        /// The requested name.
        name: String,
        /// The most similar known name, if one is similar enough.
        nearest: Option<&'static str>,
        /// All known names.
        known: &'static [&'static str],
    },
    /// The name is that of a model.
    #[error("`{model}` is a model, not a token counter; use its counter, `{encoding}`")]
    Model {
        /// The requested name.
        model: String,
        /// The name of the counter for this model.
        encoding: &'static str,
    },
    /// `chars/N` where `N` is not a whole number greater than zero.
    #[error("`{spec}` needs a whole number of characters per token, at least 1")]
    CharsPer {
        /// The requested name.
        spec: String,
    },
    /// A known counter that is not part of this build.
    #[error("`{name}` is not part of this build; enable the feature `{feature}`")]
    NotBuiltIn {
        /// The requested name.
        name: String,
        /// The feature of `contextfit-text` that provides it.
        feature: &'static str,
    },
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The underlying error.
        #[source]
        source: io::Error,
    },
    /// The file is not a tokenizer.
    #[error("{} is not a tokenizer", path.display())]
    NotATokenizer {
        /// The file.
        path: PathBuf,
        /// The problem with the file.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
}
