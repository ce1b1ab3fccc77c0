//! The evaluation from outside: data sets read and refused, results judged, figures and pictures as they must be.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod conformance;
mod conversations;
mod datasets;
mod figures;
mod folders;
mod malformed;
mod plans;
mod real;
mod repositories;
mod sessions;
