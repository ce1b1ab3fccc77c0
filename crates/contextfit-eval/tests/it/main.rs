//! The evaluation through its public API: reading and refusing data sets, judging results, figures and pictures.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]
#![allow(clippy::print_stdout, reason = "skipped tests print a message")]

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
