//! The ratio of a provider's token counts to ours.

use std::fmt;

use contextfit_kernel::Tokens;
use serde::{Deserialize, Serialize};

/// The number of tokens a provider reports for each one that we count, learned from its answers, so that a budget holds
/// even for models whose tokenizer is not public. The factor of a [`Model`](crate::Model) starts with a value from
/// comparisons, which applies until enough has been learned and is not serialized.
///
/// It should learn from whole requests of the size that the budget is for: the few tokens that a provider adds to each
/// message weigh more in short requests and make the bound larger than necessary.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel::Tokens; pub use ::contextfit_text as text; }
/// use contextfit::{Tokens, text::TokenFactor};
///
/// let mut factor = TokenFactor::default();
/// for reported in [1_180, 1_200, 1_220, 1_190, 1_210] {
///     factor.learn(Tokens::new(1_000), Tokens::new(reported));
/// }
/// assert_eq!(factor.to_string(), "1.200 ± 0.016, at most 1.232, from 5 answers");
/// // This many tokens by our count are safe where the provider accepts 10,000.
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
    /// The factor to assume until enough has been learned.
    #[serde(skip)]
    assumed: Option<f64>,
}

impl TokenFactor {
    /// The minimum number of answers to learn from. With fewer, the bound is the assumed one, if there is one.
    pub const ENOUGH: u64 = 5;

    /// A factor that is `assumed` until enough has been learned.
    pub(super) fn assumed(assumed: f64) -> Self {
        Self { assumed: Some(assumed), ..Self::default() }
    }

    /// A report of more than this many times our count, or of less than our count divided by it, is no tokenizer's: the
    /// built-in factors are between 1 and 2.
    const PLAUSIBLE: f64 = 4.0;

    /// Learns from one answer. Does nothing if the counts are implausible: one of them is zero, or they are more than four
    /// times apart.
    pub fn learn(&mut self, counted: Tokens, reported: Tokens) {
        let ratio = reported.get() as f64 / counted.get() as f64;
        if !(1.0 / Self::PLAUSIBLE..=Self::PLAUSIBLE).contains(&ratio) {
            return;
        }
        self.answers += 1;
        let distance = ratio - self.mean;
        self.mean += distance / self.answers as f64;
        self.squares += distance * (ratio - self.mean);
        self.largest = self.largest.max(ratio);
    }

    /// Merges this factor with `other`, learned from other answers (<https://doi.org/10.1080/00031305.1983.10483115>).
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        let assumed = self.assumed.or(other.assumed);
        if other.answers == 0 {
            return Self { assumed, ..self };
        }
        let answers = self.answers + other.answers;
        let distance = other.mean - self.mean;
        let share = other.answers as f64 / answers as f64;
        let squares = self.squares + other.squares + distance * distance * self.answers as f64 * share;
        let largest = self.largest.max(other.largest);
        Self { answers, mean: self.mean + distance * share, squares, largest, assumed }
    }

    /// The number of answers it has learned from.
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
    fn deviation(&self) -> Option<f64> {
        (self.answers > 1).then(|| (self.squares / (self.answers - 1) as f64).sqrt())
    }

    /// Whether the bound is learned rather than assumed.
    #[must_use]
    pub const fn is_learned(&self) -> bool {
        self.answers >= Self::ENOUGH
    }

    /// The factor to plan with: the mean plus two standard deviations, or the largest factor seen if that is greater.
    /// With fewer than [`ENOUGH`](Self::ENOUGH) answers it is the assumed factor, or `None` if there is none. It is an
    /// estimate from a sample, not a proven bound; but it is never less than 1, so that a budget holds by our count too.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        if !self.is_learned() {
            return self.assumed;
        }
        Some((self.mean()? + 2.0 * self.deviation()?).max(self.largest).max(1.0))
    }

    /// The maximum tokens by our count whose [`estimate`](Self::estimate) is within `limit`; `None` until there is a
    /// bound.
    #[must_use]
    pub fn safe(&self, limit: Tokens) -> Option<Tokens> {
        let safe = Tokens::new((limit.get() as f64 / self.bound()?).floor() as usize);
        // The quotient of two floating-point numbers can be slightly too large.
        let over = self.estimate(safe)? > limit;
        Some(if over { safe.saturating_sub(Tokens::new(1)) } else { safe })
    }

    /// The provider's assumed count for `counted` tokens of ours, rounded up; `None` until there is a bound.
    #[must_use]
    pub fn estimate(&self, counted: Tokens) -> Option<Tokens> {
        Some(Tokens::new((counted.get() as f64 * self.bound()?).ceil() as usize))
    }
}

/// The mean, the deviation, the bound and the number of answers; the assumed factor until the bound is learned.
impl fmt::Display for TokenFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.deviation(), self.bound()) {
            (Some(deviation), Some(bound)) if self.is_learned() => {
                write!(
                    f,
                    "{:.3} ± {deviation:.3}, at most {bound:.3}, from {} answers",
                    self.mean, self.answers
                )
            }
            (_, Some(assumed)) => write!(f, "{assumed:.2}, assumed"),
            _ => write!(f, "unknown: {} answers of the {} that it takes", self.answers, Self::ENOUGH),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TokenRatio;

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
        assert_eq!(learned(&[0, 1, 24, 401, usize::MAX]).answers(), 0);
        assert_eq!(
            TokenFactor::default().merged(learned(&[25; 5])).safe(Tokens::new(100)),
            Some(Tokens::new(100))
        );
    }

    #[track_caller]
    fn check_estimate(percent: u32, ratios: &[usize], limit: usize, safe: usize, estimate: usize) {
        let ratio = TokenRatio { percent, source: "https://example.com", checked: "2026-11-23" };
        let factor = TokenFactor::from(ratio).merged(learned(ratios));
        let safe = Tokens::new(safe);
        assert_eq!(factor.safe(Tokens::new(limit)), Some(safe), "{factor}");
        assert_eq!(factor.estimate(safe), Some(Tokens::new(estimate)), "{factor}");
    }

    #[test]
    fn what_is_assumed_stands_until_enough_is_learned() {
        check_estimate(135, &[], 0, 0, 0);
        check_estimate(135, &[], 1, 0, 0);
        check_estimate(135, &[], 10_000, 7_407, 10_000);
        check_estimate(180, &[200; 4], 1_800, 1_000, 1_800);
        check_estimate(180, &[125; 5], 1_000, 800, 1_000);
        check_estimate(100, &[], 77, 77, 77);
    }

    #[test]
    fn what_is_safe_is_within_the_limit_and_the_most_that_is() {
        for percent in (100..=300).step_by(5) {
            let ratio = TokenRatio { percent, source: "https://example.com", checked: "2026-11-23" };
            let factor = TokenFactor::from(ratio);
            for limit in (0..2_000).map(Tokens::new) {
                let safe = factor.safe(limit).unwrap();
                assert!(factor.estimate(safe).unwrap() <= limit, "{percent} {limit}");
                assert!(factor.estimate(safe + Tokens::new(2)).unwrap() > limit, "{percent} {limit}");
            }
        }
    }

    #[test]
    fn what_is_assumed_is_not_written() {
        let ratio = TokenRatio { percent: 180, source: "https://example.com", checked: "2026-11-23" };
        let written = serde_json::to_string(&TokenFactor::from(ratio)).unwrap();
        assert_eq!(serde_json::from_str::<TokenFactor>(&written).unwrap(), TokenFactor::default());
    }
}
