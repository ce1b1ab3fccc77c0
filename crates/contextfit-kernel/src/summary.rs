//! Summaries, as recorded in the trace.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Tokens, Unfit};

/// The outcome of a summary that a plan requested for consecutive blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Summary {
    /// Index of the first block in the context.
    pub from: usize,
    /// Index after the last block.
    pub to: usize,
    /// What was shown instead of the blocks.
    pub source: SummarySource,
    /// Input tokens of the model call, as reported by the provider or else counted; zero if no model was called.
    pub tokens_in: Tokens,
    /// Tokens of the model's answer.
    pub tokens_out: Tokens,
}

impl Summary {
    /// Creates the outcome for the blocks `from..to`, without a model call.
    #[must_use]
    pub const fn new(from: usize, to: usize, source: SummarySource) -> Self {
        Self { from, to, source, tokens_in: Tokens::ZERO, tokens_out: Tokens::ZERO }
    }

    /// Sets the tokens of the model call.
    #[must_use]
    pub const fn with_tokens(mut self, tokens_in: Tokens, tokens_out: Tokens) -> Self {
        (self.tokens_in, self.tokens_out) = (tokens_in, tokens_out);
        self
    }
}

/// What replaces the blocks of a requested summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum SummarySource {
    /// The model's answer.
    Model {
        /// Whether only the beginning of the answer is shown, because it was longer than its room.
        cut: bool,
    },
    /// No summary, for this reason; the turns are shown as without a model.
    Fallback(NoSummary),
}

/// The reason why there is no summary by a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum NoSummary {
    /// No model is available, or it was not called again.
    NotAsked,
    /// The model failed, for this reason.
    Failed(String),
    /// The model did not answer in time.
    Late,
    /// The answer was empty.
    Empty,
    /// The answer was at least as long as the text it should summarize.
    Longer,
    /// The answer does not faithfully represent its source.
    Unfit(Unfit),
    /// No part of the answer fits into its room.
    NoRoom,
}

impl fmt::Display for NoSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAsked => f.write_str("no model was asked"),
            Self::Failed(why) => write!(f, "the model failed: {why}"),
            Self::Late => f.write_str("the model did not answer in time"),
            Self::Empty => f.write_str("the answer was empty"),
            Self::Longer => f.write_str("the answer was no shorter than its source"),
            Self::Unfit(why) => why.fmt(f),
            Self::NoRoom => f.write_str("no room for the answer"),
        }
    }
}
