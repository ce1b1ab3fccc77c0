//! Packing by any mode.

use std::borrow::Cow;

use crate::{
    Items, Mode, Packing, TooSmall,
    alike::{self, Classes},
    greedy::greedily,
    hull::{Step, steps},
    in_turn::in_turn,
    relaxation::Relaxation,
    search::improve,
};

/// Partial packings that the search for the optimum looks at, unless told otherwise: a few milliseconds' work.
const EFFORT: usize = 1 << 20;

/// Packs the same items into one capacity or several: what does not depend on the capacity is done once.
///
/// Every mode is deterministic, ties go to the earlier item and to the earlier choice; every [`Packing`] says how far from
/// the optimum it may be.
///
/// ```
/// use contextfit_packing::{Choice, Items, Mode, Packer};
///
/// let mut items = Items::new();
/// items.push([Choice::new(3, 4.0), Choice::new(60, 9.0)]);
/// items.push([Choice::new(50, 30.0)]);
/// items.push([Choice::new(48, 29.0), Choice::new(97, 58.0)]);
///
/// let greedy = Packer::new(&items, Mode::Greedy).pack(100)?;
/// let optimal = Packer::new(&items, Mode::Optimal).pack(100)?;
/// assert_eq!((optimal.chosen, optimal.value), (vec![Some(0), None, Some(1)], 62.0));
/// assert!(greedy.value <= 62.0 && greedy.bound >= 62.0);
/// # Ok::<(), contextfit_packing::TooSmall>(())
/// ```
#[derive(Debug, Clone)]
pub struct Packer<'i> {
    items: Cow<'i, Items>,
    classes: Classes,
    mode: Mode,
    effort: usize,
    /// The steps up all hulls.
    steps: Vec<Step>,
    /// What the lightest choices of the required items weigh.
    least: usize,
    /// What the heaviest choice weighs.
    most: usize,
}

impl<'i> Packer<'i> {
    /// A packer of `items`, borrowed or its own. Linear in the number of choices.
    #[must_use]
    pub fn new(items: impl Into<Cow<'i, Items>>, mode: Mode) -> Self {
        let items = items.into();
        let classes = Classes::new(&items);
        let divided = classes.items.as_ref().unwrap_or(&items);
        let steps = steps(divided, usize::MAX);
        let most = divided.iter().flatten().map(|choice| choice.weight).max().unwrap_or(0);
        let base = |n: usize| items.at(n, items.base(n)).weight;
        let least = (0..items.len()).filter(|&n| items.is_required(n)).map(base);
        let least = least.fold(0, usize::saturating_add);
        Self { items, classes, mode, effort: EFFORT, steps, least, most }
    }

    /// The same packer, looking at so many partial packings at the most: 2^20 unless told otherwise. With 0 the optimal
    /// mode stops at the relaxation and the best single change to it.
    #[must_use]
    pub const fn with_effort(mut self, partial_packings: usize) -> Self {
        self.effort = partial_packings;
        self
    }

    /// What the required items weigh at the least.
    #[must_use]
    pub const fn least(&self) -> usize {
        self.least
    }

    /// Packs into `capacity`.
    ///
    /// # Errors
    /// [`TooSmall`] when the required items do not fit.
    pub fn pack(&self, capacity: usize) -> Result<Packing, TooSmall> {
        if self.least > capacity {
            return Err(TooSmall { needed: self.least, available: capacity });
        }
        let classes = self.classes.items.as_ref().unwrap_or(&self.items);
        // Sums saturate: a sum that overflowed must not fit.
        let capacity = capacity.min(usize::MAX - 1);
        // A choice that can never fit would only raise the bound.
        let room = capacity.saturating_sub(self.least);
        let mut fitting = if self.most <= room { self.steps.clone() } else { steps(classes, room) };
        let relaxation = Relaxation::new(classes, &mut fitting, capacity);
        let bound = relaxation.bound(alike::value(classes, &relaxation.chosen), capacity);
        let (chosen, bound) = match self.mode {
            Mode::InTurn => (in_turn(&self.items, self.least, capacity), Some(bound)),
            Mode::Greedy => {
                let chosen = greedily(classes, relaxation, &fitting, capacity);
                (self.classes.decode(chosen), Some(bound))
            }
            Mode::Optimal => {
                let (chosen, bound) = improve(classes, relaxation, bound, capacity, room, self.effort);
                (self.classes.decode(chosen), bound)
            }
        };
        let value = alike::value(&self.items, &chosen);
        let weight = chosen.iter().enumerate().map(|(n, &choice)| self.items.at(n, choice).weight).sum();
        Ok(Packing { chosen, weight, value, bound: bound.unwrap_or(value).max(value) })
    }
}
