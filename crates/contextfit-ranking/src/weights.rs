//! The weights of the features.

use crate::features::N;

/// What each feature counts, in their order, when there is a query.
pub(crate) const WEIGHTS: [f64; N] = [
    0.86, 1.31, 1.75, 1.37, 0.84, 0.94, 1.16, 0.5, 1.63, 0.58, 0.51, 1.02, 0.0, 2.36, -2.0, -0.5, -3.03, -2.0, -2.0, -3.0,
    -2.0, -2.5, 0.5, 0.0, 0.5, 0.5, 0.5, -1.0,
];

/// What it counts when there is none: who is used by whom, in what kind of file.
pub(crate) const UNASKED: [f64; N] = [
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.5, -2.0, 0.0, -3.0, -3.0, -2.0, -4.0, -3.0, -4.0,
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
];

/// What the score of a retriever counts, from its lowest to its highest.
pub(crate) const SCORE: f64 = 1.0;
