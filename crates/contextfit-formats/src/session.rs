//! Keeps a growing conversation within its budget.
//!
//! A [`Session`] holds the request that an agent sends to its model. Each message is counted once, when it is added.
//! When the request exceeds a high-water mark, [`Session::prepare`] shortens it to a low-water mark. Shortening is
//! therefore rare. Between two compactions, everything sent before remains byte for byte the same, and the provider's
//! prompt cache stays warm.

use std::sync::Arc;

use contextfit_kernel::{
    Block, Budget, CompressionResult, Context, ContextCompressor, Error, Hold, Role, TokenCounter, Tokens,
    Turn,
};
use contextfit_text::{Bill, Prices, TokenUsage};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Conversation, Pins, SessionError, WireFormat,
    chat::{field, without_breakpoints},
};

/// A growing conversation that is kept within its budget.
///
/// Adding a message costs only its own count. Call [`prepare`](Self::prepare) before every model call, including those
/// inside the tool loop; it does nothing until the request exceeds the high mark. In a long conversation, the cost of
/// counting and planning per message does not grow: requests never exceed the high mark, and they are shortened only
/// once for all the messages that fit between the marks.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::Tokens;
/// #     pub use ::contextfit_text::counter;
/// #     pub use ::contextfit_formats as formats;
/// # }
/// use contextfit::{Tokens, counter, formats::{Session, WaterMarks}};
/// use serde_json::json;
///
/// let body = json!({"model": "gpt-4o", "messages": [{"role": "system", "content": "Be brief."}]});
/// let mut session = Session::new(body, WaterMarks::half_of(Tokens::new(1000)), counter("chars/4")?)?;
/// session.push(json!({"role": "user", "content": "Hello"}))?;
/// assert_eq!(session.request()["messages"][1]["content"], "Hello");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Session {
    state: SessionState,
    /// The tokens of each message.
    tokens: Vec<Tokens>,
    /// The tokens of the request outside its messages.
    overhead: Tokens,
    counter: Arc<dyn TokenCounter>,
}

/// A shortening that is due.
struct Due {
    conversation: Conversation,
    context: Context,
    target: Tokens,
}

/// The part of a [`Session`] that outlives a process, stored and loaded as a whole with serde. The counter is not part
/// of it; [`Session::resume`] counts again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionState {
    format: WireFormat,
    /// The request: the messages and all other fields.
    request: Value,
    marks: WaterMarks,
    pins: Pins,
    /// The number of leading messages that are never changed.
    frozen: usize,
    given: usize,
    compactions: Vec<Compaction>,
    calls: Calls,
}

impl Session {
    /// Starts a session from `request`, a body in any [`WireFormat`] or the bare array of its messages. Tokens are
    /// those of `counter`.
    ///
    /// # Errors
    /// [`SessionError::Format`] if the request cannot be read.
    pub fn new(
        request: Value,
        marks: WaterMarks,
        counter: Arc<dyn TokenCounter>,
    ) -> Result<Self, SessionError> {
        let state = SessionState {
            format: WireFormat::detect(&request),
            request,
            marks,
            pins: Pins::default(),
            frozen: 0,
            given: 0,
            compactions: Vec::new(),
            calls: Calls::default(),
        };
        let mut session = Self::resume(state, counter)?;
        session.state.given = session.messages().len();
        let tokens = session.tokens();
        session.state.calls.given(tokens);
        Ok(session)
    }

    /// Continues the session with this [`state`](Self::state), counted by `counter`. Linear in the size of its request.
    ///
    /// # Errors
    /// [`SessionError::Format`] if its request cannot be read.
    pub fn resume(state: SessionState, counter: Arc<dyn TokenCounter>) -> Result<Self, SessionError> {
        let mut session = Self { state, tokens: Vec::new(), overhead: Tokens::ZERO, counter };
        session.count()?;
        Ok(session)
    }

    /// The state that must be stored to [`resume`](Self::resume) the session.
    #[must_use]
    pub const fn state(&self) -> &SessionState {
        &self.state
    }

    /// Protects everything that matches `pins` from changes, in place of the pins so far. Indices refer to the messages in the request at the time
    /// of shortening. A pin that matches nothing yet applies as soon as it matches a message.
    #[must_use]
    pub fn with_pins(mut self, pins: Pins) -> Self {
        self.state.pins = pins;
        self
    }

