//! What the strategies for conversations promise.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests fail by panicking")]

mod excerpt;
