//! Sentence selection from outside: invariants, the seed's named defects, snapshots of plans.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests fail by panicking")]

mod requests;

mod conformance;
mod defects;
mod explanation;
mod fusion;
mod plans;
mod properties;
mod scale;
