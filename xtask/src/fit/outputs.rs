//! Fits the weights of the rows of outputs to labelled facts.
//!
//! The rows of one output compete: a row's share is its score divided by the sum over all rows. The weights are those
//! that give the rows that state a fact the largest shares (a listwise softmax; Cao et al. 2007, "Learning to Rank: From
//! Pairwise Approach to Listwise Approach"). The score is what `contextfit-excerpt` computes: the exponential of the
//! weighted features and, with a query, the focus beside it. Every source has the same weight.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::adam::{Adam, left_out, read};
use crate::{
    figures::float,
    program::format,
    say::{self, Result},
};

/// The path of the table.
const TABLE: &str = "crates/contextfit-excerpt/src/weights.rs";

/// The page with the table that explains the features.
const PAGE: &str = "docs/excerpts.md";

/// The number of gradient steps.
const STEPS: u32 = 300;

/// The strength of the penalty on large weights.
const RIDGE: f64 = 0.0006;

/// The score of a row that answers the query best: `FOCUS` in `contextfit-excerpt`.
const FOCUS: f64 = 40.0;

/// The share of the rows that a fact should be among.
const SHOWN_SHARE: f64 = 0.1;

/// Flags of `cargo xtask fit outputs`.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  contextfit eval DATA... --features rows.jsonl
  cargo xtask fit outputs rows.jsonl --write")]
pub(crate) struct Args {
    /// Feature files written by contextfit eval
    #[arg(required = true)]
    features: Vec<PathBuf>,
    /// Write the table instead of only printing the weights
    #[arg(long)]
    write: bool,
}

/// An output, or a query to one.
#[derive(Deserialize)]
struct Output {
    source: String,
    /// The focus of each row and its features, in hundredths; later, as they are.
    rows: Vec<Vec<f64>>,
    /// The places of each fact, each of which is a list of rows.
    facts: Vec<Vec<Vec<usize>>>,
    #[serde(default)]
    weight: f64,
}

/// The weights of the features, then the power and the decrease of what they say if there is a query.
type Weights = [f64];

impl Output {
    fn has_query(&self) -> bool {
        self.rows.iter().any(|row| focus(row) > 0.0)
    }

    /// The score of each row, and the part of it that the features contribute.
    fn scores(&self, weights: &Weights) -> Vec<(f64, f64)> {
        let (power, less) = if self.has_query() { question(weights) } else { (1.0, 0.0) };
        let score = |row: &Vec<f64>| {
            let own = (power * sum(row, weights) - less).exp();
            (own + FOCUS * focus(row), own)
        };
        self.rows.iter().map(score).collect()
    }

    /// Of the places of each fact, the one whose rows score highest.
    fn best_places<'a>(&'a self, scores: &'a [(f64, f64)]) -> impl Iterator<Item = &'a Vec<usize>> {
        let worth = |place: &Vec<usize>| {
            let logs = place.iter().filter_map(|&n| Some(scores.get(n)?.0.max(f64::MIN_POSITIVE).ln()));
            logs.sum::<f64>() / float(place.len().max(1))
        };
        self.facts.iter().filter_map(move |places| places.iter().max_by(|a, b| worth(a).total_cmp(&worth(b))))
    }

    /// Adds the gradient of its loss.
    fn add_gradient(&self, weights: &Weights, gradient: &mut [f64]) {
        let scores = self.scores(weights);
        let all: f64 = scores.iter().map(|(score, _)| score).sum();
        let mut wanted = vec![0.0; scores.len()];
        for place in self.best_places(&scores) {
            for &n in place {
                wanted.get_mut(n).into_iter().for_each(|share| {
                    *share += 1.0 / float(place.len() * self.facts.len());
                });
            }
        }
        let (power, _) = if self.has_query() { question(weights) } else { (1.0, 0.0) };
        for ((row, (score, own)), wanted) in self.rows.iter().zip(scores).zip(wanted) {
            // The derivative by the weighted sum of the features, times the power.
            let slope = self.weight * (own / all - wanted * own / score.max(f64::MIN_POSITIVE));
            for (gradient, feature) in gradient.iter_mut().zip(row.iter().skip(1)) {
                *gradient += slope * power * feature;
            }
            if self.has_query()
                && let [.., by_power, by_less] = gradient
            {
                *by_power += slope * sum(row, weights);
                *by_less -= slope;
            }
        }
    }

    /// The share of its facts whose rows are all among the best tenth.
    fn shown(&self, weights: &Weights) -> f64 {
        let scores = self.scores(weights);
        let mut sorted: Vec<f64> = scores.iter().map(|(score, _)| *score).collect();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let least = sorted.get((float(sorted.len()) * SHOWN_SHARE) as usize).copied().unwrap_or(0.0);
        let is_shown = |place: &&Vec<usize>| {
            place.iter().all(|&n| scores.get(n).is_some_and(|(score, _)| *score >= least))
        };
        float(self.best_places(&scores).filter(is_shown).count()) / float(self.facts.len().max(1))
    }
}

fn focus(row: &[f64]) -> f64 {
    row.first().copied().unwrap_or(0.0)
}

fn sum(row: &[f64], weights: &Weights) -> f64 {
    let features = weights.len() - 2;
    row.iter().skip(1).zip(weights.iter().take(features)).map(|(feature, weight)| feature * weight).sum()
}

/// The power and the decrease of what the features say if there is a query. The penalty draws the power to 1.
fn question(weights: &Weights) -> (f64, f64) {
    match weights {
        [.., power, less] => (1.0 + power, *less),
        _ => (1.0, 0.0),
    }
}

