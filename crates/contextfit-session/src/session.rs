//! The session.

use contextfit_formats::{Conversation, Pins, WireFormat};
use contextfit_kernel::{Block, Budget, ContextCompressor, Role, TokenCounter, Tokens, Turn};
use contextfit_text::{Bill, Prices};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Compaction, SessionError, WaterMarks, calls::Calls};

/// A conversation that grows and is kept within its budget; stored and loaded with serde, whole.
///
/// A new message costs its own count and nothing else. [`prepare`](Self::prepare) belongs before every call of the model,
/// inside the loop of tools too; it does nothing until the request is over the high mark. Over a long talk the cost of
/// counting and planning for a message does not grow: requests are never longer than the high mark, and are shortened once
/// in as many messages as fit between the marks.
///
/// ```
/// use contextfit_kernel::Tokens;
/// use contextfit_session::{Session, WaterMarks};
/// use contextfit_text::CharsPer;
/// use serde_json::json;
///
/// let counter = CharsPer::new(4).ok_or("no length of tokens")?;
/// let body = json!({"model": "gpt-4o", "messages": [{"role": "system", "content": "Be brief."}]});
/// let mut session = Session::new(body, WaterMarks::half_of(Tokens::new(1000)), &counter)?;
/// session.push(json!({"role": "user", "content": "Hello"}), &counter)?;
/// assert_eq!(session.request()["messages"][1]["content"], "Hello");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    format: WireFormat,
    /// The request: what stands beside the messages, and the messages.
    request: Value,
    /// Tokens of each message.
    tokens: Vec<Tokens>,
    /// Tokens of the request beside its messages.
    beside: Tokens,
    marks: WaterMarks,
    pins: Pins,
    /// Messages at the beginning that are never touched.
    frozen: usize,
    given: usize,
    compactions: Vec<Compaction>,
    calls: Calls,
}

impl Session {
    /// A session that goes on from `request`, a body of any [`WireFormat`] or the bare array of its messages.
    ///
    /// # Errors
    /// [`SessionError::Format`] when the request cannot be read.
    pub fn new(request: Value, marks: WaterMarks, counter: &dyn TokenCounter) -> Result<Self, SessionError> {
        let format = WireFormat::detect(&request);
        let mut session = Self {
            format,
            request,
            tokens: Vec::new(),
            beside: Tokens::ZERO,
            marks,
            pins: Pins::default(),
            frozen: 0,
            given: 0,
            compactions: Vec::new(),
            calls: Calls::default(),
        };
        session.given = session.messages().len();
        session.count(counter)?;
        session.calls.given(session.tokens());
        Ok(session)
    }

    /// The same session, in which what `pins` hold is never touched. Indices are those of the messages as they stand when the
    /// session is shortened.
    #[must_use]
    pub fn with_pins(mut self, pins: Pins) -> Self {
        self.pins = pins;
        self
    }

    /// The same session, in which the messages that it holds now are never touched: the part that a provider has cached.
    #[must_use]
    pub fn frozen(mut self) -> Self {
        self.frozen = self.messages().len();
        self
    }

    /// Adds a message (an item, in OpenAI responses). Counts it, and nothing else.
    ///
    /// # Errors
    /// [`SessionError::Format`] when the message cannot be read; the session is as it was.
    pub fn push(&mut self, message: Value, counter: &dyn TokenCounter) -> Result<(), SessionError> {
        let alone = Conversation::parse_as(Value::Array(vec![message.clone()]), self.format)?;
        let tokens =
            alone.context(counter, &Pins::none()).blocks.iter().map(|block| cost(block, counter)).sum();
        if let Some(messages) = self.messages_mut() {
            messages.push(message);
            self.calls.given(tokens);
            self.tokens.push(tokens);
            self.given += 1;
        }
        Ok(())
    }

    /// The request as it stands: what to send.
    #[must_use]
    pub const fn request(&self) -> &Value {
        &self.request
    }

