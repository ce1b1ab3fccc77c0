//! Figures and pictures of small data sets.

use contextfit_eval::{Allowance, Baseline, Contender, Dataset, Row, evaluate, plot};
use contextfit_pipeline::Pipeline;
use contextfit_text::counter;

use crate::folders::{commit, questions};

fn rows(dataset: &Dataset) -> Vec<Row> {
    let contender = |baseline: Baseline| {
        let pipeline = Pipeline::new(counter("o200k_base").unwrap()).with_strategy(baseline);
        Contender::new(baseline.name(), pipeline)
    };
    let contenders: Vec<Contender> = dataset.material.baselines().iter().copied().map(contender).collect();
    let budgets = ["8%", "50%", "100%"].map(|budget| budget.parse::<Allowance>().unwrap());
    evaluate(dataset, &contenders, &budgets, || ()).rows
}

/// The data sets under fixed names, as their temporary folders have random ones.
fn all() -> Vec<Row> {
    let named = |dataset: Dataset, name: &str| {
        let mut dataset = dataset;
        dataset.name = name.into();
        rows(&dataset)
    };
    [named(questions(), "questions"), named(commit(), "a <commit>")].concat()
}

#[test]
fn every_figure() {
    let told = |row: &Row| {
        let percent = |share: f64| (share * 1000.0).round() / 10.0;
        let kept = &row.evidence_all;
        let optional = |estimate: Option<contextfit_eval::Estimate>| estimate.map(|one| percent(one.mean));
        format!(
            "{:<18} {:>5} n {} all {} [{}, {}] fraction {} answers {:?} signatures {:?} output {} used {} over {} errors {}",
            row.strategy,
            row.budget.to_string(),
            row.n,
            percent(kept.mean),
            percent(kept.low),
            percent(kept.high),
            percent(row.evidence_fraction.mean),
            optional(row.answers),
            optional(row.signatures),
            percent(row.output_ratio),
            percent(row.budget_used),
            row.over_budget,
            row.errors
        )
    };
    insta::assert_snapshot!(all().iter().map(told).collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_same_again() {
    // The rate depends on the machine, everything else on the data.
    let untimed = |mut row: Row| {
        row.tokens_per_second = 0.0;
        row
    };
    let rows = || all().into_iter().map(untimed).collect::<Vec<_>>();
    assert_eq!(rows(), rows());
}

#[test]
fn the_picture() {
    insta::assert_snapshot!(plot(&all()));
}

#[test]
fn a_picture_of_nothing() {
    assert!(plot(&[]).starts_with("<svg "));
}
