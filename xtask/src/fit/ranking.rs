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

use super::adam::{Adam, left_out, read, weights_in};
use crate::{
    figures::float,
    program::format,
    say::{self, Result},
};

/// The path of the table.
const TABLE: &str = "crates/contextfit-outline/src/ranking/weights.rs";

/// The number of gradient steps.
const STEPS: u32 = 300;

/// The strength of the penalty on large weights.
const RIDGE: f64 = 0.005;

/// Features that count only without a query.
const UNASKED: [&str; 1] = ["called"];

/// Flags of `cargo xtask fit ranking`.
#[derive(clap::Args)]
#[command(after_help = "\
Example, with the repositories in DIR:
  contextfit eval DATA --split dev --repositories DIR --features functions.jsonl
  cargo xtask fit ranking functions.jsonl guard.jsonl --write
The weight of the table of word vectors, beside those of words:
  cargo xtask fit ranking functions.jsonl questions.jsonl --only meaning --write")]
pub(crate) struct Args {
    /// Feature files written by contextfit eval; each has the same weight
    #[arg(required = true)]
    features: Vec<PathBuf>,
    /// Fit only the weight of this feature; the others stay as they are in the table
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Write the table instead of only printing the weights
    #[arg(long)]
    write: bool,
}

#[derive(Deserialize)]
struct Item {
    /// The number of its file.
    #[serde(skip)]
    file: usize,
    repo: String,
    /// How many of the units, the first ones, are needed.
    needed: usize,
    /// How many units each stands for, and its features in hundredths.
    units: Vec<Vec<f64>>,
    #[serde(skip)]
    weight: f64,
}

pub(crate) fn run(args: &Args) -> Result {
    let (names, files) = read::<Item>(&args.features)?;
    let mut items = Vec::new();
    let is_same = |one: &Item, next: &Item| one.repo == next.repo;
    for (file, mut of_file) in files.into_iter().enumerate() {
        of_file.retain(|item| item.needed > 0);
        of_file.sort_by(|one, next| one.repo.cmp(&next.repo));
        let repositories = float(of_file.chunk_by(is_same).count());
        for of_repo in of_file.chunk_by_mut(is_same) {
            let weight = 1.0 / (repositories * float(of_repo.len()) * float(args.features.len()));
            of_repo.iter_mut().for_each(|item| (item.file, item.weight) = (file, weight));
        }
        items.extend(of_file);
    }
    // Of features in hundredths, ones.
    for unit in items.iter_mut().flat_map(|item| &mut item.units) {
        for (feature, name) in unit.iter_mut().skip(1).zip(&names) {
            *feature = if UNASKED.contains(&name.as_str()) { 0.0 } else { *feature / 100.0 };
        }
    }
    let fixed = fixed(args.only.as_deref(), &names)?;
    let all: Vec<&Item> = items.iter().collect();
    let weights = fit(&all, &fixed);
    for (name, weight) in names.iter().zip(&weights) {
        say::line(&format!("{weight:6.2}  {name}"));
    }
    // The rank of the first needed unit of each item, by weights fitted to other repositories.
    let unseen = left_out(&items, |item| &item.repo, |others| fit(others, &fixed), rank);
    for (file, path) in args.features.iter().enumerate() {
        let ranks: Vec<f64> =
            items.iter().zip(&unseen).filter(|(item, _)| item.file == file).map(|(_, rank)| *rank).collect();
        say::line(&format!(
            "{}: mean reciprocal rank {:.3}, of {} items in repositories that the weights were not fitted to",
            path.display(),
            ranks.iter().map(|rank| 1.0 / rank).sum::<f64>() / float(ranks.len().max(1)),
            ranks.len(),
        ));
    }
    if args.write {
        fs::write(TABLE, format(&table(&names, &weights), Path::new("."))?)?;
        say::line(&format!("wrote {TABLE}"));
    }
    Ok(())
}

