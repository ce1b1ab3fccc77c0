//! Writes a shortened conversation back into a request.

use std::collections::HashMap;

use contextfit_kernel::{Block, CompressionResult, Message, Role};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    conversation::{BRIDGE, Conversation, field},
    entry::{Entry, Place},
    wire_format::WireFormat,
};

/// The origin of a message of a shortened conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Origin {
    /// The index of the same message in the original request; `None` for a message that replaces others: the record of
    /// earlier turns, or a [`BRIDGE`].
    pub index: Option<usize>,
    /// Whether it equals the original.
    pub is_untouched: bool,
}

impl Origin {
    /// The origin of a message that is not in the original request.
    const NEW: Self = Self { index: None, is_untouched: false };
}

impl Conversation {
    /// The request with the conversation shortened as in `result`, which must come from its [context](Self::context).
    /// Linear in the size of the request.
    ///
    /// Unchanged messages are the same JSON values; in a cut message, only the texts differ. Entries that replace turns
    /// share one message, the record. It is a user message unless [another role](Self::with_record_role) was requested:
    /// models tend to continue in the style of whatever the assistant seems to have said. An unchanged record is the
    /// same JSON value. If the assistant message after a system message is dropped from Anthropic messages, an
    /// assistant message that says so replaces it; it was counted with the system message.
    ///
    /// A cache breakpoint (`cache_control`) is kept on a cut message. If a record replaces turns, the last breakpoint
    /// on them moves to the record, so that the prefix can still be cached. If turns are dropped without a record,
    /// their breakpoints are dropped too, and no other message is changed for them. There are never more breakpoints
    /// than before.
    #[must_use]
    pub fn shortened(&self, result: &CompressionResult) -> Value {
        self.shortened_with_origins(result).0
    }

