//! The effect of a rule on the items of a data set.

use std::fmt;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Result, float::float};

/// Changes up to this many points are of rounding.
const ROUNDING: f64 = 1e-9;

/// One line of `contextfit eval --items`: an item at one budget.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Outcome {
    id: String,
    /// The score: the share of the evidence that was kept.
    fraction: f64,
    /// All other figures.
    #[serde(flatten)]
    figures: Map<String, Value>,
}

/// What changes when rules are off.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Effect {
    /// The mean change of an item's score, in points.
    points: f64,
    /// Half of its 95 % interval.
    interval: f64,
    /// The items whose score changes, with the points of each.
    moved: Vec<(String, f64)>,
    /// How many other items change, in the tokens of the output or any other figure.
    others: usize,
}

impl Effect {
    /// The effect that makes `without` of `with`, both the lines of a file of items. The score of an item is its mean
    /// over the budgets.
    ///
    /// # Errors
    /// If a line cannot be read, or the two files are not of the same items.
    pub(crate) fn of(with: &str, without: &str) -> Result<Self> {
        let read =
            |text: &str| text.lines().map(serde_json::from_str).collect::<serde_json::Result<Vec<_>>>();
        let (with, without): (Vec<Outcome>, Vec<Outcome>) = (read(with)?, read(without)?);
        let pairs: Vec<_> = with.iter().zip(&without).collect();
        if with.len() != without.len() || pairs.iter().any(|(with, without)| with.id != without.id) {
            return Err("the items are not those of the run with all rules".into());
        }
        let (mut changes, mut moved, mut others) = (Vec::new(), Vec::new(), 0);
        for item in pairs.chunk_by(|one, next| one.0.id == next.0.id) {
            let sum: f64 = item.iter().map(|(with, without)| without.fraction - with.fraction).sum();
            let change = 100.0 * sum / float(item.len());
            changes.push(change);
            if change.abs() > ROUNDING {
                moved.extend(item.first().map(|(with, _)| (with.id.clone(), change)));
            } else {
                others += usize::from(item.iter().any(|(with, without)| with != without));
            }
        }
        let (points, interval) = mean(&changes);
        Ok(Self { points, interval, moved, others })
    }

    /// Whether the score falls by more than chance explains.
    pub(crate) fn is_loss(&self) -> bool {
        self.points + self.interval < 0.0
    }

    /// The items that rise and fall, each with its points, one per line.
    pub(crate) fn items(&self) -> impl Iterator<Item = String> {
        self.moved.iter().map(|(id, change)| format!("{change:+7.1}  {id}"))
    }
}

/// The mean, and half of its 95 % interval: 1.96 standard errors. One value says nothing about others.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = float(values.len());
    let mean = values.iter().sum::<f64>() / n.max(1.0);
    if n < 2.0 {
        return (mean, f64::INFINITY);
    }
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { points, interval, moved, others } = self;
        let up = moved.iter().filter(|(_, change)| *change > 0.0).count();
        match (moved.len(), others) {
            (0, 0) => write!(f, "inert"),
            (0, others) => write!(f, "no score changes; others: {others}"),
            (n, others) => {
                write!(f, "{points:+.1} ± {interval:.1}; up: {up}, down: {}, others: {others}", n - up)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(items: &[(&str, f64, u32)]) -> String {
        let line = |(id, fraction, tokens): &(&str, f64, u32)| {
            format!("{{\"id\":\"{id}\",\"budget\":0.1,\"tokensAfter\":{tokens},\"fraction\":{fraction}}}\n")
        };
        items.iter().map(line).collect()
    }

    #[track_caller]
    fn check(with: &[(&str, f64, u32)], without: &[(&str, f64, u32)], expect: &str) -> Effect {
        let effect = Effect::of(&lines(with), &lines(without)).unwrap();
        assert_eq!(effect.to_string(), expect);
        effect
    }

    #[test]
    fn changes_are_paired_by_item() {
        let with = [("a", 1.0, 9), ("a", 1.0, 9), ("b", 0.5, 9), ("b", 0.5, 9), ("c", 1.0, 9), ("c", 1.0, 9)];
        check(&with, &with, "inert");
        let mut without = with;
        without[4].2 = 8;
        check(&with, &without, "no score changes; others: 1");
        without[0].1 = 0.0;
        without[2].1 = 1.0;
        let effect = check(&with, &without, "-8.3 ± 43.2; up: 1, down: 1, others: 1");
        assert_eq!(effect.items().collect::<Vec<_>>(), ["  -50.0  a", "  +25.0  b"]);
        assert!(!effect.is_loss());
        let less: Vec<_> = with.iter().map(|(id, score, tokens)| (*id, score - 0.25, *tokens)).collect();
        assert!(check(&with, &less, "-25.0 ± 0.0; up: 0, down: 3, others: 0").is_loss());
    }

    #[test]
    fn intervals() {
        // The values -1, 0, 0, 1 have a standard error of sqrt(2/3/4).
        let (middle, interval) = mean(&[-1.0, 0.0, 0.0, 1.0]);
        assert!(middle.abs() < 1e-12 && (interval - 1.96 * (1.0_f64 / 6.0).sqrt()).abs() < 1e-12);
        assert_eq!(mean(&[-1.0]), (-1.0, f64::INFINITY));
    }

    #[test]
    fn other_items_are_an_error() {
        for other in [lines(&[("b", 1.0, 9)]), String::new()] {
            assert!(Effect::of(&lines(&[("a", 1.0, 9)]), &other).is_err());
        }
    }
}
