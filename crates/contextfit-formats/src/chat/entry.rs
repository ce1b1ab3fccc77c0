//! The common form of all wire formats: one entry for each message or item.

use contextfit_kernel::{Medium, Record, Role, TokenCounter, Tokens, ToolCall};
use serde_json::{Map, Value};

use super::framing;
use crate::FormatError;

/// A message or item of a request, and the positions of its texts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) place: Place,
    pub(crate) role: Role,
    pub(crate) name: Option<String>,
    /// Its texts, in order.
    pub(crate) slots: Vec<Slot>,
    /// Its images, recordings and files, in order.
    pub(crate) attachments: Vec<Attached>,
    /// The tool calls that the application must answer.
    pub(crate) calls: Vec<Call>,
    /// The calls that the provider made and answered itself. Their tokens are counted with everything that is not text.
    pub(crate) served: Vec<Call>,
    /// The ids of the calls that it answers; `None` for an answer that names no call.
    pub(crate) answers: Vec<Option<String>>,
    /// Its tokens, apart from those of its texts.
    pub(crate) weight: Weight,
    /// Whether it is reasoning, to which the model's output directly after it belongs.
    pub(crate) reasons: bool,
    /// Whether it must always be kept, because something outside the request may depend on it.
    pub(crate) stays: bool,
    /// The first entry of its group, if it has one.
    pub(crate) group: Option<usize>,
    /// Whether it only replaces a dropped message that the format requires.
    pub(crate) bridges: bool,
    /// The record of earlier turns, if an earlier compression wrote this message.
    pub(crate) record: Option<Record>,
}

/// The position of an entry in the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In its own field: Anthropic's `system`, or `instructions` of responses.
    Field(&'static str),
    /// In the array, by index.
    Item(usize),
    /// A single string instead of the array.
    Whole,
}

impl Place {
    /// Whether it is the field called `name`.
    pub(crate) fn is_field(self, name: &str) -> bool {
        matches!(self, Self::Field(field) if field == name)
    }
}

/// The position of a text in a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Slot {
    /// JSON pointer, relative to the message.
    pub(crate) pointer: String,
    /// The call whose result the text is.
    pub(crate) answers: Option<String>,
    /// The tool of that call.
    pub(crate) tool: Option<String>,
}

/// An image, a recording or a file in a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Attached {
    pub(crate) medium: Medium,
    /// The call whose result contains it.
    pub(crate) answers: Option<String>,
    /// The tool of that call.
    pub(crate) tool: Option<String>,
}

/// A call to a tool.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

/// Tokens in addition to the text: a fixed number, and further texts to count.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Weight {
    fixed: usize,
    texts: Vec<String>,
}

impl Weight {
    pub(crate) const fn add(&mut self, tokens: usize) {
        self.fixed = self.fixed.saturating_add(tokens);
    }

    pub(crate) fn count(&mut self, text: impl Into<String>) {
        self.texts.push(text.into());
    }

    /// Counts a value as JSON, because no formula for it is known.
    pub(crate) fn count_json(&mut self, value: &Value) {
        self.count(value.to_string());
    }

    pub(crate) fn tokens(&self, counter: &dyn TokenCounter) -> Tokens {
        Tokens::new(self.fixed) + self.texts.iter().map(|text| counter.count(text)).sum()
    }
}

impl Entry {
    /// A message without content.
    pub(crate) fn new(place: Place, role: Role) -> Self {
        Self {
            place,
            role,
            name: None,
            slots: Vec::new(),
            attachments: Vec::new(),
            calls: Vec::new(),
            served: Vec::new(),
            answers: Vec::new(),
            weight: Weight { fixed: framing::MESSAGE, texts: Vec::new() },
            reasons: false,
            stays: false,
            group: None,
            bridges: false,
            record: None,
        }
    }

    /// The id, for people and plans.
    pub(crate) fn id(&self) -> String {
        match self.place {
            Place::Field(name) => name.to_owned(),
            Place::Item(at) => at.to_string(),
            Place::Whole => "0".to_owned(),
        }
    }

