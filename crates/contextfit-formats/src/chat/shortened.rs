//! From what is left of a conversation back to a request.

use std::collections::HashMap;

use contextfit_kernel::{Block, CompressionResult, Message};
use serde_json::{Value, json};

use super::{
    conversation::{Conversation, HEADING, field},
    entry::{Entry, Place},
    wire_format::WireFormat,
};

impl Conversation {
    /// The request with what `result` has left of the conversation; `result` must come from its
    /// [context](Self::context). Linear in the size of the request.
    ///
    /// Messages that were not touched are the same JSON values; of one that was cut only the texts are other. Lines in
    /// place of turns share a message (a ledger), the assistant's; in Anthropic messages the user's where the assistant's
    /// could not stand: at the beginning, at the end, and in front of a message of the assistant's, whose signed thinking
    /// must come first. When an Anthropic conversation would now begin with the assistant, a message of the heading
    /// of ledgers alone is put in front; it was counted with the request. Such a message stands before or after a system
    /// message among Anthropic's messages too, where the user's before it or the assistant's after it is gone; they were
    /// counted with the system message.
    ///
    /// A cache breakpoint (`cache_control`) stays on a message that is cut. One on a turn that a ledger stands for goes to
    /// the ledger, so that the stretch up to there can still be cached; of several the last. Where turns were left out and
    /// no ledger stands in their place, it goes with them: no other message is touched for its sake. There are never more
    /// breakpoints than before.
    #[must_use]
    pub fn shortened(&self, result: &CompressionResult) -> Value {
        let places: HashMap<String, usize> =
            self.entries.iter().enumerate().map(|(at, entry)| (entry.id(), at)).collect();
        let place = |message: &Message<'_>| match message {
            Message::Turn(block) => places.get(&block.id).copied(),
            Message::Ledger(_) => None,
        };
        let messages = result.context.messages();
        let mut items: Vec<Value> = Vec::with_capacity(messages.len());
        let mut fields: Vec<(&str, Value)> = Vec::new();
        // The first entry that no message stands for yet.
        let mut from = 0;
        // Whether the last of `items` is the entry before that.
        let mut is_next = true;
        let mut following = messages.iter().skip(1);
        for message in &messages {
            let next = following.next().and_then(place);
            match message {
                Message::Turn(block) => {
                    let Some((at, entry)) = place(message).and_then(|at| Some((at, self.entries.get(at)?)))
                    else {
                        continue;
                    };
                    let shown = self.as_shown(entry, block);
                    match entry.place {
                        Place::Field(name) => fields.push((name, shown)),
                        Place::Item(_) | Place::Whole => {
                            if !is_next || from != at {
                                self.bridge(&mut items, &shown);
                            }
                            items.push(shown);
                        }
                    }
                    (from, is_next) = (at + 1, true);
                }
                Message::Ledger(text) => {
                    let to = next.unwrap_or(self.entries.len());
                    let breakpoint = self.entries.get(from..to).into_iter().flatten().rev();
                    let breakpoint = breakpoint.filter_map(|entry| breakpoint_of(self.value(entry)?)).next();
                    let next = next.and_then(|at| self.value(self.entries.get(at)?));
                    let ledger = ledger(text, self.ledger_role(items.is_empty(), next), breakpoint);
                    self.bridge(&mut items, &ledger);
                    items.push(ledger);
                    is_next = false;
                }
            }
        }
        self.with_items(items, &fields)
    }

    /// The same as JSON text, for a conversation that was [read](Self::read) from one.
    #[must_use]
    pub fn shortened_text(&self, result: &CompressionResult) -> String {
        self.numbers.restore(self.shortened(result).to_string())
    }

    /// The message with the texts of `block`.
    fn as_shown(&self, entry: &Entry, block: &Block) -> Value {
        let mut message = self.value(entry).cloned().unwrap_or_default();
        if self.text(entry).0 == block.text {
            return message;
        }
        let ranges = block.as_turn().map(|turn| turn.ranges(&block.text)).into_iter().flatten();
        for (slot, range) in entry.slots.iter().zip(ranges) {
            if let Some(text) = message.pointer_mut(&slot.pointer) {
                *text = Value::from(range.of(&block.text).unwrap_or_default());
            }
        }
        message
    }

    /// Makes way for `next`, which does not follow the last of `items` in the request: in Anthropic messages a system message
    /// stands after the user's and before the assistant's.
    fn bridge(&self, items: &mut Vec<Value>, next: &Value) {
        if self.format() != WireFormat::AnthropicMessages {
            return;
        }
        let heading = |role: &str| json!({"role": role, "content": HEADING});
        if items.last().is_some_and(|last| is_by(last, "system")) && !is_by(next, "assistant") {
            items.push(heading("assistant"));
        }
        if is_by(next, "system") && !items.last().is_some_and(|last| is_by(last, "user")) {
            items.push(heading("user"));
        }
    }

    /// Who a ledger is said by.
    fn ledger_role(&self, is_first: bool, next: Option<&Value>) -> &'static str {
        let before_user = next.is_some_and(|next| is_by(next, "user"));
        match self.format() {
            WireFormat::AnthropicMessages if is_first || !before_user => "user",
            _ => "assistant",
        }
    }

    /// The request with other items and instructions.
    fn with_items(&self, mut items: Vec<Value>, fields: &[(&str, Value)]) -> Value {
        let is_assistants = |item: Option<&Value>| item.is_some_and(|item| is_by(item, "assistant"));
        let came = self.entries.iter().find(|entry| matches!(entry.place, Place::Item(_)));
        let began = is_assistants(came.and_then(|entry| self.value(entry)));
        if self.format() == WireFormat::AnthropicMessages && !began && is_assistants(items.first()) {
            items.insert(0, json!({"role": "user", "content": HEADING}));
        }
        if self.request.is_array() {
            return Value::Array(items);
        }
        let items = match items.as_mut_slice() {
            // The input was one string, and still is.
            [Value::String(only)] => Value::String(std::mem::take(only)),
            _ => items.into_iter().map(|item| if item.is_string() { users(&item) } else { item }).collect(),
        };
        let body = self.request.as_object().into_iter().flatten();
        let mut items = Some(items);
        body.filter_map(|(name, value)| {
            let is_entry = self.entries.iter().take(1).any(|entry| entry.place.is_field(name));
            let shown = match fields.iter().find(|(field, _)| field == name) {
                Some((_, shown)) => shown.clone(),
                None if name == field(self.format()) => items.take()?,
                None if is_entry => return None,
                None => value.clone(),
            };
            Some((name.clone(), shown))
        })
        .collect()
    }
}

/// Whether `message` is by `role`.
fn is_by(message: &Value, role: &str) -> bool {
    message.get("role").is_some_and(|by| by == role)
}

/// The message that a string alone stands for.
fn users(text: &Value) -> Value {
    json!({"role": "user", "content": text})
}

/// A ledger, with the cache breakpoint that it takes over.
fn ledger(text: &str, role: &str, breakpoint: Option<&Value>) -> Value {
    match breakpoint {
        None => json!({"role": role, "content": text}),
        Some(mark) => {
            json!({"role": role, "content": [{"type": "text", "text": text, "cache_control": mark}]})
        }
    }
}

/// The last cache breakpoint in a message: on itself, on a content block, or on one within a result.
fn breakpoint_of(message: &Value) -> Option<&Value> {
    let own = message.get("cache_control").filter(|mark| !mark.is_null());
    own.or_else(|| message.get("content")?.as_array()?.iter().rev().find_map(breakpoint_of))
}
