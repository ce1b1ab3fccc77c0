//! Two compressions of the same context, block by block.

use std::collections::BTreeMap;

use contextfit_kernel::Tokens;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    compression::Compression,
    losses::Losses,
    outcome::{BlockOutcome, Fate},
};

/// Why two compressions cannot be compared: they are not of the same context.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Different {
    /// They have different numbers of blocks.
    #[error("the inputs differ: A has {a} blocks, B has {b}")]
    Blocks {
        /// Blocks of the first.
        a: usize,
        /// Blocks of the second.
        b: usize,
    },
    /// A block is another one.
    #[error("the inputs differ: block {number} is {a:?} in A and {b:?} in B")]
    Block {
        /// Its number, from 1.
        number: usize,
        /// Its id in the first.
        a: String,
        /// Its id in the second.
        b: String,
    },
    /// A block has another text.
    #[error("the inputs differ: block {number}, {id:?}, has another text in B")]
    Text {
        /// Its number, from 1.
        number: usize,
        /// Its id.
        id: String,
    },
}

/// A block that two compressions show differently.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BlockDifference {
    /// Its number in the input, from 1.
    pub number: usize,
    /// The outcome in the first.
    pub a: BlockOutcome,
    /// The outcome in the second.
    pub b: BlockOutcome,
    /// The bytes of its text that each shows.
    pub source: SourceShare,
}

/// Bytes of the input's text that two outputs show, verbatim or rewritten without loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SourceShare {
    /// Shown by both.
    pub both: usize,
    /// Shown by the first only.
    pub only_a: usize,
    /// Shown by the second only.
    pub only_b: usize,
}

/// One of the two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Side {
    /// The strategy that was applied; `None` if the input was within the budget.
    pub strategy: Option<String>,
    /// Tokens available.
    pub available: Tokens,
    /// Tokens of the output.
    pub tokens: Tokens,
    /// The number of blocks with each fate.
    pub blocks: BTreeMap<Fate, usize>,
}

/// What differs between two compressions of the same context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Comparison {
    /// The first.
    pub a: Side,
    /// The second.
    pub b: Side,
    /// Whether both have the same query.
    pub same_query: bool,
    /// The number of blocks that both show in the same way.
    pub same_blocks: usize,
    /// The others, in order.
    pub blocks: Vec<BlockDifference>,
    /// How much of the input both show, and each alone.
    pub source: SourceShare,
    /// What only the first lost.
    pub lost_in_a: Losses,
    /// What only the second lost.
    pub lost_in_b: Losses,
}

impl Comparison {
    /// Compares `a` and `b`. Linear in the length of the input, apart from sorting lost names.
    ///
    /// # Errors
    /// [`Different`] if their inputs are not the same blocks in the same order.
    pub fn of(a: &Compression<'_>, b: &Compression<'_>) -> Result<Self, Different> {
        same_input(a, b)?;
        let (outcomes_a, outcomes_b) = (a.outcomes(), b.outcomes());
        let (side_a, side_b) = (Side::of(a, &outcomes_a), Side::of(b, &outcomes_b));
        let mut blocks = Vec::new();
        let mut source = SourceShare::default();
        for (n, (in_a, in_b)) in outcomes_a.into_iter().zip(outcomes_b).enumerate() {
            let share = SourceShare::of(a, b, n);
            source.add(share);
            let (step_a, step_b) = (a.step(n), b.step(n));
            let same = step_a.map(|step| &step.action) == step_b.map(|step| &step.action);
            // Without a step, a block is kept.
            if in_a.fate != in_b.fate || (in_a.fate != Fate::Kept && !same) {
                blocks.push(BlockDifference { number: n + 1, a: in_a, b: in_b, source: share });
            }
        }
        let (lost_a, lost_b) = (Losses::of(a), Losses::of(b));
        Ok(Self {
            a: side_a,
            b: side_b,
            same_query: a.input().query == b.input().query,
            same_blocks: a.input().blocks.len() - blocks.len(),
            blocks,
            source,
            lost_in_a: lost_a.without(&lost_b).named(),
            lost_in_b: lost_b.without(&lost_a).named(),
        })
    }
}

fn same_input(a: &Compression<'_>, b: &Compression<'_>) -> Result<(), Different> {
    let (a, b) = (&a.input().blocks, &b.input().blocks);
    if a.len() != b.len() {
        return Err(Different::Blocks { a: a.len(), b: b.len() });
    }
    for ((n, a), b) in a.iter().enumerate().zip(b) {
        if a.id != b.id {
            return Err(Different::Block { number: n + 1, a: a.id.clone(), b: b.id.clone() });
        }
        if a.text != b.text {
            return Err(Different::Text { number: n + 1, id: a.id.clone() });
        }
    }
    Ok(())
}

impl Side {
    fn of(compression: &Compression<'_>, outcomes: &[BlockOutcome]) -> Self {
        let mut blocks = BTreeMap::new();
        for outcome in outcomes {
            *blocks.entry(outcome.fate).or_default() += 1;
        }
        Self {
            strategy: compression.plan.map(|plan| plan.strategy.clone()),
            available: compression.budget.available(),
            tokens: compression.tokens,
            blocks,
        }
    }
}

impl SourceShare {
    /// The shares of block `n`.
    fn of(a: &Compression<'_>, b: &Compression<'_>, n: usize) -> Self {
        let Some((a, b)) = a.shown.get(n).zip(b.shown.get(n)) else { return Self::default() };
        let both = a.shared(b);
        Self { both, only_a: a.len() - both, only_b: b.len() - both }
    }

    const fn add(&mut self, other: Self) {
        self.both += other.both;
        self.only_a += other.only_a;
        self.only_b += other.only_b;
    }
}
