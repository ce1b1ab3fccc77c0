//! The table of figures.

use comfy_table::Cell;
use contextfit_eval::{Allowance, Estimate, Row};

use crate::{
    summary::{grouped, percent},
    tables::{headed, right},
};

/// A column: its heading, and its value for a row, if any.
type Column = (&'static str, fn(&Row) -> Option<String>);

/// The columns after data set and strategy. They do not wrap: a figure split over two lines is unreadable.
const COLUMNS: [Column; 17] = [
    ("budget", |row| Some(budget(row.budget))),
    ("n", |row| Some(grouped(row.n))),
    // For a repository, functions and files say the same and more.
    ("evidence [95 %]", |row| row.files.is_none().then(|| interval(&row.evidence_all))),
    ("fraction", |row| row.files.is_none().then(|| percent(row.evidence_fraction.mean))),
    ("answers [95 %]", |row| row.answers.as_ref().map(interval)),
    ("functions [95 %]", |row| row.functions.as_ref().map(interval)),
    ("signatures [95 %]", |row| row.signatures.as_ref().map(interval)),
    ("files [95 %]", |row| row.files.as_ref().map(interval)),
    ("gold share [95 %]", |row| row.gold_share.as_ref().map(interval)),
    ("invalid", |row| row.invalid.map(grouped)),
    ("in whole units [95 %]", |row| row.whole_units.as_ref().map(interval)),
    ("user's words [95 %]", |row| row.user_words.as_ref().map(interval)),
    ("fragments", |row| row.fragments.map(percent)),
    ("output", |row| Some(percent(row.output_ratio))),
    ("over", |row| Some(grouped(row.over_budget))),
    ("errors", |row| Some(grouped(row.errors))),
    ("tokens/s", |row| Some(rate(row.tokens_per_second))),
];

/// The table, without empty columns.
pub(crate) fn table(rows: &[Row]) -> String {
    let shown: Vec<&Column> =
        COLUMNS.iter().filter(|(_, value)| rows.iter().any(|row| value(row).is_some())).collect();
    let names = ["data set", "strategy"].map(Cell::new);
    let mut table = headed(names.into_iter().chain(shown.iter().map(|(heading, _)| right(heading))));
    for row in rows {
        let names = [&row.dataset, &row.strategy].map(Cell::new);
        let values = shown.iter().map(|(_, value)| right(value(row).as_deref().unwrap_or("-")));
        table.add_row(names.into_iter().chain(values));
    }
    table.trim_fmt()
}

/// A share in percent, or tokens.
pub(super) fn budget(budget: Allowance) -> String {
    match budget {
        Allowance::Share(share) => share.to_string(),
        Allowance::Tokens(tokens) => grouped(tokens.get()),
    }
}

/// Mean and interval in percent.
fn interval(estimate: &Estimate) -> String {
    let percent = |share: f64| share * 100.0;
    format!("{:.1} [{:.1}, {:.1}]", percent(estimate.mean), percent(estimate.low), percent(estimate.high))
}

/// A rate with three or four digits: more would be noise.
fn rate(per_second: f64) -> String {
    match per_second {
        large if large >= 1e6 => format!("{:.1} M", large / 1e6),
        _ => format!("{:.0} k", per_second / 1e3),
    }
}
