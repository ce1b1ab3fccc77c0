//! Confidence intervals of means.

use contextfit_kernel::Values;
use contextfit_text::float;

use serde::Serialize;

/// The number of resamples for an interval.
pub const RESAMPLES: usize = 1_000;

/// The confidence level: the share of such intervals that should contain the true mean.
pub const LEVEL: f64 = 0.95;

/// The generator's starting value: arbitrary but fixed.
const SEED: u64 = 42;

/// A mean over items with its confidence interval and the number of items.
///
/// The interval is the percentile bootstrap of Efron (1979): the n items are drawn n times with replacement, a thousand
/// times over, and the interval leaves out 2.5 % of the means at either end. The generator is SplitMix64 with a fixed
/// starting value, so that the same values give the same interval on every machine, and means over the same items use
/// the same draws.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The number of items.
    pub n: usize,
}

impl Estimate {
    /// The mean of `values`; all zero for no values. Linear in their number, a thousand times over.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let n = values.len();
        let mut random = SplitMix64(SEED);
        let mut draw = || values.at(random.below(n));
        let mut means: Vec<f64> = (0..RESAMPLES).map(|_| mean((0..n).map(|_| draw()).sum(), n)).collect();
        means.sort_by(f64::total_cmp);
        let outside = (1.0 - LEVEL) / 2.0;
        Self {
            mean: mean(values.iter().sum(), n),
            low: quantile(&means, outside),
            high: quantile(&means, 1.0 - outside),
            n,
        }
    }
}

/// The mean of `n` values with this `sum`; 0 for none.
pub(crate) fn mean(sum: f64, n: usize) -> f64 {
    if n == 0 { 0.0 } else { sum / float(n) }
}

/// The value below which `share` of the `sorted` values lie, interpolated linearly between two values.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the sample")]
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * float(sorted.len().saturating_sub(1));
    let value = |at: f64| sorted.at(at as usize);
    let (low, high) = (value(place.floor()), value(place.ceil()));
    low + (high - low) * place.fract()
}

/// SplitMix64 (Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number Generators").
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// A number below `n`; zero for zero. By multiplication (Lemire 2019), with a bias below n in 2^64.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let place = (u128::from(self.next()) * n as u128) >> 64;
        usize::try_from(place).unwrap_or_default()
    }
}

/// SplitMix64's output function: every bit of the result depends on every bit of `z`.
pub(crate) const fn mixed(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs from the starting value 1234567, as produced by other implementations.
    #[test]
    fn the_generator_is_splitmix64() {
        let mut random = SplitMix64(1_234_567);
        let first = [(); 3].map(|()| random.next());
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn the_same_values_give_the_same_interval() {
        let values: Vec<f64> = (0..200).map(|n| f64::from(u8::from(n % 4 == 0))).collect();
        let estimate = Estimate::of(&values);
        assert_eq!(estimate, Estimate::of(&values));
        assert_eq!((estimate.mean, estimate.n), (0.25, 200));
        // The normal approximation gives 0.25 ± 0.06.
        assert!(
            (0.18..0.21).contains(&estimate.low) && (0.29..0.32).contains(&estimate.high),
            "{estimate:?}"
        );
    }

    #[test]
    fn nothing_and_one_kind_of_thing() {
        let Estimate { mean, low, high, n } = Estimate::of(&[]);
        assert_eq!((mean, low, high, n), (0.0, 0.0, 0.0, 0));
        let Estimate { mean, low, high, n } = Estimate::of(&[1.0; 7]);
        assert_eq!((mean, low, high, n), (1.0, 1.0, 1.0, 7));
    }
}
