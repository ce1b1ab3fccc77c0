//! The search for the best whole packing, from the relaxed optimum: dynamic programming over the items that can matter.

use std::cmp::Ordering;

use crate::{Choice, Items, relaxation::Relaxation};

/// The maximum number of items in the search. Those that move weight at the smallest loss are preferred.
const MAX_SEARCHED_ITEMS: usize = 1 << 14;

/// The largest capacity for which weights can be added and subtracted without overflow, far more tokens than in any
/// real input.
const LARGEST_CAPACITY: usize = 1 << 50;

/// Gains below this share of the bound are rounding errors.
const ROUNDING: f64 = 1e-12;

/// A change of one item's choice.
#[derive(Debug, Clone, Copy)]
struct Change {
    item: u32,
    /// The new choice, or `NOTHING`.
    choice: u32,
    /// Weight added.
    weight: i64,
    /// The value lost relative to the bound, with room valued at the slope of the relaxation; never negative.
    loss: f64,
}

impl Change {
    /// The loss per unit of weight moved.
    #[expect(clippy::cast_precision_loss, reason = "weights are token counts, far below 2^53")]
    fn rate(self) -> f64 {
        self.loss / self.weight.unsigned_abs() as f64
    }
}

const NOTHING: u32 = u32::MAX;

/// The changes of one item, as a range of the list of all changes, and the lowest of their rates.
#[derive(Debug, Clone, Copy)]
struct Group {
    start: usize,
    end: usize,
    rate: f64,
}

/// A partial packing: the changes made so far.
#[derive(Debug, Clone, Copy)]
struct State {
    weight: i64,
    loss: f64,
    /// The last change with a node, and through it the changes before; an index into the list of nodes.
    node: u32,
    /// A later change that has no node yet.
    change: Option<u32>,
}

/// The last change of a partial packing and the node before it.
type Node = (u32, u32);

/// The best packing reachable from `relaxation`, whose optimum is `bound`, and an upper bound; `None` if the packing is
/// proven optimal.
///
/// Every packing can be written as changes to the rounded relaxation. Its value is the bound minus the loss of each
/// change and minus the value of the remaining room at the relaxation's slope (Lagrange). A change that loses at least
/// as much as the best known packing can therefore not be part of a better one. The remaining items, ordered by the
/// loss at which they move weight, are the core (Pisinger 1995). Partial packings are kept in a list by weight, without
/// those that are dominated or whose bound is no better than the best known packing (Dudziński and Walukiewicz 1987,
/// "Exact methods for the knapsack problem and its generalizations", European Journal of Operational Research 28).
/// `effort` limits the number of partial packings. Choices that add more than `most` to the base of their item are
/// ignored.
pub(crate) fn improve(
    items: &Items,
    relaxation: Relaxation,
    bound: f64,
    capacity: usize,
    most: usize,
    effort: usize,
) -> (Vec<Option<usize>>, Option<f64>) {
    let Relaxation { mut chosen, weight, slope, .. } = relaxation;
    let room = signed(capacity.saturating_sub(weight));
    if slope == 0.0 || room == 0 {
        return (chosen, None);
    }
    if capacity > LARGEST_CAPACITY {
        return (chosen, Some(bound));
    }
    let mut search = Search {
        slope,
        room,
        changes: Vec::new(),
        nodes: vec![(0, 0)],
        gap: slope * float(room),
        best: None,
    };
    search.best_single(changes(items, &chosen, slope, most));
    let tiny = bound * ROUNDING;
    let groups = search.core(changes(items, &chosen, slope, most));
    let left = if search.gap <= tiny { None } else { search.run(groups, effort, tiny) };
    for change in search.path() {
        if let Some(taken) = chosen.get_mut(change.item as usize) {
            *taken = (change.choice != NOTHING).then_some(change.choice as usize);
        }
    }
    // The bound can be lowered by the minimum loss of the packings that were not examined.
    (chosen, left.filter(|&loss| loss < search.gap).map(|loss| bound - loss))
}

