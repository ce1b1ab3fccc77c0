//! What a provider is taken to count, where another tokenizer stands in for its own.

use std::fmt;

use contextfit_kernel::Tokens;
use contextfit_text::{Model, TokenFactor};
use serde::Serialize;

use crate::summary::grouped;

/// A model and what it is taken to count for one token of the tokenizer that stands in for its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Estimator {
    model: &'static Model,
    factor: TokenFactor,
    /// What to reckon with.
    bound: f64,
}

impl Estimator {
    /// `None` where nothing is known of `model`.
    pub(crate) fn new(model: &'static Model, factor: TokenFactor) -> Option<Self> {
        Some(Self { model, factor, bound: factor.bound()? })
    }

    pub(crate) const fn factor(&self) -> &TokenFactor {
        &self.factor
    }

    /// The model's tokens for `counted` of ours.
    pub(crate) fn tokens(&self, counted: Tokens) -> Tokens {
        self.factor.estimate(counted).unwrap_or(counted)
    }

    /// The most tokens of ours that are within `limit` of the model's.
    pub(crate) fn safe(&self, limit: Tokens) -> Tokens {
        self.factor.safe(limit).unwrap_or(limit)
    }

    /// `before` and `after` as the model is taken to count them.
    pub(crate) fn of(&self, before: Tokens, after: Tokens) -> Estimate {
        Estimate { by: self.by(), tokens_before: self.tokens(before), tokens_after: self.tokens(after) }
    }

    /// What is said of an estimate beside its figures.
    pub(crate) fn by(&self) -> By {
        let origin = self.model.ratio.filter(|_| !self.factor.is_learned());
        By {
            model: self.model.name,
            factor: self.bound,
            learned_from: self.factor.is_learned().then(|| self.factor.answers()),
            source: origin.map(|ratio| (ratio.source, ratio.checked)),
        }
    }

    /// Where the factor is from, in words.
    pub(crate) fn told(&self, tokenizer: &str) -> String {
        let name = self.model.name;
        if self.factor.is_learned() {
            return format!("{name} counts {} for one of {tokenizer}", self.factor);
        }
        format!("{name} is assumed to use up to {:.2} tokens for each token of {tokenizer}", self.bound)
    }
}

/// How an estimate was made.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct By {
    model: &'static str,
    /// The model's tokens for one of the tokenizer's.
    factor: f64,
    /// The number of reports that it was learned from.
    #[serde(skip_serializing_if = "Option::is_none")]
    learned_from: Option<u64>,
    /// Otherwise where it is from, and the day that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<(&'static str, &'static str)>,
}

/// How figures that are no counts are read: `estimated, x1.35`.
impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "estimated, x{:.2}", self.factor)
    }
}

/// The tokens of an answer as the model is taken to count them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Estimate {
    #[serde(flatten)]
    by: By,
    tokens_before: Tokens,
    tokens_after: Tokens,
}

/// An answer, and beside its exact counts the estimate, where there is one.
#[derive(Serialize)]
pub(crate) struct Estimated<'a, A> {
    #[serde(flatten)]
    pub(crate) answer: &'a A,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimate: Option<Estimate>,
}

/// The estimate of `tokens` as a part of a line; nothing where there is none.
pub(crate) fn part(estimator: Option<&Estimator>, tokens: Tokens) -> String {
    let part = |by: &Estimator| {
        format!(" · {} for {} ({})", grouped(by.tokens(tokens).get()), by.model.name, by.by())
    };
    estimator.map(part).unwrap_or_default()
}
