//! The evaluation from outside: data sets read and refused, baselines held to the contract, figures as they must be.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod conformance;
