//! What every wire format is read into: one entry for each message or item.

use contextfit_kernel::{Record, Role, TokenCounter, Tokens};
use serde_json::{Map, Value};

use crate::FormatError;

/// A message or an item of a request, and where its texts stand.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) place: Place,
    pub(crate) role: Role,
    pub(crate) name: Option<String>,
    /// Its texts, in order.
    pub(crate) slots: Vec<Slot>,
    /// The tools that it calls.
    pub(crate) calls: Vec<Call>,
    /// The calls that it answers, by id; `None` for an answer that names none.
    pub(crate) answers: Vec<Option<String>>,
    /// What it takes beside its texts.
    pub(crate) weight: Weight,
    /// Reasoning: what the model puts out right behind it belongs to it.
    pub(crate) reasons: bool,
    /// It must stay whatever happens: something that is not in the request may hang on it.
    pub(crate) stays: bool,
    /// The first entry of its group, when it has one.
    pub(crate) group: Option<usize>,
    /// Whether it only stands where a message was left out that the format wants there.
    pub(crate) bridges: bool,
    /// What stands for earlier turns, where an earlier compression has written the message.
    pub(crate) record: Option<Record>,
}

/// Where an entry stands in the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a field of its own: Anthropic's `system`, `instructions` of responses.
    Field(&'static str),
    /// In the array, by index.
    Item(usize),
    /// The array's place is taken by one string.
    Whole,
}

impl Place {
    /// Whether it is the field called `name`.
    pub(crate) fn is_field(self, name: &str) -> bool {
        matches!(self, Self::Field(field) if field == name)
    }
}

/// Where a text stands in a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Slot {
    /// JSON pointer from the message.
    pub(crate) pointer: String,
    /// The call whose result it is.
    pub(crate) answers: Option<String>,
    /// The tool of that call.
    pub(crate) tool: Option<String>,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

/// Tokens beside the text: a fixed number, and texts that are counted.
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

    /// Something that no formula is known for: counted as the JSON that it is.
    pub(crate) fn count_json(&mut self, value: &Value) {
        self.count(value.to_string());
    }

    pub(crate) fn tokens(&self, counter: &dyn TokenCounter) -> Tokens {
        Tokens::new(self.fixed) + self.texts.iter().map(|text| counter.count(text)).sum()
    }
}

impl Entry {
    pub(crate) fn new(place: Place, role: Role) -> Self {
        Self {
            place,
            role,
            name: None,
            slots: Vec::new(),
            calls: Vec::new(),
            answers: Vec::new(),
            weight: Weight::default(),
            reasons: false,
            stays: false,
            group: None,
            bridges: false,
            record: None,
        }
    }

    /// What people and plans call it.
    pub(crate) fn id(&self) -> String {
        match self.place {
            Place::Field(name) => name.to_owned(),
            Place::Item(at) => at.to_string(),
            Place::Whole => "0".to_owned(),
        }
    }

    pub(crate) fn push_slot(&mut self, pointer: impl Into<String>, answers: Option<&str>) {
        self.slots.push(Slot { pointer: pointer.into(), answers: answers.map(str::to_owned), tool: None });
    }

    /// Whether a person says something in it.
    pub(crate) fn is_users(&self) -> bool {
        self.role == Role::User && self.record.is_none()
    }

    /// Reads the content at `pointer`: a string, or an array whose parts are texts of one of `types` or something for
    /// `other`.
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
                self.push_slot(pointer, None);
                Ok(())
            }
            Some(Value::Array(parts)) => parts.iter().enumerate().try_for_each(|(n, part)| {
                let is_text = types.contains(&kind(part)) && part.get("text").is_some_and(Value::is_string);
                if is_text {
                    self.push_slot(format!("{pointer}/{n}/text"), None);
                    return Ok(());
                }
                other(self, n, part)
            }),
            Some(_) => Err(FormatError::at(path, "expected a string, an array of parts or null")),
        }
    }
}

/// The `type` of a part or an item; empty when it has none.
pub(crate) fn kind(value: &Value) -> &str {
    text(value, "type").unwrap_or_default()
}

/// The string in field `name`.
pub(crate) fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str()
}

/// The field `name` as it is counted: a string by itself, anything else as JSON, nothing when it is absent.
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

/// The role of a message.
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
            other => Err(FormatError::at(
                at(),
                format!("unknown role {other:?}; known: system, developer, user, assistant, tool, function"),
            )),
        },
        Some(_) => Err(FormatError::at(at(), "expected a string")),
    }
}