/// Every change that could be part of a packing of `items`, in order: to choices that add at most `room` to the base of
/// their item. `slope` is the value of a unit of room.
fn changes(items: &Items, chosen: &[Option<usize>], slope: f64, room: usize) -> impl Iterator<Item = Change> {
    items.iter().zip(chosen).enumerate().flat_map(move |(n, (choices, &taken))| {
        let (item, current) = (u32::try_from(n).unwrap_or(u32::MAX), items.at(n, taken));
        let most = items.at(n, items.base(n)).weight.saturating_add(room);
        let can_leave = taken.is_some() && !items.is_required(n);
        let nothing = can_leave.then_some((NOTHING, Choice::new(0, 0.0)));
        let others = (0..).zip(choices.iter().copied()).filter(move |(_, next)| next.weight <= most);
        nothing.into_iter().chain(others).filter_map(move |(choice, next)| {
            let weight = signed(next.weight) - signed(current.weight);
            let loss = (slope * float(weight) - (next.value - current.value)).max(0.0);
            (weight != 0).then_some(Change { item, choice, weight, loss })
        })
    })
}

struct Search {
    slope: f64,
    /// The room left by the rounded relaxation.
    room: i64,
    changes: Vec<Change>,
    nodes: Vec<Node>,
    /// The loss of the best known packing relative to the bound.
    gap: f64,
    /// The changes of the best known packing.
    best: Option<Best>,
}

#[derive(Debug, Clone, Copy)]
enum Best {
    Single(Change),
    Path(State),
}

impl Search {
    /// Finds the best packing that makes one of `changes`, if it is better than leaving the room empty.
    fn best_single(&mut self, changes: impl Iterator<Item = Change>) {
        for change in changes {
            let left = self.room - change.weight;
            let loss = change.loss + self.slope * float(left);
            if left >= 0 && loss < self.gap {
                (self.gap, self.best) = (loss, Some(Best::Single(change)));
            }
        }
    }

    /// Keeps those of `changes` that can be part of a better packing, grouped by item. Items that move weight at the
    /// smallest loss come first.
    fn core(&mut self, changes: impl Iterator<Item = Change>) -> Vec<Group> {
        self.changes = changes.filter(|change| change.loss < self.gap).collect();
        let mut end = 0;
        let group = |changes: &[Change]| {
            let start = end;
            end += changes.len();
            let rate = changes.iter().map(|change| change.rate()).fold(f64::INFINITY, f64::min);
            Group { start, end, rate }
        };
        let mut groups: Vec<Group> =
            self.changes.chunk_by(|one, next| one.item == next.item).map(group).collect();
        let order = |a: &Group, b: &Group| a.rate.total_cmp(&b.rate).then(a.start.cmp(&b.start));
        if groups.len() > MAX_SEARCHED_ITEMS {
            groups.select_nth_unstable_by(MAX_SEARCHED_ITEMS, order);
            groups.get_mut(..MAX_SEARCHED_ITEMS).unwrap_or_default().sort_unstable_by(order);
        } else {
            groups.sort_unstable_by(order);
        }
        groups
    }

    /// Searches for better packings. Returns the minimum loss of the packings that were not examined; `None` if all
    /// were.
    fn run(&mut self, groups: Vec<Group>, effort: usize, tiny: f64) -> Option<f64> {
        let rates = self.rates(&groups);
        let mut states = vec![State { weight: 0, loss: 0.0, node: 0, change: None }];
        let mut made = 0;
        let (mut next, mut merged) = (Vec::new(), Vec::new());
        for (at, group) in groups.iter().enumerate() {
            let changes = group.end - group.start;
            made += states.len() * (changes + 1);
            if made > effort || at >= MAX_SEARCHED_ITEMS {
                let rates = rates.get(at).copied().unwrap_or_default();
                return states.iter().map(|state| self.least_loss(state, rates)).min_by(f64::total_cmp);
            }
            next.clone_from(&states);
            for number in group.start..group.end {
                let Some(&change) = self.changes.get(number) else { continue };
                if change.loss < self.gap {
                    let number = u32::try_from(number).ok();
                    let changed = states.iter().map(|state| State {
                        weight: state.weight + change.weight,
                        loss: state.loss + change.loss,
                        node: state.node,
                        change: number,
                    });
                    merge(&next, changed, &mut merged);
                    std::mem::swap(&mut next, &mut merged);
                }
            }
            let after = rates.get(at + 1).copied().unwrap_or_default();
            self.retain(&mut next, after, tiny);
            std::mem::swap(&mut states, &mut next);
            if states.is_empty() {
                return None;
            }
        }
        None
    }

