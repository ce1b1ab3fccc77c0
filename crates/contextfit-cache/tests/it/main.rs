//! Caches: the contract on every back end, one call for many, damage and failures, and killed writers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "tests fail by panicking; a killed writer talks over a pipe"
)]

mod fixture;

#[cfg(feature = "memory")]
mod cached;
mod chunks;
#[cfg(feature = "memory")]
mod config;
#[cfg(feature = "memory")]
mod degraded;
#[cfg(feature = "disk")]
mod disk;
#[cfg(feature = "disk")]
mod kill;
#[cfg(feature = "memory")]
mod memory;
mod originals;
#[cfg(feature = "qdrant")]
mod qdrant;
#[cfg(feature = "redis")]
mod redis;
#[cfg(all(feature = "qdrant", feature = "redis"))]
mod secrets;
