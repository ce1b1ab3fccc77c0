//! The data sets, a run of each, and the effect of a rule on their items.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fmt, fs,
    path::{Path, PathBuf},
    time::Instant,
};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::rules::{CONSULTED, OFF};
use crate::{binary::Binary, figures::float, say::Result};

/// The sets of the project, relative to the root.
const OURS: &str = "crates/contextfit-eval/data";
const OUR_SETS: [&str; 7] = ["outputs", "long_outputs", "read", "documents", "rules", "sessions", "memories"];

/// The budgets, as shares of each item.
const BUDGETS: [&str; 2] = ["10%", "25%"];

/// The budgets of tasks in whole repositories, in tokens; nobody shows a tenth of a repository.
const OF_REPOSITORIES: [&str; 2] = ["2000", "8000"];

/// A data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Set {
    /// Its name: that of its folder.
    pub name: String,
    folder: PathBuf,
}

/// One run over a data set.
#[derive(Debug)]
pub(crate) struct Run {
    /// The outcome for each item, as `contextfit eval --items` writes it.
    pub items: String,
    /// The names of the rules that were consulted.
    pub consulted: BTreeSet<String>,
    /// How long it took.
    pub seconds: f64,
}

/// The data sets of the project and those in `data`.
///
/// # Errors
/// If a folder cannot be read.
pub(crate) fn sets(root: &Path, data: &Path) -> Result<Vec<Set>> {
    let set = |name: &str, within: &Path| Set { name: name.into(), folder: within.join(name) };
    let mut sets: Vec<Set> = OUR_SETS.iter().map(|name| set(name, &root.join(OURS))).collect();
    if data.is_dir() {
        let entries = fs::read_dir(data)?.collect::<std::io::Result<Vec<_>>>()?;
        let folders = entries.iter().filter(|entry| entry.path().is_dir());
        let mut names: Vec<_> =
            folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        sets.extend(names.iter().map(|name| set(name, data)));
    }
    Ok(sets)
}

impl Set {
    /// Measures it with the rules called `off` switched off; the files of the run are in `folder`.
    ///
    /// # Errors
    /// If the program fails, for example since it cannot read the data.
    pub(crate) fn run(
        &self,
        binary: &Binary,
        off: &[&str],
        repositories: Option<&Path>,
        folder: &Path,
    ) -> Result<Run> {
        let (items, consulted) = (folder.join("items.jsonl"), folder.join("consulted.txt"));
        for file in [&items, &consulted] {
            fs::write(file, "")?;
        }
        let of_repositories = self.name.starts_with("repo_");
        let [low, high] = if of_repositories { OF_REPOSITORIES } else { BUDGETS };
        let (data, file) = (self.folder.display().to_string(), items.display().to_string());
        let mut args = vec!["eval", &data, "--split", "dev", "--strategy", "auto"];
        args.extend(["--budget", low, "--budget", high, "--items", &file]);
        let repositories =
            repositories.filter(|_| of_repositories).map(|folder| folder.display().to_string());
        args.extend(repositories.iter().flat_map(|folder| ["--repositories", folder]));
        let off = off.join(",");
        let started = Instant::now();
        binary.run_with(&args, &[(OFF, OsStr::new(&off)), (CONSULTED, consulted.as_os_str())])?;
        let seconds = started.elapsed().as_secs_f64();
        let consulted = fs::read_to_string(consulted)?.lines().map(Into::into).collect();
        Ok(Run { items: fs::read_to_string(items)?, consulted, seconds })
    }
}

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
