//! The truncation strategies from outside: invariants, known defects of the original, snapshots of plans.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod conformance;
mod defects;
mod feedback;
mod feedback_files;
mod feedback_promises;
mod feedback_trials;
mod plans;
