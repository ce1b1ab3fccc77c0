//! Median, quartiles and other statistics.

use crate::float::float;

/// A sample, in ascending order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sample(Vec<f64>);

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self(values)
    }
}

impl Sample {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The value below which `share` of the sample lies, from 0 to 1, interpolated between two values. Zero if the
    /// sample is empty.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the sample")]
    pub(crate) fn quantile(&self, share: f64) -> f64 {
        let place = share.clamp(0.0, 1.0) * float(self.0.len().saturating_sub(1));
        let value = |n: f64| self.0.get(n as usize).copied().unwrap_or_default();
        let (low, high) = (value(place.floor()), value(place.ceil()));
        low + (high - low) * place.fract()
    }

    pub(crate) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The share of values below `limit`.
    pub(crate) fn below(&self, limit: f64) -> f64 {
        float(self.0.partition_point(|value| *value < limit)) / float(self.0.len().max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles() {
        let sample: Sample = [4.0, 1.0, 3.0, 2.0].into_iter().collect();
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(|share| sample.quantile(share)), [1.0, 1.75, 2.5, 4.0]);
        assert_eq!((sample.below(1.0), sample.below(3.0)), (0.0, 0.5));
        assert_eq!(Sample::from_iter([]).median(), 0.0);
        assert_eq!(Sample::from_iter([7.0]).quantile(0.9), 7.0);
    }
}
