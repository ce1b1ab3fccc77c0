//! The upper convex hull of an item: the choices that a greedy packer has to consider.

use std::cmp::Ordering;

use crate::{Choice, Items};

/// A step up the hull of an item: from the previous choice, or from nothing, to `choice`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    /// The item.
    pub(crate) item: u32,
    /// The choice that the step leads to.
    pub(crate) choice: u32,
    /// The number of earlier steps of the same item.
    pub(crate) height: u32,
    /// Weight added.
    pub(crate) weight: usize,
    /// Value gained per unit of weight.
    pub(crate) slope: f64,
}

impl Step {
    /// The steepest first; of equal slopes the earlier item, then the lower step. A total order, so the result is
    /// unique.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        other
            .slope
            .total_cmp(&self.slope)
            .then_with(|| self.item.cmp(&other.item))
            .then_with(|| self.height.cmp(&other.height))
    }
}

/// The steps up the upper convex hulls of all items from their bases. Choices that add more than `most` are ignored.
///
/// Choices off the hull are never part of an optimal solution of the relaxed problem (Sinha and Zoltners 1979, "The
/// multiple-choice knapsack problem", Operations Research 27). Linear, except for sorting each item's choices.
pub(crate) fn steps(items: &Items, most: usize) -> Vec<Step> {
    let mut steps = Vec::with_capacity(items.len().saturating_mul(3));
    let (mut scratch, mut hull) = (Vec::new(), Vec::new());
    for (n, choices) in items.iter().enumerate() {
        let base = items.at(n, items.base(n));
        scratch.clear();
        let limit = base.weight.saturating_add(most);
        let worthy = (0_u32..)
            .zip(choices)
            .filter(|(_, choice)| choice.value > 0.0 && (base.weight..=limit).contains(&choice.weight));
        scratch.extend(worthy.map(|(number, &choice)| (number, choice)));
        if !scratch.is_sorted_by(|(_, left), (_, right)| left.weight < right.weight) {
            scratch.sort_by(|(a, left), (b, right)| {
                left.weight.cmp(&right.weight).then(right.value.total_cmp(&left.value)).then(a.cmp(b))
            });
        }
        hull.clear();
        hull.push(base);
        push_hull(u32::try_from(n).unwrap_or(u32::MAX), &scratch, &mut hull, &mut steps);
    }
    steps
}

/// Adds the steps up the hull of `choices`, which are sorted by weight, to `steps`. `hull` holds the base, then the end
/// of each step.
fn push_hull(item: u32, choices: &[(u32, Choice)], hull: &mut Vec<Choice>, steps: &mut Vec<Step>) {
    let first = steps.len();
    for &(choice, next) in choices {
        let top = |hull: &[Choice]| hull.last().copied().unwrap_or(Choice::new(0, 0.0));
        if next.value <= top(hull).value {
            continue;
        }
        // If a step is steeper than the one before it, the choice between them is below the hull.
        let mut slope = slope(top(hull), next);
        while steps.len() > first && steps.last().is_some_and(|last| last.slope <= slope) {
            steps.pop();
            hull.pop();
            slope = self::slope(top(hull), next);
        }
        let height = u32::try_from(steps.len() - first).unwrap_or(u32::MAX);
        let weight = next.weight.saturating_sub(top(hull).weight);
        steps.push(Step { item, choice, height, weight, slope });
        hull.push(next);
    }
}

/// Value gained per unit of weight from `from` to `to`; infinite if no weight is added.
#[expect(clippy::cast_precision_loss, reason = "weights are token counts, far below 2^53")]
pub(crate) fn slope(from: Choice, to: Choice) -> f64 {
    match to.weight.saturating_sub(from.weight) {
        0 => f64::INFINITY,
        weight => (to.value - from.value) / weight as f64,
    }
}
