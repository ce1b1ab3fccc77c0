//! Messages that the caller wants to keep unchanged.

use serde::{Deserialize, Serialize};

/// The messages that no strategy may change. A pinned message keeps its whole group, as a tool call keeps its results.
///
/// Three kinds of messages are [always shown](contextfit_kernel::Hold::Shown) without a pin, and cut only if there is no
/// room for them: the last message in which the user says something, results that the model has not read yet, and the
/// beginning of its answer, if Anthropic messages end with one of the assistant's.
///
/// A pin that matches no message has no effect; [`Conversation::unmatched`](crate::Conversation::unmatched) finds those.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Pins {
    /// System and developer messages, `system` of Anthropic, `instructions` of responses. On by default.
    pub instructions: bool,
    /// The last message in which the user says something. Without a pin it is always shown; with one it is not even
    /// cut. Off by default.
    ///
    /// In Anthropic messages, tool results and user text can share a message. The last such message is pinned too if it
    /// comes after the last message with user text only.
    pub last_user: bool,
    /// Messages by their index in the request, from 0.
    pub indices: Vec<usize>,
    /// Messages by an id: that of the message or item itself, or of a call that it makes or answers.
    pub ids: Vec<String>,
    /// Messages that call one of these tools or hold its results.
    pub tools: Vec<String>,
    /// Messages whose text contains one of these strings.
    pub markers: Vec<String>,
}

impl Default for Pins {
    fn default() -> Self {
        Self {
            instructions: true,
            last_user: false,
            indices: Vec::new(),
            ids: Vec::new(),
            tools: Vec::new(),
            markers: Vec::new(),
        }
    }
}

impl Pins {
    /// No pins at all, not even for instructions.
    #[must_use]
    pub fn none() -> Self {
        Self { instructions: false, ..Self::default() }
    }

    /// Adds the message at `index`.
    #[must_use]
    pub fn with_index(mut self, index: usize) -> Self {
        self.indices.push(index);
        self
    }

    /// Adds the message with this `id`, or with a call that has it.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.ids.push(id.into());
        self
    }

    /// Adds all calls and results of `tool`.
    #[must_use]
    pub fn with_tool(mut self, tool: impl Into<String>) -> Self {
        self.tools.push(tool.into());
        self
    }

    /// Adds all messages that contain `marker`.
    #[must_use]
    pub fn with_marker(mut self, marker: impl Into<String>) -> Self {
        self.markers.push(marker.into());
        self
    }
}
