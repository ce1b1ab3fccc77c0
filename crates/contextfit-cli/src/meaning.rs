//! Embedding models: flags.

#[cfg(any(feature = "bert", feature = "model2vec"))]
mod model;
#[cfg(not(any(feature = "bert", feature = "model2vec")))]
mod none;

use std::path::PathBuf;

use clap::ValueHint;

use crate::error::CliError;

#[cfg(any(feature = "bert", feature = "model2vec"))]
pub(crate) use self::model::Meaning;
#[cfg(not(any(feature = "bert", feature = "model2vec")))]
pub(crate) use self::none::Meaning;

/// How to compare texts by meaning.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Meaning")]
pub(crate) struct MeaningArgs {
    /// Also compare texts by meaning, with the embedding model in this folder: static (model2vec) for bm25 and memory, or
    /// BERT for bm25, memory and semantic
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    embeddings: Option<PathBuf>,
}

impl MeaningArgs {
    /// The model, if one is named.
    ///
    /// # Errors
    /// [`CliError::Embeddings`] if it cannot be read, [`CliError::Usage`] if this build does not support its kind.
    pub(crate) fn open(&self) -> Result<Option<Meaning>, CliError> {
        self.embeddings.as_deref().map(Meaning::open).transpose()
    }
}

/// The error for a model that needs a feature missing from this build.
#[cfg(not(all(feature = "bert", feature = "model2vec")))]
fn lacks(what: &str, feature: &str) -> CliError {
    CliError::Usage(format!(
        "this build cannot read {what}: build contextfit-cli with `--features {feature}`"
    ))
}
