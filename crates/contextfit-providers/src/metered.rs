//! The meter of calls.

use std::{
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

/// A provider that counts its calls. Inside a [`Retry`](crate::Retry) every attempt counts as a call; outside it, all
/// attempts together do. Inside a cache only the misses count.
///
/// A counter supplies token counts that the provider does not report (embedding models never do, through the kernel's
/// trait), and allows the [`TokenFactor`] to be learned.
#[derive(Debug)]
pub struct Metered<P> {
    provider: P,
    prices: Option<Prices>,
    counter: Option<Arc<dyn TokenCounter>>,
    metering: Mutex<Metering>,
}

/// The readings of a meter.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Metering {
    /// Calls that finished.
    pub calls: u64,
    /// The failed calls among these.
    pub failures: u64,
    /// Calls dropped before they finished.
    pub cancelled: u64,
    /// The successful calls without a reported input. It is counted instead, or zero without a counter.
    pub unreported: u64,
    /// Tokens of the successful calls.
    pub usage: TokenUsage,
    /// The cost of the successful calls; `None` without prices. The cost of failed calls is unknown.
    pub cost: Option<Money>,
    /// Total time of the finished calls.
    pub time: Duration,
    /// The provider's tokens per token of ours.
    pub factor: TokenFactor,
}

impl<P> Metered<P> {
    /// Wraps `provider`, with all readings at zero.
    pub fn new(provider: P) -> Self {
        Self { provider, prices: None, counter: None, metering: Mutex::default() }
    }

    /// Sets the prices, for example from [`contextfit_text::prices`].
    #[must_use]
    pub fn with_prices(self, prices: Prices) -> Self {
        Self { prices: Some(prices), ..self }
    }

    /// Sets the counter for tokens that the provider does not report.
    #[must_use]
    pub fn with_counter(self, counter: Arc<dyn TokenCounter>) -> Self {
        Self { counter: Some(counter), ..self }
    }

    /// The current readings.
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

/// A call in progress; dropped before its end, it counts as cancelled.
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
