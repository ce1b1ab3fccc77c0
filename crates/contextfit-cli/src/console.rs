//! Messages for people, on standard error: coloured on a terminal, plain elsewhere or if `NO_COLOR` is set.
//!
//! Nothing here fails: the command goes on even if standard error cannot be written to.

use std::{error::Error, fmt::Display, io::Write};

pub(crate) use contextfit::formats::with_causes as chain;
use contextfit::kernel::one_line;
use owo_colors::OwoColorize;

/// Prints a line as it is.
pub(crate) fn note(message: impl Display) {
    let _ = writeln!(anstream::stderr().lock(), "{message}");
}

/// Notes that `flag` has no effect, if the request has its `own` value and another one was `given`.
pub(crate) fn note_own<T: PartialEq + Display>(flag: &str, given: Option<&T>, own: Option<&T>) {
    if let (Some(given), Some(own)) = (given, own)
        && given != own
    {
        let own = own.to_string();
        note(format!("note: {flag} has no effect, as the request has its own: {}", one_line(&own)));
    }
}

/// Prints a warning: something to know about that does not stop the command.
pub(crate) fn warning(message: impl Display) {
    let _ = writeln!(anstream::stderr().lock(), "{} {message}", "warning:".yellow().bold());
}

/// Prints a warning of what goes on without something, because of `error`.
pub(crate) fn warning_of(what: impl Display, error: &dyn Error) {
    warning(format!("{what}: {}", chain(error)));
}

/// Prints an error that makes the command fail, although it goes on to look for more.
pub(crate) fn problem(message: impl Display) {
    let _ = writeln!(anstream::stderr().lock(), "{} {message}", "error:".red().bold());
}

/// Prints the error that stops the command, with its causes.
pub(crate) fn error(error: &dyn Error) {
    problem(chain(error));
}
