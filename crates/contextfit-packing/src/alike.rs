//! Turns each set of similar items into one ordinary item whose choices encode the redundancy.

use crate::{Choice, Items, items::Alike};

/// Number of members that compete to count in full. With five choices each, there are at most 625 combinations.
const COMPETING: usize = 4;

/// Independent items: each set of similar items has become one item with combined choices.
#[derive(Debug, Clone)]
pub(crate) struct Classes {
    /// `None` if the classes are the items themselves.
    pub(crate) items: Option<Items>,
    /// The origin of each class; empty if the classes are the items themselves.
    origins: Vec<Origin>,
    /// Number of original items.
    len: usize,
}

/// What a class represents.
#[derive(Debug, Clone)]
enum Origin {
    /// A single item, with its choices in their order.
    Item(usize),
    /// Several items, and what each choice of the class takes of each.
    Set { members: Vec<usize>, ways: Vec<Taken> },
}

/// The choice taken of each member of a set.
type Taken = [Option<usize>; COMPETING];

impl Classes {
    /// Linear in the number of items, except for the sets.
    pub(crate) fn new(items: &Items) -> Self {
        let len = items.len();
        if items.alike().is_empty() {
            return Self { items: None, origins: Vec::new(), len };
        }
        let (mut kept, mut sets) = (vec![1.0; len], vec![None; len]);
        let mut competing = vec![false; len];
        for set in resolved(items) {
            for &n in set.competing.iter().chain(&set.others) {
                kept.get_mut(n).into_iter().for_each(|kept| *kept = 1.0 - set.discount);
            }
            for &n in &set.competing {
                competing.get_mut(n).into_iter().for_each(|competing| *competing = true);
            }
            if let Some(place) = set.competing.first().and_then(|&n| sets.get_mut(n)) {
                *place = Some(set.competing);
            }
        }
        let (mut made, mut origins) = (Items::new(), Vec::with_capacity(len));
        for (n, set) in sets.into_iter().enumerate() {
            let kept = kept.get(n).copied().unwrap_or(1.0);
            if let Some(members) = set {
                let (choices, ways) = front(items, &members, kept);
                made.push_required(choices);
                origins.push(Origin::Set { members, ways });
            } else if competing.get(n) == Some(&false) {
                let choices = items.choices(n).iter();
                let choices = choices.map(|choice| Choice::new(choice.weight, choice.value * kept));
                match items.is_required(n) {
                    true => made.push_required(choices),
                    false => made.push(choices),
                }
                origins.push(Origin::Item(n));
            }
        }
        Self { items: Some(made), origins, len }
    }

    /// Translates `chosen` from classes back to items.
    pub(crate) fn decode(&self, chosen: Vec<Option<usize>>) -> Vec<Option<usize>> {
        if self.origins.is_empty() {
            return chosen;
        }
        let mut taken = vec![None; self.len];
        let mut take = |n: usize, choice| {
            if let Some(taken) = taken.get_mut(n) {
                *taken = choice;
            }
        };
        for (origin, choice) in self.origins.iter().zip(chosen) {
            match origin {
                Origin::Item(n) => take(*n, choice),
                Origin::Set { members, ways } => {
                    let way = choice.and_then(|choice| ways.get(choice)).copied().unwrap_or_default();
                    members.iter().zip(way).for_each(|(&n, choice)| take(n, choice));
                }
            }
        }
        taken
    }
}

/// A set of similar items; each item is in one set only.
struct Set {
    /// The members that compete to count in full, in order.
    competing: Vec<usize>,
    /// The members that always count at the discount.
    others: Vec<usize>,
    discount: f64,
}