    /// Protects all current messages from changes, because the provider has them in its cache.
    #[must_use]
    pub fn frozen(mut self) -> Self {
        self.state.frozen = self.messages().len();
        self
    }

    /// Adds a message (an item, in OpenAI responses) and counts only that message.
    ///
    /// # Errors
    /// [`SessionError::Format`] if the message cannot be read; the session is then unchanged.
    pub fn push(&mut self, message: Value) -> Result<(), SessionError> {
        let counter = &*self.counter;
        let alone = Conversation::parse_as(Value::Array(vec![message.clone()]), self.state.format)?;
        let tokens = alone.as_sent(counter).blocks.iter().map(|block| cost(block, counter)).sum();
        if let Some(messages) = self.messages_mut() {
            messages.push(message);
            self.state.calls.given(tokens);
            self.tokens.push(tokens);
            self.state.given += 1;
        }
        Ok(())
    }

    /// The current request, ready to send.
    #[must_use]
    pub const fn request(&self) -> &Value {
        &self.state.request
    }

    /// The tokens of the request; an upper bound in formats whose framing is not published.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        self.overhead + self.tokens.iter().copied().sum()
    }

    /// The number of messages passed to the session so far, including the initial ones.
    #[must_use]
    pub const fn given(&self) -> usize {
        self.state.given
    }

    /// All compactions so far.
    #[must_use]
    pub fn compactions(&self) -> &[Compaction] {
        &self.state.compactions
    }

    /// The input cost saved by shortening over all calls so far, at the prices of the model called; each
    /// [`prepare`](Self::prepare) counts as one call. Fill in the cost of summaries and embeddings from the meters of
    /// those models.
    ///
    /// Both sides assume that the provider has the input of the previous call in its prompt cache. Shortening
    /// invalidates it from the first changed message on; if this costs more than it saves, the amount is negative.
    #[must_use]
    pub fn bill(&self, prices: &Prices) -> Bill {
        self.state.calls.bill(prices)
    }

    /// If the request exceeds the high mark, shortens it to the low mark, or to the high mark if what is pinned and the
    /// user's last message alone exceed the low mark. Returns the compaction, or `None` if nothing was done. The counters
    /// are compared at every call, before anything else.
    ///
    /// The compressor runs a second time only if the low mark is infeasible, so a failed call that was paid for is not
    /// repeated.
    ///
    /// # Errors
    /// [`SessionError::Fit`] if the content that must be kept exceeds the high mark, or if the compressor fails
    /// otherwise; [`SessionError::TooLong`] if its result exceeds the high mark; [`SessionError::Counter`] if the names
    /// of its counter and the session's differ. The session is then unchanged.
    pub async fn prepare(
        &mut self,
        compressor: &dyn ContextCompressor,
    ) -> Result<Option<&Compaction>, SessionError> {
        let (session, other) = (self.counter.name(), compressor.counter().name());
        if session != other {
            return Err(SessionError::Counter { session: session.to_owned(), compressor: other.to_owned() });
        }
        let Some(due) = self.due()? else { return Ok(None) };
        let mut result = compressor.compress_with_metrics(&due.context, &Budget::new(due.target)).await;
        if let Some(budget) = self.another_try(&due, &result) {
            result = compressor.compress_with_metrics(&due.context, &budget).await;
        }
        self.compact(&due, &result?).map(Some)
    }

    /// Does the same as [`prepare`](Self::prepare) for callers without an async runtime; `fit` compresses, and must count
    /// as the session does.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare), apart from [`SessionError::Counter`].
    pub fn prepare_with(
        &mut self,
        mut fit: impl FnMut(&Context, &Budget) -> Result<CompressionResult, Error>,
    ) -> Result<Option<&Compaction>, SessionError> {
        let Some(due) = self.due()? else { return Ok(None) };
        let mut result = fit(&due.context, &Budget::new(due.target));
        if let Some(budget) = self.another_try(&due, &result) {
            result = fit(&due.context, &budget);
        }
        self.compact(&due, &result?).map(Some)
    }

    /// Shortens a single `request`, for callers that keep no session, such as a gateway. Returns the request to send
    /// and the compaction, or `None` if nothing had to be done.
    ///
    /// ```
    /// # mod contextfit {
    /// #     pub use ::contextfit_kernel::Tokens;
    /// #     pub use ::contextfit_pipeline::Pipeline;
    /// #     pub use ::contextfit_text::counter;
    /// #     pub use ::contextfit_conversational as chat;
    /// #     pub use ::contextfit_formats as formats;
    /// # }
    /// use contextfit::{
    ///     Pipeline, Tokens, counter,
    ///     chat::SlidingWindowCompressor,
    ///     formats::{Pins, Session, WaterMarks},
    /// };
    /// use serde_json::json;
    ///
    /// let counter = counter("chars/4")?;
    /// let pipeline = Pipeline::new(counter.clone()).with_strategy(SlidingWindowCompressor::new());
    /// let messages: Vec<_> = (0..200).map(|n| json!({"role": "user", "content": format!("Message {n}")})).collect();
    /// let marks = WaterMarks::half_of(Tokens::new(1000));
    /// let (request, compaction) = Session::shorten_once(messages.into(), marks, Pins::default(), counter, |context, budget| {
    ///     pipeline.fit(context, budget)
    /// })?;
    /// assert!(compaction.is_some_and(|compaction| compaction.tokens_after <= marks.low()));
    /// assert_eq!(request.as_array().and_then(|messages| messages.last()), Some(&json!({"role": "user", "content": "Message 199"})));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new) and [`prepare`](Self::prepare).
    pub fn shorten_once(
        request: Value,
        marks: WaterMarks,
        pins: Pins,
        counter: Arc<dyn TokenCounter>,
        fit: impl FnMut(&Context, &Budget) -> Result<CompressionResult, Error>,
    ) -> Result<(Value, Option<Compaction>), SessionError> {
        let mut session = Self::new(request, marks, counter)?.with_pins(pins);
        let compaction = session.prepare_with(fit)?.cloned();
        Ok((session.state.request, compaction))
    }

    /// The shortening that is due now; `None` if the request can be sent unchanged.
    fn due(&mut self) -> Result<Option<Due>, SessionError> {
        let tokens = self.tokens();
        let (low, high) = (self.state.marks.low(), self.state.marks.high());
        if tokens <= high {
            self.state.calls.sent(tokens, tokens);
            return Ok(None);
        }
        let conversation = Conversation::parse_as(self.state.request.clone(), self.state.format)?;
        let mut pins = self.state.pins.clone();
        pins.indices.extend(0..self.state.frozen);
        let context = conversation.context(&*self.counter, &pins);
        let target = if self.fixed(&context) > low { high } else { low };
        Ok(Some(Due { conversation, context, target }))
    }

    /// The budget for a second try after `result`: the high mark, if the low mark was infeasible.
    fn another_try(&self, due: &Due, result: &Result<CompressionResult, Error>) -> Option<Budget> {
        let high = self.state.marks.high();
        let infeasible = matches!(result, Err(Error::Infeasible { .. }));
        (infeasible && due.target < high).then(|| Budget::new(high))
    }

    /// Replaces the request with the one that is shortened as in `result`.
    fn compact(&mut self, due: &Due, result: &CompressionResult) -> Result<&Compaction, SessionError> {
        let (tokens_before, high) = (self.tokens(), self.state.marks.high());
        let state = SessionState { request: due.conversation.shortened(result), ..self.state.clone() };
        let shortened = Self::resume(state, Arc::clone(&self.counter))?;
        if shortened.tokens() > high {
            return Err(SessionError::TooLong { tokens: shortened.tokens(), high });
        }
        let before = std::mem::replace(self, shortened).state.request;
        let same_prefix = same_prefix(messages_of(&before, self.state.format), self.messages());
        let compaction = Compaction {
            after_messages: self.state.given,
            strategy: result.strategy().unwrap_or_default().to_owned(),
            tokens_before,
            tokens_after: self.tokens(),
            same_prefix,
            tokens_changed: self.tokens.iter().skip(same_prefix).copied().sum(),
        };
        let unchanged = compaction.tokens_after.saturating_sub(compaction.tokens_changed);
        self.state.calls.sent(compaction.tokens_after, unchanged);
        Ok(self.state.compactions.push_mut(compaction))
    }

    /// The tokens of a request with only a record, the pinned messages, and the user's last message.
    fn fixed(&self, context: &Context) -> Tokens {
        let words = |block: &Block| block.as_turn().is_some_and(|turn| turn.role == Role::User);
        let held = context.blocks.iter().zip(context.holds());
        let held = held.filter(|(block, hold)| *hold == Hold::Pinned || *hold == Hold::Shown && words(block));
        let held: Tokens = held.map(|(block, _)| cost(block, &*self.counter)).sum();
        let around = context.layout.framing.as_ref().map_or(Tokens::ZERO, |framing| {
            framing.request + framing.bare_record(context.blocks.len(), &*self.counter)
        });
        held + around
    }

    /// Counts the whole request.
    fn count(&mut self) -> Result<(), SessionError> {
        let counter = &*self.counter;
        let conversation = Conversation::parse_as(self.state.request.clone(), self.state.format)?;
        let context = conversation.as_sent(counter);
        let framing = self.framing()?;
        // The ids of blocks from fields other than the messages (`system`, `instructions`) are the names of the fields.
        let (messages, fields): (Vec<&Block>, Vec<&Block>) =
            context.blocks.iter().partition(|block| block.id.parse::<usize>().is_ok());
        let fields: Tokens = fields.iter().map(|block| cost(block, counter)).sum();
        let tokens = messages.iter().map(|block| cost(block, counter)).collect();
        (self.overhead, self.tokens) = (framing + fields, tokens);
        Ok(())
    }

    /// An upper bound on the tokens of the request outside messages and instructions, which in one format depend on the
    /// messages.
    fn framing(&self) -> Result<Tokens, SessionError> {
        let talk = json!([{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]);
        let request = match &self.state.request {
            Value::Object(body) => {
                let mut body = body.clone();
                body.insert(field(self.state.format).to_owned(), talk);
                Value::Object(body)
            }
            _ => talk,
        };
        let context =
            Conversation::parse_as(request, self.state.format)?.context(&*self.counter, &Pins::none());
        Ok(context.layout.framing.map_or(Tokens::ZERO, |framing| framing.request))
    }

    fn messages(&self) -> &[Value] {
        messages_of(&self.state.request, self.state.format)
    }

    /// The messages, to add one. If the input of an OpenAI responses request is a single string, it becomes an item.
    fn messages_mut(&mut self) -> Option<&mut Vec<Value>> {
        let field = field(self.state.format);
        let messages = match &mut self.state.request {
            Value::Object(body) => body.get_mut(field)?,
            messages => messages,
        };
        if let Value::String(text) = messages {
            *messages = json!([{"role": "user", "content": text}]);
        }
        messages.as_array_mut()
    }
}

