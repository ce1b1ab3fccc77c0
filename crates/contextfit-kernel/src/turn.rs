//! Turns: the messages of a conversation.

use serde::{Deserialize, Serialize};

use crate::{ByteRange, Tokens};

/// What is known of a message beside its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Turn {
    /// Who speaks.
    pub role: Role,
    /// The speaker's name, where several share a role.
    #[serde(default)]
    pub name: Option<String>,
    /// Its number in the whole session, from 1, counting turns that earlier compressions shortened; 0 where that is not
    /// known: then it is the one after the turn before ([`Context::numbers`](crate::Context::numbers)).
    #[serde(default)]
    pub number: usize,
    /// Tokens that the message takes beside its text while it stands as a message of its own: its role and name, its
    /// tool calls, its images.
    #[serde(default)]
    pub framing: Tokens,
    /// The parts of the text, in order, side by side; empty when the text is one part and answers no call. Each part is
    /// counted by itself.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// The tools that it calls. Their arguments are no part of the text.
    #[serde(default)]
    pub calls: Vec<ToolCall>,
}

impl Turn {
    /// A message of `role`, with nothing but its text.
    #[must_use]
    pub const fn new(role: Role) -> Self {
        Self { role, name: None, number: 0, framing: Tokens::ZERO, parts: Vec::new(), calls: Vec::new() }
    }

    /// The same message, of the speaker called `name`.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The same message, with its number in the whole session.
    #[must_use]
    pub const fn with_number(mut self, number: usize) -> Self {
        self.number = number;
        self
    }

    /// The same message, taking `framing` beside its text.
    #[must_use]
    pub const fn with_framing(mut self, framing: Tokens) -> Self {
        self.framing = framing;
        self
    }

    /// The same message, its text divided into `parts`.
    #[must_use]
    pub fn with_parts(mut self, parts: Vec<Part>) -> Self {
        self.parts = parts;
        self
    }

    /// The same message, calling tools.
    #[must_use]
    pub fn with_calls(mut self, calls: Vec<ToolCall>) -> Self {
        self.calls = calls;
        self
    }

    /// The bytes of each part of `text`, in order: one for a text that is not divided. A part that ends outside of the
    /// text or before its predecessor is empty.
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
pub struct Part {
    /// One past its last byte in the message's text.
    pub end: usize,
    /// The tool whose result it is.
    #[serde(default)]
    pub tool: Option<String>,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The tool.
    pub name: String,
    /// Its arguments, as the wire format writes them: JSON most of the time.
    pub arguments: String,
}

/// Who speaks in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions of the application.
    System,
    /// Instructions of the developer.
    Developer,
    /// The person.
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

    /// The role of this [name](Self::name).
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::System, Self::Developer, Self::User, Self::Assistant, Self::Tool]
            .into_iter()
            .find(|role| role.name() == name)
    }

    /// Whether it is the application that speaks, and not a part in the talk.
    #[must_use]
    pub const fn instructs(self) -> bool {
        matches!(self, Self::System | Self::Developer)
    }
}
