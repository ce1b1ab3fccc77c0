//! The embedding model in a folder, as scorer and turn vectors for strategies.

mod remembered;

use std::{
    borrow::Borrow,
    fs, io,
    path::Path,
    pin::pin,
    sync::Arc,
    task::{self, Poll, Waker},
};

use contextfit_conversational::TurnVectors;
use contextfit_kernel::{Context, EmbeddingProvider, Scorer};
use serde::Deserialize;

use self::remembered::Remembered;
use crate::error::CliError;

/// An embedding model.
#[derive(Clone)]
pub(crate) struct Meaning {
    no_turns: Option<&'static str>,
    scorer: Arc<dyn Scorer>,
    provider: Arc<dyn EmbeddingProvider>,
}

impl Meaning {
    /// Opens the model in `folder`, of the kind that its `config.json` names.
    pub(crate) fn open(folder: &Path) -> Result<Self, CliError> {
        /// The layout of models on Hugging Face; early model2vec models name no type.
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

    fn of(model: impl Scorer + EmbeddingProvider + 'static, no_turns: Option<&'static str>) -> Self {
        let model = Arc::new(model);
        Self { no_turns, scorer: model.clone(), provider: model }
    }

    /// The scorer that rates how near texts are to a query.
    pub(crate) fn scorer(&self) -> Arc<dyn Scorer> {
        self.scorer.clone()
    }

    /// Why the model is not used to compare turns; `None` if it is.
    pub(crate) const fn no_turns(&self) -> Option<&'static str> {
        self.no_turns
    }

    /// The same model, embedding each text only once, for the same texts at several budgets. It remembers every text.
    pub(crate) fn remembering(self) -> Self {
        Self { scorer: Arc::new(Remembered::new(self.provider.clone())), ..self }
    }

    /// The vectors of the turns in `contexts`.
    pub(crate) fn turns(
        &self,
        contexts: impl IntoIterator<Item = impl Borrow<Context>>,
    ) -> Result<Arc<TurnVectors>, CliError> {
        let mut turns = TurnVectors::new();
        for context in contexts {
            let added = at_once(turns.add(&*self.provider, context.borrow()));
            added.unwrap_or(Ok(())).map_err(failed)?;
        }
        Ok(Arc::new(turns))
    }
}

/// The answer of a local model, which never waits; `None` if it would. Starts no runtime: the model's own parallel work
/// may take up another request on the same thread in the middle of this one.
fn at_once<T>(asked: impl Future<Output = T>) -> Option<T> {
    match pin!(asked).poll(&mut task::Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Some(answer),
        Poll::Pending => None,
    }
}

fn failed(error: impl std::error::Error + Send + Sync + 'static) -> CliError {
    CliError::Embeddings(Box::new(error))
}

#[cfg(feature = "bert")]
fn open_bert(folder: &Path) -> Result<Meaning, CliError> {
    let model = contextfit_providers::BertEmbeddings::from_folder(folder).map_err(failed)?;
    Ok(Meaning::of(model, None))
}

#[cfg(not(feature = "bert"))]
fn open_bert(folder: &Path) -> Result<Meaning, CliError> {
    Err(super::lacks(&format!("the model in {}, which is not static", folder.display()), "bert"))
}

#[cfg(feature = "model2vec")]
fn open_static(folder: &Path) -> Result<Meaning, CliError> {
    let model = contextfit_providers::StaticEmbeddings::from_folder(folder).map_err(failed)?;
    let why = "a static model mistakes turns that merely sound alike for duplicates; comparing turns by words instead";
    Ok(Meaning::of(model, Some(why)))
}

#[cfg(not(feature = "model2vec"))]
fn open_static(folder: &Path) -> Result<Meaning, CliError> {
    Err(super::lacks(&format!("the static model in {}", folder.display()), "model2vec"))
}
