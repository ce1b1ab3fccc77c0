//! The best turns, with their neighbours in mind.

use contextfit_bm25::Bm25;
use contextfit_kernel::Scorer;

use super::cuts::{Cuts, whole};

/// The share of its better neighbour's score that a turn gains.
const NEIGHBOUR_SHARE: f64 = 0.5;

/// Keeps whole turns by their score and their better neighbour's, best first, skipping those that do not fit.
pub(super) fn choose(cuts: &mut Cuts<'_, '_>) {
    let blocks = cuts.open();
    let texts: Vec<&str> = blocks.iter().map(|(_, block)| block.block().text.as_str()).collect();
    let scores = Bm25::default().score(cuts.query(), &texts);
    let score = |at: Option<usize>| at.and_then(|at| scores.get(at)).copied().unwrap_or_default();
    let spread =
        |at: usize| score(Some(at)) + NEIGHBOUR_SHARE * score(at.checked_sub(1)).max(score(Some(at + 1)));
    let mut ranked: Vec<(usize, f64)> = (0..blocks.len()).map(|at| (at, spread(at))).collect();
    // A stable sort keeps ties in the given order.
    ranked.sort_by(|(_, score), (_, other)| other.total_cmp(score));
    for (n, block) in ranked.into_iter().filter_map(|(at, _)| blocks.get(at)) {
        if let Some(left) = cuts.left.checked_sub(whole(block)) {
            cuts.left = left;
            cuts.keep(*n, 0..block.units().len());
        }
    }
}
