//! The truncation family from outside: invariants, the seeds' named defects, snapshots of plans.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod conformance;
mod defects;
mod options;
mod plans;
