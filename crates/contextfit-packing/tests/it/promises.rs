//! Promises for arbitrary instances.

use contextfit_packing::{Choice, Items, Packer, PackingMode, TooSmall, together};
use proptest::prelude::*;

use crate::brute_force::{Instance, instance};

#[track_caller]
fn value(instance: &Instance, capacity: usize) -> Option<f64> {
    Some(Packer::new(instance.items(), PackingMode::Optimal).pack(capacity).ok()?.value)
}

/// Checks the optimal mode on choices of `(weight, value)`, required where `true`.
#[track_caller]
fn check(items: &[(&[(usize, f64)], bool)], capacity: usize, expect: &[Option<usize>]) {
    let items = items.iter().map(|(choices, required)| (choices.to_vec(), *required)).collect();
    let instance = Instance { items, capacity };
    let packing = Packer::new(instance.items(), PackingMode::Optimal).pack(capacity).unwrap();
    assert_eq!((packing.chosen.as_slice(), packing.gap()), (expect, 0.0));
}

#[test]
fn small_cases() {
    check(&[], 10, &[]);
    check(&[(&[], true)], 0, &[None]);
    check(&[(&[(0, 1.0)], false)], 0, &[Some(0)]);
    check(&[(&[(5, f64::NAN), (5, -1.0), (5, f64::INFINITY)], false)], 10, &[None]);
    // The greedy takes the steep choice and then has no room for the more valuable one.
    check(&[(&[(1, 2.0)], false), (&[(10, 10.0)], false)], 10, &[None, Some(0)]);
    // A required item is taken at its lightest choice even if it has no value.
    check(&[(&[(9, 0.0), (4, -3.0)], true), (&[(6, 1.0)], false)], 10, &[Some(1), Some(0)]);
}

#[test]
fn members_of_a_group_take_the_same_choice() {
    let (one, two) = ([(1, 1.0), (5, 4.0)], [(2, f64::NAN), (6, 1.0), (9, 9.0)]);
    let choices = |of: &[(usize, f64)]| of.iter().map(|&(w, v)| Choice::new(w, v)).collect::<Vec<_>>();
    let both = together(&[&choices(&one), &choices(&two)]);
    assert_eq!(both, [Choice::new(3, 1.0), Choice::new(11, 5.0)]);
    assert_eq!(together(&[]), []);
}

#[test]
fn extreme_weights_do_not_overflow() {
    let mut items = Items::new();
    for _ in 0..3 {
        items.push([Choice::new(usize::MAX, 5.0), Choice::new(usize::MAX / 2, 3.0), Choice::new(1, 1.0)]);
    }
    for capacity in [0, 1, 2, usize::MAX / 2, usize::MAX] {
        for mode in [PackingMode::InTurn, PackingMode::Greedy, PackingMode::Optimal] {
            assert!(
                Packer::new(&items, mode).pack(capacity).unwrap().weight <= capacity,
                "{mode:?} {capacity}"
            );
        }
    }
    items.push_required([Choice::new(usize::MAX, 1.0)]);
    items.push_required([Choice::new(usize::MAX, 1.0)]);
    let error = Packer::new(&items, PackingMode::Greedy).pack(7).unwrap_err();
    assert_eq!(error, TooSmall { needed: usize::MAX, available: 7 });
}

proptest! {
    #[test]
    fn more_room_is_never_worth_less(instance in instance(30), more in 0_usize..40) {
        if let Some(value) = value(&instance, instance.capacity) {
            let larger = self::value(&instance, instance.capacity + more).unwrap();
            prop_assert!(larger >= value - 1e-9, "{value} then {larger}");
        }
    }

    #[test]
    fn order_does_not_matter(instance in instance(30)) {
        let mut turned = instance.clone();
        turned.items.reverse();
        match (value(&instance, instance.capacity), value(&turned, instance.capacity)) {
            (Some(one), Some(other)) => prop_assert!((one - other).abs() < 1e-9),
            (one, other) => prop_assert_eq!(one, other),
        }
    }

    #[test]
    fn a_minimum_leaves_lower_choices_out(instance in instance(20), n in 0_usize..20, least in 0_usize..5) {
        let (mut items, mut without) = (instance.items(), instance.clone());
        items.require(n, least);
        if let Some((choices, required)) = without.items.get_mut(n) {
            choices.drain(..least.min(choices.len()));
            *required = true;
            // What no choice is left of cannot be taken.
            prop_assume!(!choices.is_empty());
        }
        for mode in [PackingMode::InTurn, PackingMode::Greedy, PackingMode::Optimal] {
            let value = |items: &Items| Packer::new(items, mode).pack(instance.capacity).ok().map(|packing| packing.value);
            prop_assert_eq!(value(&items), value(&without.items()), "{:?}", mode);
        }
    }

    #[test]
    fn what_is_required_in_turn_fits(instance in instance(20), wishes in prop::collection::vec((0_usize..20, 0_usize..5), 0..20)) {
        let mut items = instance.items();
        let fits = items.min_weight() <= instance.capacity;
        items.require_in_turn(wishes, instance.capacity);
        prop_assert_eq!(items.min_weight() <= instance.capacity, fits);
        prop_assert_eq!(Packer::new(items, PackingMode::Optimal).pack(instance.capacity).is_ok(), fits);
    }

    #[test]
    fn another_item_takes_no_pin_away(mut instance in instance(20), weight in 0_usize..50, value in 0.0..99.0_f64) {
        let pins: Vec<usize> = (0..instance.items.len()).filter(|&n| instance.items[n].1 && !instance.items[n].0.is_empty()).collect();
        let fits = Packer::new(instance.items(), PackingMode::Optimal).pack(instance.capacity).is_ok();
        instance.items.push((vec![(weight, value)], false));
        for mode in [PackingMode::InTurn, PackingMode::Greedy, PackingMode::Optimal] {
            let packed = Packer::new(instance.items(), mode).pack(instance.capacity);
            prop_assert_eq!(packed.is_ok(), fits);
            if let Ok(packing) = packed {
                prop_assert!(pins.iter().all(|&pin| packing.chosen[pin].is_some()));
            }
        }
    }

    #[test]
    fn no_mode_exceeds_the_capacity_or_the_bound(instance in instance(60)) {
        for mode in [PackingMode::InTurn, PackingMode::Greedy, PackingMode::Optimal] {
            let Ok(packing) = Packer::new(instance.items(), mode).pack(instance.capacity) else { continue };
            let (weight, value) = instance.weigh(&packing.chosen);
            prop_assert!(weight == packing.weight && weight <= instance.capacity);
            prop_assert!((value - packing.value).abs() < 1e-9 && value <= packing.bound + 1e-9);
            prop_assert_eq!(Packer::new(instance.items(), mode).pack(instance.capacity), Ok(packing));
        }
    }
}
