//! The errors of compressions and of plans.

use thiserror::Error;

use crate::{Blocker, Hold, ProviderError, StoreError, Tokens};

/// The reason why a context could not be made to fit.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Even the smallest valid result is larger than the budget.
    #[error(
        "cannot fit: the smallest possible result needs {needed} tokens, {available} are available{}",
        advice(blockers)
    )]
    Infeasible {
        /// Tokens of the smallest valid result.
        needed: Tokens,
        /// Tokens available.
        available: Tokens,
        /// The blocks that every valid result must include, the largest first.
        blockers: Vec<Blocker>,
    },
    /// The reserve of a budget is larger than its limit.
    #[error("a reserve of {reserve} tokens exceeds the limit of {limit}")]
    Reserve {
        /// The reserve.
        reserve: Tokens,
        /// The limit.
        limit: Tokens,
    },
    /// No strategy has this name.
    #[error("unknown strategy {name:?}; known: {known}")]
    UnknownStrategy {
        /// The requested name.
        name: String,
        /// The known names.
        known: String,
    },
    /// Memories replace one another in a circle, or one replaces itself.
    #[error("memories replace one another in a circle: {}; expected `replaces` to name older memories", ids.join(" -> "))]
    Circular {
        /// Their ids: each is followed by the one that replaces it, and the last is the first one again.
        ids: Vec<String>,
    },
    /// A strategy is not part of this build.
    #[error("strategy {name} is not part of this build; enable the feature `{feature}`")]
    NotBuiltIn {
        /// The strategy.
        name: String,
        /// The feature of `contextfit` that provides it.
        feature: &'static str,
    },
    /// A strategy violated its contract.
    #[error("strategy {strategy} made an invalid plan: {fault}")]
    Plan {
        /// The strategy.
        strategy: String,
        /// The fault in its plan.
        fault: InvalidPlan,
    },
    /// A strategy failed: it returned an error of its own, or panicked.
    #[error("strategy {strategy} failed: {source}")]
    Strategy {
        /// The strategy.
        strategy: String,
        /// Its error, or the message of the panic.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A pipeline has no strategy to plan with.
    #[error("the pipeline has no strategy to plan with; add one with `with_strategy`")]
    NoStrategy,
    /// A conversation built by hand has a result of a tool that no earlier message calls.
    #[error(
        "message {at} is a result of the tool {tool:?}, which no message before it calls{}",
        if called.is_empty() { String::new() } else { format!("; called so far: {called}") }
    )]
    UnknownCall {
        /// The position of the result, from 0.
        at: usize,
        /// The tool that the result names.
        tool: String,
        /// The tools that earlier messages call, separated by commas.
        called: String,
    },
    /// A conversation built by hand has the result of a call id that no earlier call has.
    #[error(
        "message {at} is the result of the call {id:?}, which no message before it makes{}",
        if called.is_empty() { String::new() } else { format!("; calls so far: {}", called.join(", ")) }
    )]
    UnknownCallId {
        /// The position of the result, from 0.
        at: usize,
        /// The id that the result names.
        id: String,
        /// The ids of the earlier calls, in order.
        called: Vec<String>,
    },
    /// A model failed.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The store of originals failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Error {
    /// Creates the error that a [`Strategy`](crate::Strategy) returns when it fails; `source` is an error or a message.
    ///
    /// ```
    /// # use contextfit_kernel as contextfit;
    /// use contextfit::Error;
    ///
    /// let error = Error::strategy("by-author", "block \"a\" has no author");
    /// assert_eq!(error.to_string(), "strategy by-author failed: block \"a\" has no author");
    /// ```
    #[must_use]
    pub fn strategy(
        strategy: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Strategy { strategy: strategy.into(), source: source.into() }
    }
}

/// A fault in a plan.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidPlan {
    /// The number of steps differs from the number of blocks.
    #[error("{steps} steps for {blocks} blocks")]
    Steps {
        /// Steps in the plan.
        steps: usize,
        /// Blocks in the context.
        blocks: usize,
    },
    /// A step is at the position of another block.
    #[error("step {at} is for block {found:?}, not {expected:?}")]
    Order {
        /// The position of the step.
        at: usize,
        /// The block at that position.
        expected: String,
        /// The block named by the step.
        found: String,
    },
    /// A pinned block, or a block in a group with a pinned block, was touched.
    #[error("block {0:?} is pinned, by itself or by its group: it must be kept as it is")]
    Pinned(String),
    /// A block that must be shown, or a block in a group with such a block, was dropped or replaced.
    #[error(
        "block {0:?} must be shown, by itself or by its group: it can be kept or cut, not dropped or replaced"
    )]
    Shown(String),
    /// A range exceeds the text, starts before the end of its predecessor, or does not start and end at unit
    /// boundaries.
    #[error("block {id:?} is cut at {start}..{end}, which is not a valid range of whole units")]
    Range {
        /// The block.
        id: String,
        /// The range's first byte.
        start: usize,
        /// End of the range, exclusive.
        end: usize,
    },
    /// A rewritten piece whose text is not the result of applying its rewrite to its range.
    #[error("block {id:?} is rewritten at {start}..{end}, but the text is not the result of that rewrite")]
    Rewritten {
        /// The block.
        id: String,
        /// The range's first byte.
        start: usize,
        /// End of the range, exclusive.
        end: usize,
    },
    /// Source text is left out without a marker.
    #[error("block {0:?} has a gap without a marker")]
    UnmarkedGap(String),
    /// A block is rendered at a level that shows its source.
    #[error("block {0:?} is rendered at a level that shows its source")]
    Level(String),
    /// A record entry does not belong to the block: its label is not that of the quoted text, its quotes are from more
    /// than one part or call, or a quote is not a run of whole units. Contexts other than conversations, and blocks
    /// that are already entries, must not have entries.
    #[error("block {0:?} is quoted by an entry that does not belong to it")]
    Entry(String),
    /// A turn that is not shown has attachments or calls that the record does not name, or names wrongly.
    #[error(
        "block {0:?} leaves the conversation with attachments or calls that the record does not name as they are"
    )]
    Departure(String),
    /// A marker contains more than the note that something is missing, or could be mistaken for a line of the text; or
    /// a text that replaces the block could be mistaken for another block.
    #[error("block {0:?} has a marker or a replacement that could pass for something else")]
    Forged(String),
    /// Some blocks of a group are shown and others are not; in a conversation, some are messages and others are not.
    #[error(
        "group {0:?} is split: its blocks must be shown together, as messages in a conversation, or not at all"
    )]
    Group(String),
}

/// Maximum number of blockers named in an error.
const MAX_NAMED_BLOCKERS: usize = 3;

/// Advice about `blockers`, as the end of a sentence.
fn advice(blockers: &[Blocker]) -> String {
    let named = blockers.iter().take(MAX_NAMED_BLOCKERS).map(|Blocker { id, tokens, hold }| match hold {
        Hold::Pinned => format!("{id:?} ({tokens} tokens, pinned)"),
        _ => format!("{id:?} ({tokens} tokens, always shown)"),
    });
    let named = named.collect::<Vec<_>>().join(", ");
    match blockers.len().saturating_sub(MAX_NAMED_BLOCKERS) {
        _ if blockers.is_empty() => String::new(),
        0 => format!("; raise the budget or free one of these blocks: {named}"),
        more => format!("; raise the budget or free one of these blocks: {named}, and {more} more"),
    }
}
