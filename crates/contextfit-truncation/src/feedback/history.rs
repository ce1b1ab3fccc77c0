//! The history of reports, also as lines of JSON.

#[cfg(feature = "json")]
use thiserror::Error;

use crate::feedback::{Event, Rule, State};

/// Events in the order of their reports.
///
/// As a file, it has one event per line, as JSON. The file only ever grows, so several processes can append to it, and
/// a crash can damage only the last line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct History {
    events: Vec<Event>,
}

impl History {
    /// Reads the text of a history. Also returns the lines that are not events. Blank lines are skipped. Linear.
    #[cfg(feature = "json")]
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

    /// Adds an event at the end.
    pub fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    /// The events in order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The state of `project` after all events under `rule`. O(n log s) for n events in s scopes.
    #[must_use]
    pub fn state(&self, project: &str, rule: Rule) -> State {
        let mut state = State::new(project, rule);
        self.events.iter().for_each(|event| state.observe(event));
        state
    }
}

impl FromIterator<Event> for History {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        Self { events: events.into_iter().collect() }
    }
}

/// A line that is not an event. It is ignored, and all other lines count.
#[cfg(feature = "json")]
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {}{message}", if *torn { "the line is incomplete: " } else { "" })]
#[non_exhaustive]
pub struct Unread {
    /// The line number, from 1.
    pub line: usize,
    /// Whether it is the last line and has no line feed, which happens after a crash or on a full disk.
    pub torn: bool,
    /// The error in the line.
    pub message: String,
}

#[cfg(feature = "json")]
impl Event {
    /// The event as a line of a history, with its line feed.
    ///
    /// # Errors
    /// [`serde_json::Error`], which never occurs for strings and numbers.
    pub fn to_line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self).map(|line| line + "\n")
    }
}
