//! How texts share a room, and how much of it each text needs to answer the query.

use contextfit_kernel::{MeasuredBlock, Tokens};

/// Returns the maximum tokens for each text if texts of these `lengths` share `room`: shorter texts stay whole, and the
/// others get equal shares. [`Tokens::MAX`] if all of them fit. Linearithmic.
#[must_use]
pub fn share(lengths: impl IntoIterator<Item = Tokens>, room: Tokens) -> Tokens {
    let mut sorted: Vec<Tokens> = lengths.into_iter().collect();
    sorted.sort_unstable();
    let (mut room, mut rest) = (room.get(), sorted.len());
    for length in sorted {
        let share = room / rest;
        if length.get() > share {
            return Tokens::new(share);
        }
        room -= length.get();
        rest -= 1;
    }
    Tokens::MAX
}

/// The room of each text, given its length and its demand. The demands are met first, then the rest is shared equally.
/// No text gets more than its length. Linearithmic.
pub(crate) fn rooms(texts: &[(Tokens, Tokens)], room: Tokens) -> Vec<Tokens> {
    let most = share(texts.iter().map(|(_, demand)| *demand), room);
    let first = || texts.iter().map(|(length, demand)| (*length, (*demand).min(most)));
    let left = room.saturating_sub(first().map(|(_, taken)| taken).sum());
    let rest = share(first().map(|(length, taken)| length.saturating_sub(taken)), left);
    first().map(|(length, taken)| taken + length.saturating_sub(taken).min(rest)).collect()
}

/// A unit with at least this focus answers the query. It has half the score of the closest unit.
const ANSWERS: f64 = 0.25;

/// The context of an answer (its headings, its neighbours) takes as much as the answer itself.
const SURROUNDINGS_FACTOR: usize = 2;

/// The minimum tokens of a part of a document. A shorter one is too small to justify its header.
pub(crate) const SHORTEST_PART_TOKENS: Tokens = Tokens::new(48);

/// The tokens that an excerpt of `block` needs to answer the query: twice those of the units that are close to it
/// according to `focus` ([`focus`](crate::focus), one number per unit), and [`SHORTEST_PART_TOKENS`] to show what the
/// text is. At most all of the block. More room would be filled with rows that answer nothing. Linear in its units.
pub(crate) fn demand(block: &MeasuredBlock<'_>, focus: &[f64]) -> Tokens {
    // ablate: excerpt.demand => Tokens::ZERO
    let close = focus.iter().enumerate().filter(|(_, focus)| **focus >= ANSWERS);
    let tokens: Tokens = close.map(|(n, _)| block.tokens_between(n, n + 1)).sum();
    (Tokens::new(tokens.get() * SURROUNDINGS_FACTOR) + SHORTEST_PART_TOKENS).min(block.tokens())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lengths: &[usize], room: usize, expect: usize) {
        assert_eq!(share(lengths.iter().copied().map(Tokens::new), Tokens::new(room)).get(), expect);
    }

    #[test]
    fn short_ones_stay_whole() {
        check(&[], 100, usize::MAX);
        check(&[10], 100, usize::MAX);
        check(&[1000], 100, 100);
        check(&[1000, 10], 100, 90);
        check(&[1000, 10, 500], 100, 45);
        check(&[5, 5], 0, 0);
    }

    #[test]
    fn demands_come_first() {
        let check = |texts: &[(usize, usize)], room: usize, expect: &[usize]| {
            let texts: Vec<_> =
                texts.iter().map(|(length, demand)| (Tokens::new(*length), Tokens::new(*demand))).collect();
            let rooms: Vec<usize> = rooms(&texts, Tokens::new(room)).into_iter().map(Tokens::get).collect();
            assert_eq!(rooms, expect);
        };
        check(&[], 100, &[]);
        check(&[(1000, 0), (10, 0)], 100, &[90, 10]);
        check(&[(1000, 50), (1000, 600)], 1000, &[225, 775]);
        check(&[(1000, 50), (1000, 600)], 100, &[50, 50]);
        check(&[(60, 50), (1000, 600)], 5000, &[60, 1000]);
    }
}
