//! Prices of tokens.

use super::{TokenFactor, price_table};

/// Prices of a model, in micro-dollars per million tokens: 2,500,000 is $2.50. The same number is the price of one
/// token in millionths of a micro-dollar, so that sums stay whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Prices {
    /// The price of input tokens.
    pub input: u64,
    /// The price of input tokens in the provider's cache, if it charges less for them.
    pub cached_input: Option<u64>,
    /// The price of output tokens.
    pub output: u64,
    /// The source of the prices and the day they were read; `None` for your own prices.
    pub origin: Option<(&'static str, &'static str)>,
}

impl Prices {
    /// Your own prices.
    #[must_use]
    pub const fn new(input: u64, cached_input: Option<u64>, output: u64) -> Self {
        Self { input, cached_input, output, origin: None }
    }

    /// Returns these prices for tokens counted by a stand-in: one of its tokens costs as much as the `factor` tokens
    /// the provider is assumed to count for it. With them a [`Bill`](crate::Bill) is in the provider's tokens.
    /// Unchanged until `factor` has a bound.
    ///
    /// ```
    /// use contextfit_text::{Prices, model};
    ///
    /// let claude = model("claude-sonnet-4-5")?;
    /// let prices = Prices::new(3_000_000, Some(300_000), 15_000_000);
    /// let estimated = claude.factor().map_or(prices, |factor| prices.estimated(&factor));
    /// assert_eq!((estimated.input, estimated.cached_input), (4_050_000, Some(405_000)));
    /// # Ok::<(), contextfit_text::UnknownModel>(())
    /// ```
    #[must_use]
    pub fn estimated(self, factor: &TokenFactor) -> Self {
        let Some(bound) = factor.bound() else { return self };
        let times = |price: u64| (price as f64 * bound).round() as u64;
        Self {
            input: times(self.input),
            cached_input: self.cached_input.map(times),
            output: times(self.output),
            ..self
        }
    }

    /// A row of the table.
    pub(super) const fn from_table(
        input: u64,
        cached_input: Option<u64>,
        output: u64,
        origin: (&'static str, &'static str),
    ) -> Self {
        Self { input, cached_input, output, origin: Some(origin) }
    }
}

/// The standard prices of a model, whose name is read as [`model`](crate::model()) reads it; `None` if they are
/// unknown. Prices change: check their origin, and supply your own where it matters.
///
/// ```
/// use contextfit_text::prices;
///
/// let small = prices("openai/gpt-4o-mini-2024-07-18").unwrap();
/// assert_eq!((small.input, small.cached_input, small.output), (150_000, Some(75_000), 600_000));
/// assert!(prices("my-own-model").is_none());
/// ```
#[must_use]
pub fn prices(name: &str) -> Option<Prices> {
    // By the model's own row: a model without a price must not take that of a shorter name.
    let name = super::model(name).ok()?.name;
    price_table::PRICES.iter().find(|(priced, _)| *priced == name).map(|(_, prices)| *prices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_price_is_a_models_and_has_an_origin() {
        assert_eq!(price_table::PRICES.len(), 84);
        for (name, row) in price_table::PRICES {
            assert_eq!(prices(name), Some(*row), "{name}");
            let (source, checked) = row.origin.unwrap();
            assert!(source.starts_with("https://") && checked.len() == "2026-07-02".len());
        }
    }

    #[test]
    fn a_model_without_a_price_has_none() {
        assert!(super::super::model("gpt-4-32k").is_ok(), "a model, and more than a version of gpt-4");
        assert_eq!(prices("gpt-4-32k"), None);
        assert_eq!(prices("zephyr"), None);
        assert_eq!(prices("gpt-4-0613").map(|prices| prices.input), Some(30_000_000));
    }
}
