//! Answers: the conversation that fits, and what became of each message.

use contextfit_kernel::{CompressionResult, Context};
use serde::Serialize;
use serde_json::{Value, value::RawValue};

use super::request::ChatRequest;
use crate::{AnswerBlock, AnswerMetrics};

/// The answer to a [`ChatRequest`].
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct ChatAnswer {
    /// The request's id, unchanged; `null` when it had none.
    pub id: Option<Value>,
    /// The strategy that shortened the conversation; the one asked for when nothing had to be done.
    pub strategy: String,
    /// The messages, where the conversation lay open in the request; JSON as it is written, so that every number passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Box<RawValue>>,
    /// The request to the provider, where it was in the field `request` or has no `messages`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Box<RawValue>>,
    /// One entry for each message of the request, in order.
    pub blocks: Vec<AnswerBlock>,
    /// The figures.
    pub metrics: AnswerMetrics,
}

impl ChatAnswer {
    /// The answer that `result` is to `request`, whose context is `input`. `asked` is the strategy that was asked for:
    /// what the answer names when the input was within its budget and none was applied.
    ///
    /// # Errors
    /// None that is known of: those of `serde_json` when a conversation could not be written.
    pub fn new(
        request: &ChatRequest,
        asked: &str,
        input: &Context,
        result: &CompressionResult,
    ) -> Result<Self, serde_json::Error> {
        let conversation = &request.conversation;
        let mut shortened = conversation.shortened(result);
        let is_open = !request.is_wrapped;
        let shown = match shortened.get_mut("messages") {
            Some(messages) if is_open => messages.take(),
            _ => shortened,
        };
        let shown = RawValue::from_string(conversation.numbers.restore(shown.to_string()))?;
        let (messages, wrapped) = if is_open { (Some(shown), None) } else { (None, Some(shown)) };
        Ok(Self {
            id: request.id.clone(),
            strategy: result.strategy().unwrap_or(asked).to_owned(),
            messages,
            request: wrapped,
            blocks: AnswerBlock::all(input, result),
            metrics: AnswerMetrics::from(result.metrics),
        })
    }
}
