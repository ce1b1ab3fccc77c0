//! Turns: the messages of a conversation.

use serde::{Deserialize, Serialize};

use crate::{ByteRange, Tokens};

/// Metadata of a message: everything except its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Turn {
    /// The speaker's role.
    pub role: Role,
    /// The speaker's name, if several share a role.
    #[serde(default)]
    pub name: Option<String>,
    /// Its number in the whole session, from 1, counting turns that earlier compressions shortened. 0 means unknown:
    /// the turn is then numbered after the one before it ([`Context::numbers`](crate::Context::numbers)).
    #[serde(default)]
    pub number: usize,
    /// The tokens of the message in addition to its text, if it is shown as a message: role and name, tool calls,
    /// images.
    #[serde(default)]
    pub framing: Tokens,
    /// The parts of the text, in order; empty if the text is a single part that answers no tool call. Each part is
    /// counted separately. The [separator](Part::SEPARATOR) between two parts is not in the message and costs nothing.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// The pictures, recordings and files, in order. Their tokens are in `framing`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// The tool calls. Their arguments are not part of the text.
    #[serde(default)]
    pub calls: Vec<ToolCall>,
}

impl Turn {
    /// Creates a message of `role` without any other metadata.
    #[must_use]
    pub const fn new(role: Role) -> Self {
        Self {
            role,
            name: None,
            number: 0,
            framing: Tokens::ZERO,
            parts: Vec::new(),
            attachments: Vec::new(),
            calls: Vec::new(),
        }
    }

    /// Sets the speaker's name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the number in the whole session.
    #[must_use]
    pub const fn with_number(mut self, number: usize) -> Self {
        self.number = number;
        self
    }

    /// Sets the tokens that the message takes in addition to its text.
    #[must_use]
    pub const fn with_framing(mut self, framing: Tokens) -> Self {
        self.framing = framing;
        self
    }

    /// Divides the text into `parts`.
    #[must_use]
    pub fn with_parts(mut self, parts: Vec<Part>) -> Self {
        self.parts = parts;
        self
    }

    /// Sets the tool calls.
    #[must_use]
    pub fn with_calls(mut self, calls: Vec<ToolCall>) -> Self {
        self.calls = calls;
        self
    }

    /// Sets the pictures, recordings and files.
    #[must_use]
    pub fn with_attachments(mut self, attachments: Vec<Attachment>) -> Self {
        self.attachments = attachments;
        self
    }

    /// The byte range of each part of `text`, in order; the whole text if it has no parts. A part that ends outside the
    /// text or before its predecessor is empty.
    pub fn ranges<'a>(&'a self, text: &'a str) -> impl Iterator<Item = ByteRange> + 'a {
        let whole = self.parts.is_empty().then(|| ByteRange::whole(text));
        let mut before = 0;
        let parts = self.parts.iter().map(move |part| {
            let start = part.range.start().clamp(before, text.len().max(before));
            let end = part.range.end().clamp(start, text.len().max(start));
            before = end;
            ByteRange::new(start, end).unwrap_or(ByteRange::whole(""))
        });
        whole.into_iter().chain(parts)
    }

    /// The byte range of each part of `text`, as in [`ranges`](Self::ranges), with the tool whose result it is.
    pub fn texts<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (ByteRange, Option<&'a str>)> {
        self.ranges(text).zip(self.parts.iter().map(|part| part.tool.as_deref()).chain([None]))
    }

    /// The part of `text` that contains `range`, as in [`texts`](Self::texts); `None` if no part contains it.
    /// Logarithmic in the number of parts.
    #[must_use]
    pub fn text_around<'a>(
        &'a self,
        text: &'a str,
        range: ByteRange,
    ) -> Option<(ByteRange, Option<&'a str>)> {
        if self.parts.is_empty() {
            return Some((ByteRange::whole(text), None)).filter(|(whole, _)| range.end() <= whole.end());
        }
        let after = self.parts.partition_point(|part| part.range.start() <= range.start());
        let part = after.checked_sub(1).and_then(|at| self.parts.get(at))?;
        let is_inside = range.end() <= part.range.end().min(text.len());
        is_inside.then_some((part.range, part.tool.as_deref()))
    }

    /// The name in the label of an entry that quotes `range` of `text`: the tool of the part, or else the name of the
    /// speaker. `None` if there is neither, or if the first line of the part already begins with the speaker's name and
    /// a colon. Only letters and digits are compared, because wire formats allow no spaces in names.
    #[must_use]
    pub fn name_for<'a>(&'a self, text: &'a str, range: ByteRange) -> Option<&'a str> {
        let (part, tool) = self.text_around(text, range)?;
        let Some(name) = self.name.as_deref().filter(|_| tool.is_none()) else { return tool };
        let line = part.of(text)?.lines().next().unwrap_or_default();
        let head = line.split_once(':').map_or("", |(head, _)| head);
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        let names_itself = head.len() <= 2 * LONGEST_NAME_BYTES && letters(head).ends_with(&letters(name));
        (!names_itself).then_some(name)
    }
}

