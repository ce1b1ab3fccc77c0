//! Language models and embedding models: the traits through which they are called.

use std::{error::Error as StdError, sync::Arc, time::Duration};

use async_trait::async_trait;
use thiserror::Error;

use crate::{ByteRange, Tokens};

/// A request to a language model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompletionRequest {
    /// The instructions to the model.
    pub instructions: String,
    /// The text to process. It is treated as data, not as instructions.
    pub input: String,
    /// Maximum number of tokens in the answer.
    pub max_tokens: Tokens,
    /// The part of the input that the answer is meant to replace, if any. Callers judge the answer against it before
    /// they use or cache the answer. Not sent to the model.
    pub source: Option<ByteRange>,
}

impl CompletionRequest {
    /// Creates a request.
    #[must_use]
    pub fn new(instructions: impl Into<String>, input: impl Into<String>, max_tokens: Tokens) -> Self {
        Self { instructions: instructions.into(), input: input.into(), max_tokens, source: None }
    }

    /// Sets `source`, the part of the input that the answer is meant to replace.
    #[must_use]
    pub const fn with_source(mut self, source: ByteRange) -> Self {
        self.source = Some(source);
        self
    }
}

/// A model's answer and its cost, as far as the provider reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completion {
    /// The answer.
    pub text: String,
    /// Input tokens, as counted by the provider.
    pub tokens_in: Option<Tokens>,
    /// The part of the input tokens that the provider served from its cache at a lower price.
    pub tokens_cached: Option<Tokens>,
    /// Output tokens, as counted by the provider.
    pub tokens_out: Option<Tokens>,
    /// Whether the answer was cut off at the requested maximum.
    pub truncated: bool,
}

impl Completion {
    /// Creates an answer of unknown cost.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), tokens_in: None, tokens_cached: None, tokens_out: None, truncated: false }
    }

    /// Sets the token counts reported by the provider.
    #[must_use]
    pub fn with_usage(self, tokens_in: Option<Tokens>, tokens_out: Option<Tokens>) -> Self {
        Self { tokens_in, tokens_out, ..self }
    }
}

/// A language model. Implementations must answer the exact request or return an error, and must not return an empty
/// text as success.
#[async_trait]
pub trait LlmProvider: Send + Sync {
    /// The model's name; it is part of cache keys.
    fn model(&self) -> &str;

    /// Returns the model's answer.
    ///
    /// # Errors
    /// [`ProviderError`], retryable or not.
    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError>;
}

/// An embedding model. Implementations must return one vector per text, in order, all of the same dimension.
#[async_trait]
pub trait EmbeddingProvider: Send + Sync {
    /// The model's name; it is part of cache keys.
    fn model(&self) -> &str;

    /// Returns the vectors of `texts`, in order.
    ///
    /// # Errors
    /// [`ProviderError`], retryable or not.
    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError>;
}

/// Implements both traits for a pointer to a provider.
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

/// The error of a model that did not answer.
#[derive(Debug, Error)]
#[error("model {model} failed: {source}")]
#[non_exhaustive]
pub struct ProviderError {
    /// The model that was called.
    pub model: String,
    /// Whether the call may succeed if it is repeated.
    pub retryable: bool,
    /// The HTTP status of the response, if there was one.
    pub status: Option<u16>,
    /// How long the provider asks clients to wait before the next attempt.
    pub retry_after: Option<Duration>,
    /// The underlying error.
    pub source: Box<dyn StdError + Send + Sync>,
}

impl ProviderError {
    /// Creates an error for `model`.
    #[must_use]
    pub fn new(
        model: impl Into<String>,
        retryable: bool,
        source: impl Into<Box<dyn StdError + Send + Sync>>,
    ) -> Self {
        Self { model: model.into(), retryable, status: None, retry_after: None, source: source.into() }
    }

    /// Sets the HTTP status of the response.
    #[must_use]
    pub fn with_status(self, status: u16) -> Self {
        Self { status: Some(status), ..self }
    }

    /// Sets how long the provider asks clients to wait.
    #[must_use]
    pub fn with_retry_after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
    }
}
