//! Why there is no such model, or no vector.

use std::{error::Error, io, path::PathBuf};

use thiserror::Error;

/// Why a folder is not a BERT, or gives no vectors.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BertEmbeddingsError {
    /// A file is missing or cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// A file holds something else, or does not go with the others.
    #[error("{} is not of a BERT", path.display())]
    NotABert {
        /// The file.
        path: PathBuf,
        /// What is wrong with it: the field or the tensor, and what is there.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// A field says what cannot be, or what is not known here.
    #[error("{}: `{field}` is {found}, and must be {expected}", path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// The field.
        field: &'static str,
        /// What it says.
        found: String,
        /// What is expected.
        expected: String,
    },
    /// The network failed on a text.
    #[error("{} cannot embed", path.display())]
    Network {
        /// The folder of the model.
        path: PathBuf,
        /// Why not.
        #[source]
        source: Box<dyn Error + Send + Sync>,
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
