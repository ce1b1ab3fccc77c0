//! Models behind traits: what a strategy that needs one may await.

use std::{error::Error as StdError, sync::Arc, time::Duration};

use async_trait::async_trait;
use thiserror::Error;

use crate::{ByteRange, Tokens};

/// A request to a language model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompletionRequest {
    /// What the model shall do.
    pub instructions: String,
    /// The text it shall do it with. Data, never instructions.
    pub input: String,
    /// The most tokens that the answer may take.
    pub max_tokens: Tokens,
    /// What of the input the answer shall stand for, where it shall stand for a text: whoever uses or keeps answers judges them
    /// by it. It is not sent.
    pub source: Option<ByteRange>,
}

impl CompletionRequest {
    /// A request.
    #[must_use]
    pub fn new(instructions: impl Into<String>, input: impl Into<String>, max_tokens: Tokens) -> Self {
        Self { instructions: instructions.into(), input: input.into(), max_tokens, source: None }
    }

    /// The same, whose answer shall stand for `source`, a part of the input.
    #[must_use]
    pub const fn with_source(mut self, source: ByteRange) -> Self {
        self.source = Some(source);
        self
    }
}

/// A model's answer, and what it cost as far as the provider says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion {
    /// The answer.
    pub text: String,
    /// Tokens read, as the provider counted.
    pub tokens_in: Option<Tokens>,
    /// Of these, what the provider had in its cache and charges less for.
    pub tokens_cached: Option<Tokens>,
    /// Tokens written, as the provider counted.
    pub tokens_out: Option<Tokens>,
    /// Whether the answer was cut off at the most tokens that it might take.
    pub truncated: bool,
}

impl Completion {
    /// An answer of unknown cost.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), tokens_in: None, tokens_cached: None, tokens_out: None, truncated: false }
    }

    /// The same with what the provider counted.
    #[must_use]
    pub fn with_usage(self, tokens_in: Option<Tokens>, tokens_out: Option<Tokens>) -> Self {
        Self { tokens_in, tokens_out, ..self }
    }
}

/// A language model. Implementers owe an answer to this very request or an error: never an empty text as success.
#[async_trait]
pub trait LlmProvider: Send + Sync {
    /// The model's name: part of cache keys.
    fn model(&self) -> &str;

    /// The model's answer.
    ///
    /// # Errors
    /// [`ProviderError`], retryable or not.
    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError>;
}

/// An embedding model. Implementers owe one vector for each text, in order, all of one dimension.
#[async_trait]
pub trait EmbeddingProvider: Send + Sync {
    /// The model's name: part of cache keys.
    fn model(&self) -> &str;

    /// The vectors of `texts`, in order.
    ///
    /// # Errors
    /// [`ProviderError`], retryable or not.
    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError>;
}

/// Both traits for what points at a provider.
macro_rules! forward {
    ($pointer:ident) => {
        #[async_trait]
        impl<T: LlmProvider + ?Sized> LlmProvider for $pointer<T> {
            fn model(&self) -> &str {
                (**self).model()
            }

            async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError> {
                (**self).complete(request).await
            }
        }

        #[async_trait]
        impl<T: EmbeddingProvider + ?Sized> EmbeddingProvider for $pointer<T> {
            fn model(&self) -> &str {
                (**self).model()
            }

            async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
                (**self).embed(texts).await
            }
        }
    };
}

forward!(Arc);
forward!(Box);

/// Why a model did not answer.
#[derive(Debug, Error)]
#[error("model {model} failed: {source}")]
#[non_exhaustive]
pub struct ProviderError {
    /// The model that was asked.
    pub model: String,
    /// Whether asking again can help.
    pub retryable: bool,
    /// The HTTP status of the answer, when there was one.
    pub status: Option<u16>,
    /// How long the provider asks to wait before the next attempt.
    pub retry_after: Option<Duration>,
    /// What happened.
    pub source: Box<dyn StdError + Send + Sync>,
}

impl ProviderError {
    /// An error of `model`.
    #[must_use]
    pub fn new(
        model: impl Into<String>,
        retryable: bool,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        Self { model: model.into(), retryable, status: None, retry_after: None, source: source.into() }
    }

    /// The same with the HTTP status of the answer.
    #[must_use]
    pub fn with_status(self, status: u16) -> Self {
        Self { status: Some(status), ..self }
    }

    /// The same with how long the provider asks to wait.
    #[must_use]
    pub fn with_retry_after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
    }
}