/// The limits of a conversation's size: once it exceeds the high mark, it is shortened to the low mark.
///
/// Between the two marks, turns are only added. The further apart the marks are, the less often the prefix changes; the
/// closer together they are, the more of the conversation the model reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Marks")]
pub struct WaterMarks {
    high: Tokens,
    low: Tokens,
}

impl WaterMarks {
    /// Shortens to `low` tokens once there are more than `high`.
    ///
    /// # Errors
    /// [`SessionError::Marks`] if `low` is above `high`.
    pub fn new(high: impl Into<Tokens>, low: impl Into<Tokens>) -> Result<Self, SessionError> {
        let (high, low) = (high.into(), low.into());
        if low.get() > high.get() { Err(SessionError::Marks { high, low }) } else { Ok(Self { high, low }) }
    }

    /// Shortens to half of `high` once there are more than `high` tokens.
    #[must_use]
    pub const fn half_of(high: Tokens) -> Self {
        Self { high, low: Tokens::new(high.get() / 2) }
    }

    /// The maximum size of a request, in tokens.
    #[must_use]
    pub const fn high(&self) -> Tokens {
        self.high
    }

    /// The size that a request is shortened to, in tokens.
    #[must_use]
    pub const fn low(&self) -> Tokens {
        self.low
    }
}

