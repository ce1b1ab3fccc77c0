//! The parts combined, as an application would combine them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests fail by panicking")]

mod benchmark;
#[cfg(all(feature = "presets", feature = "session", feature = "hierarchical", feature = "tiktoken"))]
mod examples;
#[cfg(all(feature = "http", feature = "cache-disk", feature = "conversational"))]
mod models;
#[cfg(all(feature = "presets", feature = "formats"))]
mod parts;
