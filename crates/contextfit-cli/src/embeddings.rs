//! Embedding models in folders: flags.

use std::{
    collections::{HashMap, HashSet},
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use clap::ValueHint;
use contextfit::{
    kernel::{Scorer, nearness},
    presets::Embeddings,
};
use serde::Deserialize;

use crate::error::CliError;

/// How to compare texts by meaning.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Models")]
pub(crate) struct EmbeddingsArgs {
    /// Also compare texts by meaning, with the embedding model in this folder: static (model2vec) for bm25 and memory, or
    /// BERT for bm25, memory and semantic
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    embeddings: Option<PathBuf>,
}

impl EmbeddingsArgs {
    /// The model, if one is named.
    ///
    /// # Errors
    /// [`CliError::Embeddings`] if it cannot be read, [`CliError::Usage`] if this build does not support its kind.
    pub(crate) fn open(&self) -> Result<Option<Embeddings>, CliError> {
        self.embeddings.as_deref().map(open).transpose()
    }
}

/// Opens the model in `folder`, of the kind that its `config.json` names.
fn open(folder: &Path) -> Result<Embeddings, CliError> {
    /// The layout of models on Hugging Face; early model2vec models name no type.
    #[derive(Deserialize)]
    struct Config {
        model_type: Option<String>,
    }

    if cfg!(not(any(feature = "bert", feature = "model2vec"))) {
        return Err(lacks("embedding models", "model2vec` or `--features bert"));
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

/// The error for a model that needs a feature missing from this build.
fn lacks(what: &str, feature: &str) -> CliError {
    CliError::Usage(format!(
        "this build cannot read {what}: build contextfit-cli with `--features {feature}`"
    ))
}

#[cfg(feature = "bert")]
fn open_bert(folder: &Path) -> Result<Embeddings, CliError> {
    let model = contextfit::models::BertEmbeddings::from_folder(folder);
    let model = Arc::new(model.map_err(|error| CliError::Embeddings(Box::new(error)))?);
    Ok(Embeddings { scorer: model.clone(), provider: model, why_no_turns: None })
}

#[cfg(not(feature = "bert"))]
fn open_bert(folder: &Path) -> Result<Embeddings, CliError> {
    Err(lacks(&format!("the model in {}, which is not static", folder.display()), "bert"))
}

#[cfg(feature = "model2vec")]
fn open_static(folder: &Path) -> Result<Embeddings, CliError> {
    let model = contextfit::models::StaticEmbeddings::from_folder(folder);
    let model = Arc::new(model.map_err(|error| CliError::Embeddings(Box::new(error)))?);
    let why = "a static model mistakes turns that merely sound alike for duplicates; comparing turns by words instead";
    Ok(Embeddings { scorer: model.clone(), provider: model, why_no_turns: Some(why) })
}

#[cfg(not(feature = "model2vec"))]
fn open_static(folder: &Path) -> Result<Embeddings, CliError> {
    Err(lacks(&format!("the static model in {}", folder.display()), "model2vec"))
}

/// `model`, embedding each text only once, for the same texts at several budgets. It remembers every text.
pub(crate) fn remembering(model: Embeddings) -> Embeddings {
    let remembered = Remembered { model: model.clone(), known: Mutex::default() };
    Embeddings { scorer: Arc::new(remembered), ..model }
}

/// Scores texts by the nearness of a model's vectors, embedding each text only once.
struct Remembered {
    model: Embeddings,
    known: Mutex<HashMap<String, Arc<[f32]>>>,
}

impl Remembered {
    /// The vector of each text that has one.
    fn vectors(&self, texts: &[&str]) -> Vec<Option<Arc<[f32]>>> {
        let mut seen = HashSet::new();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let new: Vec<&str> =
            texts.iter().copied().filter(|text| !known.contains_key(*text) && seen.insert(*text)).collect();
        // Embedding runs on threads that may be waiting for this lock.
        drop(known);
        // A model that fails has no vectors.
        let vectors = self.model.embed(&new).unwrap_or_default();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(new.iter().map(|text| (*text).to_owned()).zip(vectors.into_iter().map(Into::into)));
        texts.iter().map(|text| known.get(*text).cloned()).collect()
    }
}

impl Scorer for Remembered {
    /// The [`nearness`] of each text to `query`; 0 if either has no vector.
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        let all: Vec<&str> = [query].into_iter().chain(texts.iter().copied()).collect();
        let vectors = self.vectors(&all);
        let vectors: Vec<&[f32]> =
            vectors.iter().map(|vector| vector.as_deref().unwrap_or_default()).collect();
        vectors.split_first().map_or_else(Vec::new, |(asked, rest)| nearness(asked, rest))
    }
}