/// The marks as they are read, before they are checked.
#[derive(Deserialize)]
struct Marks {
    high: Tokens,
    low: Tokens,
}

impl TryFrom<Marks> for WaterMarks {
    type Error = SessionError;

    fn try_from(Marks { high, low }: Marks) -> Result<Self, SessionError> {
        Self::new(high, low)
    }
}

/// A shortening of the conversation: the tokens it saved, and how much of the prompt cache it invalidated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Compaction {
    /// The number of messages passed to the session by then.
    pub after_messages: usize,
    /// The strategy used.
    pub strategy: String,
    /// The tokens of the request before.
    pub tokens_before: Tokens,
    /// The tokens of the request after.
    pub tokens_after: Tokens,
    /// The number of leading messages that are unchanged except for cache breakpoints, and therefore still in the
    /// provider's cache.
    pub same_prefix: usize,
    /// The tokens of the messages after these, which must be read again at full price.
    pub tokens_changed: Tokens,
}

/// The input tokens of the calls so far, with shortening and without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Calls {
    read: Side,
    whole: Side,
    /// The tokens of everything passed to the session.
    given: Tokens,
}

/// The tokens of all calls, and of the last one, which the provider has in its cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Side {
    usage: TokenUsage,
    last: Tokens,
}

impl Side {
    /// Records a call of `tokens`, of which `unchanged` precede the first change since the last call.
    fn call(&mut self, tokens: Tokens, unchanged: Tokens) {
        self.usage += TokenUsage { cached: self.last.min(unchanged), ..TokenUsage::of_input(tokens) };
        self.last = tokens;
    }
}

