//! Answers: the conversation that fits, and the outcome for each message.

use contextfit_kernel::{CompressionResult, Context};
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use super::request::ChatRequest;
use crate::{AnswerBlock, AnswerMetrics};

/// The answer to a [`ChatRequest`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ChatAnswer {
    /// The request's id, unchanged; `null` if it had none.
    pub id: Option<Value>,
    /// The strategy that shortened the conversation; the requested one if nothing had to be done.
    pub strategy: String,
    /// The messages, if the request had them at its top level. Raw JSON, so every number remains as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Box<RawValue>>,
    /// The request to the provider, if it was in the field `request` or has no `messages`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Box<RawValue>>,
    /// For each message of the shortened conversation, the index of the same message in the original one; `null` for a
    /// message that replaces others. The block of that index is `keep` if the message is unchanged.
    #[serde(default)]
    pub origins: Vec<Option<usize>>,
    /// One entry for each message of the request, in order.
    pub blocks: Vec<AnswerBlock>,
    /// The figures.
    pub metrics: AnswerMetrics,
}

impl ChatAnswer {
    /// The answer for `result` to `request`, whose context is `input`. `asked` is the requested strategy, which the
    /// answer names if the input was within its budget and no strategy was applied.
    ///
    /// # Errors
    /// Errors of `serde_json` if the conversation cannot be written; no such case is known.
    pub fn new(
        request: &ChatRequest,
        asked: &str,
        input: &Context,
        result: &CompressionResult,
    ) -> Result<Self, serde_json::Error> {
        let conversation = &request.conversation;
        let (mut shortened, origins) = conversation.shortened_with_origins(result);
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
            origins: origins.iter().map(|origin| origin.index).collect(),
            blocks: AnswerBlock::all(input, result),
            metrics: AnswerMetrics::from(result.metrics),
        })
    }
}
