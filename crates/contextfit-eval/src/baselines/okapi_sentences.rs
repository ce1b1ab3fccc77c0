//! The best sentences by BM25 within each block.

use std::collections::BTreeSet;

use contextfit_kernel::{MeasuredBlock, Tokens};

use super::{cuts::Cuts, okapi::okapi};

/// Keeps units by their score within their block, best first, until one does not fit.
pub(super) fn choose(cuts: &mut Cuts<'_, '_>) {
    let mut chosen: Vec<Chosen> = cuts
        .open()
        .into_iter()
        .map(|(n, block)| Chosen { n, block, marker: cuts.marker_cost(block), units: BTreeSet::new() })
        .collect();
    let mut candidates = Vec::new();
    for (place, Chosen { block, .. }) in chosen.iter().enumerate() {
        let sentences: Vec<&str> = (0..block.units().len()).map(|unit| block.text(unit, unit + 1)).collect();
        let scores = okapi(cuts.query(), &sentences).into_iter().zip(0..);
        candidates.extend(scores.map(|(score, unit)| (score, place, unit)));
    }
    // A stable sort keeps ties in the order of the source.
    candidates.sort_by(|(score, ..), (other, ..)| other.total_cmp(score));
    for (_, place, unit) in candidates {
        let Some(block) = chosen.get_mut(place) else { continue };
        let Some(left) = (cuts.left + block.saved()).checked_sub(block.cost(unit)) else { break };
        cuts.left = left;
        block.units.insert(unit);
    }
    for Chosen { n, units, .. } in chosen.into_iter().filter(|block| !block.units.is_empty()) {
        cuts.keep(n, units);
    }
}

/// A block and its chosen units.
struct Chosen<'a, 'b> {
    n: usize,
    block: &'b MeasuredBlock<'a>,
    /// The cost of a marker.
    marker: Tokens,
    units: BTreeSet<usize>,
}

impl Chosen<'_, '_> {
    /// The cost of `unit` and the markers next to it, plus the header for the first unit of its block.
    fn cost(&self, unit: usize) -> Tokens {
        let header = if self.units.is_empty() { self.block.framing() } else { Tokens::ZERO };
        let markers = Tokens::new(self.marker.get().saturating_mul(self.gaps(unit)));
        header + self.block.tokens_between(unit, unit + 1) + markers
    }

    /// The cost of the marker that the next unit replaces.
    fn saved(&self) -> Tokens {
        if self.units.is_empty() { Tokens::ZERO } else { self.marker }
    }

    /// The number of gaps next to `unit`.
    fn gaps(&self, unit: usize) -> usize {
        let missing = |other: Option<usize>| {
            other.is_some_and(|other| other < self.block.units().len() && !self.units.contains(&other))
        };
        usize::from(missing(unit.checked_sub(1))) + usize::from(missing(Some(unit + 1)))
    }
}
