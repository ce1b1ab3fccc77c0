//! Scores on the scale of a threshold.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a threshold is compared with. Values on different scales say nothing about each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// The retriever's score, such as a cosine.
    Absolute,
    /// The score scaled to the request: lowest 0, highest 1.
    Normalised,
    /// The share of the request's blocks that score lower.
    Quantile,
}

contextfit_kernel::names!(
    Scale, "scale": Absolute => "absolute", Normalised => "normalised", Quantile => "quantile",
);

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The value of a block that a threshold was compared with, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Score {
    scale: Scale,
    value: f64,
}

impl Score {
    /// `None` if `value` is not from 0 to 1: such scores have no common range in which a threshold could move.
    #[must_use]
    pub fn new(scale: Scale, value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self { scale, value })
    }

    /// The scale.
    #[must_use]
    pub const fn scale(self) -> Scale {
        self.scale
    }

    /// The value, from 0 to 1.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.value
    }
}

/// A score before it is checked.
#[derive(Deserialize)]
struct Raw {
    scale: Scale,
    value: f64,
}

impl TryFrom<Raw> for Score {
    type Error = String;

    fn try_from(Raw { scale, value }: Raw) -> Result<Self, String> {
        Self::new(scale, value).ok_or_else(|| format!("expected a score from 0 to 1, found {value}"))
    }
}
