//! How tokens are counted, and what a provider is estimated to count.

use std::{fmt, sync::Arc};

use contextfit_kernel::{TokenCounter, Tokens};
use contextfit_text::{CounterError, Model, TokenFactor, counter};
use serde::Serialize;

/// The tokenizer if neither a tokenizer nor a model is named.
pub const DEFAULT_TOKENIZER: &str = "o200k_base";

/// How tokens are counted: by which tokenizer, and for which model.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Counting {
    /// The counter.
    pub counter: Arc<dyn TokenCounter>,
    /// The model that the result is for, if one was named.
    pub model: Option<&'static Model>,
    /// What the model's provider is estimated to count, if `counter` stands in for a tokenizer that is not published.
    pub estimator: Option<Estimator>,
}

impl Counting {
    /// Counts with the `tokenizer`, or else with that of `model`, or else with [`DEFAULT_TOKENIZER`].
    ///
    /// # Errors
    /// [`CounterError`] if no tokenizer has this name, or its file cannot be read.
    pub fn new(tokenizer: Option<&str>, model: Option<&'static Model>) -> Result<Self, CounterError> {
        let name = tokenizer.or(model.map(|model| model.encoding)).unwrap_or(DEFAULT_TOKENIZER);
        let stands_in = model.filter(|model| !model.exact && model.encoding == name);
        let estimator = stands_in.and_then(|model| Estimator::new(model, model.factor()?));
        Ok(Self { counter: counter(name)?, model, estimator })
    }

    /// Counts with `counter`, for no model in particular.
    #[must_use]
    pub const fn by(counter: Arc<dyn TokenCounter>) -> Self {
        Self { counter, model: None, estimator: None }
    }

    /// Estimates with this `factor` instead of the built-in one, if another tokenizer stands in for the model's.
    #[must_use]
    pub fn with_factor(mut self, factor: TokenFactor) -> Self {
        self.estimator = self.estimator.and_then(|estimator| Estimator::new(estimator.model, factor));
        self
    }

    /// The name of the tokenizer.
    #[must_use]
    pub fn tokenizer(&self) -> &str {
        self.counter.name()
    }

    /// The estimated tokens of an answer, if a stand-in counts them.
    #[must_use]
    pub fn estimate(&self, before: Tokens, after: Tokens) -> Option<Estimate> {
        self.estimator.map(|estimator| estimator.of(before, after))
    }

    /// `answer` with an estimate of its tokens if a stand-in counts them.
    #[must_use]
    pub fn estimated<'a, A>(&self, answer: &'a A, before: Tokens, after: Tokens) -> Estimated<'a, A> {
        Estimated { answer, estimate: self.estimate(before, after) }
    }

    /// The tokens of the model's window that are left for a prompt if its longest answer must fit too; `None` without a
    /// model. If an answer may fill the whole window, a quarter is reserved for it.
    #[must_use]
    pub fn room(&self) -> Option<Tokens> {
        self.model.map(|model| {
            let quarter = Tokens::new(model.window.get() / 4);
            let answer = if model.output < model.window { model.output } else { quarter };
            model.window.saturating_sub(answer)
        })
    }
}

/// A model and its estimated tokens per token of the tokenizer that stands in for its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimator {
    model: &'static Model,
    factor: TokenFactor,
    /// The factor to calculate with.
    bound: f64,
}

impl Estimator {
    /// `None` if nothing is known about `model`.
    fn new(model: &'static Model, factor: TokenFactor) -> Option<Self> {
        Some(Self { model, factor, bound: factor.bound()? })
    }

    /// The factor.
    #[must_use]
    pub const fn factor(&self) -> &TokenFactor {
        &self.factor
    }

    /// The model's tokens for `counted` tokens of the stand-in.
    #[must_use]
    pub fn tokens(&self, counted: Tokens) -> Tokens {
        self.factor.estimate(counted).unwrap_or(counted)
    }

    /// The largest number of the stand-in's tokens that stays within `limit` tokens of the model.
    #[must_use]
    pub fn safe(&self, limit: Tokens) -> Tokens {
        self.factor.safe(limit).unwrap_or(limit)
    }

    /// `before` and `after` as the model is estimated to count them.
    fn of(&self, before: Tokens, after: Tokens) -> Estimate {
        Estimate { by: self.by(), tokens_before: self.tokens(before), tokens_after: self.tokens(after) }
    }

    /// How the estimate is made, to go with its figures.
    #[must_use]
    pub fn by(&self) -> EstimatedBy {
        let origin = self.model.ratio.filter(|_| !self.factor.is_learned());
        EstimatedBy {
            model: self.model.name,
            factor: self.bound,
            learned_from: self.factor.is_learned().then(|| self.factor.answers()),
            source: origin.map(|ratio| (ratio.source, ratio.checked)),
        }
    }

    /// The factor of the model over `tokenizer` and its origin, in words.
    #[must_use]
    pub fn describe(&self, tokenizer: &str) -> String {
        let name = self.model.name;
        if self.factor.is_learned() {
            return format!("{name} tokens per {tokenizer} token: {}", self.factor);
        }
        format!("{name} is assumed to use up to {:.2} tokens for each token of {tokenizer}", self.bound)
    }
}

/// How an estimate was made. Its text is a label for estimated figures: `estimated, x1.35`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EstimatedBy {
    /// The model whose tokens are estimated.
    pub model: &'static str,
    /// The model's tokens per token of the tokenizer.
    pub factor: f64,
    /// The number of reports that the factor was learned from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learned_from: Option<u64>,
    /// The source of a built-in factor, and the day that it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<(&'static str, &'static str)>,
}

impl fmt::Display for EstimatedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "estimated, x{:.2}", self.factor)
    }
}

/// The tokens of an answer as the model is estimated to count them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Estimate {
    /// How it was made.
    #[serde(flatten)]
    pub by: EstimatedBy,
    /// The model's tokens of the input.
    pub tokens_before: Tokens,
    /// The model's tokens of the result.
    pub tokens_after: Tokens,
}

/// An answer with exact counts, and an estimate if there is one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Estimated<'a, A> {
    /// The answer.
    #[serde(flatten)]
    pub answer: &'a A,
    /// The estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use contextfit_text::{model, models};

    use super::*;

    #[test]
    fn every_model_has_room_for_a_prompt() {
        for model in models() {
            let room = Counting::new(Some("chars/4"), Some(model)).unwrap().room().unwrap();
            assert!(room > Tokens::ZERO && room <= model.window, "{}: {room}", model.name);
        }
        assert_eq!(Counting::new(None, None).unwrap().room(), None);
    }

    #[test]
    fn a_tokenizer_takes_precedence_over_a_model() {
        let check = |tokenizer, name: Option<&str>, expect: &str| {
            let counting = Counting::new(tokenizer, name.map(|name| model(name).unwrap())).unwrap();
            assert_eq!(counting.tokenizer(), expect);
        };
        check(None, None, DEFAULT_TOKENIZER);
        check(None, Some("gpt-4"), "cl100k_base");
        check(Some("chars/1"), Some("gpt-4"), "chars/1");
    }
}
