//! The linear relaxation of the packing problem, in which fractions of an item may be taken.

use crate::{Items, hull::Step};

/// The optimum of the relaxed problem, rounded down to whole choices, and the bound that it gives.
#[derive(Debug, Clone)]
pub(crate) struct Relaxation {
    /// The choice taken of each item, by the steps before the first one that does not fit.
    pub(crate) chosen: Vec<Option<usize>>,
    /// For each item, the number of steps taken up its hull.
    pub(crate) heights: Vec<u32>,
    /// The weight of the choices taken.
    pub(crate) weight: usize,
    /// The value per unit of weight of the first step that does not fit, which is the value of a unit of room. Zero if
    /// every step fits.
    pub(crate) slope: f64,
}

impl Relaxation {
    /// Solves the relaxation for `items` with all their `steps`, which are reordered. The bases must weigh at most
    /// `capacity`.
    ///
    /// The first step that does not fit is found by halving instead of sorting (after Dyer 1984, "An O(n) algorithm for
    /// the multiple-choice knapsack linear program", Mathematical Programming 29), so this is linear on average.
    pub(crate) fn new(items: &Items, steps: &mut [Step], capacity: usize) -> Self {
        let mut chosen: Vec<Option<usize>> = (0..items.len()).map(|n| items.base(n)).collect();
        let mut weight: usize = chosen.iter().enumerate().map(|(n, &base)| items.at(n, base).weight).sum();
        let mut heights = vec![0; items.len()];
        let mut rest = steps;
        let mut slope = 0.0;
        while !rest.is_empty() {
            let middle = rest.len() / 2;
            rest.select_nth_unstable_by(middle, Step::order);
            let (before, after) = rest.split_at_mut(middle + 1);
            let added = before.iter().fold(weight, |sum, step| sum.saturating_add(step.weight));
            if added <= capacity {
                weight = added;
                for step in &*before {
                    let item = step.item as usize;
                    if let (Some(taken), Some(height)) = (chosen.get_mut(item), heights.get_mut(item))
                        && *height <= step.height
                    {
                        (*taken, *height) = (Some(step.choice as usize), step.height + 1);
                    }
                }
                rest = after;
            } else {
                // The middle step is the steepest one known not to fit.
                slope = before.last().map_or(slope, |step| step.slope);
                rest = before.get_mut(..middle).unwrap_or_default();
            }
        }
        Self { chosen, heights, weight, slope }
    }

    /// An upper bound on the value of any packing into `capacity`, if the chosen items are worth `value`.
    #[expect(clippy::cast_precision_loss, reason = "weights are token counts, far below 2^53")]
    pub(crate) fn bound(&self, value: f64, capacity: usize) -> f64 {
        match capacity.saturating_sub(self.weight) {
            0 => value,
            room => value + self.slope * room as f64,
        }
    }
}
