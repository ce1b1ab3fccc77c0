//! The truncation strategies from outside: invariants, known defects of the original, snapshots of plans.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod conformance;
mod defects;
mod feedback;
mod plans;