    pub(crate) fn push_slot(&mut self, pointer: impl Into<String>) {
        self.slots.push(Slot { pointer: pointer.into(), answers: None, tool: None });
    }

    pub(crate) fn attach(&mut self, medium: Medium) {
        self.attachments.push(Attached { medium, answers: None, tool: None });
    }

    /// Adds a call that the provider made and answered itself.
    pub(crate) fn serve(&mut self, name: Option<&str>, arguments: Option<&Value>) {
        let name = name.unwrap_or_default().to_owned();
        self.served.push(Call { id: None, name, arguments: as_counted(arguments) });
    }

    /// Its calls, those of the provider last.
    pub(crate) fn all_calls(&self) -> impl Iterator<Item = ToolCall> {
        let calls = self.calls.iter().chain(&self.served);
        calls.map(|call| ToolCall::new(call.name.clone(), call.arguments.clone()))
    }

    /// Marks the texts from `text` on and the attachments from `attachment` on as the result of the call `id`.
    pub(crate) fn answer(&mut self, (text, attachment): (usize, usize), id: Option<String>) {
        let slots = self.slots.iter_mut().skip(text).map(|slot| (&mut slot.answers, &mut slot.tool));
        let attached = self.attachments.iter_mut().skip(attachment).map(|it| (&mut it.answers, &mut it.tool));
        for (answers, tool) in slots.chain(attached) {
            answers.clone_from(&id);
            // A result of no known call is not the user's text either.
            tool.get_or_insert_default();
        }
        self.answers.push(id);
    }

    /// Whether it is a message in which the user says something.
    pub(crate) fn is_users(&self) -> bool {
        self.role == Role::User && self.record.is_none()
    }

    /// Reads the content at `pointer`: a string, or an array of parts. Parts of one of `types` are texts; `other` reads
    /// all others.
    pub(crate) fn read_content(
        &mut self,
        content: Option<&Value>,
        pointer: &str,
        path: &str,
        types: &[&str],
        mut other: impl FnMut(&mut Self, usize, &Value) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        match content {
            None | Some(Value::Null) => Ok(()),
            Some(Value::String(_)) => {
                self.push_slot(pointer);
                Ok(())
            }
            Some(Value::Array(parts)) => parts.iter().enumerate().try_for_each(|(n, part)| {
                let is_text = types.contains(&kind(part)) && part.get("text").is_some_and(Value::is_string);
                if is_text {
                    self.push_slot(format!("{pointer}/{n}/text"));
                    return Ok(());
                }
                other(self, n, part)
            }),
            Some(_) => Err(FormatError::at(path, "expected a string, an array of parts or null")),
        }
    }
}

/// The `type` of a part or an item; empty if it has none.
pub(crate) fn kind(value: &Value) -> &str {
    text(value, "type").unwrap_or_default()
}

/// The string in field `name`.
pub(crate) fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str()
}

/// A field in the form in which it is counted: a string unchanged, anything else as JSON; empty if it is absent.
pub(crate) fn as_counted(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// The message as an object.
pub(crate) fn object<'a>(value: &'a Value, path: &str) -> Result<&'a Map<String, Value>, FormatError> {
    value.as_object().ok_or_else(|| FormatError::at(path, "expected an object"))
}

/// The role of a message; [`Role::Other`] if no format has it.
pub(crate) fn role(message: &Value, path: &str) -> Result<Role, FormatError> {
    let at = || format!("{path}.role");
    match message.get("role") {
        None => Err(FormatError::at(at(), "a message needs a role")),
        Some(Value::String(role)) => match role.as_str() {
            "system" => Ok(Role::System),
            "developer" => Ok(Role::Developer),
            "user" => Ok(Role::User),
            "assistant" => Ok(Role::Assistant),
            "tool" | "function" => Ok(Role::Tool),
            _ => Ok(Role::Other),
        },
        Some(_) => Err(FormatError::at(at(), "expected a string")),
    }
}
