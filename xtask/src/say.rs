//! Messages for people.

use std::io::{self, Write as _};

/// Writes a line to standard error, as cargo does, so that the order is kept.
pub(crate) fn line(text: &str) {
    // If standard error is closed, there is nobody left to inform.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes a line to standard output: what a command was asked for, without its progress.
pub(crate) fn result(text: &str) {
    // If standard output is closed, nobody wants to know.
    let _ = writeln!(io::stdout().lock(), "{text}");
}
