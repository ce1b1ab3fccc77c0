//! A model's files, and checks that they match.
//!
//! The library that embeds trusts its input: a token without a row, or without a name in the tokenizer, would make it
//! panic. So the files are checked first.

use std::{
    fs,
    path::{Path, PathBuf},
};

use safetensors::{Dtype, SafeTensors, tensor::TensorView};

use super::StaticEmbeddingsError;
use crate::tokenizer_json::TokenizerJson;

/// The names of the table: in model2vec, in its first versions, and in sentence-transformers.
const TABLES: [&str; 3] = ["embeddings", "0", "embedding.weight"];

/// The three files of a folder.
pub(crate) struct Files {
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
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> StaticEmbeddingsError {
        StaticEmbeddingsError::NotAModel { path: self.folder.join(file), source: source.into() }
    }
}
