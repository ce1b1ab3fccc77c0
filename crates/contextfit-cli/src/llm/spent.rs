//! What a model was asked and paid, and what was saved.

use contextfit_cache::CacheStatistics;
use contextfit_kernel::{CompressionMetrics, Tokens};
use contextfit_text::{Model, Prices, prices};
use serde::Serialize;

use crate::summary::{counted, grouped};

/// What a model was asked and paid.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Spent {
    model: String,
    calls: u64,
    failures: u64,
    tokens_in: usize,
    tokens_cached: usize,
    tokens_out: usize,
    /// In US dollars; absent where the model has no price.
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars: Option<f64>,
    /// The provider's tokens for one of ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    token_factor: Option<String>,
    cache: CacheStatistics,
}

impl Spent {
    #[cfg(feature = "llm")]
    pub(crate) fn new(model: &str, metering: contextfit_providers::Metering, cache: CacheStatistics) -> Self {
        let usage = metering.usage;
        Self {
            model: model.to_owned(),
            calls: metering.calls,
            failures: metering.failures,
            tokens_in: usage.input.get(),
            tokens_cached: usage.cached.get(),
            tokens_out: usage.output.get(),
            dollars: metering.cost.map(contextfit_providers::Money::dollars),
            token_factor: (metering.factor.answers() > 0).then(|| metering.factor.to_string()),
            cache,
        }
    }

    /// One line for people.
    pub(crate) fn line(&self) -> String {
        let Self { model, calls, failures, tokens_in, tokens_out, .. } = self;
        let n = usize::try_from(*calls).unwrap_or(usize::MAX);
        let kept: u64 = self.cache.spaces.iter().map(|space| space.hits + space.shared).sum();
        let failed = if *failures > 0 { format!(", {failures} without success") } else { String::new() };
        let mut line = format!(
            "asked {model} {}{failed} · {} tokens in, {} out · {} from the cache",
            counted(n, "time", "times"),
            grouped(*tokens_in),
            grouped(*tokens_out),
            counted(usize::try_from(kept).unwrap_or(usize::MAX), "answer", "answers"),
        );
        if let Some(dollars) = self.dollars {
            line.push_str(&format!(" · {}", money(dollars)));
        }
        line
    }
}

/// What a shorter context saves each time it is sent, and what it cost to make.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cost {
    /// The model that the context is for.
    model: &'static str,
    /// What a million tokens of its input cost, in US dollars.
    input_price: f64,
    /// Where that is from, and the day it was read.
    source: Option<(&'static str, &'static str)>,
    /// US dollars saved each time the context is sent.
    saved: f64,
    /// US dollars spent on making it; absent where no price is known.
    spent: Option<f64>,
    /// What is left after it was sent once; absent where no price is known.
    net: Option<f64>,
}

impl Cost {
    /// `None` when the price of `model` is not known.
    pub(crate) fn of(
        metrics: &CompressionMetrics,
        model: Option<&'static Model>,
        spent: Option<&Spent>,
    ) -> Option<Self> {
        let model = model?.name;
        let prices: Prices = prices(model)?;
        let saved = dollars(metrics.tokens_saved(), prices.input);
        let spent = spent.map_or(Some(0.0), |spent| spent.dollars);
        let net = spent.map(|spent| saved - spent);
        let input_price = dollars(Tokens::new(1_000_000), prices.input);
        Some(Self { model, input_price, source: prices.origin, saved, spent, net })
    }

    /// One line for people.
    pub(crate) fn line(&self) -> String {
        let net = self.net.map(|net| format!(", net {}", money(net))).unwrap_or_default();
        let read = self.source.map(|(_, day)| format!(", prices of {day}")).unwrap_or_default();
        format!("saves {} of input each time it is sent ({}{read}){net}", money(self.saved), self.model)
    }
}

/// What `tokens` cost at `price` micro-dollars for a million.
#[expect(clippy::cast_precision_loss, reason = "counts and prices stay far below 2^53")]
fn dollars(tokens: Tokens, price: u64) -> f64 {
    tokens.get() as f64 * price as f64 / 1e12
}

fn money(dollars: f64) -> String {
    let sign = if dollars < 0.0 { "-" } else { "" };
    format!("{sign}${:.6}", dollars.abs())
}
