//! Standard output: data, and nothing else.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use serde::Serialize;

use crate::error::CliError;

/// Standard output, buffered. What is not flushed was not printed: call [`finish`](Output::finish).
pub(crate) struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    terminal: bool,
}

impl Output {
    pub(crate) fn open() -> Self {
        let stdout = io::stdout();
        Self { terminal: stdout.is_terminal(), writer: BufWriter::new(stdout.lock()) }
    }

    /// A context, byte for byte: a line feed added at its end would be a token that nobody counted. Only on a
    /// terminal is the prompt put on a new line.
    pub(crate) fn context(&mut self, text: &str) -> Result<(), CliError> {
        self.write(text.as_bytes())?;
        if self.terminal && !text.ends_with('\n') && !text.is_empty() {
            self.write(b"\n")?;
        }
        Ok(())
    }

    /// A line.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), CliError> {
        self.write(text.as_bytes())?;
        self.write(b"\n")
    }

    /// A JSON document: for eyes on a terminal, on one line elsewhere.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        let text = match self.terminal {
            true => serde_json::to_string_pretty(value),
            false => serde_json::to_string(value),
        };
        self.line(&text.map_err(CliError::Json)?)
    }

    /// Hands over what was written so far.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        self.writer.flush().map_err(CliError::Output)
    }

    /// Hands over all that was written.
    pub(crate) fn finish(mut self) -> Result<(), CliError> {
        self.flush()
    }

    /// Bytes as they are.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.writer.write_all(bytes).map_err(CliError::Output)
    }
}
