//! The packer, for all modes.

use std::borrow::Cow;

use crate::{
    Items, Packing, PackingMode, TooSmall,
    greedy::{greedily, in_turn},
    hull::{Step, steps},
    relaxation::Relaxation,
    search::improve,
};

/// Default number of partial packings examined in the search for the optimum: a few milliseconds of work.
const EFFORT: usize = 1 << 20;

/// Packs the same items into one or more capacities. Work that does not depend on the capacity is done once.
///
/// Every mode is deterministic: ties go to the earlier item and the earlier choice. Every [`Packing`] has a bound on
/// the optimum.
///
/// ```
/// use contextfit_packing::{Choice, Items, Packer, PackingMode};
///
/// let mut items = Items::new();
/// items.push([Choice::new(3, 4.0), Choice::new(60, 9.0)]);
/// items.push([Choice::new(50, 30.0)]);
/// items.push([Choice::new(48, 29.0), Choice::new(97, 58.0)]);
///
/// let greedy = Packer::new(&items, PackingMode::Greedy).pack(100)?;
/// let optimal = Packer::new(&items, PackingMode::Optimal).pack(100)?;
/// assert_eq!((optimal.chosen, optimal.value), (vec![Some(0), None, Some(1)], 62.0));
/// assert!(greedy.value <= 62.0 && greedy.bound >= 62.0);
/// # Ok::<(), contextfit_packing::TooSmall>(())
/// ```
#[derive(Debug, Clone)]
pub struct Packer<'i> {
    items: Cow<'i, Items>,
    mode: PackingMode,
    effort: usize,
    /// The steps of all hulls.
    steps: Vec<Step>,
    /// Total weight of the required items' lightest choices.
    min_weight: usize,
    /// Weight of the heaviest choice.
    most: usize,
}

impl<'i> Packer<'i> {
    /// Creates a packer for borrowed or owned `items`. Linear in the number of choices.
    #[must_use]
    pub fn new(items: impl Into<Cow<'i, Items>>, mode: PackingMode) -> Self {
        let items = items.into();
        let steps = steps(&items, usize::MAX);
        let most = items.iter().flatten().map(|choice| choice.weight).max().unwrap_or(0);
        let min_weight = items.min_weight();
        Self { items, mode, effort: EFFORT, steps, min_weight, most }
    }

    /// Limits the number of partial packings examined; the default is 2^20. With 0, the optimal mode returns the
    /// rounded relaxation with the best single change.
    #[must_use]
    pub const fn with_effort(mut self, partial_packings: usize) -> Self {
        self.effort = partial_packings;
        self
    }

    /// The minimum weight of the required items.
    #[must_use]
    pub const fn min_weight(&self) -> usize {
        self.min_weight
    }

    /// Packs into `capacity`.
    ///
    /// # Errors
    /// [`TooSmall`] if the required items do not fit.
    pub fn pack(&self, capacity: usize) -> Result<Packing, TooSmall> {
        if self.min_weight > capacity {
            return Err(TooSmall { needed: self.min_weight, available: capacity });
        }
        let items = &*self.items;
        // Sums saturate at the maximum, and a sum that has overflowed must not fit.
        let capacity = capacity.min(usize::MAX - 1);
        // A choice that never fits would only raise the bound.
        let room = capacity.saturating_sub(self.min_weight);
        let mut fitting = if self.most <= room { self.steps.clone() } else { steps(items, room) };
        let relaxation = Relaxation::new(items, &mut fitting, capacity);
        let bound = relaxation.bound(items.value(&relaxation.chosen), capacity);
        let (chosen, bound) = match self.mode {
            PackingMode::InTurn => (in_turn(items, self.min_weight, capacity), Some(bound)),
            PackingMode::Greedy => (greedily(items, relaxation, &fitting, capacity), Some(bound)),
            PackingMode::Optimal => improve(items, relaxation, bound, capacity, room, self.effort),
        };
        let value = items.value(&chosen);
        let weight = chosen.iter().enumerate().map(|(n, &choice)| items.at(n, choice).weight).sum();
        Ok(Packing { chosen, weight, value, bound: bound.unwrap_or(value).max(value) })
    }
}
