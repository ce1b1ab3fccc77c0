//! Requests of any format as conversations.

use contextfit_kernel::{
    Attachment, Block, Context, Framing, Hold, Label, Layout, Level, Part, Role, TokenCounter, Tokens, Turn,
    Voice,
};
use serde_json::Value;

use super::{
    entry::{Entry, Place},
    framing,
    numbers::Numbers,
    pins::Pins,
    tools,
    wire_format::WireFormat,
};

/// The assistant message that replaces a dropped one after a system message, where Anthropic requires one.
pub const BRIDGE: &str = "[Earlier turn, left out]";

/// A parsed request to a model.
///
/// Every message or item becomes a block of kind [`Turn`], named by its index in the request. Anthropic's `system` and
/// the `instructions` of OpenAI responses keep these names and come first. Everything that is not text (calls, images,
/// reasoning, unknown fields) is counted and passed through. A record that an earlier compression wrote becomes one
/// block per entry, named by the index of the message and the number of the turn (`1#12`).
///
/// Any transcript can be read: results without calls, calls without results, empty or absent contents and roles in any
/// order come back unchanged unless they are shortened. A message with a role that no format has is pinned.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{TokenCounter, Tokens};
/// #     pub use ::contextfit_formats as formats;
/// #     pub use ::contextfit_kernel as kernel;
/// # }
/// use contextfit::{TokenCounter, Tokens, formats::{Conversation, Pins, WireFormat}, kernel::Hold};
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
    pub(super) record_role: Role,
}

impl Conversation {
    /// Returns `self` with records as messages of `role` instead of the user. In Anthropic messages they are always
    /// messages of the user. Records are not recognised in messages of the assistant or of a tool.
    #[must_use]
    pub const fn with_record_role(mut self, role: Role) -> Self {
        self.record_role = role;
        self
    }

    /// The format.
    #[must_use]
    pub const fn format(&self) -> WireFormat {
        self.format
    }

    /// The conversation as a context, with framing counted by `counter`. Messages that match `pins` are pinned, and
    /// messages that the model is about to read are always shown; [`why_held`](Self::why_held) gives the reason for
    /// each. Linear in the size of the conversation.
    #[must_use]
    pub fn context(&self, counter: &dyn TokenCounter, pins: &Pins) -> Context {
        self.blocks(counter, pins, true)
    }

    /// The conversation as a context for counting: a record is one message, with its heading and labels, and not the turns
    /// that it tells of.
    pub(crate) fn as_sent(&self, counter: &dyn TokenCounter) -> Context {
        self.blocks(counter, &Pins::none(), false)
    }

    /// The context; a record that is not held is the turns that it tells of if it `is_read`.
    fn blocks(&self, counter: &dyn TokenCounter, pins: &Pins, is_read: bool) -> Context {
        let newest = self.newest();
        let mut blocks = Vec::with_capacity(self.entries.len());
        let (mut number, mut omitted): (usize, usize) = (0, 0);
        for (at, entry) in self.entries.iter().enumerate() {
            let (text, parts) = self.text(entry);
            let held = self.why(at, entry, &text, pins, &newest);
            if let Some(record) = entry.record.as_ref().filter(|_| is_read && held.is_none()) {
                blocks.extend(record.entries.iter().map(|(label, text)| recorded(entry, label, text)));
                omitted = omitted.saturating_add(record.left_out);
                number = record.to;
                continue;
            }
            // A message that only replaces a dropped one is not a turn.
            number = number.saturating_add(usize::from(!entry.bridges));
            let turn = Self::turn(entry, parts, counter).with_number(number);
            let mut block = Block::turn(entry.id(), turn, text);
            block.group = entry.group.map(|first| format!("turns from {first}"));
            block.hold = held.map_or(Hold::Free, |held| held.hold());
            blocks.push(block);
        }
        let layout = Layout::conversation(self.framing(counter));
        Context::new(blocks).with_layout(layout).with_omitted(omitted)
    }

