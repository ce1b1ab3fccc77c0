//! The best blocks, whole.

use contextfit_bm25::Bm25;
use contextfit_kernel::Scorer;

use super::cuts::{Cuts, whole};

/// Keeps whole blocks, best first by BM25, skipping those that do not fit.
pub(super) fn choose(cuts: &mut Cuts<'_, '_>) {
    let blocks = cuts.open();
    let texts: Vec<String> =
        blocks.iter().map(|(_, block)| block.block().header() + &block.block().text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut ranked: Vec<_> = blocks.iter().zip(Bm25::default().score(cuts.query(), &texts)).collect();
    // A stable sort keeps ties in the given order.
    ranked.sort_by(|(_, score), (_, other)| other.total_cmp(score));
    for ((n, block), _) in ranked {
        if let Some(left) = cuts.left.checked_sub(whole(block)) {
            cuts.left = left;
            cuts.keep(*n, 0..block.units().len());
        }
    }
}
