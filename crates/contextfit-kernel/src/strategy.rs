//! Strategies: who decides what happens to each block.

use std::{fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{Context, Error, Measured, Plan, Tokens};

/// Decides what happens to each block of a context that is larger than its budget.
///
/// Planning is pure: no input or output, no clock, no randomness; the same input gives the same plan on every machine.
///
/// Callers may rely on this, and implementers owe it:
/// - The plan has one step for each block, in order. Blocks of one group are shown together, each at its own level, or none of
///   them is.
/// - What [`Context::holds`](crate::Context::holds) says of a block is kept: pinned blocks are kept as they are, shown ones
///   are kept or cut.
/// - A cut takes whole units, in ascending order, and puts a marker into every gap.
/// - The plan aims at `room` tokens for the whole text. It need not hit exactly: the executor recounts, and asks
///   again with less room when the text turned out too long. With less room the plan must get smaller, down to
///   pinned blocks and what is left of shown ones.
/// - Time is linear or linear-logarithmic in the size of the context. Nothing panics, whatever the blocks hold.
pub trait Strategy: Send + Sync {
    /// The name by which people choose and read it.
    fn name(&self) -> &str;

    /// The plan for `input` at `room` tokens.
    ///
    /// # Errors
    /// Whatever keeps the strategy from planning; the executor reports it in the trace and tries the next strategy.
    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error>;

    /// Plans for one input at several rooms: what does not depend on the room is done once. The plans are those of
    /// [`plan`](Self::plan).
    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        Box::new(move |room| self.plan(input, room))
    }

    /// Whether `context` is to be measured so that it can be cut within lines that are too long to choose among: JSON between its
    /// members, a bundle behind its statements. For strategies that show machine output; in all else a line is whole or gone.
    fn cuts_within_lines(&self, context: &Context) -> bool {
        let _ = context;
        false
    }
}

/// Plans for one input: called with the room, in tokens.
pub type Planner<'a> = Box<dyn Fn(Tokens) -> Result<Plan, Error> + 'a>;

impl<T: Strategy + ?Sized> Strategy for Arc<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        (**self).plan(input, room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        (**self).planner(input)
    }

    fn cuts_within_lines(&self, context: &Context) -> bool {
        (**self).cuts_within_lines(context)
    }
}

impl<T: Strategy + ?Sized> Strategy for Box<T> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        (**self).plan(input, room)
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        (**self).planner(input)
    }

    fn cuts_within_lines(&self, context: &Context) -> bool {
        (**self).cuts_within_lines(context)
    }
}

/// The strategies by name, as configuration files, requests and the command line spell them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CompressionStrategy {
    /// The best that is built in for the input at hand.
    #[default]
    Auto,
    /// Start, declarations and end of every long block.
    SmartTruncation,
    /// What is known of a block in place of its text.
    MetadataOnly,
    /// Each block at the level that its worth and the room allow.
    Incremental,
    /// The sentences that answer the query best.
    Bm25,
    /// Code by its signatures and the bodies that matter.
    Outline,
    /// Machine output by what matters in it: errors, totals, changes, heads.
    Excerpt,
    /// The newest turns of a conversation.
    SlidingWindow,
    /// The newest turns, and a summary of those before.
    Summarize,
    /// Turns that say the same as one.
    Semantic,
    /// Each turn at the level that it is worth.
    Hierarchical,
    /// Several strategies in turn, until the conversation fits.
    Hybrid,
}

impl CompressionStrategy {
    /// All of them, in the order that people are shown.
    pub const ALL: [Self; 12] = [
        Self::Auto,
        Self::SmartTruncation,
        Self::MetadataOnly,
        Self::Incremental,
        Self::Outline,
        Self::Bm25,
        Self::Excerpt,
        Self::SlidingWindow,
        Self::Summarize,
        Self::Semantic,
        Self::Hierarchical,
        Self::Hybrid,
    ];

    /// Those for search results and files, in the order that people are shown.
    pub const SEARCH: [Self; 7] = [
        Self::Auto,
        Self::SmartTruncation,
        Self::MetadataOnly,
        Self::Incremental,
        Self::Outline,
        Self::Bm25,
        Self::Excerpt,
    ];

    /// Those for conversations, in the order that people are shown.
    pub const CHAT: [Self; 6] =
        [Self::Auto, Self::SlidingWindow, Self::Summarize, Self::Semantic, Self::Hierarchical, Self::Hybrid];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::SmartTruncation => "smart-truncation",
            Self::MetadataOnly => "metadata-only",
            Self::Incremental => "incremental",
            Self::Bm25 => "bm25",
            Self::Outline => "outline",
            Self::Excerpt => "excerpt",
            Self::SlidingWindow => "sliding-window",
            Self::Summarize => "summarize",
            Self::Semantic => "semantic",
            Self::Hierarchical => "hierarchical",
            Self::Hybrid => "hybrid",
        }
    }
}

impl fmt::Display for CompressionStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for CompressionStrategy {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name).ok_or_else(|| Error::UnknownStrategy {
            name: name.into(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}
