//! Models of meaning: what the command line says about them, and the scorer that it stands for.

use std::{path::PathBuf, sync::Arc};

use clap::ValueHint;
use contextfit_kernel::Scorer;

use crate::error::CliError;

/// How sentences are compared by meaning.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Meaning")]
pub(crate) struct MeaningArgs {
    /// A static embedding model (model2vec): bm25 compares sentences by meaning too
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    embeddings: Option<PathBuf>,
}

impl MeaningArgs {
    /// The model, when one is named.
    ///
    /// # Errors
    /// [`CliError::Embeddings`] when it cannot be read.
    #[cfg(feature = "model2vec")]
    pub(crate) fn scorer(&self) -> Result<Option<Arc<dyn Scorer>>, CliError> {
        let Some(folder) = &self.embeddings else { return Ok(None) };
        let model = contextfit_providers::StaticEmbeddings::from_folder(folder)
            .map_err(|source| CliError::Embeddings(Box::new(source)))?;
        Ok(Some(Arc::new(model)))
    }

    /// This build knows no models: naming one is an error.
    #[cfg(not(feature = "model2vec"))]
    pub(crate) fn scorer(&self) -> Result<Option<Arc<dyn Scorer>>, CliError> {
        match &self.embeddings {
            None => Ok(None),
            Some(_) => Err(CliError::Usage(
                "this build cannot read embedding models: build contextfit-cli with `--features model2vec`"
                    .into(),
            )),
        }
    }
}
