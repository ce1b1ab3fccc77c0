//! Errors and their exit codes.

use std::{fmt::Display, io};

use contextfit::{
    formats::FormatError,
    kernel::{Error, Tokens},
    text::{CounterError, UnknownModel},
};
use contextfit_eval::EvalError;
use thiserror::Error as ThisError;

use crate::problem::Problem;

/// Exit code: the input does not fit, or a check failed.
pub(crate) const FAILED: u8 = 1;
/// Exit code: wrong usage or invalid input.
pub(crate) const USAGE: u8 = 2;

/// Why a command stops.
#[derive(Debug, ThisError)]
pub(crate) enum CliError {
    #[error("cannot read {path}")]
    Read { path: String, source: io::Error },
    #[error("cannot write {path}")]
    Write { path: String, source: io::Error },
    #[error("cannot write to standard output")]
    Output(#[source] io::Error),
    #[error("cannot write JSON")]
    Json(#[source] serde_json::Error),
    #[error("{path} must be UTF-8, but the byte at offset {valid_up_to} is invalid")]
    NotUtf8 { path: String, valid_up_to: usize },
    #[error("{path}")]
    Request { path: String, source: FormatError },
    #[error(
        "no budget: give --budget TOKENS or --model NAME, or set `budget` in the request or the configuration"
    )]
    MissingBudget,
    #[error(transparent)]
    Fit(#[from] Error),
    #[error(
        "cannot fit: the smallest possible result needs {needed} tokens, {available} are available; raise the budget or unpin one of these:{}",
        listed(lines)
    )]
    Held { needed: Tokens, available: Tokens, lines: Vec<String> },
    #[error("{what}:{}", listed(lines))]
    Pins { what: &'static str, lines: Vec<String> },
    #[error(transparent)]
    Model(#[from] UnknownModel),
    #[error(transparent)]
    Counter(#[from] CounterError),
    #[error(transparent)]
    Embeddings(Box<dyn std::error::Error + Send + Sync>),
    #[cfg(feature = "store")]
    #[error("cannot use the store of originals in {path}")]
    Store { path: String, source: Box<dyn std::error::Error + Send + Sync> },
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error("{path} is not a valid configuration:{}", listed(problems))]
    Config { path: String, problems: Vec<Problem> },
    #[error("{name}: {message}")]
    Variable { name: String, message: String },
    #[error("{path} already exists; use --force to overwrite it")]
    Exists { path: String },
    #[error("{path} exists, and contextfit did not write it; use --force to overwrite it")]
    Foreign { path: String },
    #[error("{0}")]
    Usage(String),
    /// A check failed; the findings have been printed already.
    #[error("{0}")]
    Failed(String),
    /// The input was invalid; the details have been printed already.
    #[error("{0}")]
    Input(String),
}

impl CliError {
    /// The exit code for the error.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            _ if self.is_broken_pipe() => 0,
            Self::Fit(Error::Infeasible { .. }) | Self::Held { .. } | Self::Failed(_) => FAILED,
            #[cfg(feature = "store")]
            Self::Store { .. } => FAILED,
            _ => USAGE,
        }
    }

    /// Whether the reader of standard output has gone away, which counts as success.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Each of `lines` on its own line.
fn listed(lines: &[impl Display]) -> String {
    lines.iter().map(|line| format!("\n  {line}")).collect()
}