    /// For each position in `groups`, the lowest rates at which this group and the later ones add and remove weight.
    fn rates(&self, groups: &[Group]) -> Vec<Rates> {
        let mut rates = vec![Rates::default(); groups.len() + 1];
        let mut after = Rates::default();
        for (at, group) in groups.iter().enumerate().rev() {
            for change in self.changes.get(group.start..group.end).unwrap_or_default() {
                let least = if change.weight > 0 { &mut after.up } else { &mut after.down };
                *least = least.min(change.rate());
            }
            rates.get_mut(at).into_iter().for_each(|rates| *rates = after);
        }
        rates
    }

    /// A lower bound on the loss of every packing that starts with `state`: excess room is filled or left empty, and
    /// missing room is gained, at the best remaining rates.
    fn least_loss(&self, state: &State, rates: Rates) -> f64 {
        match self.room - state.weight {
            0 => state.loss,
            left @ 1.. => state.loss + rates.up.min(self.slope) * float(left),
            missing => state.loss + rates.down * float(missing.saturating_neg()),
        }
    }

    /// Keeps the states that can still beat the best known packing, and records the best of those that fit.
    fn retain(&mut self, states: &mut Vec<State>, after: Rates, tiny: f64) {
        for state in &*states {
            let left = self.room - state.weight;
            let loss = state.loss + self.slope * float(left);
            if left >= 0 && loss < self.gap - tiny {
                (self.gap, self.best) = (loss, Some(Best::Path(*state)));
            }
        }
        // A heavier state is dominated unless it is worth more than every lighter one.
        let mut most = f64::NEG_INFINITY;
        let mut nodes = std::mem::take(&mut self.nodes);
        if let Some(Best::Path(state)) = &mut self.best {
            *state = with_node(*state, &mut nodes);
        }
        states.retain_mut(|state| {
            let worth = self.slope * float(state.weight) - state.loss;
            let kept = worth > most && self.least_loss(state, after) < self.gap - tiny;
            most = most.max(worth);
            if kept {
                *state = with_node(*state, &mut nodes);
            }
            kept
        });
        self.nodes = nodes;
    }

    /// The changes of the best known packing.
    fn path(&self) -> Vec<Change> {
        match self.best {
            None => Vec::new(),
            Some(Best::Single(change)) => vec![change],
            Some(Best::Path(state)) => {
                let mut path = Vec::new();
                let mut node = state.node;
                while node != 0 {
                    let Some(&(change, before)) = self.nodes.get(node as usize) else { break };
                    path.extend(self.changes.get(change as usize));
                    node = before;
                }
                path
            }
        }
    }
}

/// The lowest losses per unit of weight added and removed.
#[derive(Debug, Clone, Copy)]
struct Rates {
    up: f64,
    down: f64,
}

impl Default for Rates {
    /// The rates when no changes remain.
    fn default() -> Self {
        Self { up: f64::INFINITY, down: f64::INFINITY }
    }
}

/// Returns the state with its last change as a node.
fn with_node(state: State, nodes: &mut Vec<Node>) -> State {
    let Some(change) = state.change else { return state };
    let node = u32::try_from(nodes.len()).unwrap_or(0);
    nodes.push((change, state.node));
    State { node, change: None, ..state }
}

/// Merges two lists of states by weight; of equal weights, the lower loss comes first.
fn merge(one: &[State], other: impl Iterator<Item = State>, into: &mut Vec<State>) {
    into.clear();
    let mut one = one.iter().copied().peekable();
    let mut other = other.peekable();
    loop {
        let from_one = match (one.peek(), other.peek()) {
            (Some(a), Some(b)) => {
                a.weight.cmp(&b.weight).then(a.loss.total_cmp(&b.loss)) != Ordering::Greater
            }
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => return,
        };
        into.extend(if from_one { one.next() } else { other.next() });
    }
}

fn signed(weight: usize) -> i64 {
    i64::try_from(weight).unwrap_or(i64::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "weights are token counts, far below 2^53")]
const fn float(weight: i64) -> f64 {
    weight as f64
}
