//! The promises of the strategies for conversations.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "tests fail by panicking"
)]

mod conformance;
mod growth;
mod outputs;
mod semantic;
mod summarizing;
