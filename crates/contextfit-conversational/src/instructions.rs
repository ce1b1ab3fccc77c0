//! Standing instructions.

use contextfit_kernel::{ByteRange, Measured};

/// A sentence that goes on to hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// The place of its block in the context.
    pub block: usize,
    /// Its bytes in the text of the block.
    pub range: ByteRange,
    /// How strong the cues are, from 0 to 1.
    pub strength: f64,
    /// The place in the list of the later one that replaces it.
    pub superseded_by: Option<usize>,
}

/// The standing instructions of a conversation, in order.
#[must_use]
pub fn standing_instructions(input: &Measured<'_>) -> Vec<Instruction> {
    let _ = input;
    Vec::new()
}
