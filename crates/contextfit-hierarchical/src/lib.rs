//! Memories at four levels (seed 004), packed into a token budget.
//!
//! A [`HierarchicalCompressor`] shows a [memory](contextfit_kernel::MemoryRecord) at a level, with the real count of its
//! text; at the highest level that fits; or many memories, each at the level that makes the whole worth most within a
//! budget. A [`MemoryBudget`] divides a model's window, a [`Session`] knows what was sent before.
//!
//! | level | shows | target | maximum |
//! |---|---|---:|---:|
//! | 0 | id, type, importance | 5 | 10 |
//! | 1 | and a line about it, three tags, confidence | 50 | 75 |
//! | 2 | and knowledge, the best example, two pieces of evidence | 200 | 300 |
//! | 3 | all that is known | 500 | 1000 |
//!
//! [`MemoryLevels`] is the same ladder as a strategy for blocks of any text.

mod levels;
mod limits;

mod choices;
mod dates;
mod one_liner;
mod render;

mod alike;
mod batch;
mod compressor;
mod entries;
mod floors;
mod newer;
mod worth;

mod budget;
mod session;

mod strategy;

pub use crate::{
    batch::{MemoryBatch, Shown},
    budget::{Capacity, MemoryBudget, TokenBudget},
    compressor::{FitOptions, HierarchicalCompressor},
    levels::{
        CompressedMemory, Details, Full, Level0Output, Level1Output, Level2Output, Level3Output, LevelOutput,
    },
    limits::{LevelLimit, LevelLimits},
    session::Session,
    strategy::MemoryLevels,
    worth::Weights,
};
pub use contextfit_packing::Mode as PackingMode;
