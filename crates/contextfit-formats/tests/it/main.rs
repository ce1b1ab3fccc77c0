//! The guarantees of the wire formats.

#![allow(
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed; one that is skipped says so"
)]

mod answers;
mod bad_input;
mod chat;
mod documents;
mod memories;
mod replace;
mod requests;
mod session;
mod session_growth;
