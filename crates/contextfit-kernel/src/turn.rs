//! Turns: the messages of a conversation.

use serde::{Deserialize, Serialize};

use crate::{ByteRange, Tokens};

/// Metadata of a message: everything except its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Turn {
    /// The speaker's role.
    pub role: Role,
    /// The speaker's name, if several share a role.
    #[serde(default)]
    pub name: Option<String>,
    /// Its number in the whole session, from 1, counting turns that earlier compressions shortened. 0 means unknown:
    /// the turn is then numbered after the one before it ([`Context::numbers`](crate::Context::numbers)).
    #[serde(default)]
    pub number: usize,
    /// Tokens of the message besides its text, when it is shown as its own message: role and name, tool calls, images.
    #[serde(default)]
    pub framing: Tokens,
    /// The contiguous parts of the text, in order; empty if the text is a single part that answers no tool call. Each
    /// part is counted separately.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// The tool calls it makes. Their arguments are not part of the text.
    #[serde(default)]
    pub calls: Vec<ToolCall>,
}

impl Turn {
    /// Creates a message of `role` without any other metadata.
    #[must_use]
    pub const fn new(role: Role) -> Self {
        Self { role, name: None, number: 0, framing: Tokens::ZERO, parts: Vec::new(), calls: Vec::new() }
    }

    /// Sets the speaker's name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the number in the whole session.
    #[must_use]
    pub const fn with_number(mut self, number: usize) -> Self {
        self.number = number;
        self
    }

    /// Sets the tokens that the message takes in addition to its text.
    #[must_use]
    pub const fn with_framing(mut self, framing: Tokens) -> Self {
        self.framing = framing;
        self
    }

    /// Divides the text into `parts`.
    #[must_use]
    pub fn with_parts(mut self, parts: Vec<Part>) -> Self {
        self.parts = parts;
        self
    }

    /// Sets the tool calls.
    #[must_use]
    pub fn with_calls(mut self, calls: Vec<ToolCall>) -> Self {
        self.calls = calls;
        self
    }

    /// The byte range of each part of `text`, in order; the whole text if it is not divided. A part that ends outside
    /// the text or before its predecessor is empty.
    pub fn ranges<'a>(&'a self, text: &'a str) -> impl Iterator<Item = ByteRange> + 'a {
        let whole = self.parts.is_empty().then(|| ByteRange::whole(text));
        let mut start = 0;
        let parts = self.parts.iter().map(move |part| {
            let end = part.end.clamp(start, text.len());
            let range = ByteRange::new(start, end).unwrap_or(ByteRange::whole(""));
            start = end;
            range
        });
        whole.into_iter().chain(parts)
    }
}

/// A part of a message's text: a content part of the wire format, the result of one tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Part {
    /// End of the part in the message's text, exclusive.
    pub end: usize,
    /// The tool whose result this part is.
    #[serde(default)]
    pub tool: Option<String>,
}

impl Part {
    /// Creates a part that ends at byte `end` of the message's text and is the result of `tool`, if of any.
    #[must_use]
    pub const fn new(end: usize, tool: Option<String>) -> Self {
        Self { end, tool }
    }
}

/// A tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The name of the tool.
    pub name: String,
    /// Its arguments as the wire format has them, usually JSON.
    pub arguments: String,
}

impl ToolCall {
    /// Creates a call of the tool `name`.
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { name: name.into(), arguments: arguments.into() }
    }
}

/// The role of a turn's speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions from the application.
    System,
    /// Instructions from the developer.
    Developer,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// The result of a tool call.
    Tool,
}

impl Role {
    /// The role in one word, as wire formats spell it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }

    /// The role with this [name](Self::name).
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::System, Self::Developer, Self::User, Self::Assistant, Self::Tool]
            .into_iter()
            .find(|role| role.name() == name)
    }

    /// Whether the role gives instructions rather than taking part in the conversation.
    #[must_use]
    pub const fn instructs(self) -> bool {
        matches!(self, Self::System | Self::Developer)
    }
}
