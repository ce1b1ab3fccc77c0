//! Why there is no such model.

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
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// A file holds something else, or the files together are no model.
    #[error("{} is not of a static embedding model", path.display())]
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
        /// The tensor that must be there.
        tensor: &'static str,
    },
    /// A tensor has the wrong shape or type.
    #[error("{}: `{tensor}` is {found}, and must be {expected}", path.display())]
    Tensor {
        /// The file.
        path: PathBuf,
        /// The tensor.
        tensor: &'static str,
        /// Its type and shape.
        found: String,
        /// What is expected.
        expected: &'static str,
    },
    /// The tokenizer has more tokens than there are vectors, so it is that of another model.
    #[error("{}: token {token} is in row {row}, and there are {rows}", path.display())]
    Rows {
        /// The file with the vectors.
        path: PathBuf,
        /// A token that the tokenizer can give, by its number.
        token: usize,
        /// Where its vector would be.
        row: usize,
        /// The vectors that there are.
        rows: usize,
    },
    /// A vector holds an infinity or what is not a number.
    #[error("{}: the vector of text {text} is not finite", path.display())]
    NotFinite {
        /// The folder of the model.
        path: PathBuf,
        /// The place of the text among those that were given.
        text: usize,
    },
}
