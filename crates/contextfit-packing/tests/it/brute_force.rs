//! Ten thousand small instances, compared with exhaustive search.

use contextfit_packing::{Choice, Items, Packer, PackingMode, TooSmall};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRng, TestRunner},
};

/// The input of a packing: choices and whether one must be taken.
#[derive(Debug, Clone)]
pub(crate) struct Instance {
    pub(crate) items: Vec<(Vec<(usize, f64)>, bool)>,
    pub(crate) capacity: usize,
}

impl Instance {
    pub(crate) fn items(&self) -> Items {
        let mut items = Items::new();
        for (choices, required) in &self.items {
            let choices = choices.iter().map(|&(weight, value)| Choice::new(weight, value));
            if *required { items.push_required(choices) } else { items.push(choices) }
        }
        items
    }

    /// Weight and value of `chosen` by definition.
    pub(crate) fn weigh(&self, chosen: &[Option<usize>]) -> (usize, f64) {
        let choice = |n: usize| chosen[n].map_or((0, 0.0), |number| self.items[n].0[number]);
        let worth = |n: usize| choice(n).1.max(0.0);
        let weight = (0..self.items.len()).map(|n| choice(n).0).sum();
        (weight, (0..self.items.len()).map(worth).sum())
    }

    /// The best possible value; `None` if nothing fits.
    fn best(&self) -> Option<f64> {
        let mut best = None;
        let mut chosen: Vec<Option<usize>> = self
            .items
            .iter()
            .map(|(choices, required)| (*required && !choices.is_empty()).then_some(0))
            .collect();
        loop {
            let (weight, value) = self.weigh(&chosen);
            if weight <= self.capacity && best.is_none_or(|best| value > best) {
                best = Some(value);
            }
            // The next combination, like counting up the digits of a number.
            let Some(n) = (0..chosen.len()).find(|&n| chosen[n].map_or(0, |c| c + 1) < self.items[n].0.len())
            else {
                return best;
            };
            chosen[n] = Some(chosen[n].map_or(0, |c| c + 1));
            for (taken, (choices, required)) in chosen.iter_mut().zip(&self.items).take(n) {
                *taken = (*required && !choices.is_empty()).then_some(0);
            }
        }
    }
}

/// Small instances of every kind: weights with and without ties, values that do and do not follow the weights.
pub(crate) fn instance(most_items: usize) -> impl Strategy<Value = Instance> {
    let choice = prop_oneof![
        (0_usize..12, (0_u32..10).prop_map(f64::from)),
        (0_usize..60, -1.0..10.0_f64),
        (1_usize..60).prop_map(|weight| (weight, weight as f64)),
        (1_usize..40).prop_map(|weight| (weight, (weight as f64).sqrt())),
    ];
    let item = (prop::collection::vec(choice, 0..5), prop::bool::weighted(0.15));
    (prop::collection::vec(item, 0..=most_items), 0_usize..150)
        .prop_map(|(items, capacity)| Instance { items, capacity })
}

/// Checks that every mode keeps its promises for `instance`.
#[track_caller]
fn check(instance: &Instance) {
    let items = instance.items();
    let optimum = instance.best();
    for (mode, effort) in [
        (PackingMode::Optimal, usize::MAX),
        (PackingMode::Optimal, 40),
        (PackingMode::Optimal, 0),
        (PackingMode::Greedy, 0),
        (PackingMode::InTurn, 0),
    ] {
        let packed = Packer::new(&items, mode).with_effort(effort).pack(instance.capacity);
        let Some(optimum) = optimum else {
            assert!(
                matches!(packed, Err(TooSmall { needed, .. }) if needed > instance.capacity),
                "{instance:?}"
            );
            continue;
        };
        let packing = packed.unwrap();
        let (weight, value) = instance.weigh(&packing.chosen);
        assert_eq!(weight, packing.weight, "{mode:?} {instance:?}");
        assert!(weight <= instance.capacity, "{mode:?} {instance:?}");
        assert!((value - packing.value).abs() < 1e-9, "{mode:?} {value} {packing:?} {instance:?}");
        assert!(value <= optimum + 1e-9, "{mode:?} {packing:?} {instance:?}");
        assert!(packing.bound >= optimum - 1e-9, "{mode:?}: {optimum} {packing:?} {instance:?}");
        let required =
            items.iter().enumerate().filter(|(n, choices)| items.is_required(*n) && !choices.is_empty());
        assert!(required.into_iter().all(|(n, _)| packing.chosen[n].is_some()), "{mode:?} {instance:?}");
        if effort == usize::MAX {
            assert!(
                (value - optimum).abs() < 1e-9 && packing.gap() == 0.0,
                "{optimum} {packing:?} {instance:?}"
            );
        }
    }
}

#[test]
fn the_optimum_is_found_every_time_and_no_gap_is_understated() {
    // Instances are small and the same in every run, so there are many.
    let usual = Config::default();
    let config = Config { cases: 128 * usual.cases, failure_persistence: None, ..usual };
    let rng = TestRng::deterministic_rng(config.rng_algorithm);
    let run = TestRunner::new_with_rng(config, rng).run(&instance(5), |instance| {
        check(&instance);
        Ok(())
    });
    assert!(run.is_ok(), "{run:?}");
}
