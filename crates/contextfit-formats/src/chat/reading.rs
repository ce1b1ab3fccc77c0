//! Reads a request into entries.

use std::collections::HashSet;

use contextfit_kernel::{Label, Record, Role, Voice};
use serde_json::Value;

use super::{
    anthropic, chat_completions,
    conversation::{BRIDGE, Conversation, field},
    entry::{Entry, Place},
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
    /// [`FormatError`] with the path of the part that cannot be read.
    pub fn parse(request: Value) -> Result<Self, FormatError> {
        let format = WireFormat::detect(&request);
        Self::parse_as(request, format)
    }

    /// Reads a request in `format`. Linear in its size.
    ///
    /// # Errors
    /// [`FormatError`] with the path of the part that cannot be read.
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
                entry.push_slot("");
                entries.push(entry);
            }
            _ => return Err(FormatError::at(field, "expected an array of messages")),
        }
        links::link(&mut entries);
        let numbers = Numbers::default();
        let mut conversation = Self { format, request, entries, numbers, record_role: Role::User };
        conversation.hold_neighbours_of_system();
        conversation.hold_what_others_know();
        Ok(conversation)
    }

    /// Reads the text of a request in `format`, or in the format that it looks like. Unlike a [`Value`], the result
    /// keeps numbers of any size and notation; [`shortened_text`](Self::shortened_text) writes them unchanged.
    ///
    /// # Errors
    /// [`FormatError`] with the line of invalid JSON, or the path of the part that cannot be read.
    pub fn read(text: &str, format: Option<WireFormat>) -> Result<Self, FormatError> {
        let (marked, numbers) = Numbers::protect(text.strip_prefix('\u{feff}').unwrap_or(text));
        Self::parse_marked(read(&marked)?, format, numbers)
    }

    /// Reads a request with marked `numbers`.
    pub(super) fn parse_marked(
        request: Value,
        format: Option<WireFormat>,
        numbers: Numbers,
    ) -> Result<Self, FormatError> {
        let format = format.unwrap_or_else(|| WireFormat::detect(&request));
        let mut conversation = Self::parse_as(request, format)?;
        if numbers.any() {
            for call in conversation
                .entries
                .iter_mut()
                .flat_map(|entry| entry.calls.iter_mut().chain(&mut entry.served))
            {
                call.arguments = numbers.restore(std::mem::take(&mut call.arguments));
            }
        }
        conversation.numbers = numbers;
        Ok(conversation)
    }

    /// Marks entries that must be kept because their counterpart is stored elsewhere, and reads records of earlier
    /// compressions.
    fn hold_what_others_know(&mut self) {
        let elsewhere = self.calls_may_be_elsewhere();
        let called: HashSet<String> =
            self.entries.iter().flat_map(|entry| &entry.calls).filter_map(|call| call.id.clone()).collect();
        let mut records: Vec<Option<Record>> = self.entries.iter().map(|entry| self.record(entry)).collect();
        let mut number: usize = 0;
        let mut follows_record = false;
        for (record, entry) in records.iter_mut().zip(&self.entries) {
            // A record of other turns than those before it, or with a wrong count, was pasted into a message.
            let fits = |record: &Record| record.from == number.saturating_add(1) && counts_right(record);
            *record = record.take().filter(|record| fits(record) && !follows_record);
            follows_record = record.is_some();
            let next = number.saturating_add(usize::from(!entry.bridges));
            number = record.as_ref().map_or(next, |record| record.to);
        }
        for (entry, record) in self.entries.iter_mut().zip(records) {
            entry.record = record;
            let answers = entry.answers.iter().flatten();
            entry.stays |= elsewhere && answers.clone().any(|id| !called.contains(id));
        }
    }

    /// The record that a message is. Messages of the assistant and of tools never are one, nor are messages with anything
    /// besides its text, such as a picture or a name: it would leave with the record.
    fn record(&self, entry: &Entry) -> Option<Record> {
        let may_be = matches!(entry.role, Role::User | Role::System | Role::Developer)
            && matches!(entry.place, Place::Item(_))
            && entry.answers.is_empty();
        let message =
            self.value(entry).filter(|message| may_be && has_only(message, &["role", "content"]))?;
        let text = match message.get("content")? {
            Value::Array(parts) => match parts.as_slice() {
                [part] if has_only(part, &["text"]) => part.get("text")?,
                _ => return None,
            },
            text => text,
        };
        Record::parse(text.as_str()?)
    }

    /// A system message among Anthropic messages needs an assistant message after it. If that is dropped, another
    /// message replaces it. Such a replacement is counted with the system message; an existing one is kept.
    fn hold_neighbours_of_system(&mut self) {
        if self.format != WireFormat::AnthropicMessages {
            return;
        }
        let is_system = |entry: &Entry| entry.role == Role::System && matches!(entry.place, Place::Item(_));
        let systems: Vec<usize> =
            (0..self.entries.len()).filter(|&at| self.entries.get(at).is_some_and(is_system)).collect();
        for at in systems {
            let bridges = self.entries.get(at + 1).is_some_and(|next| self.text(next).0 == BRIDGE);
            let entry = self.entries.get_mut(if bridges { at + 1 } else { at });
            let Some(entry) = entry else { continue };
            if bridges {
                (entry.stays, entry.bridges) = (true, true);
            } else {
                entry.weight.add(framing::MESSAGE);
                entry.weight.count(BRIDGE);
            }
        }
    }
}

/// Whether an object has no members but these, its type, and a cache breakpoint.
fn has_only(object: &Value, names: &[&str]) -> bool {
    let may_have =
        |name: &String| names.contains(&name.as_str()) || ["type", "cache_control"].contains(&name.as_str());
    object.as_object().is_some_and(|members| members.keys().all(may_have))
}

/// Whether the number of turns that `record` leaves out is right: those that no entry is from and no summary covers.
fn counts_right(record: &Record) -> bool {
    let mut shown: Vec<(usize, usize)> = Vec::with_capacity(record.entries.len());
    for (Label { number, voice, .. }, _) in &record.entries {
        let mut first = match voice {
            Voice::Summary { from } => *(from.max(&record.from)).min(number),
            _ => *number,
        };
        while let Some((start, _)) = shown.pop_if(|(_, end)| *end >= first) {
            first = first.min(start);
        }
        shown.push((first, *number));
    }
    let turns = |(first, last): (usize, usize)| last.checked_sub(first)?.checked_add(1);
    let shown: Option<usize> = shown.into_iter().map(turns).sum();
    let left_out = turns((record.from, record.to)).zip(shown).and_then(|(all, shown)| all.checked_sub(shown));
    left_out == Some(record.left_out) && record.to < usize::MAX
}

/// The instructions outside the messages.
fn read_instructions(body: &Value, format: WireFormat) -> Result<Option<Entry>, FormatError> {
    match format {
        WireFormat::OpenAiChat => Ok(None),
        WireFormat::AnthropicMessages => {
            body.get("system").filter(|system| !system.is_null()).map(anthropic::read_system).transpose()
        }
        WireFormat::OpenAiResponses => {
            Ok(body.get("instructions").filter(|text| text.is_string()).map(|_| {
                let mut entry = Entry::new(Place::Field("instructions"), Role::System);
                entry.push_slot("");
                entry
            }))
        }
    }
}
