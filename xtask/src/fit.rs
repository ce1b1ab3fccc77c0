//! Fits the weights of the ranking to labelled commits.
//!
//! The units of one item compete: a unit's share is the exponential of its score divided by the sum over all units. The
//! weights are those that give the units changed by the commit the largest shares (a listwise softmax; Cao et al. 2007,
//! "Learning to Rank: From Pairwise Approach to Listwise Approach"). Every repository has the same weight.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::{Result, codegen, float::float, say};

/// The path of the table.
const TABLE: &str = "crates/contextfit-ranking/src/weights.rs";

/// The number and the size of gradient steps (Adam, arXiv:1412.6980).
const STEPS: u32 = 300;
const STEP: f64 = 0.1;

/// The strength of the penalty on large weights.
const RIDGE: f64 = 0.005;

/// Features that count only without a query.
const UNASKED: [&str; 1] = ["called"];

/// Flags of `cargo xtask fit`.
#[derive(clap::Args)]
#[command(after_help = "\
Example, with the repositories in DIR:
  contextfit eval DATA --split dev --repositories DIR --features functions.jsonl
  cargo xtask fit functions.jsonl guard.jsonl --write")]
pub(crate) struct Args {
    /// Feature files written by contextfit eval; each has the same weight
    #[arg(required = true)]
    features: Vec<PathBuf>,
    /// Write the table instead of only printing the weights
    #[arg(long)]
    write: bool,
}

/// One item of a feature file.
#[derive(Deserialize)]
struct Item {
    repo: String,
    names: Vec<String>,
    units: Vec<Unit>,
}

#[derive(Deserialize)]
struct Unit {
    gold: bool,
    features: Vec<f64>,
}

/// An item and its weight.
struct Weighted {
    units: Vec<Unit>,
    gold: f64,
    weight: f64,
}

pub(crate) fn run(args: &Args) -> Result {
    let mut names: Vec<String> = Vec::new();
    let mut items = Vec::new();
    for path in &args.features {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let read: Vec<Item> =
            text.lines().map(serde_json::from_str).collect::<std::result::Result<_, _>>()?;
        let mut by_repo: BTreeMap<String, Vec<Item>> = BTreeMap::new();
        for item in read.into_iter().filter(|item| item.units.iter().any(|unit| unit.gold)) {
            by_repo.entry(item.repo.clone()).or_default().push(item);
        }
        let repositories = float(by_repo.len());
        for of_repo in by_repo.into_values() {
            let weight = 1.0 / (repositories * float(of_repo.len()) * float(args.features.len()));
            for Item { names: of_item, units, .. } in of_repo {
                names = of_item;
                let gold = float(units.iter().filter(|unit| unit.gold).count());
                items.push(Weighted { units, gold, weight });
            }
        }
    }
    for unit in items.iter_mut().flat_map(|item| &mut item.units) {
        let unasked =
            unit.features.iter_mut().zip(&names).filter(|(_, name)| UNASKED.contains(&name.as_str()));
        unasked.for_each(|(feature, _)| *feature = 0.0);
    }
    let weights = fit(&items, names.len());
    for (name, weight) in names.iter().zip(&weights) {
        say::line(&format!("{weight:6.2}  {name}"));
    }
    if args.write {
        fs::write(TABLE, codegen::format(&table(&names, &weights), Path::new("."))?)?;
        say::line(&format!("wrote {TABLE}"));
    }
    Ok(())
}

/// Fits the weights of `n` features.
fn fit(items: &[Weighted], n: usize) -> Vec<f64> {
    let (mut weights, mut mean, mut square) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for step in 1..=STEPS {
        let gradient = gradient(items, &weights);
        let (first, second) = (1.0 - 0.9_f64.powf(f64::from(step)), 1.0 - 0.99_f64.powf(f64::from(step)));
        let state = weights.iter_mut().zip(&mut mean).zip(&mut square).zip(gradient);
        for (((weight, mean), square), slope) in state {
            let slope = slope + RIDGE * *weight;
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.99 * *square + 0.01 * slope * slope;
            *weight -= STEP * (*mean / first) / ((*square / second).sqrt() + 1e-8);
        }
    }
    weights
}

/// The gradient of the loss, by weight.
fn gradient(items: &[Weighted], weights: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; weights.len()];
    for Weighted { units, gold, weight } in items {
        let score = |unit: &Unit| unit.features.iter().zip(weights).map(|(a, b)| a * b).sum::<f64>();
        let scores: Vec<f64> = units.iter().map(score).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = scores.iter().map(|score| (score - best).exp()).collect();
        let all: f64 = shares.iter().sum();
        for (unit, share) in units.iter().zip(shares) {
            let wanted = if unit.gold { 1.0 / gold } else { 0.0 };
            for (slope, feature) in gradient.iter_mut().zip(&unit.features) {
                *slope += weight * (share / all - wanted) * feature;
            }
        }
    }
    gradient
}

/// The table as Rust source.
fn table(names: &[String], weights: &[f64]) -> String {
    let rows = names.iter().zip(weights);
    let rows: String = rows.map(|(name, weight)| format!("    {weight:.2}, // {name}\n")).collect();
    format!(
        "//! Generated by `cargo xtask fit`; do not edit.\n\nuse crate::features::N;\n\n\
         /// What each feature counts, in their order, when there is a query.\npub(crate) const WEIGHTS: [f64; N] = [\n{rows}];\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_the_changed_from_the_others_is_weighted() {
        let unit = |gold, features: [f64; 2]| Unit { gold, features: features.into() };
        let item = || Weighted {
            units: vec![unit(true, [1.0, 0.5]), unit(false, [0.0, 0.5]), unit(false, [0.2, 0.4])],
            gold: 1.0,
            weight: 0.5,
        };
        let weights = fit(&[item(), item()], 2);
        assert!(weights[0] > 2.0 && weights[1].abs() < weights[0], "{weights:?}");
    }
}
