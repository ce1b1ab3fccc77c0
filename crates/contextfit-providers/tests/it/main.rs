//! Providers against their contract, and against files of every wrong kind.

#![cfg(feature = "model2vec")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod fixture;
mod model2vec;
