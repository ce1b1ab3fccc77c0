//! What a model was asked and paid, and what was saved.

use contextfit_cache::CacheStatistics;
use contextfit_kernel::{Action, CompressionResult, Tokens};
use contextfit_text::{Money, TokenUsage, prices};
use serde::Serialize;

use crate::{
    estimate::By,
    settings::Counting,
    summary::{counted, grouped},
};

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
    dollars: Option<Money>,
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
        let failed = if *failures > 0 { format!(", {failures} without success") } else { String::new() };
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

/// What a shorter context saves each time it is sent, and what it cost to make.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cost {
    /// The model that the context is for.
    model: &'static str,
    /// What a million tokens of its input cost, in US dollars.
    input_price: Money,
    /// Where that is from, and the day it was read.
    source: Option<(&'static str, &'static str)>,
    /// How many tokens of the model the dollars are for, where its tokenizer has a stand-in.
    #[serde(skip_serializing_if = "Option::is_none")]
    estimated: Option<By>,
    /// US dollars saved each time the context is sent.
    saved: Money,
    /// US dollars spent on making it; absent where no price is known.
    spent: Option<Money>,
    /// What is left after it was sent once; absent where no price is known.
    net: Option<Money>,
    /// The same for a conversation that the provider has in its prompt cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache: Option<PromptCache>,
}

/// What a shorter conversation saves in the middle of a talk: all of the longer one would have been read from the provider's
/// cache, of the shorter one only what stands before the first change.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct PromptCache {
    /// What a million cached tokens of input cost, in US dollars.
    input_price: Money,
    /// Tokens before the first change.
    tokens_unchanged: Tokens,
    /// US dollars saved the first time that it is sent: below zero where the broken cache costs more.
    first: Money,
    /// US dollars saved each time after that.
    later: Money,
}

impl Cost {
    /// What `result` saves where it is sent to the model of `counting`, in a conversation if `talk`; `None` when the price is not known.
    pub(crate) fn of(
        result: &CompressionResult,
        talk: bool,
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
        let prompt_cache = prices.cached_input.filter(|_| talk).map(|_| PromptCache {
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
            format!("; where the prompt is cached {first} the first time, {later} each time after")
        };
        let cached = self.prompt_cache.as_ref().map(cached).unwrap_or_default();
        let estimated = self.estimated.as_ref().map(|by| format!(", {by}")).unwrap_or_default();
        let Self { model, saved, .. } = self;
        format!("saves {saved} of input each time it is sent ({model}{read}{estimated}){net}{cached}")
    }
}

/// Tokens of the blocks before the first that is not as it was.
fn unchanged(result: &CompressionResult) -> Tokens {
    let Some(plan) = result.plan() else { return result.metrics.tokens_after };
    let kept = plan.steps.iter().take_while(|step| step.action == Action::Keep);
    kept.zip(&result.tokens).map(|(_, tokens)| *tokens).sum()
}
