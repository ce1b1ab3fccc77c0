//! Counting calls.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use contextfit_kernel::{
    Completion, CompletionRequest, EmbeddingProvider, LlmProvider, ProviderError, TokenCounter, Tokens,
};
use contextfit_text::{Money, Prices, TokenFactor, TokenUsage};
use tokio::time::Instant;
use tracing::debug;

/// A provider whose calls are counted. Inside a [`Retry`](crate::Retry) every attempt is a call, outside of it only the
/// whole; inside a cache only what the cache did not know.
///
/// A counter fills in where the provider does not report tokens (embedding models never do, through the kernel's
/// trait), and lets the [`TokenFactor`] be learned.
pub struct Metered<P> {
    provider: P,
    prices: Option<Prices>,
    counter: Option<Arc<dyn TokenCounter>>,
    metering: Mutex<Metering>,
}

/// What a meter shows.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Metering {
    /// Calls that came to an end.
    pub calls: u64,
    /// Of these, how many failed.
    pub failures: u64,
    /// Calls that were dropped before they came to an end.
    pub cancelled: u64,
    /// Of the calls that succeeded, how many had no report of their input: theirs is counted, or zero without a counter.
    pub unreported: u64,
    /// The tokens of the calls that succeeded.
    pub usage: TokenUsage,
    /// The money for them; `None` without prices. What failed calls may have cost is not known.
    pub cost: Option<Money>,
    /// The time of all calls that came to an end, added up.
    pub time: Duration,
    /// The provider's tokens for one of ours.
    pub factor: TokenFactor,
}

impl<P> Metered<P> {
    /// `provider` with a meter at zero.
    pub fn new(provider: P) -> Self {
        Self { provider, prices: None, counter: None, metering: Mutex::default() }
    }

    /// With prices: those of [`contextfit_text::prices`] or others.
    #[must_use]
    pub fn with_prices(self, prices: Prices) -> Self {
        Self { prices: Some(prices), ..self }
    }

    /// With `counter` for what the provider does not report.
    #[must_use]
    pub fn with_counter(self, counter: Arc<dyn TokenCounter>) -> Self {
        Self { counter: Some(counter), ..self }
    }

    /// What the meter shows now.
    pub fn metering(&self) -> Metering {
        let metering = *self.metering.lock().unwrap_or_else(PoisonError::into_inner);
        Metering { cost: self.prices.map(|prices| metering.usage.cost(&prices)), ..metering }
    }

    fn change(&self, change: impl FnOnce(&mut Metering)) {
        change(&mut self.metering.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn count<'t>(&self, texts: impl IntoIterator<Item = &'t str>) -> Option<Tokens> {
        let counter = self.counter.as_ref()?;
        Some(texts.into_iter().map(|text| counter.count(text)).sum())
    }

    fn begin(&self) -> Call<'_, P> {
        Call { metered: self, started: Instant::now(), ended: false }
    }
}

/// A call under way: what is dropped without an end was cancelled.
struct Call<'m, P> {
    metered: &'m Metered<P>,
    started: Instant,
    ended: bool,
}

impl<P> Call<'_, P> {
    fn end(mut self, usage: Option<Metering>) {
        self.ended = true;
        let time = self.started.elapsed();
        debug!(?time, usage = ?usage.map(|call| call.usage), "call ended");
        self.metered.change(|all| {
            all.calls += 1;
            all.time += time;
            match usage {
                None => all.failures += 1,
                Some(call) => {
                    all.unreported += call.unreported;
                    all.usage += call.usage;
                }
            }
        });
    }
}

impl<P> Drop for Call<'_, P> {
    fn drop(&mut self) {
        if !self.ended {
            self.metered.change(|all| all.cancelled += 1);
        }
    }
}

#[async_trait]
impl<P: LlmProvider> LlmProvider for Metered<P> {
    fn model(&self) -> &str {
        self.provider.model()
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError> {
        let call = self.begin();
        let result = self.provider.complete(request).await;
        let Ok(completion) = &result else {
            call.end(None);
            return result;
        };
        let counted = self.count([request.instructions.as_str(), request.input.as_str()]);
        let mut usage = TokenUsage::from(completion);
        match (completion.tokens_in, counted) {
            (Some(reported), Some(counted)) => self.change(|all| all.factor.learn(counted, reported)),
            (None, Some(counted)) => usage.input = counted,
            (_, None) => {}
        }
        if completion.tokens_out.is_none() {
            usage.output = self.count([completion.text.as_str()]).unwrap_or_default();
        }
        let unreported = u64::from(completion.tokens_in.is_none());
        call.end(Some(Metering { usage, unreported, ..Metering::default() }));
        result
    }
}

#[async_trait]
impl<P: EmbeddingProvider> EmbeddingProvider for Metered<P> {
    fn model(&self) -> &str {
        self.provider.model()
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        let call = self.begin();
        let result = self.provider.embed(texts).await;
        let input = self.count(texts.iter().copied()).unwrap_or_default();
        let usage = TokenUsage::of_input(input);
        call.end(result.is_ok().then(|| Metering { usage, unreported: 1, ..Metering::default() }));
        result
    }
}

impl<P: fmt::Debug> fmt::Debug for Metered<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metered")
            .field("provider", &self.provider)
            .field("prices", &self.prices)
            .field("metering", &self.metering())
            .finish_non_exhaustive()
    }
}
