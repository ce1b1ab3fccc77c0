//! The errors for an input that cannot be read, and of a session.

use std::fmt;

use contextfit_kernel::Tokens;
use thiserror::Error;

use crate::{ErrorCode, unknown_name};

/// A problem in an input, and its position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub struct FormatError {
    /// The line, from 1; 0 if the problem was found after the text was read, and only `path` locates it.
    pub line: usize,
    /// The column in bytes, from 1; 0 if the input ended before the line began.
    pub column: usize,
    /// The field, such as `chunks[3].startLine`; empty for the input as a whole.
    pub path: String,
    /// The problem.
    pub message: String,
}

impl FormatError {
    /// Returns `self` at another line, for one of many lines that are read separately.
    #[must_use]
    pub fn at_line(self, line: usize) -> Self {
        Self { line, ..self }
    }

    /// Returns `self` within the field `name` of an enclosing value.
    pub(crate) fn within(mut self, name: &str) -> Self {
        self.path = if self.path.is_empty() { name.to_owned() } else { format!("{name}.{}", self.path) };
        self
    }

    /// A problem at `path` in a JSON value.
    pub(crate) fn at(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { line: 0, column: 0, path: path.into(), message: message.into() }
    }

    /// An error of `serde_json` while reading the field at `path`.
    pub(crate) fn new(path: &str, error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        // The position is stored separately, but serde_json repeats it at the end of its message.
        let message = message
            .strip_suffix(&format!(" at line {line} column {column}"))
            .map_or_else(|| message.clone(), str::to_owned);
        let message =
            if error.is_eof() && (line, column) == (1, 0) { "the input is empty".into() } else { message };
        // serde_json's message for a word that starts like `null`, `true` or `false` but is none of them.
        let message = message.replace("expected ident", "expected value");
        let message = unknown_name(&message).unwrap_or(message);
        // The root is called `.`, and a field whose name has not been read yet `?`; neither is useful to people.
        let path = path.trim_end_matches('?').trim_end_matches('.').to_owned();
        Self { line, column, path, message }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}", self.line)?;
            if self.column > 0 {
                write!(f, ", column {}", self.column)?;
            }
            f.write_str(": ")?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

/// The reason why a session operation failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The low mark is above the high mark.
    #[error("the low mark of {low} tokens is above the high mark of {high}")]
    Marks {
        /// The high mark.
        high: Tokens,
        /// The low mark.
        low: Tokens,
    },
    /// The session and the compressor count in different tokens, so that a mark of one means nothing to the other. The
    /// session is unchanged.
    #[error(
        "the session counts with {session}, the compressor with {compressor}: give both the same counter"
    )]
    Counter {
        /// The name of the session's counter.
        session: String,
        /// The name of the compressor's counter.
        compressor: String,
    },
    /// The result of a compressor exceeds the high mark. The session is unchanged.
    #[error("the compressor returned {tokens} tokens, expected at most {high}, the high mark")]
    TooLong {
        /// The tokens that the request would have.
        tokens: Tokens,
        /// The high mark.
        high: Tokens,
    },
    /// A request or a message could not be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The conversation cannot be made to fit. The session is unchanged.
    #[error(transparent)]
    Fit(#[from] contextfit_kernel::Error),
}

impl SessionError {
    /// The kind of error, for programs.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Marks { .. } => ErrorCode::InvalidBudget,
            Self::Counter { .. } | Self::TooLong { .. } => ErrorCode::Internal,
            Self::Format(_) => ErrorCode::InvalidRequest,
            Self::Fit(error) => ErrorCode::from(error),
        }
    }
}