pub(crate) fn run(args: &Args) -> Result {
    let (names, files) = read(&args.features)?;
    let outputs = weighted(files.into_iter().flatten().collect());
    let all: Vec<&Output> = outputs.iter().collect();
    let weights = fit(&all, names.len());
    for (name, weight) in names.iter().zip(&weights) {
        say::line(&format!("{weight:6.2}  {name}"));
    }
    let unseen =
        left_out(&outputs, |output| &output.source, |others| fit(others, names.len()), Output::shown);
    for (has_query, what) in [(false, "without a query"), (true, "with a query")] {
        let shares: Vec<f64> = outputs
            .iter()
            .zip(&unseen)
            .filter(|(output, _)| output.has_query() == has_query)
            .map(|(_, share)| *share)
            .collect();
        say::line(&format!(
            "{what}: {:.3} of the facts are in the best tenth of the rows of {} outputs, by weights fitted to other sources",
            shares.iter().sum::<f64>() / float(shares.len().max(1)),
            shares.len()
        ));
    }
    if args.write {
        fs::write(TABLE, format(&table(&names, &weights, base(&all, &weights)), Path::new("."))?)?;
        fs::write(PAGE, documented(&fs::read_to_string(PAGE)?, &names, &weights))?;
        say::line(&format!("wrote {TABLE} and {PAGE}"));
    }
    Ok(())
}

/// `page` with the `weights` in the last column of the table that explains the features.
fn documented(page: &str, names: &[String], weights: &Weights) -> String {
    let fresh = |line: &str| {
        let name = line.strip_prefix("| ").and_then(|row| row.split(" | ").next());
        let weight = names.iter().zip(weights).find(|(known, _)| Some(known.as_str()) == name);
        match weight.zip(line.trim_end_matches(" |").rsplit_once(" | ")) {
            Some(((_, weight), (before, _))) => format!("{before} | {weight:.2} |\n"),
            None => format!("{line}\n"),
        }
    };
    page.lines().map(fresh).collect()
}

/// The outputs with their weights, and of features in hundredths, ones.
fn weighted(mut outputs: Vec<Output>) -> Vec<Output> {
    let mut of_source: BTreeMap<String, usize> = BTreeMap::new();
    outputs.iter().for_each(|output| *of_source.entry(output.source.clone()).or_default() += 1);
    for output in &mut outputs {
        let same = of_source.get(&output.source).copied().unwrap_or(1);
        output.weight = 1.0 / float(of_source.len() * same);
        output.rows.iter_mut().flatten().for_each(|value| *value /= 100.0);
    }
    outputs
}

fn fit(outputs: &[&Output], features: usize) -> Vec<f64> {
    let mut adam = Adam::new(features + 2);
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; features + 2];
        outputs.iter().for_each(|output| output.add_gradient(&adam.weights, &mut gradient));
        adam.step(&gradient, RIDGE);
    }
    adam.weights
}

/// The weighted sum of the features that nine of ten rows stay below, on average over the outputs.
fn base(outputs: &[&Output], weights: &Weights) -> f64 {
    let high = |output: &&Output| {
        let mut sums: Vec<f64> = output.rows.iter().map(|row| sum(row, weights)).collect();
        sums.sort_by(f64::total_cmp);
        sums.get(sums.len() * 9 / 10).copied().unwrap_or(0.0)
    };
    outputs.iter().map(high).sum::<f64>() / float(outputs.len().max(1))
}

/// The table as Rust source.
fn table(names: &[String], weights: &Weights, base: f64) -> String {
    let rows: String =
        names.iter().zip(weights).map(|(name, weight)| format!("    {weight:.2}, // {name}\n")).collect();
    let (power, less) = question(weights);
    format!(
        "//! Generated by `cargo xtask fit outputs`; do not edit.\n\n\
         /// The weight of each feature of a row, in order.\n\
         pub(crate) const WEIGHTS: [f32; {}] = [\n{rows}];\n\n\
         /// The weighted sum of the features that nine of ten rows stay below; a row with it scores 1.\n\
         pub(crate) const BASE: f32 = {base:.2};\n\n\
         /// With a query, the sum is multiplied by the first, and then decreased by the second instead.\n\
         pub(crate) const QUESTION: (f32, f32) = ({power:.2}, {less:.2});\n",
        names.len()
    )
}

#[cfg(test)]
mod tests {
    use super::{super::adam::weights_in, *};
    use crate::workspace;

    #[test]
    fn the_page_has_the_weights_of_the_table() {
        let read = |path: &str| fs::read_to_string(workspace::root().join(path)).unwrap();
        let (table, page) = (read(TABLE), read(PAGE));
        let rows = weights_in(&table).map(|(name, weight)| (name.to_owned(), weight));
        let (names, weights): (Vec<String>, Vec<f64>) = rows.unzip();
        assert!(names.iter().all(|name| page.contains(&format!("\n| {name} | "))), "{names:?}");
        assert_eq!(documented(&page, &names, &weights), page);
    }

    #[test]
    fn what_tells_the_fact_from_the_others_is_weighted() {
        let output = |focus: f64| Output {
            source: String::new(),
            rows: vec![vec![focus, 1.0, 0.5], vec![0.0, 0.0, 0.5], vec![0.0, 0.2, 0.4]],
            facts: vec![vec![vec![0]]],
            weight: 0.5,
        };
        let weights = fit(&[&output(0.0), &output(0.5)], 2);
        assert!(weights[0] > 2.0 && weights[1].abs() < weights[0], "{weights:?}");
        assert_eq!((output(0.0).shown(&weights), output(0.0).shown(&[-1.0, 0.0, 0.0, 0.0])), (1.0, 0.0));
    }
}
