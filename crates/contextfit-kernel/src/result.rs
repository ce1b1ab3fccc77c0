//! Results: the context, the metrics and the trace.

use serde::{Deserialize, Serialize};

use crate::{Context, Plan, Summary, Tokens};

/// A context that fits, with the trace and the metrics of the compression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CompressionResult {
    /// The remaining blocks, each with its text as shown.
    pub context: Context,
    /// The context as one text, ready for the prompt.
    pub text: String,
    /// Tokens of each input block as shown, including its share of headers, in order; zero for a dropped block.
    pub tokens: Vec<Tokens>,
    /// The metrics.
    pub metrics: CompressionMetrics,
    /// The stages tried, in order; empty if the input was within the budget.
    pub stages: Vec<Stage>,
}

impl CompressionResult {
    /// Creates a result. `stages` are in the order in which they were tried.
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

    /// The plan that produced the result; `None` if the input was within the budget.
    #[must_use]
    pub fn plan(&self) -> Option<&Plan> {
        self.stages.iter().rev().find(|stage| stage.outcome == Outcome::Applied)?.plan.as_ref()
    }

    /// The strategy that produced the result; `None` if the input was within the budget.
    #[must_use]
    pub fn strategy(&self) -> Option<&str> {
        self.plan().map(|plan| plan.strategy.as_str())
    }
}

/// The attempts of one strategy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Stage {
    /// The strategy.
    pub strategy: String,
    /// Its last plan, if it produced one.
    pub plan: Option<Plan>,
    /// How often it planned: more than once if the recount found a plan too long.
    pub attempts: usize,
    /// The outcome.
    pub outcome: Outcome,
    /// The summaries that its last plan requested, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<Summary>,
}

impl Stage {
    /// Creates a stage with `attempts` plans.
    #[must_use]
    pub fn new(strategy: impl Into<String>, plan: Option<Plan>, attempts: usize, outcome: Outcome) -> Self {
        Self { strategy: strategy.into(), plan, attempts, outcome, summaries: Vec::new() }
    }

    /// Sets the summaries that the plan requested.
    #[must_use]
    pub fn with_summaries(mut self, summaries: Vec<Summary>) -> Self {
        self.summaries = summaries;
        self
    }
}

/// The outcome of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Outcome {
    /// Its plan produced the result.
    Applied,
    /// Its last plan takes this many tokens, which is too many; the next strategy was tried.
    TooLong(Tokens),
    /// It failed for this reason; the next strategy was tried.
    Failed(String),
}

/// The metrics of one compression. Counts are stored, and ratios are computed from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CompressionMetrics {
    /// Tokens of the input as one text, including headers and separators.
    pub tokens_before: Tokens,
    /// Tokens of the output as one text, recounted.
    pub tokens_after: Tokens,
    /// Blocks in the input.
    pub blocks_before: usize,
    /// Blocks in the output, at any level.
    pub blocks_after: usize,
    /// Blocks shown at level 1 or 0.
    pub metadata_only: usize,
}

impl CompressionMetrics {
    /// Tokens saved: input minus output.
    #[must_use]
    pub const fn tokens_saved(&self) -> Tokens {
        self.tokens_before.saturating_sub(self.tokens_after)
    }

    /// Output divided by input, from 0 to 1; 1 for an empty input.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a ratio for people; counts stay far below 2^53")]
    pub fn ratio(&self) -> f64 {
        match self.tokens_before.get() {
            0 => 1.0,
            before => self.tokens_after.get() as f64 / before as f64,
        }
    }

    /// Tokens saved, in percent of the input.
    #[must_use]
    pub fn reduction_percent(&self) -> f64 {
        (1.0 - self.ratio()) * 100.0
    }

    /// Tokens saved, in the format of KB Labs Mind: `30.0%`.
    #[must_use]
    pub fn compression_rate(&self) -> String {
        format!("{:.1}%", self.reduction_percent())
    }
}

crate::setters! {
    CompressionMetrics {
        with_tokens_before(tokens_before: Tokens), with_tokens_after(tokens_after: Tokens),
        with_blocks_before(blocks_before: usize), with_blocks_after(blocks_after: usize),
        with_metadata_only(metadata_only: usize),
    }
}
