//! Why a unit ranks where it does.

use contextfit_kernel::ByteRange;
use contextfit_ranking::Ranked;

/// A unit of a context, and what it is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedUnit {
    /// Its block, by its place in the context.
    pub block: usize,
    /// Where it is in the text of the block.
    pub range: ByteRange,
    /// Its name; empty where it has none.
    pub name: String,
    /// What it is worth.
    pub ranked: Ranked,
}
