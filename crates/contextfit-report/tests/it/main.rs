//! Tests of what is said about compressions.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

mod browser;
mod comparison;
mod contexts;
mod page;
mod promises;
mod quality;
