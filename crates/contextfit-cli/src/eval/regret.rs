//! How far `auto` stays behind the best single strategy.

use contextfit::presets::CompressionStrategy;
use contextfit_eval::Row;

use super::table::budget;
use crate::summary::percent;

/// A line for each data set on which `auto` was measured beside other strategies: by how much the best of them keeps
/// more of the evidence, at each budget. Zero is the least: then `auto` keeps as much or more. Quadratic in the rows of
/// one data set.
pub(super) fn regret(rows: &[Row]) -> Vec<String> {
    rows.chunk_by(|one, next| one.dataset == next.dataset).filter_map(of_dataset).collect()
}

fn of_dataset(rows: &[Row]) -> Option<String> {
    let auto = CompressionStrategy::Auto.name();
    let of_auto = rows.iter().filter(|row| row.strategy == auto);
    let parts: Vec<String> = of_auto.filter_map(|row| at_budget(row, rows)).collect();
    let name = &rows.first()?.dataset;
    (!parts.is_empty()).then(|| format!("regret of {auto} on {name}: {}", parts.join(", ")))
}

/// The regret at the budget of `auto`, and the strategy that is best there.
fn at_budget(auto: &Row, rows: &[Row]) -> Option<String> {
    let is_other = |row: &&Row| {
        row.strategy != auto.strategy
            && row.strategy.parse::<CompressionStrategy>().is_ok()
            && row.budget == auto.budget
    };
    let kept = |row: &Row| row.evidence_fraction.mean;
    let best = rows.iter().filter(is_other).max_by(|a, b| kept(a).total_cmp(&kept(b)))?;
    let regret = (kept(best) - kept(auto)).max(0.0);
    Some(format!("{} at {} ({})", percent(regret), budget(auto.budget), best.strategy))
}
