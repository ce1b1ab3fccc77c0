//! Memories at four levels, and within budgets.
#![allow(
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod asked;
mod batches;
mod conformance;
mod defects;
mod forgeries;
mod levels;
mod memories;
mod properties;
