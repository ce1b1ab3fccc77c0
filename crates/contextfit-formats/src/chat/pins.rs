//! What the caller wants to keep as it is.

use contextfit_kernel::Role;
use serde::{Deserialize, Serialize};

use super::entry::{Entry, Place};

/// Which messages no strategy may touch. A message that is pinned keeps its whole group: a tool call its results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Pins {
    /// System and developer messages, `system` of Anthropic, `instructions` of responses. On by default.
    pub instructions: bool,
    /// The last message in which the user says something. On by default.
    ///
    /// In Anthropic messages results of tools and words of the user can share a message; the last of that kind is
    /// pinned as well when it comes behind the last with words alone.
    pub last_user: bool,
    /// Messages by their index in the request, from 0.
    pub indices: Vec<usize>,
    /// Messages by an id: of the message or item itself, or of a call that it makes or answers.
    pub ids: Vec<String>,
    /// Messages that call one of these tools or bring its results.
    pub tools: Vec<String>,
    /// Messages whose text contains one of these strings.
    pub markers: Vec<String>,
}

impl Default for Pins {
    fn default() -> Self {
        Self {
            instructions: true,
            last_user: true,
            indices: Vec::new(),
            ids: Vec::new(),
            tools: Vec::new(),
            markers: Vec::new(),
        }
    }
}

impl Pins {
    /// No pins at all, not even for instructions and the last user turn.
    #[must_use]
    pub fn none() -> Self {
        Self { instructions: false, last_user: false, ..Self::default() }
    }

    /// The same pins, and the message at `index`.
    #[must_use]
    pub fn with_index(mut self, index: usize) -> Self {
        self.indices.push(index);
        self
    }

    /// The same pins, and the message that `id` belongs to.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.ids.push(id.into());
        self
    }

    /// The same pins, and all calls and results of `tool`.
    #[must_use]
    pub fn with_tool(mut self, tool: impl Into<String>) -> Self {
        self.tools.push(tool.into());
        self
    }

    /// The same pins, and all messages that contain `marker`.
    #[must_use]
    pub fn with_marker(mut self, marker: impl Into<String>) -> Self {
        self.markers.push(marker.into());
        self
    }

    /// Whether they hold `entry`, whose text is `text` and whose own id is `id`. An empty marker holds nothing.
    pub(crate) fn hold(&self, entry: &Entry, id: Option<&str>, text: &str) -> bool {
        let by_index = || matches!(entry.place, Place::Item(at) if self.indices.contains(&at));
        let by_id = || {
            let calls = entry.calls.iter().filter_map(|call| call.id.as_deref());
            let answers = entry.answers.iter().filter_map(Option::as_deref);
            id.into_iter().chain(calls).chain(answers).any(|id| self.ids.iter().any(|pin| pin == id))
        };
        let by_tool = || {
            let calls = entry.calls.iter().map(|call| call.name.as_str());
            let results = entry.slots.iter().filter_map(|slot| slot.tool.as_deref());
            calls.chain(results).any(|tool| self.tools.iter().any(|pin| pin == tool))
        };
        let by_marker = || self.markers.iter().any(|marker| !marker.is_empty() && text.contains(marker));
        let instructs = self.instructions && matches!(entry.role, Role::System | Role::Developer);
        instructs || by_index() || by_id() || by_tool() || by_marker()
    }
}
