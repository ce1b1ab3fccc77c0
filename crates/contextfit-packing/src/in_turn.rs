//! Packing item by item, for applications that sort by importance and fill up the budget.

use crate::Items;

/// Gives each item in order the most valuable choice that fits; of equal ones, the lightest. Room for the lightest
/// choices of later required items is kept free. `min_weight` is the weight of the lightest choices of all required
/// items.
pub(crate) fn in_turn(items: &Items, min_weight: usize, capacity: usize) -> Vec<Option<usize>> {
    let mut room = capacity.saturating_sub(min_weight);
    let turn = |n: usize| {
        let base = items.base(n);
        room += items.at(n, base).weight;
        let mut taken = base;
        for (number, choice) in items.choices(n).iter().enumerate() {
            let current = items.at(n, taken);
            let better = choice.value > current.value
                || choice.value == current.value && choice.weight < current.weight;
            if choice.weight <= room && better {
                taken = Some(number);
            }
        }
        room -= items.at(n, taken).weight;
        taken
    };
    (0..items.len()).map(turn).collect()
}
