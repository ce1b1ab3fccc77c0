//! Why a static embedding model cannot be loaded, or cannot embed.

use std::{error::Error, io, path::PathBuf};

use thiserror::Error;

/// Why a folder is not a static embedding model.
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
        /// Where its vector would be.
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
