//! The benchmark as a gate: a run compared with a stored one, by the ratios of their rows.

use std::{fmt, fs, path::Path, process::Command, thread};

use serde::{Deserialize, Serialize};

/// A run: what `--json` writes and `--baseline` reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The commit that was measured, if git knows it.
    pub(crate) commit: Option<String>,
    /// Whether inputs were small.
    pub(crate) quick: bool,
    /// Whether all inputs were made, so that runs of different commits measure the same.
    pub(crate) made: bool,
    /// How many processors the machine has.
    pub(crate) processors: usize,
    pub(crate) rows: Vec<Figure>,
}

/// A row of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figure {
    /// Its area, its name and what it is compared with: unique in a run and the same in every run.
    pub(crate) key: String,
    pub(crate) bytes: usize,
    pub(crate) seconds: f64,
    /// The seconds divided by those of what it is compared with in the same run.
    pub(crate) ratio: Option<f64>,
}

/// A row that takes longer than in the baseline.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Slower {
    pub(crate) key: String,
    before: f64,
    after: f64,
}

impl fmt::Display for Slower {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, before, after } = self;
        write!(f, "{key}: {before:.3} before, {after:.3} now ({:+.0} %)", (after / before - 1.0) * 100.0)
    }
}

impl Run {
    pub(crate) fn new(quick: bool, made: bool, rows: Vec<Figure>) -> Self {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        Self { commit: commit(), quick, made, processors, rows }
    }

    /// Reads a stored run.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        serde_json::from_str(&text)
            .map_err(|error| format!("{}: no run of the benchmark: {error}", path.display()))
    }

    /// The rows whose ratio exceeds that of `baseline` by more than the share `tolerance`. A row without a ratio, or one
    /// that the baseline does not have, cannot be slower.
    pub(crate) fn slower_than(&self, baseline: &Self, tolerance: f64) -> Vec<Slower> {
        let compared = self.rows.iter().filter_map(|row| {
            let before = baseline.row(&row.key)?.ratio?;
            Some(Slower { key: row.key.clone(), before, after: row.ratio? })
        });
        compared.filter(|row| row.after > row.before * (1.0 + tolerance)).collect()
    }

    /// The keys of the rows of `baseline` that this run does not have.
    pub(crate) fn missing_from<'b>(&self, baseline: &'b Self) -> Vec<&'b str> {
        let keys = baseline.rows.iter().map(|row| row.key.as_str());
        keys.filter(|key| self.row(key).is_none()).collect()
    }

    /// Takes the lower ratio of each row of both runs: what made one of them slow was not the program.
    pub(crate) fn improve(&mut self, again: &Self) {
        for row in &mut self.rows {
            let other = again.row(&row.key).and_then(|other| other.ratio);
            row.ratio = row.ratio.into_iter().chain(other).reduce(f64::min);
        }
    }

    fn row(&self, key: &str) -> Option<&Figure> {
        self.rows.iter().find(|row| row.key == key)
    }
}

fn commit() -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "HEAD"]).output().ok()?;
    let commit = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (!commit.is_empty()).then_some(commit)
}
