//! Models of meaning: what the command line says about them.

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

/// How texts are compared by meaning.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Meaning")]
pub(crate) struct MeaningArgs {
    /// Compare by meaning too: a static model (model2vec) for bm25 and memory, a BERT for semantic too
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    embeddings: Option<PathBuf>,
}

impl MeaningArgs {
    /// The model, when one is named.
    ///
    /// # Errors
    /// [`CliError::Embeddings`] when it cannot be read, [`CliError::Usage`] when this build does not know its kind.
    pub(crate) fn open(&self) -> Result<Option<Meaning>, CliError> {
        self.embeddings.as_deref().map(Meaning::open).transpose()
    }
}

/// The error of a build without the feature that a model needs.
#[cfg(not(all(feature = "bert", feature = "model2vec")))]
fn lacks(what: &str, feature: &str) -> CliError {
    CliError::Usage(format!(
        "this build cannot read {what}: build contextfit-cli with `--features {feature}`"
    ))
}
