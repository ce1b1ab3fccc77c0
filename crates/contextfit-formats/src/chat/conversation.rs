//! Requests of any format as conversations.

use contextfit_kernel::{Block, Context, Framing, Hold, Layout, Part, TokenCounter, Tokens, ToolCall, Turn};
use serde_json::Value;

use super::{
    entry::{Entry, Place, Weight},
    framing,
    numbers::Numbers,
    pins::Pins,
    reading::add_heading,
    tools,
    wire_format::WireFormat,
};

/// The first line of a ledger: a message that holds lines in place of earlier turns. Messages that begin with it are
/// known again as ledgers.
pub(super) const HEADING: &str = "[Earlier turns, shortened]";

/// A request to a model, read.
///
/// Every message or item becomes a block of kind [`Turn`], called by its index in the request; Anthropic's `system` and
/// the `instructions` of OpenAI responses are called by these names and stand in front. What is not text (calls, images,
/// reasoning, fields that nobody here knows) is counted and passes through.
///
/// Transcripts are taken as they are: results without calls, calls without results, empty or absent contents and roles in
/// any order are read, and come back unchanged unless they are shortened.
///
/// ```
/// use contextfit_formats::{Conversation, Pins, WireFormat};
/// use contextfit_kernel::{Hold, TokenCounter, Tokens};
/// use serde_json::json;
///
/// struct Words;
/// impl TokenCounter for Words {
///     fn name(&self) -> &str { "words" }
///     fn count(&self, text: &str) -> Tokens { Tokens::new(text.split_whitespace().count()) }
/// }
///
/// let request = json!({"model": "gpt-4o", "messages": [
///     {"role": "system", "content": "Be brief."},
///     {"role": "user", "content": [{"type": "text", "text": "What is this?"}]},
/// ]});
/// let conversation = Conversation::parse(request)?;
/// assert_eq!(conversation.format(), WireFormat::OpenAiChat);
/// let context = conversation.context(&Words, &Pins::default());
/// assert_eq!(context.blocks[1].text, "What is this?");
/// assert_eq!(context.holds(), [Hold::Pinned, Hold::Shown]);
///
/// let error = Conversation::parse(json!([{"role": "user", "content": 7}])).unwrap_err();
/// assert_eq!(error.path, "messages[0].content");
/// # Ok::<(), contextfit_formats::FormatError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    pub(super) format: WireFormat,
    pub(super) request: Value,
    pub(super) entries: Vec<Entry>,
    pub(super) numbers: Numbers,
}

impl Conversation {
    /// The format.
    #[must_use]
    pub const fn format(&self) -> WireFormat {
        self.format
    }

    /// What the user said last, without results of tools: what the answer will be to. `None` when there is no such
    /// message.
    #[must_use]
    pub fn last_user_text(&self) -> Option<String> {
        let at = self.entries.iter().rposition(Entry::is_users)?;
        let entry = self.entries.get(at)?;
        let said = entry.slots.iter().filter(|slot| slot.answers.is_none());
        Some(said.filter_map(|slot| self.value(entry)?.pointer(&slot.pointer)?.as_str()).collect())
    }

    /// The conversation as a context, what `pins` hold pinned and what the model is about to read always shown
    /// ([`why_held`](Self::why_held) says why); every framing counted with `counter`. Linear in its size.
    #[must_use]
    pub fn context(&self, counter: &dyn TokenCounter, pins: &Pins) -> Context {
        let newest = self.newest();
        let blocks = self.entries.iter().enumerate().map(|(at, entry)| {
            let (text, parts) = self.text(entry);
            let held = self.why(at, entry, &text, pins, &newest);
            let calls = entry.calls.iter();
            let calls =
                calls.map(|call| ToolCall { name: call.name.clone(), arguments: call.arguments.clone() });
            let mut turn = Turn::new(entry.role)
                .with_framing(entry.weight.tokens(counter))
                .with_parts(parts)
                .with_calls(calls.collect());
            turn.name.clone_from(&entry.name);
            let mut block = Block::turn(entry.id(), turn, text);
            block.group = entry.group.map(|first| format!("turns from {first}"));
            block.hold = held.map_or(Hold::Free, |held| held.hold());
            block
        });
        Context::new(blocks.collect()).with_layout(Layout::conversation(self.framing(counter)))
    }

    /// The message or item that became the block at place `at` of the [context](Self::context), as JSON: every field and
    /// number as it came, white space between them left out.
    #[must_use]
    pub fn original(&self, at: usize) -> Option<String> {
        let message = self.value(self.entries.get(at)?)?;
        Some(self.numbers.restore(message.to_string()))
    }

    /// The text of `entry`, and its parts when there is something to say of them.
    pub(super) fn text(&self, entry: &Entry) -> (String, Vec<Part>) {
        let message = self.value(entry);
        let mut text = String::new();
        let mut parts = Vec::with_capacity(entry.slots.len());
        for slot in &entry.slots {
            text.push_str(
                message.and_then(|message| message.pointer(&slot.pointer)?.as_str()).unwrap_or_default(),
            );
            parts.push(Part { end: text.len(), tool: slot.tool.clone() });
        }
        if parts.len() == 1 && entry.answers.is_empty() {
            parts.clear();
        }
        (text, parts)
    }

    /// The message or item as it came.
    pub(super) fn value(&self, entry: &Entry) -> Option<&Value> {
        match entry.place {
            Place::Field(name) => self.request.get(name),
            Place::Item(at) if self.request.is_array() => self.request.get(at),
            Place::Item(at) => self.request.get(field(self.format))?.get(at),
            Place::Whole => self.request.get(field(self.format)),
        }
    }

    /// Whether a message is one that a compression wrote.
    pub(super) fn is_ledger(&self, entry: &Entry) -> bool {
        let message = self.value(entry);
        let first = entry.slots.first();
        first
            .and_then(|slot| message?.pointer(&slot.pointer)?.as_str())
            .is_some_and(|text| text.starts_with(HEADING))
    }

    fn framing(&self, counter: &dyn TokenCounter) -> Framing {
        let is_anthropic = self.format == WireFormat::AnthropicMessages;
        let mut request = tools::request(&self.request, is_anthropic, counter);
        if is_anthropic && self.may_need_opening() {
            request += opening_tokens(counter);
        }
        Framing { request, ledger: Tokens::new(framing::MESSAGE), heading: HEADING.to_owned() }
    }

    /// Whether what is left of a conversation could begin with a message of the assistant's: Anthropic wants the user's.
    fn may_need_opening(&self) -> bool {
        let mut items = self.entries.iter().filter(|entry| matches!(entry.place, Place::Item(_)));
        items.next().is_some_and(|first| !first.stays) && items.next().is_some()
    }

    /// Whether OpenAI may hold calls that results in the request answer.
    pub(super) fn calls_may_be_elsewhere(&self) -> bool {
        let set = |name: &str| self.request.get(name).is_some_and(|value| !value.is_null());
        let reference = |entry: &Entry| entry.stays;
        self.format == WireFormat::OpenAiResponses
            && (set("previous_response_id") || set("conversation") || self.entries.iter().any(reference))
    }
}

/// What a message takes that is put in front of the assistant's.
fn opening_tokens(counter: &dyn TokenCounter) -> Tokens {
    let mut weight = Weight::default();
    add_heading(&mut weight);
    weight.tokens(counter)
}

/// The field that holds the messages.
pub(super) const fn field(format: WireFormat) -> &'static str {
    match format {
        WireFormat::OpenAiChat | WireFormat::AnthropicMessages => "messages",
        WireFormat::OpenAiResponses => "input",
    }
}
