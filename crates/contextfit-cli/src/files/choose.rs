//! Chooses the files of a large tree for the second pass.

use contextfit::kernel::Tokens;

/// What is known about a file when choosing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) score: f64,
    pub(crate) tokens: Tokens,
    pub(crate) bytes: u64,
}

/// Limits on what is read from a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// A tree of at most this many bytes is read whole.
    pub(crate) whole: u64,
    /// The most bytes of a larger tree to hold at once, unless the budget itself needs more.
    pub(crate) held: u64,
    /// Offer the strategy more than this multiple of the budget,
    pub(crate) budgets: usize,
    /// and at least this many files, so that it has something to choose from.
    pub(crate) files: usize,
}

impl Limits {
    /// What every machine can hold, and all that a strategy can make use of.
    pub(crate) const USUAL: Self = Self { whole: 8 << 20, held: 64 << 20, budgets: 20, files: 200 };
}

/// The indices of the best candidates for a context of `budget` tokens, ascending: as many as are enough, at least one. Ties
/// keep their order.
pub(crate) fn choose(candidates: &[Candidate], budget: Tokens, limits: Limits) -> Vec<usize> {
    let mut order: Vec<(usize, &Candidate)> = candidates.iter().enumerate().collect();
    order.sort_by(|(a, left), (b, right)| right.score.total_cmp(&left.score).then(a.cmp(b)));
    let budgets = |n: usize| Tokens::new(budget.get().saturating_mul(n));
    let (mut tokens, mut bytes) = (Tokens::ZERO, 0_u64);
    let mut chosen = Vec::new();
    for (place, candidate) in order {
        // At least two budgets are needed: with less, something that would have fitted could be missing.
        let plenty = tokens > budgets(limits.budgets) && chosen.len() >= limits.files;
        if plenty || (bytes > limits.held && tokens > budgets(2)) {
            break;
        }
        tokens += candidate.tokens;
        bytes = bytes.saturating_add(candidate.bytes);
        chosen.push(place);
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(scores: &[f64], budget: usize, bytes: u64, expect: &[usize]) {
        check_files(scores, budget, 0, bytes, expect);
    }

    #[track_caller]
    fn check_files(scores: &[f64], budget: usize, files: usize, bytes: u64, expect: &[usize]) {
        let candidates: Vec<_> =
            scores.iter().map(|&score| Candidate { score, tokens: Tokens::new(10), bytes: 100 }).collect();
        let limits = Limits { whole: 0, held: bytes, budgets: 3, files };
        assert_eq!(choose(&candidates, Tokens::new(budget), limits), expect);
    }

    #[test]
    fn the_best_until_there_is_enough() {
        check(&[], 10, 1000, &[]);
        check(&[0.0, 3.0, 1.0, 2.0], 0, 1000, &[1]);
        check(&[0.0, 3.0, 1.0, 2.0], 5, 1000, &[1, 3]);
        check(&[0.0, 3.0, 1.0, 2.0, 0.5], 10, 1000, &[1, 2, 3, 4]);
        check(&[1.0; 6], 10, 1000, &[0, 1, 2, 3]);
        check(&[1.0; 6], 10, 1, &[0, 1, 2]);
        check(&[1.0; 6], 1000, 1, &[0, 1, 2, 3, 4, 5]);
        check_files(&[1.0; 6], 1, 3, 1000, &[0, 1, 2]);
        check_files(&[1.0; 6], 1, 5, 150, &[0, 1]);
    }
}