/// The rank of the first needed unit of `item`, from 1.
fn rank(item: &Item, weights: &[f64]) -> f64 {
    let (needed, others) = item.units.split_at(item.needed.min(item.units.len()));
    let best = needed.iter().map(|unit| score(unit, weights)).fold(f64::NEG_INFINITY, f64::max);
    let before = others.iter().filter(|unit| score(unit, weights) > best);
    1.0 + before.map(|unit| times(unit)).sum::<f64>()
}

/// How many units a row stands for.
fn times(unit: &[f64]) -> f64 {
    unit.first().copied().unwrap_or(1.0)
}

fn score(unit: &[f64], weights: &[f64]) -> f64 {
    unit.iter().skip(1).zip(weights).map(|(feature, weight)| feature * weight).sum()
}

/// The weights that stay as they are in the table: all but `only`, or none.
fn fixed(only: Option<&str>, names: &[String]) -> Result<Vec<Option<f64>>> {
    let Some(only) = only else { return Ok(vec![None; names.len()]) };
    if !names.iter().any(|name| name == only) {
        return Err(format!("no feature is named {only}; expected one of: {}", names.join(", ")).into());
    }
    let table = fs::read_to_string(TABLE)?;
    let known: BTreeMap<&str, f64> = weights_in(&table).collect();
    let of = |name: &String| match known.get(name.as_str()) {
        _ if name == only => Ok(None),
        Some(weight) => Ok(Some(*weight)),
        None => Err(format!("{TABLE} has no weight of {name}").into()),
    };
    names.iter().map(of).collect()
}

/// Fits the weights that are not `fixed`.
fn fit(items: &[&Item], fixed: &[Option<f64>]) -> Vec<f64> {
    let put_back = |weights: &mut [f64]| {
        weights.iter_mut().zip(fixed).for_each(|(weight, fixed)| *weight = fixed.unwrap_or(*weight));
    };
    // A single weight needs no penalty.
    let ridge = if fixed.iter().any(Option::is_some) { 0.0 } else { RIDGE };
    let mut adam = Adam::new(fixed.len());
    put_back(&mut adam.weights);
    for _ in 0..STEPS {
        let gradient = gradient(items, &adam.weights);
        adam.step(&gradient, ridge);
        put_back(&mut adam.weights);
    }
    adam.weights
}

/// The gradient of the loss, by weight.
fn gradient(items: &[&Item], weights: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; weights.len()];
    for Item { units, needed, weight, .. } in items {
        let scores: Vec<f64> = units.iter().map(|unit| score(unit, weights)).collect();
        let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares = units.iter().zip(&scores).map(|(unit, score)| times(unit) * (score - best).exp());
        let shares: Vec<f64> = shares.collect();
        let all: f64 = shares.iter().sum();
        for ((place, unit), share) in units.iter().enumerate().zip(shares) {
            let wanted = if place < *needed { 1.0 / float(*needed) } else { 0.0 };
            for (slope, feature) in gradient.iter_mut().zip(unit.iter().skip(1)) {
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
        "//! Generated by `cargo xtask fit ranking`; do not edit.\n\nuse super::features::N;\n\n\
         /// The weight of each feature, in order, when there is a query.\npub(crate) const WEIGHTS: [f64; N] = [\n{rows}];\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_the_changed_from_the_others_is_weighted() {
        let item = || Item {
            file: 0,
            repo: String::new(),
            units: vec![vec![1.0, 1.0, 0.5], vec![1.0, 0.0, 0.5], vec![3.0, 0.2, 0.4]],
            needed: 1,
            weight: 0.5,
        };
        let weights = fit(&[&item(), &item()], &[None; 2]);
        assert!(weights[0] > 2.0 && weights[1].abs() < weights[0], "{weights:?}");
        let weights = fit(&[&item(), &item()], &[None, Some(7.0)]);
        assert!(weights[0] > 2.0 && weights[1].to_bits() == 7.0_f64.to_bits(), "{weights:?}");
        assert_eq!((rank(&item(), &weights), rank(&item(), &[-1.0, 0.0])), (1.0, 5.0));
    }
}
