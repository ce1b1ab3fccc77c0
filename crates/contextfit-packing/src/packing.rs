//! Packings and their quality.

use thiserror::Error;

/// The result of packing.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Packing {
    /// For each item, the index of the choice taken; `None` if the item is left out.
    pub chosen: Vec<Option<usize>>,
    /// The total weight of the choices taken, at most the capacity.
    pub weight: usize,
    /// The total value of the choices taken.
    pub value: f64,
    /// An upper bound on the value of any packing: the optimum is between `value` and `bound`.
    pub bound: f64,
}

impl Packing {
    /// The share of the bound by which the value may be too low, from 0 to 1; 0 if the packing is proven optimal.
    #[must_use]
    pub fn gap(&self) -> f64 {
        if self.bound > self.value { (self.bound - self.value) / self.bound } else { 0.0 }
    }
}

/// The error if the required items alone weigh more than the capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the required items weigh at least {needed}, but the capacity is {available}")]
pub struct TooSmall {
    /// Total weight of the required items' lightest choices.
    pub needed: usize,
    /// The capacity.
    pub available: usize,
}
