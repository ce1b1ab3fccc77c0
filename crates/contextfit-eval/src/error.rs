//! Why there is nothing to measure.

use std::io;

use thiserror::Error;

/// Why a data set cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A file or folder cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file or folder.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// A line is not what its file should hold.
    #[error("{path}: line {line}: {}{message}", prefix(field))]
    Malformed {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The field, as `gold[0].end`; empty for the line as a whole.
        field: String,
        /// What is wrong there.
        message: String,
    },
    /// The folder has the files of no kind of data set.
    #[error("{path} is no data set: it needs {expected}")]
    NoDataset {
        /// The folder.
        path: String,
        /// The files that some kind would have.
        expected: String,
    },
    /// The folder has several splits, and none was chosen; or it has not the one that was.
    #[error("{path} has {}; {}", listed(splits), match asked {
        Some(split) => format!("there is no split {split:?}"),
        None => "choose one".into(),
    })]
    Split {
        /// The folder.
        path: String,
        /// The splits there are.
        splits: Vec<String>,
        /// The split asked for.
        asked: Option<String>,
    },
    /// The files hold not one item.
    #[error("{path} holds no items")]
    Empty {
        /// The folder.
        path: String,
    },
}

/// The field with what parts it from the message.
fn prefix(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!("{field}: ") }
}

/// The splits in words.
fn listed(splits: &[String]) -> String {
    match splits {
        [one] => format!("the split {one}"),
        many => format!("the splits {}", many.join(", ")),
    }
}
