//! Retries.

use std::{future::Future, time::Duration};

use async_trait::async_trait;
use backon::{BackoffBuilder, ExponentialBuilder};
use contextfit_kernel::{Completion, CompletionRequest, EmbeddingProvider, LlmProvider, ProviderError};
use thiserror::Error;
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::{debug, warn};

/// The deadline that replaces one too far away to be represented.
const FAR: Duration = Duration::from_secs(30 * 365 * 86_400);

/// A provider that repeats a call if its error is retryable.
///
/// The wait is the time that the provider asks for, but at least an exponential back-off with jitter, so that many
/// callers do not come back at the same time. The deadline covers all attempts and waits: a call in progress at the
/// deadline is dropped, and if the next attempt could only start after it, the last error is returned at once. Needs a
/// tokio runtime with time enabled.
#[derive(Debug, Clone)]
pub struct Retry<P> {
    provider: P,
    policy: RetryPolicy,
}

/// The limits of retries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// The maximum number of calls, including the first; zero counts as one. Default: 4.
    pub attempts: usize,
    /// The delay before the second call, doubled for each further call. A random part of up to the same length is
    /// added. Default: half a second.
    pub first_delay: Duration,
    /// The maximum delay, without the random part. Default: 30 seconds.
    pub longest_delay: Duration,
    /// The maximum time for all calls and waits together. Default: 3 minutes.
    pub deadline: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        let first_delay = Duration::from_millis(500);
        Self { attempts: 4, first_delay, longest_delay: seconds(30), deadline: seconds(180) }
    }
}

contextfit_kernel::setters! {
    RetryPolicy {
        with_attempts(attempts: usize), with_first_delay(first_delay: Duration),
        with_longest_delay(longest_delay: Duration), with_deadline(deadline: Duration),
    }
}

/// The error if there is no answer by the deadline.
#[derive(Debug, Error)]
#[error("no answer within {deadline:?}, in attempt {attempt}")]
#[non_exhaustive]
pub struct DeadlineExceeded {
    /// The deadline.
    pub deadline: Duration,
    /// The attempt in progress, from 1.
    pub attempt: usize,
    /// The error of the attempt before it.
    #[source]
    pub last: Option<Box<ProviderError>>,
}

impl<P> Retry<P> {
    /// Wraps `provider`, retrying according to `policy`.
    pub fn new(provider: P, policy: RetryPolicy) -> Self {
        Self { provider, policy }
    }

    async fn call<T, F>(&self, model: &str, call: impl Fn() -> F + Send + Sync) -> Result<T, ProviderError>
    where
        F: Future<Output = Result<T, ProviderError>> + Send,
    {
        let RetryPolicy { attempts, first_delay, longest_delay, deadline } = self.policy;
        let now = Instant::now();
        let end = now.checked_add(deadline).unwrap_or(now + FAR);
        let mut delays = ExponentialBuilder::default()
            .with_min_delay(first_delay)
            .with_max_delay(longest_delay)
            .with_max_times(attempts.saturating_sub(1))
            .with_jitter()
            .build();
        let mut last = None;
        let mut attempt = 1;
        loop {
            let Ok(result) = timeout_at(end, call()).await else {
                warn!(model, attempt, ?deadline, "deadline exceeded");
                let error = DeadlineExceeded { deadline, attempt, last: last.map(Box::new) };
                return Err(ProviderError::new(model, false, error));
            };
            let error = match result {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let delay = if error.retryable { delays.next() } else { None };
            let wait = delay.map(|delay| delay.max(error.retry_after.unwrap_or_default()));
            let next = wait.and_then(|wait| Instant::now().checked_add(wait)).filter(|next| *next < end);
            let Some(next) = next else {
                warn!(model, attempt, status = error.status, retryable = error.retryable, "gave up");
                return Err(error);
            };
            debug!(model, attempt, status = error.status, ?wait, "asking again");
            sleep_until(next).await;
            last = Some(error);
            attempt += 1;
        }
    }
}

#[async_trait]
impl<P: LlmProvider> LlmProvider for Retry<P> {
    fn model(&self) -> &str {
        self.provider.model()
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError> {
        self.call(self.provider.model(), || self.provider.complete(request)).await
    }
}

#[async_trait]
impl<P: EmbeddingProvider> EmbeddingProvider for Retry<P> {
    fn model(&self) -> &str {
        self.provider.model()
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        self.call(self.provider.model(), || self.provider.embed(texts)).await
    }
}
