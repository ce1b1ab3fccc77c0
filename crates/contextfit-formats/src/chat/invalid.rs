//! Checks whether a provider would accept a transcript.

use std::collections::HashSet;

use contextfit_kernel::Role;
use serde_json::Value;
use thiserror::Error;

use super::{
    conversation::{Conversation, field},
    entry::{Entry, Place, kind},
    wire_format::WireFormat,
};
use crate::FormatError;

/// The reason why a provider would refuse a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Invalid {
    /// It does not have the shape of the format.
    #[error(transparent)]
    Shape(#[from] FormatError),
    /// No format has the role of a message.
    #[error("{at}: unknown role {role:?}")]
    Role {
        /// The message.
        at: String,
        /// Its role.
        role: String,
    },
    /// It has no messages.
    #[error("expected at least one message, found none")]
    Empty,
    /// A call has no result although the format requires one.
    #[error("{at}: the call {call:?} has no result")]
    Unanswered {
        /// The message or item with the call.
        at: String,
        /// The id of the call; empty if it has none.
        call: String,
    },
    /// A result has no call although the format requires one.
    #[error("{at}: the result has no matching call {call:?}")]
    Orphan {
        /// The message or item with the result.
        at: String,
        /// The id of the call that the result names; empty if it names none.
        call: String,
    },
    /// A message has no content although it must have some.
    #[error("{at}: expected content, found none")]
    NoContent {
        /// The message, or a content block in it.
        at: String,
    },
    /// An Anthropic conversation does not start with the user.
    #[error("{at}: the first message must have the role user")]
    First {
        /// The message.
        at: String,
    },
    /// Something comes before the results in an Anthropic message.
    #[error("{at}: results must come before anything else in the message")]
    ResultsLate {
        /// The message.
        at: String,
    },
    /// A system message among Anthropic messages is not between a user message and an assistant message.
    #[error("{at}: a system message must follow a user message, and be last or precede an assistant message")]
    System {
        /// The message.
        at: String,
    },
    /// A reasoning item is not followed by output.
    #[error("{at}: reasoning must be followed by the output that belongs to it")]
    ReasoningAlone {
        /// The item.
        at: String,
    },
}

/// Checks that providers of `format` would accept the messages of `request` in relation to each other: calls and
/// results, contents, and who starts. Linear in the size of the request.
///
/// # Errors
/// [`Invalid`] with the first fault found.
pub fn valid(request: &Value, format: WireFormat) -> Result<(), Invalid> {
    let conversation = Conversation::parse_as(request.clone(), format)?;
    let entries: Vec<&Entry> =
        conversation.entries.iter().filter(|entry| !matches!(entry.place, Place::Field(_))).collect();
    if entries.is_empty() && !conversation.calls_may_be_elsewhere() {
        return Err(Invalid::Empty);
    }
    if let Some((entry, role)) =
        entries.iter().find_map(|entry| Some((entry, conversation.unknown_role(entry)?)))
    {
        return Err(Invalid::Role { at: path(&conversation, entry), role: role.to_owned() });
    }
    match format {
        WireFormat::OpenAiChat => chat_completions(&conversation, &entries),
        WireFormat::OpenAiResponses => responses(&conversation, &entries),
        WireFormat::AnthropicMessages => anthropic(&conversation, &entries),
    }
}

/// All results directly follow the message with their calls. Content may be absent only with calls, a refusal or audio.
fn chat_completions(conversation: &Conversation, entries: &[&Entry]) -> Result<(), Invalid> {
    let mut open = Calls::default();
    for entry in entries {
        let at = || path(conversation, entry);
        let message = conversation.value(entry).unwrap_or(&Value::Null);
        // The `function` role has no ids.
        if message["role"] == "function" {
            continue;
        }
        if entry.role == Role::Tool {
            open.answer(entry, at)?;
        } else {
            open.close()?;
        }
        let has = |name: &str| message.get(name).is_some_and(|value| !value.is_null());
        let said = has("refusal") || has("audio") || has("function_call") || !entry.calls.is_empty();
        let silent = entry.role == Role::Assistant && said;
        if !(has("content") || silent) {
            return Err(Invalid::NoContent { at: at() });
        }
        open.call(entry, at);
    }
    open.close()
}

