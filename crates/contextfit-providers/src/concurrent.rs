//! A limit on concurrent calls.

use async_trait::async_trait;
use contextfit_kernel::{Completion, CompletionRequest, EmbeddingProvider, LlmProvider, ProviderError};
use tokio::sync::{Semaphore, SemaphorePermit};

/// A provider that serves a limited number of calls at a time; further calls wait in order of arrival. Dropping a call
/// frees its slot.
#[derive(Debug)]
pub struct Concurrent<P> {
    provider: P,
    calls: Semaphore,
}

impl<P> Concurrent<P> {
    /// Wraps `provider`, allowing at most `calls` at a time; zero counts as one.
    pub fn new(provider: P, calls: usize) -> Self {
        Self { provider, calls: Semaphore::new(calls.clamp(1, Semaphore::MAX_PERMITS)) }
    }

    async fn turn(&self, model: &str) -> Result<SemaphorePermit<'_>, ProviderError> {
        // Never closed, so this never fails.
        self.calls.acquire().await.map_err(|closed| ProviderError::new(model, false, closed))
    }
}

#[async_trait]
impl<P: LlmProvider> LlmProvider for Concurrent<P> {
    fn model(&self) -> &str {
        self.provider.model()
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError> {
        let _turn = self.turn(self.provider.model()).await?;
        self.provider.complete(request).await
    }
}

#[async_trait]
impl<P: EmbeddingProvider> EmbeddingProvider for Concurrent<P> {
    fn model(&self) -> &str {
        self.provider.model()
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        let _turn = self.turn(self.provider.model()).await?;
        self.provider.embed(texts).await
    }
}
