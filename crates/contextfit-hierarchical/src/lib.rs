//! Memories at four levels. For turns at levels, see `HierarchicalCompressor` in `contextfit-conversational`.
//!
//! A [`MemoryCompressor`] shows a [memory](contextfit_kernel::MemoryRecord) at a given level, or at the highest level
//! that fits. It shows many memories within a budget, each at the level that maximizes the total value. All tokens are
//! counted. A [`MemoryBudget`] divides a model's window. [`SentMemories`] tracks what was sent before.
//!
//! | level | shows | target | maximum |
//! |---|---|---:|---:|
//! | 0 | id, type, importance | 5 | 10 |
//! | 1 | also a line about it, three tags, confidence | 50 | 75 |
//! | 2 | also knowledge, the best example, two pieces of evidence | 200 | 300 |
//! | 3 | everything known | 500 | 1000 |
//!
//! | feature | enables | extra dependencies |
//! |---|---|---|
//! | `parallel` | counts memories on all cores, with the same results | `rayon` |
//!
//! The levels and their limits are those of Cortex. [`MemoryLevels`] is a strategy that shows blocks of any text at the
//! same levels.

mod levels;

mod choices;
mod dates;
mod layout;
mod one_liner;
mod render;

mod batch;
mod compressor;
mod entries;
mod replaced;
mod worth;

mod budget;
mod sent;

mod strategy;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_kernel as kernel;

pub use crate::{
    batch::MemoryChoice,
    batch::{MemoryBatch, Shown},
    budget::{Capacity, MemoryBudget, TokenBudget},
    compressor::{FitOptions, MemoryCompressor},
    layout::{MemoryHeading, read_memories},
    levels::{
        CompressedMemory, Details, Full, Level0Output, Level1Output, Level2Output, Level3Output, LevelOutput,
    },
    levels::{LevelLimit, LevelLimits},
    sent::SentMemories,
    strategy::MemoryLevels,
    worth::Weights,
};
pub use contextfit_packing::PackingMode;
