//! Outlying numbers.

/// Fewer numbers have no outliers.
const FEW: usize = 8;

/// An outlier is farther from the others than this many of their standard deviations.
const FAR: f64 = 4.0;

/// The numbers of a column, or of a key.
#[derive(Default)]
pub(crate) struct Numbers {
    count: usize,
    sum: f64,
    squares: f64,
    least: Option<(f64, usize)>,
    most: Option<(f64, usize)>,
}

impl Numbers {
    /// Adds the `number` at index `n`.
    pub(crate) fn add(&mut self, n: usize, number: f64) {
        self.count += 1;
        self.sum += number;
        self.squares += number * number;
        self.least = Some(self.least.filter(|(least, _)| *least <= number).unwrap_or((number, n)));
        self.most = Some(self.most.filter(|(most, _)| *most >= number).unwrap_or((number, n)));
    }

    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// The indices of the largest and smallest numbers that are outliers: [`FAR`] from the mean of the others.
    /// Among few numbers, none is far from a mean that it is part of.
    pub(crate) fn outliers(&self) -> impl Iterator<Item = usize> + use<> {
        let (many, others) = (self.count >= FEW, self.count as f64 - 1.0);
        let (sum, squares) = (self.sum, self.squares);
        let out = move |extreme: Option<(f64, usize)>| {
            let is_out = |number: f64| {
                let mean = (sum - number) / others;
                let deviation = ((squares - number * number) / others - mean * mean).max(0.0).sqrt();
                // If the others are equal, their mean differs from them by rounding.
                let rounding = f64::EPSILON * mean.abs().max(1.0) * others;
                (number - mean).abs() > FAR * deviation + rounding
            };
            extreme.filter(|(number, _)| many && is_out(*number)).map(|(_, n)| n)
        };
        out(self.least).into_iter().chain(out(self.most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(numbers: &[f64], expect: &[usize]) {
        let mut column = Numbers::default();
        numbers.iter().enumerate().for_each(|(n, number)| column.add(n, *number));
        assert_eq!(column.outliers().collect::<Vec<_>>(), expect, "{numbers:?}");
    }

    #[test]
    fn what_stands_out() {
        check(&[], &[]);
        check(&[1.0, 2.0, 900.0], &[]);
        check(&[5.0; 20], &[]);
        check(&[0.1; 20], &[]);
        check(&[97.0, 95.0, 93.0, 99.0, 5.0, 96.0, 100.0, 94.0], &[4]);
        check(&[&[5.0, 6.0, 4.0].repeat(8)[..], &[90.0]].concat(), &[24]);
        check(&[&[-80.0], &[5.0, 6.0, 4.0].repeat(8)[..]].concat(), &[0]);
    }
}
