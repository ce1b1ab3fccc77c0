//! The outline family from outside: invariants, snapshots of outlines, sources that nobody wrote by hand.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod adversarial;
mod conformance;
mod long;
mod outlines;
