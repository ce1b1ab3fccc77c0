//! Tests of what histories lead to.
#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

mod files;
mod promises;
mod trials;
