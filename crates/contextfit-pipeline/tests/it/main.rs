//! The pipeline from outside: exact counts, strategies that fail, typed infeasibility, invalid plans, the metrics event.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests fail by panicking")]

mod counts;
mod events;
mod stages;
mod validity;