    /// The origin of each message of [`shortened`](Self::shortened), in order; indices ascend. Instructions outside the
    /// messages are left out. Linear in the size of the request.
    ///
    /// ```
    /// # mod contextfit {
    /// #     pub use ::contextfit_kernel::Budget;
    /// #     pub use ::contextfit_pipeline::Pipeline;
    /// #     pub use ::contextfit_conversational as chat;
    /// #     pub use ::contextfit_formats as formats;
    /// #     pub use ::contextfit_text as text;
    /// # }
    /// use contextfit::{
    ///     Budget, Pipeline,
    ///     chat::SlidingWindowCompressor,
    ///     formats::{Conversation, Pins},
    ///     text::CharsPer,
    /// };
    /// use serde_json::json;
    ///
    /// let conversation = Conversation::parse(json!([
    ///     {"role": "user", "content": "Hello ".repeat(99)},
    ///     {"role": "assistant", "content": "Hello! How can I help?"},
    ///     {"role": "user", "content": "What time is it?"},
    /// ]))?;
    /// let counter = std::sync::Arc::new(CharsPer::new(4).ok_or("no length")?);
    /// let context = conversation.context(&*counter, &Pins::default());
    /// let pipeline = Pipeline::new(counter).with_strategy(SlidingWindowCompressor::new());
    /// let result = pipeline.fit(&context, &Budget::new(60))?;
    /// let origins = conversation.origins(&result);
    /// assert_eq!(origins.iter().map(|origin| origin.index).collect::<Vec<_>>(), [None, Some(1), Some(2)]);
    /// assert!(origins[1].is_untouched);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn origins(&self, result: &CompressionResult) -> Vec<Origin> {
        self.shortened_with_origins(result).1
    }

    /// The shortened request, and the origin of each of its messages.
    pub(super) fn shortened_with_origins(&self, result: &CompressionResult) -> (Value, Vec<Origin>) {
        let places: HashMap<String, usize> =
            self.entries.iter().enumerate().map(|(at, entry)| (entry.id(), at)).collect();
        let place = |message: &Message<'_>| match message {
            Message::Turn(block) => places.get(&block.id).copied(),
            Message::Record(_) => None,
        };
        let messages = result.context.messages();
        let mut items: Vec<(Value, Origin)> = Vec::with_capacity(messages.len());
        let mut fields: Vec<(&str, Value)> = Vec::new();
        // The first entry that no message represents yet.
        let mut from = 0;
        // Whether the last of `items` is the entry directly before `from`.
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
                    let (shown, is_untouched) = self.as_shown(entry, block);
                    match entry.place {
                        Place::Field(name) => fields.push((name, shown)),
                        Place::Item(_) | Place::Whole => {
                            if !is_next || from != at {
                                self.bridge(&mut items, &shown);
                            }
                            items.push((shown, Origin { index: entry.index(), is_untouched }));
                        }
                    }
                    (from, is_next) = (at + 1, true);
                }
                Message::Record(text) => {
                    let to = next.unwrap_or(self.entries.len());
                    let stood = self.entries.get(from..to).unwrap_or_default();
                    let same =
                        stood.iter().find(|entry| entry.record.is_some() && self.text(entry).0 == *text);
                    let breakpoint =
                        || stood.iter().rev().find_map(|entry| breakpoint_of(self.value(entry)?));
                    let record = || record(text, self.record_role(), breakpoint());
                    let shown = same.and_then(|entry| self.value(entry)).cloned().unwrap_or_else(record);
                    self.bridge(&mut items, &shown);
                    let unchanged = |entry: &Entry| Origin { index: entry.index(), is_untouched: true };
                    items.push((shown, same.map_or(Origin::NEW, unchanged)));
                    is_next = false;
                }
            }
        }
        let (items, origins) = items.into_iter().unzip();
        (self.with_items(items, &fields), origins)
    }

    /// The shortened request as JSON text, for a conversation that was [read](Self::read) from text.
    #[must_use]
    pub fn shortened_text(&self, result: &CompressionResult) -> String {
        self.numbers.restore(self.shortened(result).to_string())
    }

    /// The message with the texts of `block`, and whether these are its own.
    fn as_shown(&self, entry: &Entry, block: &Block) -> (Value, bool) {
        let mut message = self.value(entry).cloned().unwrap_or_default();
        if self.text(entry).0 == block.text {
            return (message, true);
        }
        let ranges = block.as_turn().map(|turn| turn.ranges(&block.text)).into_iter().flatten();
        for (slot, range) in entry.slots.iter().zip(ranges) {
            if let Some(text) = message.pointer_mut(&slot.pointer) {
                *text = Value::from(range.of(&block.text).unwrap_or_default());
            }
        }
        (message, false)
    }

    /// Prepares `items` for `next`, which does not directly follow their last one in the request. Among Anthropic
    /// messages, a system message must come after a user message, such as a record, and before an assistant message.
    fn bridge(&self, items: &mut Vec<(Value, Origin)>, next: &Value) {
        let is_anthropic = self.format() == WireFormat::AnthropicMessages;
        let follows_system = items.last().is_some_and(|(last, _)| is_by(last, "system"));
        if is_anthropic && follows_system && !is_by(next, "assistant") {
            items.push((json!({"role": "assistant", "content": BRIDGE}), Origin::NEW));
        }
    }

    /// The role of record messages.
    const fn record_role(&self) -> &'static str {
        match self.format() {
            WireFormat::AnthropicMessages => Role::User.name(),
            _ => self.record_role.name(),
        }
    }

    /// The request with its items and instructions replaced.
    fn with_items(&self, mut items: Vec<Value>, fields: &[(&str, Value)]) -> Value {
        if self.request.is_array() {
            return Value::Array(items);
        }
        let items = match items.as_mut_slice() {
            // If the input was a single string, it still is.
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

/// Whether `message` has this `role`.
fn is_by(message: &Value, role: &str) -> bool {
    message.get("role").is_some_and(|by| by == role)
}

/// The user message equivalent to a bare string.
fn users(text: &Value) -> Value {
    json!({"role": "user", "content": text})
}

/// A record message, with the cache breakpoint of the turns it replaces.
fn record(text: &str, role: &str, breakpoint: Option<&Value>) -> Value {
    match breakpoint {
        None => json!({"role": role, "content": text}),
        Some(mark) => {
            json!({"role": role, "content": [{"type": "text", "text": text, "cache_control": mark}]})
        }
    }
}

/// The last cache breakpoint in a message: on the message, on a content block, or on one in a result.
fn breakpoint_of(message: &Value) -> Option<&Value> {
    let own = message.get("cache_control").filter(|mark| !mark.is_null());
    own.or_else(|| message.get("content")?.as_array()?.iter().rev().find_map(breakpoint_of))
}

/// `message` without cache breakpoints (`cache_control`), which applications move from call to call. A string of
/// content becomes the block that it would be with a breakpoint.
pub(crate) fn without_breakpoints(message: &Value) -> Value {
    let mut plain = message.clone();
    if let Value::Object(fields) = &mut plain {
        fields.remove("cache_control");
        match fields.get_mut("content") {
            Some(Value::Array(blocks)) => {
                blocks.iter_mut().for_each(|block| *block = without_breakpoints(block));
            }
            Some(text @ Value::String(_)) => *text = json!([{"type": "text", "text": text}]),
            _ => {}
        }
    }
    plain
}
