//! Everything that was reported.

use super::{Event, Rule, State};

/// Events in the order in which they were reported.
///
/// As a file it has one event per line, as JSON. Such a file only ever grows, so that several processes can append to
/// it, and a crash can damage no more than the last line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct History {
    events: Vec<Event>,
}

impl History {
    /// Adds an event at the end.
    pub fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    /// The events in order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What follows for `project` under `rule`. O(n log s) for n events in s scopes.
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
