//! Requests to shorten a conversation.

use contextfit_kernel::Tokens;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{conversation::Conversation, numbers::Numbers, pins::Pins, wire_format::WireFormat};
use crate::{FormatError, number, request::read, unknown::unknown};

/// A conversation, and the maximum tokens of its shortened form.
///
/// The conversation is either a whole provider request in the field `request`, or inline: `messages` next to the other
/// fields, together with the fields of a provider request that are counted or identify the format (`system`, `tools`,
/// `model`). Any other top-level field is an error; in `request` and `messages`, all fields are allowed. A bare array
/// of messages is a request too, and so is an inline OpenAI responses body with `input`, whose answer is a whole
/// request with all of its fields.
///
/// ```
/// # mod contextfit { pub use ::contextfit_formats as formats; }
/// use contextfit::formats::ChatRequest;
///
/// let line = r#"{"id": 7, "budget": 4000, "messages": [{"role": "user", "content": "Hello"}]}"#;
/// let request = ChatRequest::parse(line)?;
/// assert_eq!(request.budget.map(|budget| budget.get()), Some(4000));
///
/// let error = ChatRequest::parse(r#"{"request": {"messages": [{"role": "user", "content": 7}]}}"#).unwrap_err();
/// assert_eq!(error.path, "request.messages[0].content");
/// let error = ChatRequest::parse(r#"{"budgte": 4000, "messages": []}"#).unwrap_err();
/// assert!(error.message.starts_with(r#"unknown key "budgte", did you mean "budget"?"#));
/// # Ok::<(), contextfit_formats::FormatError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ChatRequest {
    /// The application's id for the request, echoed unchanged in the answer.
    pub id: Option<Value>,
    /// The maximum number of tokens to spend, including the reserve.
    pub budget: Option<Tokens>,
    /// The part of the budget to set aside.
    pub reserve: Option<Tokens>,
    /// The name of the strategy.
    pub strategy: Option<String>,
    /// The question that the shortened conversation should still answer; the last user request if absent.
    pub query: Option<String>,
    /// The messages that must not be changed.
    pub pins: Pins,
    /// The conversation.
    pub conversation: Conversation,
    /// Whether the answer is a whole request: the conversation was in `request`, or has no `messages`.
    pub(super) is_wrapped: bool,
}

/// The fields next to the conversation.
#[derive(Debug, Default, Deserialize)]
#[serde(default, expecting = "a request: an object with `messages` or `request`")]
struct Header {
    id: Option<Value>,
    #[serde(deserialize_with = "number::tokens")]
    budget: Option<Tokens>,
    #[serde(deserialize_with = "number::tokens")]
    reserve: Option<Tokens>,
    strategy: Option<String>,
    query: Option<String>,
    format: Option<WireFormat>,
    pins: Option<Pins>,
}

/// The names of the fields of [`Header`], which are not part of an inline conversation.
const HEADER: &[&str] = &["id", "budget", "reserve", "strategy", "query", "format", "pins"];

/// The fields that hold a conversation, and those of a provider's body that are read next to inline messages.
const CONVERSATION: &[&str] = &[
    "messages",
    "request",
    "system",
    "tools",
    "functions",
    "model",
    "response_format",
    "output_format",
    "anthropic_version",
];

impl ChatRequest {
    /// A request for `conversation`, as if it were in `request`, with every other field absent.
    #[must_use]
    pub fn new(conversation: Conversation) -> Self {
        Self {
            id: None,
            budget: None,
            reserve: None,
            strategy: None,
            query: None,
            pins: Pins::default(),
            conversation,
            is_wrapped: true,
        }
    }

    /// Reads a request. Linear in the length of `text`.
    ///
    /// # Errors
    /// [`FormatError`] with line, column and path if `text` is not JSON or its fields are invalid; with only the path
    /// if the conversation is invalid.
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        // Some writers add a byte order mark, which JSON does not allow.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (marked, numbers) = Numbers::protect(text);
        if text.trim_start().starts_with('[') {
            let conversation = Conversation::parse_marked(read(&marked)?, None, numbers)?;
            return Ok(Self::of(Header::default(), conversation, false));
        }
        let mut header: Header = read(text)?;
        let format = header.format.take();
        let mut line: Map<String, Value> = read(&marked)?;
        let is_open = line.contains_key("messages");
        let is_wrapped = line.get("request").is_some_and(|request| !request.is_null());
        // The other fields of a responses body belong to the provider and are returned in the answer.
        let is_body = !is_wrapped && !is_open && line.contains_key("input");
        if !is_body {
            check_names(&line)?;
        }
        if is_wrapped && let Some(request) = line.remove("request") {
            let conversation = Conversation::parse_marked(request, format, numbers);
            return Ok(Self::of(header, conversation.map_err(|error| error.within("request"))?, true));
        }
        if !is_open && !is_body {
            return Err(FormatError::at("", "missing field `messages` or `request`"));
        }
        line.retain(|name, _| !HEADER.contains(&name.as_str()));
        let conversation = Conversation::parse_marked(Value::Object(line), format, numbers)?;
        Ok(Self::of(header, conversation, !is_open))
    }

    fn of(header: Header, conversation: Conversation, is_wrapped: bool) -> Self {
        let Header { id, budget, reserve, strategy, query, format: _, pins } = header;
        let pins = pins.unwrap_or_default();
        Self { id, budget, reserve, strategy, query, pins, conversation, is_wrapped }
    }
}

/// Checks that `line`, which has a conversation inline or in `request`, has no unknown field.
fn check_names(line: &Map<String, Value>) -> Result<(), FormatError> {
    let known = [HEADER, CONVERSATION].concat();
    let Some(name) = line.keys().find(|name| !known.contains(&name.as_str())) else { return Ok(()) };
    let message = unknown("key", name, &known);
    Err(FormatError::at(name, format!("{message}; a provider's body goes into `request`")))
}
