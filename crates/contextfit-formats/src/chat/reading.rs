//! From a request to its entries.

use std::collections::HashSet;

use contextfit_kernel::Role;
use serde_json::Value;

use super::{
    anthropic, chat_completions,
    conversation::{Conversation, HEADING, field},
    entry::{Entry, Place, Weight},
    framing, links,
    numbers::Numbers,
    responses,
    wire_format::WireFormat,
};
use crate::{FormatError, request::read};

impl Conversation {
    /// Reads a request in the format that it [looks like](WireFormat::detect). Linear in its size.
    ///
    /// # Errors
    /// [`FormatError`] with the path of what could not be read.
    pub fn parse(request: Value) -> Result<Self, FormatError> {
        let format = WireFormat::detect(&request);
        Self::parse_as(request, format)
    }

    /// Reads a request in `format`. Linear in its size.
    ///
    /// # Errors
    /// [`FormatError`] with the path of what could not be read.
    pub fn parse_as(request: Value, format: WireFormat) -> Result<Self, FormatError> {
        let mut entries = Vec::new();
        let field = field(format);
        let items = match &request {
            Value::Array(_) => &request,
            Value::Object(body) => {
                entries.extend(read_instructions(&request, format)?);
                body.get(field).ok_or_else(|| FormatError::at("", format!("missing field `{field}`")))?
            }
            _ => return Err(FormatError::at("", "expected a request: an object or an array of messages")),
        };
        let model = request.get("model").and_then(Value::as_str).unwrap_or_default();
        match items {
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    entries.push(match format {
                        WireFormat::OpenAiChat => chat_completions::read(at, item, model)?,
                        WireFormat::OpenAiResponses => responses::read(at, item, model)?,
                        WireFormat::AnthropicMessages => anthropic::read(at, item, model)?,
                    });
                }
            }
            Value::String(_) if format == WireFormat::OpenAiResponses => {
                let mut entry = Entry::new(Place::Whole, Role::User);
                entry.weight.add(framing::MESSAGE);
                entry.push_slot("", None);
                entries.push(entry);
            }
            _ => return Err(FormatError::at(field, "expected an array of messages")),
        }
        links::link(&mut entries);
        let mut conversation = Self { format, request, entries, numbers: Numbers::default() };
        conversation.hold_what_others_know();
        conversation.hold_neighbours_of_system();
        Ok(conversation)
    }

    /// Reads a request as it is written, in `format` or in the one that it looks like. Unlike a [`Value`], this holds
    /// numbers of any size and however they are written; [`shortened_text`](Self::shortened_text) gives them back.
    ///
    /// # Errors
    /// [`FormatError`] with the line of what is not JSON, or the path of what could not be read.
    pub fn read(text: &str, format: Option<WireFormat>) -> Result<Self, FormatError> {
        let (marked, numbers) = Numbers::protect(text.strip_prefix('\u{feff}').unwrap_or(text));
        Self::parse_marked(read(&marked)?, format, numbers)
    }

    /// Reads a request in which `numbers` are marked.
    pub(super) fn parse_marked(
        request: Value,
        format: Option<WireFormat>,
        numbers: Numbers,
    ) -> Result<Self, FormatError> {
        let format = format.unwrap_or_else(|| WireFormat::detect(&request));
        let mut conversation = Self::parse_as(request, format)?;
        if numbers.any() {
            for call in conversation.entries.iter_mut().flat_map(|entry| &mut entry.calls) {
                call.arguments = numbers.restore(std::mem::take(&mut call.arguments));
            }
        }
        conversation.numbers = numbers;
        Ok(conversation)
    }

    /// Marks what must stay because the rest of it is elsewhere, and knows ledgers of earlier compressions again.
    fn hold_what_others_know(&mut self) {
        let elsewhere = self.calls_may_be_elsewhere();
        let called: HashSet<String> =
            self.entries.iter().flat_map(|entry| &entry.calls).filter_map(|call| call.id.clone()).collect();
        let ledgers: Vec<bool> = self.entries.iter().map(|entry| self.is_ledger(entry)).collect();
        let heading = |entry: &Entry| self.text(entry).0 == HEADING;
        let opening = self.format == WireFormat::AnthropicMessages
            && self.entries.iter().find(|entry| entry.place == Place::Item(0)).is_some_and(heading);
        for (entry, is_ledger) in self.entries.iter_mut().zip(ledgers) {
            if is_ledger && entry.is_users() {
                entry.role = Role::Assistant;
            }
            let answers = entry.answers.iter().flatten();
            entry.stays |= elsewhere && answers.clone().any(|id| !called.contains(id));
            entry.stays |= opening && entry.place == Place::Item(0);
        }
    }

    /// A system message among Anthropic's messages needs one of the user before it and one of the assistant after it. Where its
    /// neighbours are left out, messages of the heading alone take their places: it takes what they would, and those that are
    /// there already stay.
    fn hold_neighbours_of_system(&mut self) {
        let is_system = |entry: &Entry| entry.role == Role::System && matches!(entry.place, Place::Item(_));
        let systems = self.entries.iter().enumerate().filter(|(_, entry)| is_system(entry));
        let systems: Vec<usize> = systems.map(|(at, _)| at).collect();
        for at in systems.into_iter().filter(|_| self.format == WireFormat::AnthropicMessages) {
            for neighbour in [at.checked_sub(1), at.checked_add(1)] {
                let found = neighbour
                    .filter(|&at| self.entries.get(at).is_some_and(|entry| self.text(entry).0 == HEADING));
                match found.and_then(|at| self.entries.get_mut(at)) {
                    Some(heading) => heading.stays = true,
                    None => self
                        .entries
                        .get_mut(at)
                        .into_iter()
                        .for_each(|system| add_heading(&mut system.weight)),
                }
            }
        }
    }
}

/// Adds what a message of the heading alone takes.
pub(super) fn add_heading(weight: &mut Weight) {
    weight.add(framing::MESSAGE);
    weight.count(HEADING);
}

/// The instructions that stand beside the messages.
fn read_instructions(body: &Value, format: WireFormat) -> Result<Option<Entry>, FormatError> {
    match format {
        WireFormat::OpenAiChat => Ok(None),
        WireFormat::AnthropicMessages => {
            body.get("system").filter(|system| !system.is_null()).map(anthropic::read_system).transpose()
        }
        WireFormat::OpenAiResponses => {
            Ok(body.get("instructions").filter(|text| text.is_string()).map(|_| {
                let mut entry = Entry::new(Place::Field("instructions"), Role::System);
                entry.weight.add(framing::MESSAGE);
                entry.push_slot("", None);
                entry
            }))
        }
    }
}