impl Calls {
    /// Records that `tokens` were added to the session.
    fn given(&mut self, tokens: Tokens) {
        self.given += tokens;
    }

    /// Records that a request of `tokens` was sent, of which `unchanged` precede the first change.
    fn sent(&mut self, tokens: Tokens, unchanged: Tokens) {
        self.read.call(tokens, unchanged);
        self.whole.call(self.given, self.given);
    }

    /// The savings at `prices`.
    fn bill(&self, prices: &Prices) -> Bill {
        let mut bill = Bill::default();
        bill.save(prices, self.whole.usage, self.read.usage);
        bill
    }
}

fn messages_of(request: &Value, format: WireFormat) -> &[Value] {
    let messages = if request.is_array() { Some(request) } else { request.get(field(format)) };
    messages.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The number of leading messages that are equal, apart from cache breakpoints.
fn same_prefix(before: &[Value], after: &[Value]) -> usize {
    let same = |before, after| before == after || without_breakpoints(before) == without_breakpoints(after);
    before.iter().zip(after).take_while(|(before, after)| same(before, after)).count()
}

/// The tokens of a message: its framing, and each of its parts counted separately.
fn cost(block: &Block, counter: &dyn TokenCounter) -> Tokens {
    let plain = Turn::new(Role::User);
    let turn = block.as_turn().unwrap_or(&plain);
    let parts =
        turn.ranges(&block.text).map(|range| counter.count(range.of(&block.text).unwrap_or_default()));
    turn.framing + parts.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: Value, after: Value, same: bool) {
        assert_eq!(same_prefix(&[before], &[after]), usize::from(same));
    }

    #[test]
    fn a_moved_breakpoint_changes_no_message() {
        let mark = json!({"type": "ephemeral"});
        let bare = json!({"role": "user", "content": "Hello"});
        let marked =
            json!({"role": "user", "content": [{"type": "text", "text": "Hello", "cache_control": mark}]});
        check(bare.clone(), marked.clone(), true);
        check(json!({"role": "user", "content": "Hello", "cache_control": mark}), bare.clone(), true);
        check(bare, json!({"role": "user", "content": "Hullo"}), false);
        let result = |content: Value, input: Value| {
            json!({"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": content},
                {"type": "tool_use", "id": "b", "name": "set", "input": input},
            ]})
        };
        let inner = json!([{"type": "text", "text": "1", "cache_control": mark}]);
        check(result(inner.clone(), json!({})), result(json!("1"), json!({})), true);
        // An argument of that name is not a breakpoint.
        check(result(inner, json!({})), result(json!("1"), json!({"cache_control": mark})), false);
        check(marked, json!("Hello"), false);
    }
}
