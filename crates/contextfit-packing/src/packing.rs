//! What was packed, and how good that is.

use thiserror::Error;

/// What was packed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Packing {
    /// For each item the number of the choice taken, or `None` when it is left out.
    pub chosen: Vec<Option<usize>>,
    /// The weight of all that was taken: at most the capacity.
    pub weight: usize,
    /// Its value.
    pub value: f64,
    /// What no packing exceeds: the true optimum lies between `value` and this.
    pub bound: f64,
}

impl Packing {
    /// The share of the bound that may be missing, from 0 to 1; 0 when the packing is proven to be optimal.
    #[must_use]
    pub fn gap(&self) -> f64 {
        if self.bound > self.value { (self.bound - self.value) / self.bound } else { 0.0 }
    }
}

/// The required items alone weigh more than the capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the required items weigh {needed} at least, the capacity is {available}")]
pub struct TooSmall {
    /// What the lightest choices of the required items weigh together.
    pub needed: usize,
    /// The capacity.
    pub available: usize,
}
