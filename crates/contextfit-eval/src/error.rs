//! Errors in reading data sets.

use std::{collections::BTreeMap, io};

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
        /// The error of the operating system.
        source: io::Error,
    },
    /// A line is malformed.
    #[error("{path}: line {line}: {}{message}", prefix(field))]
    Malformed {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The field, such as `gold[0].end`; empty for the line as a whole.
        field: String,
        /// What is wrong.
        message: String,
    },
    /// The folder has no files of any kind of data set.
    #[error("{path} is not a data set: it needs {expected}")]
    NoDataset {
        /// The folder.
        path: String,
        /// The files that the kinds require.
        expected: String,
    },
    /// The folder has several splits and none was chosen, or it lacks the chosen one.
    #[error("{path} has {}; {}", listed(splits), match asked {
        Some(split) => format!("there is no split {split:?}"),
        None => "choose one".into(),
    })]
    Split {
        /// The folder.
        path: String,
        /// The splits found.
        splits: Vec<String>,
        /// The split requested.
        asked: Option<String>,
    },
    /// The items are about repositories, but no folder with repositories was given.
    #[error(
        "{path} needs git repositories: give --repositories DIR, a folder with OWNER+NAME/repo or OWNER+NAME"
    )]
    NoRepositories {
        /// The file with the items.
        path: String,
    },
    /// Every item was skipped.
    #[error(
        "{path}: none of its {} items can be measured; --repositories needs DIR/OWNER+NAME/repo or DIR/OWNER+NAME:{}",
        skipped.values().sum::<usize>(),
        reasons(skipped)
    )]
    AllSkipped {
        /// The folder.
        path: String,
        /// The number of items for each reason.
        skipped: BTreeMap<String, usize>,
    },
    /// Git could not be run.
    #[error("cannot read {path} with git, which must be installed")]
    Git {
        /// The repository.
        path: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The files contain no items.
    #[error("{path} holds no items")]
    Empty {
        /// The folder.
        path: String,
    },
}

/// Each reason on a separate line.
fn reasons(skipped: &BTreeMap<String, usize>) -> String {
    skipped.iter().map(|(reason, n)| format!("\n  {n} with {reason}")).collect()
}

/// The field with a separator before the message.
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
