//! Problems in configuration files.

use std::fmt;

/// A problem in a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Whether the file can still be used.
    pub(crate) severity: Severity,
    /// Line and column, from 1, if known.
    pub(crate) place: Option<(usize, usize)>,
    /// The field, such as `compression.cache`; empty for the file as a whole.
    pub(crate) field: String,
    /// The description of the problem.
    pub(crate) message: String,
}

/// How serious a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, but part of it has no effect.
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
