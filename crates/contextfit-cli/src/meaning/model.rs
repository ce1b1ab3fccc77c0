//! The embedding model in a folder, and what strategies get of it.

mod remembered;

use std::{borrow::Borrow, fs, io, path::Path, sync::Arc};

use contextfit_conversational::TurnVectors;
use contextfit_kernel::{Context, EmbeddingProvider, Scorer};
use serde::Deserialize;
use tokio::runtime::Builder;

use self::remembered::Remembered;
use crate::error::CliError;

/// A model of meaning.
#[derive(Clone)]
pub(crate) struct Meaning {
    scorer: Arc<dyn Scorer>,
    provider: Arc<dyn EmbeddingProvider>,
}

impl Meaning {
    /// The model in `folder`, of the kind that its `config.json` names.
    pub(crate) fn open(folder: &Path) -> Result<Self, CliError> {
        /// As models on Hugging Face have it; the first ones of model2vec name no type.
        #[derive(Deserialize)]
        struct Config {
            model_type: Option<String>,
        }

        let path = folder.join("config.json");
        let read = |source| CliError::Read { path: path.display().to_string(), source };
        let config = fs::read(&path).map_err(read)?;
        let config: Config = serde_json::from_slice(&config).map_err(|error| read(io::Error::from(error)))?;
        match config.model_type.as_deref() {
            None | Some("model2vec") => open_static(folder),
            Some(_) => open_bert(folder),
        }
    }

    fn of(model: impl Scorer + EmbeddingProvider + 'static) -> Self {
        let model = Arc::new(model);
        Self { scorer: model.clone(), provider: model }
    }

    /// What says how near texts are to a query.
    pub(crate) fn scorer(&self) -> Arc<dyn Scorer> {
        self.scorer.clone()
    }

    /// The same, embedding no text twice: for the same texts at several budgets. Remembers all that it is shown.
    pub(crate) fn remembering(self) -> Self {
        Self { scorer: Arc::new(Remembered::new(self.provider.clone())), ..self }
    }

    /// Where the turns of `contexts` lie.
    pub(crate) fn turns(
        &self,
        contexts: impl IntoIterator<Item = impl Borrow<Context>>,
    ) -> Result<Arc<TurnVectors>, CliError> {
        let runtime = Builder::new_current_thread().build().map_err(failed)?;
        let mut turns = TurnVectors::new();
        for context in contexts {
            runtime.block_on(turns.add(&*self.provider, context.borrow())).map_err(failed)?;
        }
        Ok(Arc::new(turns))
    }
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> CliError {
    CliError::Embeddings(Box::new(error))
}

#[cfg(feature = "bert")]
fn open_bert(folder: &Path) -> Result<Meaning, CliError> {
    contextfit_providers::BertEmbeddings::from_folder(folder).map(Meaning::of).map_err(failed)
}

#[cfg(not(feature = "bert"))]
fn open_bert(folder: &Path) -> Result<Meaning, CliError> {
    Err(super::lacks(&format!("the model in {}, which is not static", folder.display()), "bert"))
}

#[cfg(feature = "model2vec")]
fn open_static(folder: &Path) -> Result<Meaning, CliError> {
    contextfit_providers::StaticEmbeddings::from_folder(folder).map(Meaning::of).map_err(failed)
}

#[cfg(not(feature = "model2vec"))]
fn open_static(folder: &Path) -> Result<Meaning, CliError> {
    Err(super::lacks(&format!("the static model in {}", folder.display()), "model2vec"))
}
