//! What can go wrong.

use thiserror::Error;

use crate::{Blocker, Hold, ProviderError, StoreError, Tokens};

/// Why a context could not be made to fit.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Even the smallest allowed result is larger than the budget.
    #[error(
        "cannot fit: the smallest possible result needs {needed} tokens, {available} are available{}",
        advice(blockers)
    )]
    Infeasible {
        /// Tokens of the smallest possible result.
        needed: Tokens,
        /// Tokens available.
        available: Tokens,
        /// The blocks that every result must show, the largest first.
        blockers: Vec<Blocker>,
    },
    /// A reserve larger than the limit it is taken from.
    #[error("a reserve of {reserve} tokens exceeds the limit of {limit}")]
    Reserve {
        /// The reserve.
        reserve: Tokens,
        /// The limit.
        limit: Tokens,
    },
    /// A strategy by a name that is not known.
    #[error("unknown strategy {name:?}; known: {known}")]
    UnknownStrategy {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A strategy broke its contract.
    #[error("strategy {strategy} made an invalid plan: {fault}")]
    Plan {
        /// The strategy.
        strategy: String,
        /// What is wrong with its plan.
        fault: InvalidPlan,
    },
    /// A model failed.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The store of originals failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What is wrong with a plan.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidPlan {
    /// Not one step for each block.
    #[error("{steps} steps for {blocks} blocks")]
    Steps {
        /// Steps in the plan.
        steps: usize,
        /// Blocks in the context.
        blocks: usize,
    },
    /// A step stands at the place of another block.
    #[error("step {at} is for block {found:?}, not {expected:?}")]
    Order {
        /// The step's place.
        at: usize,
        /// The block at that place.
        expected: String,
        /// The block that the step names.
        found: String,
    },
    /// A pinned block, or one of a group with a pinned block, is touched.
    #[error("block {0:?} is pinned, by itself or by its group: it must be kept as it is")]
    Pinned(String),
    /// A block that must be shown, or one of a group with such a block, is dropped or replaced.
    #[error(
        "block {0:?} must be shown, by itself or by its group: it can be kept or cut, not dropped or replaced"
    )]
    Shown(String),
    /// A range leaves the text, lies before its predecessor, or does not start and end at unit borders.
    #[error("block {id:?} is cut at {start}..{end}")]
    Range {
        /// The block.
        id: String,
        /// The range's first byte.
        start: usize,
        /// One past its last.
        end: usize,
    },
    /// A rewritten piece whose text is not what its rewrite makes of its range.
    #[error(
        "block {id:?} is rewritten at {start}..{end}, and the text is not what the rewrite makes of these bytes"
    )]
    Rewritten {
        /// The block.
        id: String,
        /// The range's first byte.
        start: usize,
        /// One past its last.
        end: usize,
    },
    /// Source is left out and no marker says so.
    #[error("block {0:?} has a gap without a marker")]
    UnmarkedGap(String),
    /// A rendered level that would show source.
    #[error("block {0:?} is rendered at a level that shows its source")]
    Level(String),
    /// An entry of a record that is not the block's own: another number or role in its label, or a quote that is no run of
    /// whole units. Outside of conversations, and of a block that is an entry already, there are none.
    #[error("block {0:?} is quoted by an entry that is not its own")]
    Entry(String),
    /// Part of a group is dropped, part is not.
    #[error("group {0:?} is torn apart")]
    Group(String),
}

/// How many blockers an error names.
const NAMED: usize = 3;

/// What can be done about `blockers`, as the end of a sentence.
fn advice(blockers: &[Blocker]) -> String {
    let named = blockers.iter().take(NAMED).map(|Blocker { id, tokens, hold }| match hold {
        Hold::Pinned => format!("{id:?} ({tokens} tokens, pinned)"),
        _ => format!("{id:?} ({tokens} tokens, always shown)"),
    });
    let named = named.collect::<Vec<_>>().join(", ");
    match blockers.len().saturating_sub(NAMED) {
        _ if blockers.is_empty() => String::new(),
        0 => format!("; raise the budget or free one of these blocks: {named}"),
        more => format!("; raise the budget or free one of these blocks: {named}, and {more} more"),
    }
}
