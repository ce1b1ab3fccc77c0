//! Packing item by item, for applications that sort by importance and fill up the budget.

use crate::{Items, greedy::best_within};

/// Gives each item in order the most valuable choice that fits; of equal ones, the lightest. Room for the lightest
/// choices of later required items is kept free. `min_weight` is the weight of the lightest choices of all required
/// items.
pub(crate) fn in_turn(items: &Items, min_weight: usize, capacity: usize) -> Vec<Option<usize>> {
    let mut room = capacity.saturating_sub(min_weight);
    let turn = |n: usize| {
        let base = items.base(n);
        let taken = best_within(items.choices(n), base, room).or(base);
        room = room + items.at(n, base).weight - items.at(n, taken).weight;
        taken
    };
    (0..items.len()).map(turn).collect()
}
