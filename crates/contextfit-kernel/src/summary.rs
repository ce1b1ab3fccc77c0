//! Summaries, as the trace tells them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Tokens, Unfit};

/// What became of neighbouring blocks that a plan wanted summarized.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Summary {
    /// The place of the first block in the context.
    pub from: usize,
    /// One past the place of the last.
    pub to: usize,
    /// What is shown.
    pub told: Told,
    /// Tokens that the model was given: what the provider says, else counted. Zero where none was asked.
    pub tokens_in: Tokens,
    /// Tokens that it answered with.
    pub tokens_out: Tokens,
}

impl Summary {
    /// What became of the blocks `from..to`, without a model's having been asked.
    #[must_use]
    pub const fn new(from: usize, to: usize, told: Told) -> Self {
        Self { from, to, told, tokens_in: Tokens::ZERO, tokens_out: Tokens::ZERO }
    }

    /// The same with what the model took.
    #[must_use]
    pub const fn with_tokens(mut self, tokens_in: Tokens, tokens_out: Tokens) -> Self {
        (self.tokens_in, self.tokens_out) = (tokens_in, tokens_out);
        self
    }
}

/// What stands in the place of blocks that were to be summarized.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Told {
    /// What the model answered.
    ByModel {
        /// Whether it was longer than its room, and only the beginning is shown.
        cut: bool,
    },
    /// What the plan had ready, for this reason.
    ByFallback(NoSummary),
}

/// Why there is no summary by a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum NoSummary {
    /// There is no model to ask, or it was not asked again.
    NotAsked,
    /// The model failed, for this reason.
    Failed(String),
    /// The model did not answer in time.
    Late,
    /// The answer was empty.
    Empty,
    /// The answer was as long as what it should have summarized, or longer.
    Longer,
    /// The answer does not stand for its source.
    Unfit(Unfit),
    /// Nothing of the answer fits into its room.
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
