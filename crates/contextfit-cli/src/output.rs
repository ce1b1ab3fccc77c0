//! Standard output, which carries data and nothing else.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use serde::Serialize;

use crate::error::CliError;

/// Buffered standard output. Call [`finish`](Output::finish): unflushed data is lost.
pub(crate) struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    terminal: bool,
}

impl Output {
    pub(crate) fn open() -> Self {
        let stdout = io::stdout();
        Self { terminal: stdout.is_terminal(), writer: BufWriter::new(stdout.lock()) }
    }

    /// Writes a context byte for byte: an added line feed could be a token that nobody counted. Only a terminal gets
    /// one, so that the shell prompt starts on a new line.
    pub(crate) fn context(&mut self, text: &str) -> Result<(), CliError> {
        self.write(text.as_bytes())?;
        if self.terminal && !text.ends_with('\n') && !text.is_empty() {
            self.write(b"\n")?;
        }
        Ok(())
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), CliError> {
        self.write(text.as_bytes())?;
        self.write(b"\n")
    }

    /// Writes a JSON document: indented on a terminal, on one line elsewhere.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        let text = match self.terminal {
            true => serde_json::to_string_pretty(value),
            false => serde_json::to_string(value),
        };
        self.line(&text.map_err(CliError::Json)?)
    }

    /// Flushes everything written so far.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        self.writer.flush().map_err(CliError::Output)
    }

    /// Flushes everything and closes the output.
    pub(crate) fn finish(mut self) -> Result<(), CliError> {
        self.flush()
    }

    /// Writes bytes as they are.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.writer.write_all(bytes).map_err(CliError::Output)
    }
}
