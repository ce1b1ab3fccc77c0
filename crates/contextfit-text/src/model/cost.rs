//! Prices of tokens, the cost of calls, and the savings of a shorter context.

use std::{
    fmt,
    ops::{Add, AddAssign, Sub},
};

use contextfit_kernel::{Completion, Tokens};
use serde::{Deserialize, Serialize, Serializer};

use super::TokenFactor;

/// The prices of a model, in micro-dollars per million tokens: 2,500,000 is $2.50. The same number is the price of one
/// token in millionths of a micro-dollar, so sums are whole numbers.
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

    /// Returns these prices for tokens that a stand-in counts: each costs as much as the number of tokens that the
    /// provider is assumed to count for it, by `factor`. A [`Bill`](crate::Bill) at these prices charges for the
    /// provider's tokens. Unchanged until `factor` has a bound.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_text as text; }
    /// use contextfit::text::{Prices, model};
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

/// An exact amount of US dollars, in trillionths of a dollar, so that even the cheapest token counts. Arithmetic
/// saturates at about nine million dollars. Serialized as a number of dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money(i64);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The cost of `tokens` at `price` micro-dollars per million, which is pico-dollars per token.
    fn of(tokens: Tokens, price: u64) -> Self {
        let tokens = i64::try_from(tokens.get()).unwrap_or(i64::MAX);
        Self(tokens.saturating_mul(i64::try_from(price).unwrap_or(i64::MAX)))
    }

    /// The amount in dollars, as exactly as a floating-point number can hold it.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "for people; sums are made in whole numbers")]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e12
    }
}

impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Money {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.dollars())
    }
}

/// Rounds to a hundredth of a cent, or below one cent to a millionth of a dollar: `$1.2500`, `-$0.000020`.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let dollars = self.dollars().abs();
        match dollars {
            0.0 => f.write_str("$0"),
            ..0.01 => write!(f, "{sign}${dollars:.6}"),
            _ => write!(f, "{sign}${dollars:.4}"),
        }
    }
}

/// Tokens that a provider charges for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Input tokens, including cached ones.
    pub input: Tokens,
    /// Input tokens read from the provider's cache.
    pub cached: Tokens,
    /// Output tokens.
    pub output: Tokens,
}

impl TokenUsage {
    /// `input` tokens, none of them cached, and no output.
    #[must_use]
    pub fn of_input(input: Tokens) -> Self {
        Self { input, ..Self::default() }
    }

    /// The cost at `prices`. Cached tokens without a price of their own cost as much as others.
    #[must_use]
    pub fn cost(self, prices: &Prices) -> Money {
        let cached = self.cached.min(self.input);
        Money::of(self.input.saturating_sub(cached), prices.input)
            + Money::of(cached, prices.cached_input.unwrap_or(prices.input))
            + Money::of(self.output, prices.output)
    }
}

impl From<&Completion> for TokenUsage {
    /// The usage that the provider reported; figures that it did not report are zero.
    fn from(completion: &Completion) -> Self {
        let Completion { tokens_in, tokens_cached, tokens_out, .. } = completion;
        Self {
            input: tokens_in.unwrap_or_default(),
            cached: tokens_cached.unwrap_or_default(),
            output: tokens_out.unwrap_or_default(),
        }
    }
}

impl AddAssign for TokenUsage {
    fn add_assign(&mut self, other: Self) {
        self.input += other.input;
        self.cached += other.cached;
        self.output += other.output;
    }
}

/// The balance of compression: what it saved on input, and what it cost.
///
/// A shorter prompt is not always cheaper: if the long one was in the provider's cache and the short one is not, it can
/// cost more. Both sides therefore include the number of their cached tokens.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel::Tokens; pub use ::contextfit_text as text; }
/// use contextfit::{Tokens, text::{Bill, Prices, TokenUsage}};
///
/// // $2.50 per million input tokens, a tenth of that when cached, $10 per million output tokens.
/// let prices = Prices::new(2_500_000, Some(250_000), 10_000_000);
/// let long = TokenUsage { input: Tokens::new(10_000), cached: Tokens::new(10_000), ..TokenUsage::default() };
/// let short = TokenUsage::of_input(Tokens::new(4_000));
///
/// let mut bill = Bill::default();
/// bill.save(&prices, long, short);
/// assert_eq!(bill.saved.to_string(), "-$0.007500");
/// bill.save(&prices, TokenUsage::of_input(long.input), short);
/// bill.summaries += TokenUsage::of_input(Tokens::new(1_000)).cost(&prices);
/// assert_eq!(bill.net().to_string(), "$0.005000");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Bill {
    /// Saved on input; negative if the shorter prompts cost more.
    pub saved: Money,
    /// Spent on summaries and on compression by a model.
    pub summaries: Money,
    /// Spent on embeddings.
    pub embeddings: Money,
}

impl Bill {
    /// Adds one call to the model that the context is for: its usage without compression and with it.
    pub fn save(&mut self, prices: &Prices, before: TokenUsage, after: TokenUsage) {
        self.saved += before.cost(prices) - after.cost(prices);
    }

    /// The savings that remain after costs.
    #[must_use]
    pub fn net(&self) -> Money {
        self.saved - self.summaries - self.embeddings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICES: Prices = Prices::new(1_000_000, Some(250_000), 4_000_000);

    #[track_caller]
    fn check(input: usize, cached: usize, output: usize, shown: &str, json: &str) {
        let [input, cached, output] = [input, cached, output].map(Tokens::new);
        let cost = TokenUsage { input, cached, output }.cost(&PRICES);
        assert_eq!(
            (cost.to_string().as_str(), serde_json::to_string(&cost).unwrap().as_str()),
            (shown, json)
        );
    }

    #[test]
    fn tokens_cost_what_their_prices_say() {
        check(0, 0, 0, "$0", "0.0");
        check(1, 0, 0, "$0.000001", "1e-6");
        check(10_000, 0, 5_000, "$0.0300", "0.03");
        check(10_000, 4_000, 0, "$0.007000", "0.007");
        check(40, 4_000, 0, "$0.000010", "0.00001");
    }

    #[test]
    fn sums_saturate() {
        let most = TokenUsage::of_input(Tokens::MAX).cost(&PRICES);
        assert_eq!(most + most, most);
        assert_eq!(most + (Money::ZERO - most), Money::ZERO);
        assert_eq!(
            (Money::ZERO - TokenUsage::of_input(Tokens::new(20)).cost(&PRICES)).to_string(),
            "-$0.000020"
        );
    }
}