/// The sets of `items`, resolved as described in [`Items::set_alike`].
fn resolved(items: &Items) -> Vec<Set> {
    let mut free = vec![true; items.len()];
    let most = |n: usize| items.choices(n).iter().map(|choice| choice.value).fold(0.0, f64::max);
    let set = |Alike { members, discount }: &Alike| {
        let mut competing: Vec<usize> = members.clone();
        competing.retain(|&n| free.get_mut(n).is_some_and(std::mem::take));
        competing.sort_by(|&a, &b| most(b).total_cmp(&most(a)).then(a.cmp(&b)));
        let others = competing.split_off(competing.len().min(COMPETING));
        competing.sort_unstable();
        Set { competing, others, discount: *discount }
    };
    items.alike().iter().map(set).collect()
}

/// The value of `chosen`.
pub(crate) fn value(items: &Items, chosen: &[Option<usize>]) -> f64 {
    let mut kept = vec![1.0; items.len()];
    let worth = |n: usize| items.at(n, chosen.get(n).copied().flatten()).value;
    let mut best = 0.0;
    for set in resolved(items) {
        for &n in set.competing.iter().chain(&set.others) {
            kept.get_mut(n).into_iter().for_each(|kept| *kept = 1.0 - set.discount);
        }
        best += set.discount * set.competing.iter().map(|&n| worth(n)).fold(0.0, f64::max);
    }
    best + kept.iter().enumerate().map(|(n, kept)| kept * worth(n)).sum::<f64>()
}

/// A combination of members of a set, with its weight and value.
#[derive(Debug, Clone, Copy)]
struct Way {
    weight: usize,
    value: f64,
    /// Whether one of the members taken counts in full.
    led: bool,
    taken: Taken,
}

/// The undominated combinations of `members`, as choices by weight. `kept` is the share of its value that a member
/// keeps next to a better one.
///
/// The value of a set is the maximum over all possible leaders: the leader's full value, plus `kept` of the others'
/// values.
fn front(items: &Items, members: &[usize], kept: f64) -> (Vec<Choice>, Vec<Taken>) {
    let mut ways = vec![Way { weight: 0, value: 0.0, led: false, taken: Taken::default() }];
    for (place, &n) in members.iter().enumerate() {
        let mut next = Vec::new();
        for way in &ways {
            for (number, choice) in items.choices(n).iter().enumerate() {
                let mut taken = way.taken;
                if let Some(taken) = taken.get_mut(place) {
                    *taken = Some(number);
                }
                let weight = way.weight.saturating_add(choice.weight);
                next.push(Way { weight, value: way.value + kept * choice.value, led: way.led, taken });
                if !way.led {
                    next.push(Way { weight, value: way.value + choice.value, led: true, taken });
                }
            }
            if !items.is_required(n) || items.choices(n).is_empty() {
                next.push(*way);
            }
        }
        ways = undominated(next);
    }
    // From here on it does not matter whether a combination has a leader.
    for way in &mut ways {
        way.led = false;
    }
    let ways = undominated(ways);
    (
        ways.iter().map(|way| Choice::new(way.weight, way.value)).collect(),
        ways.iter().map(|way| way.taken).collect(),
    )
}

/// `ways` by weight, without dominated ones. A way is dominated by one that is no heavier and worth at least as much; a
/// way without a leader, only by another without a leader.
fn undominated(mut ways: Vec<Way>) -> Vec<Way> {
    // Of equal ways, the one with the earlier member and the earlier choice is kept.
    let places = |way: &Way| way.taken.map(|choice| choice.unwrap_or(usize::MAX));
    ways.sort_by(|a, b| {
        let by_weight = a.weight.cmp(&b.weight).then(b.value.total_cmp(&a.value)).then(a.led.cmp(&b.led));
        by_weight.then_with(|| places(a).cmp(&places(b)))
    });
    // A way without a leader can still get one, so only another such way dominates it.
    let (mut unled, mut any) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
    ways.retain(|way| {
        let best = if way.led { any } else { unled };
        let kept = way.value > best;
        if kept {
            any = any.max(way.value);
            unled = if way.led { unled } else { unled.max(way.value) };
        }
        kept
    });
    ways
}
