//! What a provider counts, compared with what we count.

use std::fmt;

use contextfit_kernel::Tokens;
use serde::{Deserialize, Serialize};

/// How many tokens a provider reports for one that we count, learned from its answers: for models whose tokenizer is
/// not public, so that a budget holds nevertheless.
///
/// Give it whole requests of the size that the budget is for: the few tokens that a provider adds to each message weigh
/// more in short ones, and make the bound larger than need be.
///
/// ```
/// use contextfit_kernel::Tokens;
/// use contextfit_text::TokenFactor;
///
/// let mut factor = TokenFactor::default();
/// for reported in [1_180, 1_200, 1_220, 1_190, 1_210] {
///     factor.learn(Tokens::new(1_000), Tokens::new(reported));
/// }
/// assert_eq!(factor.to_string(), "1.200 ± 0.016, at most 1.232, from 5 answers");
/// // So many tokens by our count are safe where the provider takes 10,000.
/// assert_eq!(factor.safe(Tokens::new(10_000)), Some(Tokens::new(8_119)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenFactor {
    answers: u64,
    mean: f64,
    /// The sum of squared distances from the mean, by Welford's method
    /// (<https://doi.org/10.1080/00401706.1962.10490022>).
    squares: f64,
    largest: f64,
}

impl TokenFactor {
    /// Answers below which there is no bound.
    pub const ENOUGH: u64 = 5;

    /// Learns from one answer. Where one of the counts is zero there is nothing to learn.
    pub fn learn(&mut self, counted: Tokens, reported: Tokens) {
        if counted == Tokens::ZERO || reported == Tokens::ZERO {
            return;
        }
        let ratio = reported.get() as f64 / counted.get() as f64;
        self.answers += 1;
        let distance = ratio - self.mean;
        self.mean += distance / self.answers as f64;
        self.squares += distance * (ratio - self.mean);
        self.largest = self.largest.max(ratio);
    }

    /// This and what `other` has learned from other answers (<https://doi.org/10.1080/00031305.1983.10483115>).
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        if other.answers == 0 {
            return self;
        }
        let answers = self.answers + other.answers;
        let distance = other.mean - self.mean;
        let share = other.answers as f64 / answers as f64;
        let squares = self.squares + other.squares + distance * distance * self.answers as f64 * share;
        let largest = self.largest.max(other.largest);
        Self { answers, mean: self.mean + distance * share, squares, largest }
    }

    /// How many answers it has learned from.
    #[must_use]
    pub const fn answers(&self) -> u64 {
        self.answers
    }

    /// The mean; `None` before the first answer.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.answers > 0).then_some(self.mean)
    }

    /// The standard deviation of single answers; `None` before the second.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        (self.answers > 1).then(|| (self.squares / (self.answers - 1) as f64).sqrt())
    }

    /// The largest that was seen; `None` before the first answer.
    #[must_use]
    pub fn largest(&self) -> Option<f64> {
        (self.answers > 0).then_some(self.largest)
    }

    /// What to reckon with: the mean and two standard deviations, or the largest that was seen if that is more. `None`
    /// before there are [`ENOUGH`](Self::ENOUGH) answers. A bound from a sample, not a proof.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        let bound = self.mean()? + 2.0 * self.deviation()?;
        (self.answers >= Self::ENOUGH).then(|| bound.max(self.largest))
    }

    /// The tokens by our count that are within `limit` by the provider's; `None` before there is a bound.
    #[must_use]
    pub fn safe(&self, limit: Tokens) -> Option<Tokens> {
        let bound = self.bound()?;
        Some(Tokens::new((limit.get() as f64 / bound).floor() as usize))
    }
}

/// The mean, the deviation, the bound and the sample.
impl fmt::Display for TokenFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.deviation(), self.bound()) {
            (Some(deviation), Some(bound)) => {
                write!(
                    f,
                    "{:.3} ± {deviation:.3}, at most {bound:.3}, from {} answers",
                    self.mean, self.answers
                )
            }
            _ => write!(f, "unknown: {} answers of the {} that it takes", self.answers, Self::ENOUGH),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(ratios: &[usize]) -> TokenFactor {
        let mut factor = TokenFactor::default();
        ratios.iter().for_each(|&ratio| factor.learn(Tokens::new(100), Tokens::new(ratio)));
        factor
    }

    #[track_caller]
    fn check(left: &[usize], right: &[usize]) {
        let (whole, merged) = (learned(&[left, right].concat()), learned(left).merged(learned(right)));
        assert_eq!((merged.answers, merged.largest), (whole.answers, whole.largest));
        assert!((merged.mean - whole.mean).abs() < 1e-12, "{merged} {whole}");
        assert!((merged.squares - whole.squares).abs() < 1e-12, "{merged} {whole}");
    }

    #[test]
    fn what_was_learned_apart_is_the_same_together() {
        check(&[], &[]);
        check(&[120, 130], &[]);
        check(&[], &[110]);
        check(&[120, 130, 110], &[105, 141]);
    }

    #[test]
    fn a_bound_needs_a_sample_and_covers_it() {
        assert_eq!(learned(&[120, 120, 120, 120]).bound(), None);
        assert_eq!(learned(&[120, 120, 120, 120, 120]).safe(Tokens::new(1_200)), Some(Tokens::new(1_000)));
        let wide = learned(&[100, 100, 100, 100, 200]);
        assert!(wide.bound().is_some_and(|bound| bound >= 2.0));
        assert_eq!(learned(&[0]).answers(), 0);
    }
}
