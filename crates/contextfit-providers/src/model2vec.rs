//! Static embeddings: a vector per token of a vocabulary, and their mean for a text.

use std::{
    error::Error,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use async_trait::async_trait;
use contextfit_kernel::{EmbeddingProvider, ProviderError, Scorer, nearness};
use model2vec_rs::model::StaticModel;
use safetensors::{Dtype, SafeTensors, tensor::TensorView};
use thiserror::Error;

use crate::tokenizer_json::TokenizerJson;

/// A static embedding model in the format of [model2vec](https://github.com/MinishLab/model2vec): a folder with
/// `tokenizer.json`, `model.safetensors` and `config.json`. Where to get one, or how to make one: docs/embeddings.md.
///
/// There is no network to run, only a table: a text's vector is the mean of its tokens' vectors, at unit length if the
/// model's configuration says so. Word order does not matter, and a word has the same vector in every context. In
/// return, embedding costs about as much as reading the text.
///
/// Texts are never truncated; time and memory are linear in their length. A text without known tokens, such as the
/// empty one, has the zero vector. Nothing is downloaded.
///
/// ```
/// # mod contextfit { pub use ::contextfit_providers as models; }
/// use contextfit::models::{StaticEmbeddings, StaticEmbeddingsError};
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

/// The error of a folder that is not a static embedding model.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StaticEmbeddingsError {
    /// A file is missing or cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// A file has other contents, or the files do not form a model.
    #[error("{} does not belong to a static embedding model", path.display())]
    NotAModel {
        /// The file, or the folder.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// A tensor is missing.
    #[error("{} has no tensor `{tensor}`", path.display())]
    NoTensor {
        /// The file.
        path: PathBuf,
        /// The required tensor.
        tensor: &'static str,
    },
    /// A tensor has the wrong shape or type.
    #[error("{}: `{tensor}` is {found}, but must be {expected}", path.display())]
    Tensor {
        /// The file.
        path: PathBuf,
        /// The tensor.
        tensor: &'static str,
        /// Its type and shape.
        found: String,
        /// The expected type and shape.
        expected: &'static str,
    },
    /// The tokenizer has more tokens than there are vectors, so it belongs to another model.
    #[error("{}: token {token} needs row {row}, but there are only {rows} rows", path.display())]
    Rows {
        /// The file with the vectors.
        path: PathBuf,
        /// The number of a token that the tokenizer can produce.
        token: usize,
        /// The row in which its vector should be.
        row: usize,
        /// The number of rows.
        rows: usize,
    },
    /// A vector contains an infinity or NaN.
    #[error("{}: the vector of text {text} is not finite", path.display())]
    NotFinite {
        /// The folder of the model.
        path: PathBuf,
        /// The index of the text in the input.
        text: usize,
    },
}

/// The names of the table: in model2vec, in its first versions, and in sentence-transformers.
const TABLES: [&str; 3] = ["embeddings", "0", "embedding.weight"];

/// The three files of a folder.
struct Files {
    folder: PathBuf,
    pub(crate) tokenizer: Vec<u8>,
    pub(crate) model: Vec<u8>,
    pub(crate) config: Vec<u8>,
}

impl Files {
    const TOKENIZER: &str = "tokenizer.json";
    const MODEL: &str = "model.safetensors";
    const CONFIG: &str = "config.json";

    /// Reads the files.
    pub(crate) fn read(folder: &Path) -> Result<Self, StaticEmbeddingsError> {
        let read = |name| {
            let path = folder.join(name);
            fs::read(&path).map_err(|source| StaticEmbeddingsError::Unreadable { path, source })
        };
        Ok(Self {
            folder: folder.into(),
            config: read(Self::CONFIG)?,
            tokenizer: read(Self::TOKENIZER)?,
            model: read(Self::MODEL)?,
        })
    }

    /// Checks that every token has a row.
    pub(crate) fn check(&self) -> Result<(), StaticEmbeddingsError> {
        let tokenizer: TokenizerJson =
            serde_json::from_slice(&self.tokenizer).map_err(|e| self.not_a_model(Self::TOKENIZER, e))?;
        if tokenizer.cannot_name_unknowns() {
            return Err(self.not_a_model(Self::TOKENIZER, "the tokenizer has no token for unknown text"));
        }
        let tensors = SafeTensors::deserialize(&self.model).map_err(|e| self.not_a_model(Self::MODEL, e))?;
        let rows = self.rows(&tensors)?;
        let mapping = self.mapping(&tensors)?;
        for token in 0..tokenizer.tokens() {
            let row = mapping.get(token).copied().unwrap_or(token);
            if row >= rows {
                let path = self.folder.join(Self::MODEL);
                return Err(StaticEmbeddingsError::Rows { path, token, row, rows });
            }
        }
        Ok(())
    }

    /// The number of rows of the table.
    fn rows(&self, tensors: &SafeTensors<'_>) -> Result<usize, StaticEmbeddingsError> {
        let no_tensor =
            || StaticEmbeddingsError::NoTensor { path: self.folder.join(Self::MODEL), tensor: "embeddings" };
        let table = TABLES.iter().find_map(|name| tensors.tensor(name).ok()).ok_or_else(no_tensor)?;
        match (table.dtype(), table.shape()) {
            (Dtype::F32 | Dtype::F16 | Dtype::I8, &[rows, dimension]) if dimension > 0 => Ok(rows),
            _ => Err(self.tensor("embeddings", &table, "F32, F16 or I8 [rows, dimension]")),
        }
    }

    /// The row of each token; empty if token `n` is in row `n`. Present in vocabularies with shared vectors.
    fn mapping(&self, tensors: &SafeTensors<'_>) -> Result<Vec<usize>, StaticEmbeddingsError> {
        let Ok(mapping) = tensors.tensor("mapping") else { return Ok(Vec::new()) };
        let wrong = || self.tensor("mapping", &mapping, "I32 or I64 [tokens], none negative");
        let numbers: Vec<i64> = match (mapping.dtype(), mapping.shape()) {
            (Dtype::I64, [_]) => {
                mapping.data().as_chunks().0.iter().map(|&b| i64::from_le_bytes(b)).collect()
            }
            (Dtype::I32, [_]) => {
                mapping.data().as_chunks().0.iter().map(|&b| i32::from_le_bytes(b).into()).collect()
            }
            _ => return Err(wrong()),
        };
        numbers.into_iter().map(|row| usize::try_from(row).map_err(|_| wrong())).collect()
    }

    fn tensor(
        &self,
        tensor: &'static str,
        view: &TensorView<'_>,
        expected: &'static str,
    ) -> StaticEmbeddingsError {
        let found = format!("{:?} {:?}", view.dtype(), view.shape());
        StaticEmbeddingsError::Tensor { path: self.folder.join(Self::MODEL), tensor, found, expected }
    }

    fn not_a_model(
        &self,
        file: &str,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> StaticEmbeddingsError {
        StaticEmbeddingsError::NotAModel { path: self.folder.join(file), source: source.into() }
    }
}
