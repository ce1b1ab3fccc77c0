//! A history as lines of JSON.

use thiserror::Error;

use super::{Event, History};

/// A line that is not an event. It is left out; all other lines count.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {}{message}", if *torn { "the line is incomplete: " } else { "" })]
#[non_exhaustive]
pub struct Unread {
    /// The line, from 1.
    pub line: usize,
    /// Whether it is the last line and has no line feed, as a crash or a full disk leaves it.
    pub torn: bool,
    /// What is wrong with it.
    pub message: String,
}

impl History {
    /// Reads the text of a history. Blank lines are skipped. Linear in the text.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Vec<Unread>) {
        let (mut history, mut unread) = (Self::default(), Vec::new());
        for (line, number) in text.split_inclusive('\n').zip(1..) {
            if line.trim().is_empty() {
                continue;
            }
            match serde_json::from_str(line.trim_end()) {
                Ok(event) => history.push(event),
                Err(error) => {
                    // Lines are parsed one by one, so the line number of the error is always 1.
                    let message = error.to_string().replace(" at line 1 column ", " at column ");
                    unread.push(Unread { line: number, torn: !line.ends_with('\n'), message });
                }
            }
        }
        (history, unread)
    }
}

impl Event {
    /// The event as a line of a history, with its line feed.
    ///
    /// # Errors
    /// [`serde_json::Error`], which strings and numbers do not cause.
    pub fn to_line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self).map(|line| line + "\n")
    }
}
