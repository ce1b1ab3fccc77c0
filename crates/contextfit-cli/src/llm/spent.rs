//! Calls to a language model, their cost, and the savings.

use contextfit::{
    caches::CacheStatistics,
    kernel::{Action, CompressionResult, Tokens},
    presets::{Counting, EstimatedBy},
    text::{Money, TokenUsage, prices},
};
use serde::Serialize;

use crate::summary::{counted, grouped};

/// The calls to a model and their cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Spent {
    model: String,
    calls: u64,
    failures: u64,
    tokens_in: usize,
    tokens_cached: usize,
    tokens_out: usize,
    /// In US dollars; absent if the price of the model is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars: Option<Money>,
    /// The provider's tokens per token of the tokenizer.
    #[serde(skip_serializing_if = "Option::is_none")]
    token_factor: Option<String>,
    cache: CacheStatistics,
}

impl Spent {
    #[cfg(feature = "llm")]
    pub(crate) fn new(model: &str, metering: contextfit::models::Metering, cache: CacheStatistics) -> Self {
        let usage = metering.usage;
        Self {
            model: model.to_owned(),
            calls: metering.calls,
            failures: metering.failures,
            tokens_in: usage.input.get(),
            tokens_cached: usage.cached.get(),
            tokens_out: usage.output.get(),
            dollars: metering.cost,
            token_factor: (metering.factor.answers() > 0).then(|| metering.factor.to_string()),
            cache,
        }
    }

    /// One line for people.
    pub(crate) fn line(&self) -> String {
        let Self { model, calls, failures, tokens_in, tokens_out, .. } = self;
        let n = usize::try_from(*calls).unwrap_or(usize::MAX);
        let kept: u64 = self.cache.spaces.iter().map(|space| space.hits + space.shared).sum();
        let failed = if *failures > 0 { format!(", {failures} failed") } else { String::new() };
        let mut line = format!(
            "asked {model} {}{failed} · {} tokens in, {} out · {} from the cache",
            counted(n, "time", "times"),
            grouped(*tokens_in),
            grouped(*tokens_out),
            counted(usize::try_from(kept).unwrap_or(usize::MAX), "answer", "answers"),
        );
        if let Some(dollars) = self.dollars {
            line.push_str(&format!(" · {dollars}"));
        }
        line
    }
}

/// The savings each time the shorter context is sent, and what it cost to make.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cost {
    /// The model that the context is for.
    model: &'static str,
    /// The price of a million input tokens, in US dollars.
    input_price: Money,
    /// The source of the price, and the day that it was read.
    source: Option<(&'static str, &'static str)>,
    /// How the model's tokens were estimated, if another tokenizer stands in for its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<EstimatedBy>,
    /// US dollars saved each time the context is sent.
    saved: Money,
    /// US dollars spent on making it; absent if no price is known.
    spent: Option<Money>,
    /// US dollars saved, net of the cost, after it was sent once; absent if no price is known.
    net: Option<Money>,
    /// The savings for a conversation that the provider has in its prompt cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache: Option<PromptCache>,
}

/// The savings from shortening a conversation midway: the provider would have read all of the longer one from its
/// cache, but reads only the part before the first change of the shorter one from there.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct PromptCache {
    /// The price of a million cached input tokens, in US dollars.
    input_price: Money,
    /// Tokens before the first change.
    tokens_unchanged: Tokens,
    /// US dollars saved the first time it is sent; negative if the broken cache costs more.
    first: Money,
    /// US dollars saved each time after that.
    later: Money,
}

impl Cost {
    /// The savings when `result` is sent to the model of `counting`, as a conversation if `conversation`; `None` if the
    /// price is unknown.
    pub(crate) fn of(
        result: &CompressionResult,
        conversation: bool,
        counting: &Counting,
        spent: Option<&Spent>,
    ) -> Option<Self> {
        let model = counting.model?.name;
        let listed = prices(model)?;
        let prices = counting.estimator.map_or(listed, |by| listed.estimated(by.factor()));
        let read = |input, cached| TokenUsage { cached, ..TokenUsage::of_input(input) }.cost(&prices);
        let (before, after) = (result.metrics.tokens_before, result.metrics.tokens_after);
        let saved = read(before, Tokens::ZERO) - read(after, Tokens::ZERO);
        let spent = spent.map_or(Some(Money::ZERO), |spent| spent.dollars);
        let million = TokenUsage::of_input(Tokens::new(1_000_000));
        let tokens_unchanged = unchanged(result);
        let prompt_cache = prices.cached_input.filter(|_| conversation).map(|_| PromptCache {
            input_price: TokenUsage { cached: million.input, ..million }.cost(&listed),
            tokens_unchanged,
            first: read(before, before) - read(after, tokens_unchanged),
            later: read(before, before) - read(after, after),
        });
        Some(Self {
            model,
            input_price: million.cost(&listed),
            source: prices.origin,
            estimated: counting.estimator.map(|by| by.by()),
            saved,
            spent,
            net: spent.map(|spent| saved - spent),
            prompt_cache,
        })
    }

    /// One line for people.
    pub(crate) fn line(&self) -> String {
        let net = self.net.map(|net| format!(", net {net}")).unwrap_or_default();
        let read = self.source.map(|(_, day)| format!(", prices of {day}")).unwrap_or_default();
        let cached = |cache: &PromptCache| {
            let PromptCache { first, later, .. } = cache;
            format!("; with a cached prompt {first} the first time, {later} each time after")
        };
        let cached = self.prompt_cache.as_ref().map(cached).unwrap_or_default();
        let estimated = self.estimated.as_ref().map(|by| format!(", {by}")).unwrap_or_default();
        let Self { model, saved, .. } = self;
        format!("saves {saved} of input each time it is sent ({model}{read}{estimated}){net}{cached}")
    }
}

/// Tokens of the blocks before the first changed one.
fn unchanged(result: &CompressionResult) -> Tokens {
    let Some(plan) = result.plan() else { return result.metrics.tokens_after };
    let kept = plan.steps.iter().take_while(|step| step.action == Action::Keep);
    kept.zip(&result.tokens).map(|(_, tokens)| *tokens).sum()
}
