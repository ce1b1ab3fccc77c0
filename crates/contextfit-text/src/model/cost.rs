//! What calls cost, and what a shorter context saves.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, AddAssign, Sub},
};

use contextfit_kernel::{Completion, Tokens};
use serde::{Deserialize, Serialize, Serializer};

use super::Prices;

/// Money in US dollars, exactly: in millionths of a millionth, so that no token is too cheap to count. Arithmetic
/// saturates, at some nine million dollars. Serialized as a number of dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Money(i64);

impl Money {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// What `tokens` cost at `price` micro-dollars for a million, which is pico-dollars for one.
    fn of(tokens: Tokens, price: u64) -> Self {
        let tokens = i64::try_from(tokens.get()).unwrap_or(i64::MAX);
        Self(tokens.saturating_mul(i64::try_from(price).unwrap_or(i64::MAX)))
    }

    /// In dollars, as near as a float can.
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

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Self::add)
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.dollars())
    }
}

/// To the hundredth of a cent, below one cent to a millionth of a dollar: `$1.2500`, `-$0.000020`.
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
    /// Read, cached ones included.
    pub input: Tokens,
    /// Of these, read from the provider's cache.
    pub cached: Tokens,
    /// Written.
    pub output: Tokens,
}

impl TokenUsage {
    /// So many tokens read, none of them from a cache, and none written.
    #[must_use]
    pub fn of_input(input: Tokens) -> Self {
        Self { input, ..Self::default() }
    }

    /// What it costs. Where no price for cached tokens is known, they cost as much as others.
    #[must_use]
    pub fn cost(self, prices: &Prices) -> Money {
        let cached = self.cached.min(self.input);
        Money::of(self.input.saturating_sub(cached), prices.input)
            + Money::of(cached, prices.cached_input.unwrap_or(prices.input))
            + Money::of(self.output, prices.output)
    }
}

impl From<&Completion> for TokenUsage {
    /// What the provider reported; what it did not is zero.
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

/// Whether compression paid: what it saved on input, and what it cost.
///
/// A shorter prompt is not always a cheaper one: where the long one was in the provider's cache and the short one is
/// not, the saving can be a loss. So both sides are given with what of them is cached.
///
/// ```
/// use contextfit_kernel::Tokens;
/// use contextfit_text::{Bill, Prices, TokenUsage};
///
/// // $2.50 for a million tokens of input, a tenth of that when cached, $10 for a million of output.
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
    /// Saved on input; negative when the shorter prompts cost more.
    pub saved: Money,
    /// Spent on summaries and on compression by a model.
    pub summaries: Money,
    /// Spent on embeddings.
    pub embeddings: Money,
}

impl Bill {
    /// Adds one call to the model that the context is for: what it would have used, and what it did.
    pub fn save(&mut self, prices: &Prices, before: TokenUsage, after: TokenUsage) {
        self.saved += before.cost(prices) - after.cost(prices);
    }

    /// What is left of the savings.
    #[must_use]
    pub fn net(&self) -> Money {
        self.saved - self.summaries - self.embeddings
    }
}

impl AddAssign for Bill {
    fn add_assign(&mut self, other: Self) {
        self.saved += other.saved;
        self.summaries += other.summaries;
        self.embeddings += other.embeddings;
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
        assert_eq!([most, Money::ZERO - most].into_iter().sum::<Money>(), Money::ZERO);
        assert_eq!(
            (Money::ZERO - TokenUsage::of_input(Tokens::new(20)).cost(&PRICES)).to_string(),
            "-$0.000020"
        );
    }
}
