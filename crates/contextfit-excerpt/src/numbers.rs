//! Outlying numbers.

/// With fewer numbers than this, none is an outlier.
const MIN_NUMBERS: usize = 8;

/// An outlier is farther from the mean of the others than this many of their standard deviations.
const OUTLIER_DEVIATIONS: f64 = 4.0;

/// Statistics of the numbers in a column or of a key, each with its index.
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

    /// The indices of the smallest and the largest number if they are outliers: more than [`OUTLIER_DEVIATIONS`] from
    /// the mean of the others. If the mean included the number itself, no number among a few would be far from it.
    pub(crate) fn outliers(&self) -> impl Iterator<Item = usize> + use<> {
        let many = self.count >= MIN_NUMBERS; // ablate: excerpt.outliers => false
        let others = self.count as f64 - 1.0;
        let (sum, squares) = (self.sum, self.squares);
        let out = move |extreme: Option<(f64, usize)>| {
            let is_out = |number: f64| {
                let mean = (sum - number) / others;
                let deviation = ((squares - number * number) / others - mean * mean).max(0.0).sqrt();
                // If the others are all equal, their mean may differ from them by rounding.
                let rounding = f64::EPSILON * mean.abs().max(1.0) * others;
                (number - mean).abs() > OUTLIER_DEVIATIONS * deviation + rounding
            };
            extreme.filter(|(number, _)| many && is_out(*number)).map(|(_, n)| n)
        };
        out(self.least).into_iter().chain(out(self.most))
    }
}

/// The number in `cell` with its unit applied: `17`, `4.2G`, `350ms`, `12%`, `2,914.07`. `None` for other texts.
pub(crate) fn number(cell: &str) -> Option<f64> {
    let cell = cell.trim_matches(['"', '\'', '(', ')']);
    if !cell.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.')) {
        return None;
    }
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | ',');
    let (number, unit) = cell.split_at_checked(cell.find(|c| !is_part(c)).unwrap_or(cell.len()))?;
    if unit.len() > LONGEST_UNIT_LETTERS
        || !unit.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'%')
    {
        return None;
    }
    let factor = match unit.bytes().next() {
        _ if unit.starts_with("ms") => 1e-3,
        _ if unit.starts_with("us") => 1e-6,
        Some(b'k' | b'K') => 1e3,
        Some(b'M') => 1e6,
        Some(b'G') => 1e9,
        Some(b'T') => 1e12,
        Some(b'm') => 60.0,
        Some(b'h') => 3600.0,
        Some(b'd') => 86_400.0,
        _ => 1.0,
    };
    let number = if number.contains(',') { number.replace(',', "").parse() } else { number.parse::<f64>() };
    number.ok().filter(|number| number.is_finite()).map(|number| number * factor)
}

/// The maximum length of a unit. A longer word after a number is not a unit.
const LONGEST_UNIT_LETTERS: usize = 4;

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
    fn with_units() {
        for (cell, expect) in
            [("17", 17.0), ("4.5K", 4500.0), ("500ms", 0.5), ("12%", 12.0), ("2,914.5", 2914.5)]
        {
            assert_eq!(number(cell), Some(expect), "{cell}");
        }
        for cell in ["", "12:00:01", "2026-11-24", "10.2.0.2", "0x4a5b6c", "v1"] {
            assert_eq!(number(cell), None, "{cell}");
        }
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
