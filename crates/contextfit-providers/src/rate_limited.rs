//! Limits on requests and tokens per minute.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use contextfit_kernel::{
    Completion, CompletionRequest, EmbeddingProvider, LlmProvider, ProviderError, TokenCounter,
};
use tokio::time::{Instant, sleep_until};
use tracing::debug;

/// The window of the limits.
const MINUTE: Duration = Duration::from_secs(60);

/// A provider that limits its rate: in any window of 60 seconds, at most the allowed number of requests or tokens is
/// started. Calls wait in order of arrival; a call that is dropped while waiting still uses its slot.
///
/// Needs a tokio runtime with time enabled. Memory: one entry per request of the last minute.
#[derive(Debug)]
pub struct RateLimited<P> {
    provider: P,
    requests: usize,
    tokens: usize,
    counter: Option<Arc<dyn TokenCounter>>,
    log: Mutex<VecDeque<Entry>>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    start: Instant,
    tokens: usize,
}

impl<P> RateLimited<P> {
    /// Wraps `provider`, allowing at most `requests` per minute; zero counts as one.
    pub fn new(provider: P, requests: usize) -> Self {
        Self { provider, requests: requests.max(1), tokens: usize::MAX, counter: None, log: Mutex::default() }
    }

    /// Also limits tokens per minute. They are counted by `counter` before the call: those of the prompt plus the
    /// maximum of the answer, as providers do. A request larger than `tokens` waits for a minute without any other
    /// request.
    #[must_use]
    pub fn with_tokens(self, tokens: usize, counter: Arc<dyn TokenCounter>) -> Self {
        Self { tokens, counter: Some(counter), ..self }
    }

    async fn turn(&self, model: &str, tokens: usize) {
        let now = Instant::now();
        let start = self.reserve(now, tokens);
        if start > now {
            debug!(model, tokens, wait = ?(start - now), "waiting for the rate limit");
            sleep_until(start).await;
        }
    }

    /// Logs a request at the first moment that respects both limits.
    fn reserve(&self, now: Instant, tokens: usize) -> Instant {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        while log.front().is_some_and(|entry| entry.start + MINUTE <= now) {
            log.pop_front();
        }
        let mut start = log.back().map_or(now, |last| last.start.max(now));
        // The requests of the last minute before `start`. The oldest are dropped until there is room.
        let (mut requests, mut used) =
            (log.len(), log.iter().map(|entry| entry.tokens).fold(0, usize::saturating_add));
        for entry in log.iter() {
            let leaves = entry.start + MINUTE;
            let full = requests >= self.requests || used.saturating_add(tokens) > self.tokens;
            if leaves > start && !full {
                break;
            }
            start = start.max(leaves);
            requests -= 1;
            used = used.saturating_sub(entry.tokens);
        }
        log.push_back(Entry { start, tokens });
        start
    }

    fn count(&self, text: &str) -> usize {
        self.counter.as_ref().map_or(0, |counter| counter.count(text).get())
    }
}

#[async_trait]
impl<P: LlmProvider> LlmProvider for RateLimited<P> {
    fn model(&self) -> &str {
        self.provider.model()
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError> {
        let prompt = self.count(&request.instructions).saturating_add(self.count(&request.input));
        self.turn(self.provider.model(), prompt.saturating_add(request.max_tokens.get())).await;
        self.provider.complete(request).await
    }
}

#[async_trait]
impl<P: EmbeddingProvider> EmbeddingProvider for RateLimited<P> {
    fn model(&self) -> &str {
        self.provider.model()
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        let tokens = texts.iter().map(|text| self.count(text)).fold(0, usize::saturating_add);
        self.turn(self.provider.model(), tokens).await;
        self.provider.embed(texts).await
    }
}
