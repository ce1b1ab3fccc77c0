//! The parts together, as an application puts them together.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests fail by panicking")]

#[cfg(all(feature = "http", feature = "cache-disk", feature = "conversational"))]
mod models;
