//! What can go wrong.

use thiserror::Error;

use crate::{ProviderError, StoreError, Tokens};

/// Why a context could not be made to fit.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Even the smallest allowed result is larger than the budget.
    #[error(
        "cannot fit: the smallest possible result needs {needed} tokens, {available} are available{}",
        held_up_by(blockers)
    )]
    Infeasible {
        /// Tokens of the smallest possible result.
        needed: Tokens,
        /// Tokens available.
        available: Tokens,
        /// Ids of the blocks that cannot be made smaller.
        blockers: Vec<String>,
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
    /// A pinned block is touched.
    #[error("block {0:?} is pinned")]
    Pinned(String),
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

/// The blockers as the end of a sentence: at most three by name.
fn held_up_by(blockers: &[String]) -> String {
    match blockers {
        [] => String::new(),
        [a] => format!("; block {a:?} cannot be made smaller"),
        [a, b] => format!("; blocks {a:?} and {b:?} cannot be made smaller"),
        [a, b, rest @ ..] => format!("; blocks {a:?}, {b:?} and {} more cannot be made smaller", rest.len()),
    }
}