/// The maximum length in bytes of a name that is recognized at the start of a text.
const LONGEST_NAME_BYTES: usize = 64;

/// A part of a message's text, such as a content part of the wire format or the result of one tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Part {
    /// Its byte range in the message's text.
    pub range: ByteRange,
    /// The tool whose result this part is.
    #[serde(default)]
    pub tool: Option<String>,
}

impl Part {
    /// The text between two parts in the text of a block. It prevents words, lines and sentences from crossing the
    /// boundary.
    pub const SEPARATOR: &str = "\n";

    /// Creates the part in `range` of the message's text. `tool` is the tool whose result it is, if any.
    #[must_use]
    pub const fn new(range: ByteRange, tool: Option<String>) -> Self {
        Self { range, tool }
    }

    /// Joins `texts`, each with the tool whose result it is, into the text of a block, and returns the text with its
    /// parts.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_kernel as kernel; }
    /// use contextfit::kernel::Part;
    ///
    /// let (text, parts) = Part::join([("1", Some("count".to_owned())), ("0 retries", None)]);
    /// assert_eq!(text, "1\n0 retries");
    /// assert_eq!(parts[1].range.of(&text), Some("0 retries"));
    /// ```
    #[must_use]
    pub fn join(texts: impl IntoIterator<Item = (impl AsRef<str>, Option<String>)>) -> (String, Vec<Self>) {
        let (mut text, mut parts) = (String::new(), Vec::new());
        for (part, tool) in texts {
            if !parts.is_empty() {
                text.push_str(Self::SEPARATOR);
            }
            let start = text.len();
            text.push_str(part.as_ref());
            parts.extend(ByteRange::new(start, text.len()).map(|range| Self::new(range, tool)));
        }
        (text, parts)
    }
}

/// A part of a message that is not text. A record names it if the message is not shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// Its medium.
    pub medium: Medium,
    /// The tool in whose result it is.
    #[serde(default)]
    pub tool: Option<String>,
}

/// The medium of an attachment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Medium {
    /// A picture.
    Image,
    /// A recording.
    Audio,
    /// A moving picture.
    Video,
    /// A file.
    File,
    /// A part of another type.
    Part,
}

crate::names!(Medium, "medium": Image => "image", Audio => "audio", Video => "video", File => "file", Part => "part");

impl Medium {
    /// The noun for `n` of them.
    const fn noun(self, n: usize) -> &'static str {
        match (self, n) {
            (Self::Image, 1) => "image",
            (Self::Image, _) => "images",
            (Self::Audio, 1) => "recording",
            (Self::Audio, _) => "recordings",
            (Self::Video, 1) => "video",
            (Self::Video, _) => "videos",
            (Self::File, 1) => "file",
            (Self::File, _) => "files",
            (Self::Part, 1) => "other part",
            (Self::Part, _) => "other parts",
        }
    }

    /// How a record names `n` of them: `[1 image]`.
    #[must_use]
    pub fn named(self, n: usize) -> String {
        format!("[{n} {}]", self.noun(n))
    }

    /// Whether `text` names attachments and nothing else, as [`named`](Self::named) writes them, separated by commas.
    #[must_use]
    pub fn is_named_by(text: &str) -> bool {
        let is_name = |name: &str| {
            let inner = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
            let count = inner.and_then(|inner| inner.split_once(' ')?.0.parse().ok());
            count.is_some_and(|n| Self::ALL.iter().any(|medium| medium.named(n) == name))
        };
        text.split(", ").all(is_name)
    }
}

/// A tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolCall {
    /// The name of the tool.
    pub name: String,
    /// The arguments as in the wire format, usually JSON.
    pub arguments: String,
}

impl ToolCall {
    /// Creates a call of the tool `name`.
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { name: name.into(), arguments: arguments.into() }
    }
}

/// The role of a turn's speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions from the application.
    System,
    /// Instructions from the developer.
    Developer,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// The result of a tool call.
    Tool,
    /// A role that is not one of the others. Its messages should be pinned, because it is unknown who speaks and what a
    /// reader would miss without them.
    Other,
}

crate::names!(
    Role, "role": System => "system", Developer => "developer", User => "user", Assistant => "assistant", Tool => "tool",
    Other => "other",
);

impl Role {
    /// The role with this [name](Self::name).
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// Whether the role gives instructions rather than taking part in the conversation.
    #[must_use]
    pub const fn instructs(self) -> bool {
        matches!(self, Self::System | Self::Developer)
    }
}
