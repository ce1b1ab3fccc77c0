//! What people see.

use std::io::{self, Write as _};

/// Writes a line to standard error, where cargo writes too, so that the order is kept.
pub(crate) fn line(text: &str) {
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