    /// Tokens of the request; in formats whose framing is not published an upper bound.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        self.beside + self.tokens.iter().copied().sum()
    }

    /// How many messages the session was given.
    #[must_use]
    pub const fn given(&self) -> usize {
        self.given
    }

    /// Every shortening so far.
    #[must_use]
    pub fn compactions(&self) -> &[Compaction] {
        &self.compactions
    }

    /// What shortening saved on the input of the calls so far, each [`prepare`](Self::prepare) counted as one, at the prices of
    /// the model that is called. What was spent on summaries and embeddings is to be filled in, from the meters of those models.
    ///
    /// Both sides are counted as with a provider that has in its prompt cache what it read in the call before: a shortening
    /// breaks it behind the first message that changed, and where that costs more than it saves, the figure is below zero.
    #[must_use]
    pub fn bill(&self, prices: &Prices) -> Bill {
        self.calls.bill(prices)
    }

    /// Shortens the request to the low mark when it is over the high one; to the high mark when what must be kept is more than
    /// the low one. What was done, if anything was.
    ///
    /// # Errors
    /// [`SessionError::Fit`] when what must be kept is more than the high mark. The session is then as it was.
    pub async fn prepare(
        &mut self,
        compressor: &dyn ContextCompressor,
        counter: &dyn TokenCounter,
    ) -> Result<Option<&Compaction>, SessionError> {
        let tokens_before = self.tokens();
        if tokens_before <= self.marks.high() {
            self.calls.sent(tokens_before, tokens_before);
            return Ok(None);
        }
        let conversation = Conversation::parse_as(self.request.clone(), self.format)?;
        let mut pins = self.pins.clone();
        pins.indices.extend(0..self.frozen);
        let context = conversation.context(counter, &pins);
        let low = Budget::new(self.marks.low());
        let result = match compressor.compress_with_metrics(context.clone(), &low).await {
            Ok(result) => result,
            Err(_) => compressor.compress_with_metrics(context, &Budget::new(self.marks.high())).await?,
        };
        let shortened = conversation.shortened(&result);
        let before = std::mem::replace(&mut self.request, shortened);
        let same_prefix = same_prefix(messages_of(&before, self.format), self.messages());
        self.count(counter)?;
        let compaction = Compaction {
            after_messages: self.given,
            strategy: result.strategy().unwrap_or_default().to_owned(),
            tokens_before,
            tokens_after: self.tokens(),
            same_prefix,
            tokens_changed: self.tokens.iter().skip(same_prefix).copied().sum(),
        };
        let unchanged = compaction.tokens_after.saturating_sub(compaction.tokens_changed);
        self.calls.sent(compaction.tokens_after, unchanged);
        self.compactions.push(compaction);
        Ok(self.compactions.last())
    }

    /// Counts all that is there.
    fn count(&mut self, counter: &dyn TokenCounter) -> Result<(), SessionError> {
        let conversation = Conversation::parse_as(self.request.clone(), self.format)?;
        let context = conversation.context(counter, &Pins::none());
        let beside = self.framing(counter)?;
        // Blocks of fields beside the messages (`system`, `instructions`) are called by their names.
        let (messages, fields): (Vec<&Block>, Vec<&Block>) =
            context.blocks.iter().partition(|block| block.id.parse::<usize>().is_ok());
        self.beside = beside + fields.iter().map(|block| cost(block, counter)).sum();
        self.tokens = messages.iter().map(|block| cost(block, counter)).collect();
        Ok(())
    }

    /// Tokens of the request beside messages and instructions, at their most: in one format they depend on what messages there
    /// are.
    fn framing(&self, counter: &dyn TokenCounter) -> Result<Tokens, SessionError> {
        let talk = json!([{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]);
        let request = match &self.request {
            Value::Object(body) => {
                let mut body = body.clone();
                body.insert(field(self.format).to_owned(), talk);
                Value::Object(body)
            }
            _ => talk,
        };
        let context = Conversation::parse_as(request, self.format)?.context(counter, &Pins::none());
        Ok(context.layout.framing.map_or(Tokens::ZERO, |framing| framing.request))
    }

    fn messages(&self) -> &[Value] {
        messages_of(&self.request, self.format)
    }

    /// The messages, to add one. A request of OpenAI responses whose input is one string becomes one of items.
    fn messages_mut(&mut self) -> Option<&mut Vec<Value>> {
        let field = field(self.format);
        let messages = match &mut self.request {
            Value::Object(body) => body.get_mut(field)?,
            messages => messages,
        };
        if let Value::String(text) = messages {
            *messages = json!([{"role": "user", "content": text}]);
        }
        messages.as_array_mut()
    }
}

/// The field that holds the messages.
const fn field(format: WireFormat) -> &'static str {
    match format {
        WireFormat::OpenAiResponses => "input",
        WireFormat::OpenAiChat | WireFormat::AnthropicMessages => "messages",
    }
}

fn messages_of(request: &Value, format: WireFormat) -> &[Value] {
    let messages = if request.is_array() { Some(request) } else { request.get(field(format)) };
    messages.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// How many messages at the beginning are the same.
fn same_prefix(before: &[Value], after: &[Value]) -> usize {
    before.iter().zip(after).take_while(|(before, after)| before == after).count()
}

/// What a message takes: its framing, and its parts each by itself.
fn cost(block: &Block, counter: &dyn TokenCounter) -> Tokens {
    let plain = Turn::new(Role::User);
    let turn = block.as_turn().unwrap_or(&plain);
    let parts =
        turn.ranges(&block.text).map(|range| counter.count(range.of(&block.text).unwrap_or_default()));
    turn.framing + parts.sum()
}
