//! Why an input could not be read, and where.

use std::fmt;

use thiserror::Error;

use crate::unknown_name;

/// What is wrong with an input, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub struct FormatError {
    /// The line, from 1; 0 when what is wrong was found after the text had been read, and only `path` tells where.
    pub line: usize,
    /// The column in bytes, from 1; 0 when the input ended before the line had begun.
    pub column: usize,
    /// The field, as `chunks[3].startLine`; empty for the input as a whole.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl FormatError {
    /// The same error at another line: for one line of many, each of which was read alone.
    #[must_use]
    pub fn at_line(self, line: usize) -> Self {
        Self { line, ..self }
    }

    /// The same error in the field `name` of something larger.
    pub(crate) fn within(mut self, name: &str) -> Self {
        self.path = if self.path.is_empty() { name.to_owned() } else { format!("{name}.{}", self.path) };
        self
    }

    /// What is wrong at `path` of a JSON value.
    pub(crate) fn at(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { line: 0, column: 0, path: path.into(), message: message.into() }
    }

    /// What `serde_json` said while it was reading the field at `path`.
    pub(crate) fn new(path: &str, error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        // The place is a fact of its own; serde_json says it once more at the end of its message.
        let message = message
            .strip_suffix(&format!(" at line {line} column {column}"))
            .map_or_else(|| message.clone(), str::to_owned);
        let message =
            if error.is_eof() && (line, column) == (1, 0) { "the input is empty".into() } else { message };
        // What serde_json says of a word that starts like `null`, `true` or `false` and is none of them.
        let message = message.replace("expected ident", "expected value");
        let message = unknown_name(&message).unwrap_or(message);
        // The root is called `.`, a field whose name was not read yet `?`: neither is a name for people.
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
