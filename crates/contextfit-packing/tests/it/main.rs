//! The packer's promises, against brute force and at scale.
#![allow(
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod brute_force;
mod promises;
mod scale;
mod selection;
