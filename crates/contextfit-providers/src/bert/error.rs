//! The errors of loading and running a BERT.

use std::{error::Error, io, path::PathBuf};

use thiserror::Error;

/// The error of a folder that is not a BERT model, or of a model that yields no vectors.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BertEmbeddingsError {
    /// A file is missing or cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// A file has other contents, or does not match the other files.
    #[error("{} does not belong to a BERT model", path.display())]
    NotABert {
        /// The file.
        path: PathBuf,
        /// What is wrong with it: the field or tensor, and the value found.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// A field has an impossible or unsupported value.
    #[error("{}: `{field}` is {found}, but must be {expected}", path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// The field.
        field: &'static str,
        /// The value found.
        found: String,
        /// The value expected.
        expected: String,
    },
    /// The network failed on a text.
    #[error("the model in {} failed to embed a text", path.display())]
    Network {
        /// The folder of the model.
        path: PathBuf,
        /// The cause.
        #[source]
        source: Box<dyn Error + Send + Sync>,
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
