//! How much of an output answers the query.

use contextfit_kernel::{MeasuredBlock, Tokens};

/// A unit with at least this focus answers the query: half the score of the closest unit.
const ANSWERS: f64 = 0.25;

/// What surrounds an answer (its headings, its neighbours) takes as much as the answer itself.
const SURROUNDINGS_FACTOR: usize = 2;

/// The fewest tokens of a part of a document: a shorter one says too little to justify its header.
pub(crate) const SHORTEST_PART_TOKENS: Tokens = Tokens::new(48);

/// The tokens that an excerpt of `block` needs to answer the query: twice those of the units that are close to it by
/// `focus` ([`focus`](crate::focus), one number per unit), and [`SHORTEST_PART_TOKENS`] for what the text is. Rows that
/// fill a larger room answer nothing. At most all of the block. Linear in its units.
pub(crate) fn demand(block: &MeasuredBlock<'_>, focus: &[f64]) -> Tokens {
    // ablate: excerpt.demand => Tokens::ZERO
    let close = focus.iter().enumerate().filter(|(_, focus)| **focus >= ANSWERS);
    let tokens: Tokens = close.map(|(n, _)| block.tokens_between(n, n + 1)).sum();
    (Tokens::new(tokens.get() * SURROUNDINGS_FACTOR) + SHORTEST_PART_TOKENS).min(block.tokens())
}
