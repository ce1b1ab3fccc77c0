//! What comes out: the context, the figures, and the trace.

use serde::{Deserialize, Serialize};

use crate::{Context, Plan, Summary, Tokens};

/// A context that fits, and how it came to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CompressionResult {
    /// The blocks that remain, each with the text that is shown of it.
    pub context: Context,
    /// The context as one text: what to put into the prompt.
    pub text: String,
    /// Tokens of each input block as shown, with its share of headers, in order; zero for a dropped one.
    pub tokens: Vec<Tokens>,
    /// The figures.
    pub metrics: CompressionMetrics,
    /// What was tried, in order; empty when the input was within the budget.
    pub stages: Vec<Stage>,
}

impl CompressionResult {
    /// A result; `stages` in the order they were tried.
    #[must_use]
    pub const fn new(
        context: Context,
        text: String,
        tokens: Vec<Tokens>,
        metrics: CompressionMetrics,
        stages: Vec<Stage>,
    ) -> Self {
        Self { context, text, tokens, metrics, stages }
    }

    /// The plan that made the result; `None` when the input was within the budget.
    #[must_use]
    pub fn plan(&self) -> Option<&Plan> {
        self.stages.iter().rev().find(|stage| stage.outcome == Outcome::Applied)?.plan.as_ref()
    }

    /// The strategy that made the result; `None` when the input was within the budget.
    #[must_use]
    pub fn strategy(&self) -> Option<&str> {
        self.plan().map(|plan| plan.strategy.as_str())
    }
}

/// One strategy's turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stage {
    /// The strategy.
    pub strategy: String,
    /// Its last plan, if it came to one.
    pub plan: Option<Plan>,
    /// How often it was asked: more than once when the recount found a plan too long.
    pub attempts: usize,
    /// What became of it.
    pub outcome: Outcome,
    /// The summaries that its last plan asked for, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<Summary>,
}

impl Stage {
    /// A stage that was tried `attempts` times.
    #[must_use]
    pub fn new(strategy: impl Into<String>, plan: Option<Plan>, attempts: usize, outcome: Outcome) -> Self {
        Self { strategy: strategy.into(), plan, attempts, outcome, summaries: Vec::new() }
    }

    /// The same stage with the summaries that its plan asked for.
    #[must_use]
    pub fn with_summaries(mut self, summaries: Vec<Summary>) -> Self {
        self.summaries = summaries;
        self
    }
}

/// What became of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Outcome {
    /// Its plan is the result.
    Applied,
    /// Its plan still took this many tokens: the next strategy was tried.
    TooLong(Tokens),
    /// It failed, for this reason: the next strategy was tried.
    Failed(String),
}

/// The figures of one compression. Counts are stored, ratios computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompressionMetrics {
    /// Tokens of the input as one text, headers and separators included.
    pub tokens_before: Tokens,
    /// Tokens of the output as one text, counted again.
    pub tokens_after: Tokens,
    /// Blocks in the input.
    pub blocks_before: usize,
    /// Blocks in the output, at whatever level.
    pub blocks_after: usize,
    /// Blocks shown at level 1 or 0.
    pub metadata_only: usize,
}

impl CompressionMetrics {
    /// Tokens that the output has less than the input.
    #[must_use]
    pub const fn tokens_saved(&self) -> Tokens {
        self.tokens_before.saturating_sub(self.tokens_after)
    }

    /// Output over input, from 0 to 1; 1 for an empty input.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a ratio for people; counts stay far below 2^53")]
    pub fn ratio(&self) -> f64 {
        match self.tokens_before.get() {
            0 => 1.0,
            before => self.tokens_after.get() as f64 / before as f64,
        }
    }

    /// What was saved, in percent of the input.
    #[must_use]
    pub fn reduction_percent(&self) -> f64 {
        (1.0 - self.ratio()) * 100.0
    }

    /// What was saved, as seed 001 prints it: `30.0%`.
    #[must_use]
    pub fn compression_rate(&self) -> String {
        format!("{:.1}%", self.reduction_percent())
    }
}
