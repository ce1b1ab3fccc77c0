//! Estimates of what a provider counts, if another tokenizer stands in for its own.

use std::fmt;

use contextfit_kernel::Tokens;
use contextfit_text::{Model, TokenFactor};
use serde::Serialize;

use crate::summary::grouped;

/// A model and its estimated tokens per token of the tokenizer that stands in for its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Estimator {
    model: &'static Model,
    factor: TokenFactor,
    /// The factor to calculate with.
    bound: f64,
}

impl Estimator {
    /// `None` if nothing is known about `model`.
    pub(crate) fn new(model: &'static Model, factor: TokenFactor) -> Option<Self> {
        Some(Self { model, factor, bound: factor.bound()? })
    }

    pub(crate) const fn factor(&self) -> &TokenFactor {
        &self.factor
    }

    /// The model's tokens for `counted` tokens of the stand-in.
    pub(crate) fn tokens(&self, counted: Tokens) -> Tokens {
        self.factor.estimate(counted).unwrap_or(counted)
    }

    /// The largest number of the stand-in's tokens that stays within `limit` tokens of the model.
    pub(crate) fn safe(&self, limit: Tokens) -> Tokens {
        self.factor.safe(limit).unwrap_or(limit)
    }

    /// `before` and `after` as the model is estimated to count them.
    pub(crate) fn of(&self, before: Tokens, after: Tokens) -> Estimate {
        Estimate { by: self.by(), tokens_before: self.tokens(before), tokens_after: self.tokens(after) }
    }

    /// How the estimate was made, to go with its figures.
    pub(crate) fn by(&self) -> By {
        let origin = self.model.ratio.filter(|_| !self.factor.is_learned());
        By {
            model: self.model.name,
            factor: self.bound,
            learned_from: self.factor.is_learned().then(|| self.factor.answers()),
            source: origin.map(|ratio| (ratio.source, ratio.checked)),
        }
    }

    /// The factor and its origin, in words.
    pub(crate) fn told(&self, tokenizer: &str) -> String {
        let name = self.model.name;
        if self.factor.is_learned() {
            return format!("{name} tokens per {tokenizer} token: {}", self.factor);
        }
        format!("{name} is assumed to use up to {:.2} tokens for each token of {tokenizer}", self.bound)
    }
}

/// How an estimate was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct By {
    model: &'static str,
    /// The model's tokens per token of the tokenizer.
    factor: f64,
    /// The number of reports that the factor was learned from.
    #[serde(skip_serializing_if = "Option::is_none")]
    learned_from: Option<u64>,
    /// The source of a built-in factor, and the day that it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<(&'static str, &'static str)>,
}

/// The label of estimated figures: `estimated, x1.35`.
impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "estimated, x{:.2}", self.factor)
    }
}

/// The tokens of an answer as the model is estimated to count them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Estimate {
    #[serde(flatten)]
    by: By,
    tokens_before: Tokens,
    tokens_after: Tokens,
}

/// An answer with exact counts, and an estimate if there is one.
#[derive(Serialize)]
pub(crate) struct Estimated<'a, A> {
    #[serde(flatten)]
    pub(crate) answer: &'a A,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimate: Option<Estimate>,
}

/// The estimate of `tokens` as part of a line; empty if there is none.
pub(crate) fn part(estimator: Option<&Estimator>, tokens: Tokens) -> String {
    let part = |by: &Estimator| {
        format!(" · {} for {} ({})", grouped(by.tokens(tokens).get()), by.model.name, by.by())
    };
    estimator.map(part).unwrap_or_default()
}
