//! The pipeline through its public API: exact counts, failing strategies, typed infeasibility, invalid plans, the
//! metrics event.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests fail by panicking")]

mod counts;
mod events;
mod forgeries;
mod stages;
mod validity;
