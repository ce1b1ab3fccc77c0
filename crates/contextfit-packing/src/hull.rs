//! The choices of an item that a greedy packer should look at.

use std::cmp::Ordering;

use crate::Choice;

/// A step up an item's hull: from the choice before (or from nothing) to choice `choice`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    /// The item.
    pub(crate) item: usize,
    /// The item's choice that the step leads to.
    pub(crate) choice: usize,
    /// How many steps of the same item come before it.
    pub(crate) height: usize,
    /// Value gained for each unit of weight.
    pub(crate) slope: f64,
}

impl Step {
    /// Steepest first; equal slopes by item, then upwards. A total order, so that the result is one and the same.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        other
            .slope
            .total_cmp(&self.slope)
            .then_with(|| self.item.cmp(&other.item))
            .then_with(|| self.height.cmp(&other.height))
    }
}

/// Adds the steps of one item's upper convex hull, seen from the choice of leaving it out.
///
/// Choices off the hull are never part of an optimal solution of the relaxed problem (Sinha and Zoltners 1979, "The
/// multiple-choice knapsack problem", Operations Research 27). `scratch` is reused from item to item.
pub(crate) fn push_steps(
    item: usize,
    choices: &[Choice],
    scratch: &mut Vec<(usize, Choice)>,
    steps: &mut Vec<Step>,
) {
    scratch.clear();
    let worthy = choices
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, choice)| choice.value > 0.0 && choice.value.is_finite());
    scratch.extend(worthy);
    scratch.sort_by(|(a, left), (b, right)| {
        left.weight.cmp(&right.weight).then(right.value.total_cmp(&left.value)).then(a.cmp(b))
    });
    let first = steps.len();
    let nothing = Choice::new(0, 0.0);
    for &(choice, next) in scratch.iter() {
        let top = |steps: &[Step]| steps.get(first..).and_then(<[Step]>::last).map(|step| step.choice);
        let at = |choice: Option<usize>| choice.and_then(|n| choices.get(n)).copied().unwrap_or(nothing);
        if next.value <= at(top(steps)).value {
            continue;
        }
        // A step that is steeper than the one before it makes the choice between them useless.
        let mut slope = slope(at(top(steps)), next);
        while steps.len() > first && steps.last().is_some_and(|last| last.slope <= slope) {
            steps.pop();
            slope = self::slope(at(top(steps)), next);
        }
        steps.push(Step { item, choice, height: steps.len() - first, slope });
    }
}

/// Value gained for each unit of weight on the way from `from` to `to`; infinite where nothing is paid.
#[expect(clippy::cast_precision_loss, reason = "weights are token counts, far below 2^53")]
fn slope(from: Choice, to: Choice) -> f64 {
    match to.weight.saturating_sub(from.weight) {
        0 => f64::INFINITY,
        weight => (to.value - from.value) / weight as f64,
    }
}
