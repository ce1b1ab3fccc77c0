//! The greedy packers: by value per weight, and item by item, for applications that sort by importance and fill up the
//! budget.

use crate::{
    Choice, Items,
    hull::{Step, slope},
    relaxation::Relaxation,
};

/// The greedy selection from `items`: the choices that `relaxation` took with the `steps`, then all others that still
/// fit, the steepest gain first (Pisinger 1995, "A minimal algorithm for the multiple-choice knapsack problem", European
/// Journal of Operational Research 83).
///
/// The relaxation takes exactly the steps before the first one that does not fit. Of the others, only those that fit
/// into the remaining room matter, and only these are sorted.
pub(crate) fn greedily(
    items: &Items,
    relaxation: Relaxation,
    steps: &[Step],
    capacity: usize,
) -> Vec<Option<usize>> {
    let Relaxation { mut chosen, mut heights, weight, .. } = relaxation;
    let mut room = capacity.saturating_sub(weight);
    if room == 0 {
        // Choices on a hull are not dominated by anything of equal or lower weight.
        return chosen;
    }
    let ahead = |step: &&Step| {
        step.weight <= room && heights.get(step.item as usize).is_some_and(|height| *height <= step.height)
    };
    for step in sorted(steps.iter().filter(ahead).copied()) {
        let item = step.item as usize;
        let (Some(taken), Some(height)) = (chosen.get_mut(item), heights.get_mut(item)) else { continue };
        if *height == step.height && step.weight <= room {
            room -= step.weight;
            (*taken, *height) = (Some(step.choice as usize), step.height + 1);
        }
    }
    // The choices off the hulls, each as a step from the choice taken. An item that does not fit now does not fit later
    // either, because the room only shrinks.
    let gain = |item: usize| {
        let taken = chosen.get(item).copied().flatten();
        let choice = best_within(items.choices(item), taken, room)?;
        let (from, to) = (items.at(item, taken), items.at(item, Some(choice)));
        let (item, choice) = (u32::try_from(item).ok()?, u32::try_from(choice).ok()?);
        let weight = to.weight.saturating_sub(from.weight);
        Some(Step { item, choice, height: 0, weight, slope: slope(from, to) })
    };
    for step in sorted((0..items.len()).filter_map(gain)) {
        let item = step.item as usize;
        if let Some(taken) = chosen.get_mut(item)
            && let Some(better) = best_within(items.choices(item), *taken, room)
        {
            room = room + items.at(item, *taken).weight - items.at(item, Some(better)).weight;
            *taken = Some(better);
        }
    }
    chosen
}

fn sorted(steps: impl Iterator<Item = Step>) -> Vec<Step> {
    let mut sorted: Vec<Step> = steps.collect();
    sorted.sort_unstable_by(Step::order);
    sorted
}

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

/// The most valuable choice that fits into `room` instead of the one `taken` and has more value; of equal ones the
/// lightest, then the first.
fn best_within(choices: &[Choice], taken: Option<usize>, room: usize) -> Option<usize> {
    let current = taken.and_then(|n| choices.get(n)).copied().unwrap_or(Choice::new(0, 0.0));
    let room = room.saturating_add(current.weight);
    let better = |choice: &Choice| choice.weight <= room && choice.value > current.value;
    let better = choices.iter().enumerate().filter(|(_, choice)| better(choice));
    let best = better.min_by(|(_, a), (_, b)| b.value.total_cmp(&a.value).then(a.weight.cmp(&b.weight)));
    best.map(|(n, _)| n)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Packer, Packing, PackingMode};

    fn pack(items: &Items, capacity: usize) -> Packing {
        Packer::new(items, PackingMode::Greedy).pack(capacity).unwrap()
    }

    #[track_caller]
    fn check(choices: &[&[(usize, f64)]], capacity: usize, expect: &[Option<usize>]) {
        let mut items = Items::new();
        for item in choices {
            items.push(item.iter().map(|&(weight, value)| Choice::new(weight, value)));
        }
        assert_eq!(pack(&items, capacity).chosen, expect);
    }

    #[test]
    fn small_cases() {
        check(&[], 10, &[]);
        check(&[&[]], 10, &[None]);
        check(&[&[(0, 1.0)]], 0, &[Some(0)]);
        check(&[&[(1, 1.0)]], 0, &[None]);
        check(&[&[(5, f64::NAN), (5, -1.0), (5, f64::INFINITY)]], 10, &[None]);
        // Equal items: the earlier one gets the room.
        check(&[&[(5, 1.0)], &[(5, 1.0)]], 5, &[Some(0), None]);
        // An item that does not fit is skipped, and later ones are still tried.
        check(&[&[(8, 8.0)], &[(5, 4.0)], &[(2, 1.0)]], 7, &[None, Some(0), Some(0)]);
        // A choice off the hull is taken if nothing else fits.
        check(&[&[(4, 1.0), (10, 9.0)]], 5, &[Some(0)]);
        // No item gets its best choice at the expense of the others.
        check(&[&[(5, 3.0), (50, 5.0)], &[(5, 3.0), (50, 5.0)]], 60, &[Some(1), Some(0)]);
    }

    proptest! {
        #[test]
        fn never_over_capacity_and_nothing_that_fits_is_left(
            choices in prop::collection::vec(prop::collection::vec((0_usize..50, -1.0..10.0_f64), 0..5), 0..40),
            capacity in 0_usize..300,
        ) {
            let mut items = Items::new();
            for item in &choices {
                items.push(item.iter().map(|&(weight, value)| Choice::new(weight, value)));
            }
            let packing = pack(&items, capacity);
            let taken = |n: usize| packing.chosen[n].map_or((0, 0.0), |choice| choices[n][choice]);
            let weight: usize = (0..choices.len()).map(|n| taken(n).0).sum();
            prop_assert_eq!(weight, packing.weight);
            prop_assert!(weight <= capacity);
            prop_assert!((0..choices.len()).all(|n| taken(n).1 >= 0.0));
            // No choice remains that would fit and has more value.
            for (n, item) in choices.iter().enumerate() {
                let room = capacity - weight + taken(n).0;
                prop_assert!(item.iter().all(|&(weight, value)| weight > room || value <= taken(n).1));
            }
        }
    }
}
