//! Static embeddings: a vector per token of a vocabulary, and their mean for a text.

mod error;
mod files;

use std::{fmt, path::Path};

use async_trait::async_trait;
use contextfit_kernel::{EmbeddingProvider, ProviderError, Scorer, nearness};
use model2vec_rs::model::StaticModel;

use self::files::Files;

pub use self::error::StaticEmbeddingsError;

/// A static embedding model in the format of [model2vec](https://github.com/MinishLab/model2vec): a folder with
/// `tokenizer.json`, `model.safetensors` and `config.json`. Where to get one, or how to make one: docs/embeddings.md.
///
/// There is no network to run, only a table: a text's vector is the mean of its tokens' vectors, at unit length if the
/// model's configuration says so. Word order is lost, and a word has one vector whatever its context. In return,
/// embedding costs about as much as reading the text.
///
/// Texts are never truncated; time and memory are linear in their length. A text without known tokens, such as the
/// empty one, has the zero vector. Nothing is downloaded.
///
/// ```
/// use contextfit_providers::{StaticEmbeddings, StaticEmbeddingsError};
///
/// fn similarity(folder: &str, left: &str, right: &str) -> Result<f32, StaticEmbeddingsError> {
///     let model = StaticEmbeddings::from_folder(folder)?;
///     let vectors = model.embed_texts(&[left, right])?;
///     // The cosine, when the model normalises.
///     Ok(vectors[0].iter().zip(&vectors[1]).map(|(l, r)| l * r).sum())
/// }
///
/// assert!(similarity("no/such/folder", "car", "automobile").is_err());
/// ```
#[derive(Clone)]
pub struct StaticEmbeddings {
    model: StaticModel,
    name: String,
}

impl StaticEmbeddings {
    /// Loads the model in `folder`; its name is the path.
    ///
    /// Reads the whole table into memory: 30 MB for a vocabulary of 30,000 and 256 dimensions.
    ///
    /// # Errors
    /// [`StaticEmbeddingsError`] if a file is missing, has other contents, or does not match the other files.
    pub fn from_folder(folder: impl AsRef<Path>) -> Result<Self, StaticEmbeddingsError> {
        let folder = folder.as_ref();
        let files = Files::read(folder)?;
        files.check()?;
        let model = StaticModel::from_bytes(&files.tokenizer, &files.model, &files.config, None).map_err(
            |source| StaticEmbeddingsError::NotAModel { path: folder.into(), source: source.into() },
        )?;
        Ok(Self { model, name: folder.display().to_string() })
    }

    /// The length of every vector.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.model.dim()
    }

    /// The vectors of `texts`, in order: [`EmbeddingProvider::embed`] for synchronous callers.
    ///
    /// Uses all cores for more than one text.
    ///
    /// # Errors
    /// [`StaticEmbeddingsError::NotFinite`] if a vector contains an infinity or NaN.
    pub fn embed_texts(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, StaticEmbeddingsError> {
        let owned: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        let vectors = self.model.encode_with_args(&owned, None, owned.len().max(1));
        match vectors.iter().position(|vector| !vector.iter().all(|x| x.is_finite())) {
            Some(text) => Err(StaticEmbeddingsError::NotFinite { path: self.name.clone().into(), text }),
            None => Ok(vectors),
        }
    }
}

impl fmt::Debug for StaticEmbeddings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, name } = self;
        f.debug_struct("StaticEmbeddings")
            .field("name", name)
            .field("dimension", &model.dim())
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl EmbeddingProvider for StaticEmbeddings {
    fn model(&self) -> &str {
        &self.name
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        self.embed_texts(texts).map_err(|error| ProviderError::new(&self.name, false, error))
    }
}

impl Scorer for StaticEmbeddings {
    /// The [`nearness`] of each text to `query`; 0 if either has no known token, and for all texts if a vector is not
    /// finite.
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        let all: Vec<&str> = [query].into_iter().chain(texts.iter().copied()).collect();
        let vectors = self.embed_texts(&all).unwrap_or_default();
        let vectors: Vec<&[f32]> = vectors.iter().map(Vec::as_slice).collect();
        vectors.split_first().map_or_else(|| vec![0.0; texts.len()], |(asked, rest)| nearness(asked, rest))
    }
}