    /// The turn of `entry`: everything but its text.
    pub(super) fn turn(entry: &Entry, parts: Vec<Part>, counter: &dyn TokenCounter) -> Turn {
        let attachments = entry.attachments.iter();
        let attachments = attachments.map(|it| Attachment { medium: it.medium, tool: it.tool.clone() });
        let mut turn = Turn::new(entry.role)
            .with_framing(entry.weight.tokens(counter))
            .with_parts(parts)
            .with_attachments(attachments.collect())
            .with_calls(entry.all_calls().collect());
        turn.name.clone_from(&entry.name);
        turn
    }

    /// The message or item of the block `id` of the [context](Self::context), as JSON without white space between its
    /// fields: every field and number as it was. For an entry of a record, this is the record.
    #[must_use]
    pub fn original(&self, id: &str) -> Option<String> {
        let message = id.split('#').next().unwrap_or(id);
        let message = self.value(self.entries.iter().find(|entry| entry.id() == message)?)?;
        Some(self.numbers.restore(message.to_string()))
    }

    /// The JSON pointer in the request to text `part` of the message at `index`, both from 0, for
    /// [`replace_text`](crate::replace_text). `None` if there is no such text.
    #[must_use]
    pub fn pointer(&self, index: usize, part: usize) -> Option<String> {
        let entry = self.entries.iter().find(|entry| entry.index() == Some(index))?;
        let slot = entry.slots.get(part)?;
        let field = if self.request.is_array() { String::new() } else { format!("/{}", field(self.format)) };
        let at = if entry.place == Place::Whole { String::new() } else { format!("/{index}") };
        Some([field, at, slot.pointer.clone()].concat())
    }

    /// The text of `entry`, and its parts unless they add nothing.
    pub(super) fn text(&self, entry: &Entry) -> (String, Vec<Part>) {
        let message = self.value(entry);
        let (text, mut parts) = Part::join(entry.slots.iter().map(|slot| {
            let text = message.and_then(|message| message.pointer(&slot.pointer)?.as_str());
            (text.unwrap_or_default(), slot.tool.clone())
        }));
        if parts.len() == 1 && entry.answers.is_empty() {
            parts.clear();
        }
        (text, parts)
    }

    /// The message or item, unchanged.
    pub(super) fn value(&self, entry: &Entry) -> Option<&Value> {
        match entry.place {
            Place::Field(name) => self.request.get(name),
            Place::Item(at) if self.request.is_array() => self.request.get(at),
            Place::Item(at) => self.request.get(field(self.format))?.get(at),
            Place::Whole => self.request.get(field(self.format)),
        }
    }

    /// The tokens of everything but the messages, such as tools, and of a record, counted by `counter`. Linear in the
    /// size of the tools.
    #[must_use]
    pub fn framing(&self, counter: &dyn TokenCounter) -> Framing {
        let is_anthropic = self.format == WireFormat::AnthropicMessages;
        let request = tools::request(&self.request, is_anthropic, counter);
        Framing { request, record: Tokens::new(framing::MESSAGE) }
    }

    /// Whether OpenAI may store calls whose results are in the request.
    pub(super) fn calls_may_be_elsewhere(&self) -> bool {
        let set = |name: &str| self.request.get(name).is_some_and(|value| !value.is_null());
        let reference = |entry: &Entry| entry.stays;
        self.format == WireFormat::OpenAiResponses
            && (set("previous_response_id") || set("conversation") || self.entries.iter().any(reference))
    }
}

/// The block for one entry of a record; `entry` is the message with the record.
fn recorded(entry: &Entry, label: &Label, text: &str) -> Block {
    let (role, name) = match &label.voice {
        Voice::Said { role, name } | Voice::Attached { role, name } => (*role, name.clone()),
        Voice::Again { role, .. } => (*role, None),
        Voice::Pasted => (Role::Tool, None),
        // Calls and summaries.
        _ => (Role::Assistant, None),
    };
    let mut turn = Turn::new(role).with_number(label.number);
    turn.name = name;
    let id = format!("{}#{}", entry.id(), label.number);
    let mut block = Block::turn(id, turn, text);
    block.level = Level::Gist;
    block
}

/// The field that holds the messages.
pub(crate) const fn field(format: WireFormat) -> &'static str {
    match format {
        WireFormat::OpenAiChat | WireFormat::AnthropicMessages => "messages",
        WireFormat::OpenAiResponses => "input",
    }
}
