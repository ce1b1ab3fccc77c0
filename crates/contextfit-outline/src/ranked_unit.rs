//! The rank of a unit, and the reasons for it.

use crate::ranking::Ranked;
use contextfit_kernel::ByteRange;

/// A unit of a context with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedUnit {
    /// The index of its block in the context.
    pub block: usize,
    /// Its range in the text of the block.
    pub range: ByteRange,
    /// Its name; empty if it has none.
    pub name: String,
    /// Its score and the reasons for it.
    pub ranked: Ranked,
}
