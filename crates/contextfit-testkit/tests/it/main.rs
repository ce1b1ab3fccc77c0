//! The suites check the fakes: a suite that rejects the simplest implementation is itself wrong.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod fakes;
