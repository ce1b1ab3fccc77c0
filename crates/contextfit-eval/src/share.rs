//! Budgets as shares of an item's size.

use std::{fmt, str::FromStr};

use contextfit_kernel::Tokens;
use serde::Serialize;

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
    /// What most data sets are measured at when nothing else is asked for: 10, 25 and 50 %.
    pub const USUAL: [Self; 3] = [Self(0.10), Self(0.25), Self(0.50)];

    /// The same for long talk, whose evidence is a turn or two of hundreds: 2, 5, 10 and 25 %.
    pub const LONG_TALK: [Self; 4] = [Self(0.02), Self(0.05), Self(0.10), Self(0.25)];

    /// The same for sessions, of which a budget is a small part: 5, 10 and 25 %.
    pub const SESSION: [Self; 3] = [Self(0.05), Self(0.10), Self(0.25)];

    /// The share as a number; `None` when it is not above 0 and at most 1.
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
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a share of a count is a count, and counts stay far below 2^53"
    )]
    pub fn of(self, tokens: Tokens) -> Tokens {
        Tokens::new((self.0 * tokens.get() as f64) as usize)
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = match text.strip_suffix('%') {
            Some(percent) => percent.trim_end().parse().map(|percent: f64| percent / 100.0),
            None => text.parse(),
        };
        number.ok().and_then(Self::new).ok_or_else(|| "a share is needed, as 10% or 0.1".into())
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Two digits are more than a share is chosen by; rounding hides that 0.07 is not a sum of powers of two.
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
