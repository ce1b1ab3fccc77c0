//! Sentence selection from outside: invariants, known defects of the original, snapshots of plans.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "tests fail by panicking"
)]

mod requests;

mod conformance;
mod defects;
mod explanation;
mod fusion;
mod needs;
mod plans;
mod properties;
mod scale;
