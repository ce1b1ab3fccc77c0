//! Standard output, which carries data and nothing else. What is printed is flushed at once.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use crate::error::CliError;

/// Prints bytes as they are.
pub(crate) fn bytes(bytes: &[u8]) -> Result<(), CliError> {
    let mut output = io::stdout().lock();
    output.write_all(bytes).and_then(|()| output.flush()).map_err(CliError::Output)
}

/// Prints a context byte for byte: an added line feed could be a token that nobody counted. Only a terminal gets one, so
/// that the shell prompt starts on a new line.
pub(crate) fn context(text: &str) -> Result<(), CliError> {
    if io::stdout().is_terminal() && !text.ends_with('\n') && !text.is_empty() {
        return line(text);
    }
    bytes(text.as_bytes())
}

/// Prints a line.
pub(crate) fn line(text: &str) -> Result<(), CliError> {
    bytes(&[text.as_bytes(), b"\n"].concat())
}

/// Prints a JSON document: indented on a terminal, on one line elsewhere.
pub(crate) fn json(value: &impl Serialize) -> Result<(), CliError> {
    let text = match io::stdout().is_terminal() {
        true => serde_json::to_string_pretty(value),
        false => serde_json::to_string(value),
    };
    line(&text.map_err(CliError::Json)?)
}
