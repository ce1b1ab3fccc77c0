//! What people are told, on standard error: coloured on a terminal, plain elsewhere and where `NO_COLOR` says so.
//!
//! A standard error that cannot be written to is no reason to stop: nothing here fails.

use std::{error::Error, fmt::Display, io::Write};

use owo_colors::OwoColorize;

/// A line as it is.
pub(crate) fn note(message: impl Display) {
    let _ = writeln!(anstream::stderr().lock(), "{message}");
}

/// Something that people should know, and that does not stop the command.
pub(crate) fn warning(message: impl Display) {
    let _ = writeln!(anstream::stderr().lock(), "{} {message}", "warning:".yellow().bold());
}

/// Something that makes the command fail, though it goes on to find more.
pub(crate) fn problem(message: impl Display) {
    let _ = writeln!(anstream::stderr().lock(), "{} {message}", "error:".red().bold());
}

/// Why the command stops: the error and what caused it.
pub(crate) fn error(error: &dyn Error) {
    problem(chain(error));
}

/// An error and its causes on one line.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
