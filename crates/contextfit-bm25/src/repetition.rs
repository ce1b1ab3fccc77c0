//! Content that the result already contains.

use std::collections::HashSet;

use contextfit_text::{Term, float};
use foldhash::fast::FixedState;

/// The pairs of adjacent terms in the sentences taken so far.
pub(crate) struct Carried {
    pairs: HashSet<u64, FixedState>,
}

impl Carried {
    /// Creates an empty set with room for `pairs` pairs.
    pub(crate) fn with_room(pairs: usize) -> Self {
        Self { pairs: HashSet::with_capacity_and_hasher(pairs, FixedState::default()) }
    }

    /// The share of the pairs of `terms` that are already in the set, from 0 to 1. Linear in their number.
    pub(crate) fn share(&self, terms: &[Term]) -> f64 {
        let (mut all, mut carried) = (0, 0);
        for pair in pairs(terms) {
            all += 1;
            carried += usize::from(self.pairs.contains(&pair));
        }
        float(carried) / float(all.max(1))
    }

    /// Adds the pairs of `terms` to the set.
    pub(crate) fn add(&mut self, terms: &[Term]) {
        self.pairs.extend(pairs(terms));
    }
}

/// The pairs of adjacent terms; a single term is paired with itself.
fn pairs(terms: &[Term]) -> impl Iterator<Item = u64> {
    let pair = |first: Term, second: Term| u64::from(first) << 32 | u64::from(second);
    let single = match terms {
        [only] => Some(pair(*only, *only)),
        _ => None,
    };
    single.into_iter().chain(terms.iter().zip(terms.iter().skip(1)).map(move |(a, b)| pair(*a, *b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(taken: &[&[Term]], terms: &[Term], expect: f64) {
        let mut carried = Carried::with_room(0);
        taken.iter().for_each(|terms| carried.add(terms));
        assert!((carried.share(terms) - expect).abs() < 1e-12, "{} of {terms:?}", carried.share(terms));
    }

    #[test]
    fn shares() {
        check(&[], &[1, 2, 3], 0.0);
        check(&[&[1, 2, 3]], &[1, 2, 3], 1.0);
        check(&[&[1, 2, 3]], &[2, 3, 4], 0.5);
        check(&[&[1, 2], &[2, 3]], &[1, 2, 3], 1.0);
        // The same words in another order mean something else.
        check(&[&[1, 2, 3]], &[3, 2, 1], 0.0);
        check(&[&[1]], &[1], 1.0);
        check(&[&[1, 2]], &[1], 0.0);
        check(&[&[1, 2]], &[], 0.0);
        check(&[&[]], &[], 0.0);
    }
}
