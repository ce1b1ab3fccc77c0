//! The suites hold the fakes to their contracts: a suite that fails the simplest implementation is wrong itself.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod fakes;
