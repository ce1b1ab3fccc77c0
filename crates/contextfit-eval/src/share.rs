//! Budgets: shares of an item's size, or numbers of tokens.

use std::{fmt, str::FromStr};

use contextfit_kernel::Tokens;
use contextfit_text::{float, share_of};
use serde::Serialize;

/// The budget of an item.
///
/// ```
/// use contextfit_eval::Allowance;
/// use contextfit_kernel::Tokens;
///
/// assert_eq!("10%".parse(), Ok(Allowance::Share("0.1".parse()?)));
/// assert_eq!("2000".parse(), Ok(Allowance::Tokens(Tokens::new(2_000))));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Allowance {
    /// A share of the item's size.
    Share(Share),
    /// The same number of tokens for every item.
    Tokens(Tokens),
}

impl Allowance {
    /// The default for most data sets: 10, 25 and 50 %.
    pub const USUAL: [Self; 3] =
        [Self::Share(Share(0.10)), Self::Share(Share(0.25)), Self::Share(Share(0.50))];

    /// The default for long conversations, whose evidence is a turn or two out of hundreds: 2, 5, 10 and 25 %.
    pub const LONG_TALK: [Self; 4] = [
        Self::Share(Share(0.02)),
        Self::Share(Share(0.05)),
        Self::Share(Share(0.10)),
        Self::Share(Share(0.25)),
    ];

    /// The default for sessions and outputs of tools, which are much larger than a budget: 5, 10 and 25 %.
    pub const SESSION: [Self; 3] =
        [Self::Share(Share(0.05)), Self::Share(Share(0.10)), Self::Share(Share(0.25))];

    /// The default for repositories, whose size says nothing about the needs of a task: 2,000, 8,000 and 32,000 tokens.
    pub const REPOSITORY: [Self; 3] = [
        Self::Tokens(Tokens::new(2_000)),
        Self::Tokens(Tokens::new(8_000)),
        Self::Tokens(Tokens::new(32_000)),
    ];

    /// The budget in tokens. `base` is called only for a share: counting a whole repository takes long.
    #[must_use]
    pub fn budget(self, base: impl FnOnce() -> Base) -> Tokens {
        match self {
            Self::Share(share) => base().budget(share),
            Self::Tokens(tokens) => tokens,
        }
    }

    /// Its size, to compare with others of its kind.
    pub(crate) const fn extent(self) -> f64 {
        match self {
            Self::Share(share) => share.get(),
            Self::Tokens(tokens) => float(tokens.get()),
        }
    }
}

impl FromStr for Allowance {
    type Err = String;

    /// 1 means everything, as a share; tokens start at 2.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(tokens @ 2..) => Ok(Self::Tokens(Tokens::new(tokens))),
            _ => text.parse().map(Self::Share).map_err(|_| {
                "expected a share such as 10% or 0.1, or a number of tokens such as 2000".into()
            }),
        }
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Share(share) => share.fmt(f),
            Self::Tokens(tokens) => f.pad(&tokens.get().to_string()),
        }
    }
}

/// A share of an item's size: above 0, at most 1.
///
/// ```
/// use contextfit_eval::Share;
/// use contextfit_kernel::Tokens;
///
/// let tenth: Share = "10%".parse()?;
/// assert_eq!(tenth, "0.1".parse()?);
/// assert_eq!(tenth.of(Tokens::new(1_289)), Tokens::new(128));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Share(f64);

impl Share {
    /// The share as a number; `None` unless it is above 0 and at most 1.
    #[must_use]
    pub fn new(share: f64) -> Option<Self> {
        (share > 0.0 && share <= 1.0).then_some(Self(share))
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The share of `tokens`, rounded down.
    #[must_use]
    pub fn of(self, tokens: Tokens) -> Tokens {
        share_of(tokens, self.0)
    }
}

/// The components of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Base {
    /// Tokens that every budget includes.
    pub fixed: Tokens,
    /// Tokens of which a budget includes a share.
    pub shared: Tokens,
}

impl Base {
    /// The budget for `share`.
    #[must_use]
    pub fn budget(self, share: Share) -> Tokens {
        self.fixed + share.of(self.shared)
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = match text.strip_suffix('%') {
            Some(percent) => percent.trim_end().parse().map(|percent: f64| percent / 100.0),
            None => text.parse(),
        };
        number.ok().and_then(Self::new).ok_or_else(|| "expected a share such as 10% or 0.1".into())
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nobody chooses a share by more than two digits; rounding hides that 0.07 has no exact binary form.
        let percent = (self.0 * 1e4).round() / 1e2;
        f.pad(&format!("{percent} %"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<f64>) {
        assert_eq!(text.parse::<Share>().ok().map(Share::get), expect, "{text:?}");
    }

    #[test]
    fn spelled_in_two_ways() {
        check("10%", Some(0.1));
        check("7 %", Some(0.07));
        check("12.5%", Some(0.125));
        check("0.25", Some(0.25));
        check("1", Some(1.0));
        for wrong in ["10", "0", "-5%", "101%", "NaN", "", "%", "a tenth"] {
            check(wrong, None);
        }
    }

    #[test]
    fn tokens_are_whole_numbers_above_one() {
        let parsed = |text: &str| text.parse::<Allowance>().ok().map(|budget| budget.to_string());
        assert_eq!(
            ["2000", "2", "10%", "0.1"].map(parsed),
            ["2000", "2", "10 %", "10 %"].map(|text| Some(text.into()))
        );
        assert_eq!(parsed("1").as_deref(), Some("100 %"), "a share, as ever");
        assert_eq!(["0", "-2000", "2000.5", "2k", "101%", ""].map(parsed), [const { None }; 6]);
    }

    #[test]
    fn a_number_of_tokens_needs_no_base() {
        let base = Base { fixed: Tokens::new(7), shared: Tokens::new(100) };
        assert_eq!(Allowance::USUAL[0].budget(|| base).get(), 17);
        assert_eq!(Allowance::REPOSITORY[0].budget(|| panic!("not asked for")).get(), 2_000);
    }

    #[test]
    fn shown_in_percent() {
        let shown = |text: &str| text.parse::<Share>().unwrap().to_string();
        assert_eq!(["10%", "0.07", "12.5%", "1"].map(shown), ["10 %", "7 %", "12.5 %", "100 %"]);
    }

    #[test]
    fn budgets_are_rounded_down() {
        let budget = |share: &str, tokens| share.parse::<Share>().unwrap().of(Tokens::new(tokens)).get();
        assert_eq!([budget("10%", 99), budget("25%", 7), budget("100%", 7), budget("50%", 0)], [9, 1, 7, 0]);
    }
}
