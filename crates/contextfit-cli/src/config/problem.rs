//! What can be wrong with a configuration file.

use std::fmt;

/// Something about a configuration file that people should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Whether the file can be used all the same.
    pub(crate) severity: Severity,
    /// Line and column, from 1, as far as they are known.
    pub(crate) place: Option<(usize, usize)>,
    /// The field, as `compression.cache`; empty for the file as a whole.
    pub(crate) field: String,
    /// What is wrong.
    pub(crate) message: String,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but not all that it says is done.
    Warning,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}
