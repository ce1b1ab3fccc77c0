//! Why there is nothing to measure.

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
    /// The items are about repositories, and nothing says where those are.
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
        /// How many for each reason.
        skipped: BTreeMap<String, usize>,
    },
    /// Git does not run.
    #[error("cannot read {path} by git, which has to be installed")]
    Git {
        /// The repository.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// The files hold not one item.
    #[error("{path} holds no items")]
    Empty {
        /// The folder.
        path: String,
    },
}

/// Each reason on a line of its own.
fn reasons(skipped: &BTreeMap<String, usize>) -> String {
    skipped.iter().map(|(reason, n)| format!("\n  {n} with {reason}")).collect()
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