/// Every call that the application carries out has a result after it, every result has a call before it, and reasoning
/// is followed by the output that belongs to it.
fn responses(conversation: &Conversation, entries: &[&Entry]) -> Result<(), Invalid> {
    let elsewhere = conversation.calls_may_be_elsewhere();
    let mut open = Calls::default();
    for (n, entry) in entries.iter().enumerate() {
        let at = || path(conversation, entry);
        let follows = entries.get(n + 1).is_some_and(|next| next.role == Role::Assistant);
        if entry.reasons && !follows {
            return Err(Invalid::ReasoningAlone { at: at() });
        }
        match open.answer(entry, at) {
            Err(Invalid::Orphan { .. }) if elsewhere => {}
            other => other?,
        }
        open.call(entry, at);
    }
    open.close()
}

/// The user starts. Consecutive messages of one side count as one. The results of all calls in a message are in the
/// next one, before anything else. A system message is between a user message and an assistant message (or after
/// searches of the assistant, which are not checked). Contents are not empty, except in the last assistant message;
/// texts in them never are.
fn anthropic(conversation: &Conversation, entries: &[&Entry]) -> Result<(), Invalid> {
    let role = |entry: &Entry| conversation.value(entry).and_then(|message| message["role"].as_str());
    if let Some(first) = entries.first().filter(|first| role(first) != Some("user")) {
        return Err(Invalid::First { at: path(conversation, first) });
    }
    let mut open = Calls::default();
    let mut talked = false;
    let mut before = None;
    for (n, entry) in entries.iter().enumerate() {
        let at = || path(conversation, entry);
        let turn = role(entry);
        if turn != before {
            // Results belong to the message directly before; a user message ends when the assistant speaks.
            if turn == Some("assistant") {
                open.close()?;
            }
            talked = false;
        }
        if turn == Some("system") {
            let next = entries.get(n + 1).map(|next| role(next));
            let searched = n
                .checked_sub(1)
                .and_then(|n| entries.get(n))
                .is_some_and(|entry| entry.role == Role::Assistant);
            if !(before == Some("user") || searched) || next.is_some_and(|next| next != Some("assistant")) {
                return Err(Invalid::System { at: at() });
            }
        }
        before = turn;
        let content = conversation.value(entry).and_then(|message| message.get("content"));
        let last_of_assistant = n + 1 == entries.len() && turn == Some("assistant");
        check_content(content, last_of_assistant, &at())?;
        let blocks = content.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for block in blocks {
            let is_result = kind(block) == "tool_result";
            if is_result && talked {
                return Err(Invalid::ResultsLate { at: at() });
            }
            talked |= !is_result;
        }
        talked |= blocks.is_empty();
        open.answer(entry, at)?;
        open.call(entry, at);
    }
    open.close()
}

/// Checks that there is content, and that no text in it is empty.
fn check_content(content: Option<&Value>, may_be_empty: bool, at: &str) -> Result<(), Invalid> {
    let none = |at: String| if may_be_empty { Ok(()) } else { Err(Invalid::NoContent { at }) };
    match content {
        Some(Value::String(text)) if !text.is_empty() => Ok(()),
        Some(Value::Array(blocks)) if !blocks.is_empty() => {
            let empty = |block: &Value| kind(block) == "text" && block["text"] == "";
            match blocks.iter().position(empty) {
                Some(n) => Err(Invalid::NoContent { at: format!("{at}.content[{n}]") }),
                None => Ok(()),
            }
        }
        _ => none(at.to_owned()),
    }
}

/// The path of an entry in the request.
fn path(conversation: &Conversation, entry: &Entry) -> String {
    format!("{}[{}]", field(conversation.format()), entry.id())
}

/// Calls that have no results yet.
#[derive(Default)]
struct Calls {
    /// The id of each call and its path in the request, in order.
    made: Vec<(String, String)>,
    open: HashSet<String>,
    answered: HashSet<String>,
}

impl Calls {
    fn call(&mut self, entry: &Entry, at: impl Fn() -> String) {
        for id in entry.calls.iter().filter_map(|call| call.id.as_ref()) {
            self.made.push((id.clone(), at()));
            self.open.insert(id.clone());
        }
    }

    fn answer(&mut self, entry: &Entry, at: impl Fn() -> String) -> Result<(), Invalid> {
        for answer in &entry.answers {
            let id = answer.clone().unwrap_or_default();
            if !self.open.contains(&id) {
                return Err(Invalid::Orphan { at: at(), call: id });
            }
            self.answered.insert(id);
        }
        Ok(())
    }

    /// Fails if a call still has no result.
    fn close(&mut self) -> Result<(), Invalid> {
        let Self { made, answered, .. } = std::mem::take(self);
        match made.into_iter().find(|(id, _)| !answered.contains(id)) {
            Some((call, at)) => Err(Invalid::Unanswered { at, call }),
            None => Ok(()),
        }
    }
}
