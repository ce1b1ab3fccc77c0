//! For tests only: fakes, inputs of every awkward kind, and the suites that every implementation passes.
//!
//! A strategy proves itself with [`check_strategy`], a counter with [`check_counter`], an embedding model with
//! [`check_embedder`], a language model with [`check_llm`]:
//!
//! ```
//! use std::sync::Arc;
//! use contextfit_testkit::{DropAll, check_strategy};
//!
//! check_strategy(Arc::new(DropAll));
//! ```

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test library fails by panicking"
)]

mod fakes;
mod inputs;

mod counters;
mod embedders;
mod invariants;
mod llms;
mod strategies;

pub use crate::{
    counters::check_counter,
    embedders::check_embedder,
    fakes::{DropAll, HashEmbedder, PairCounter, Stubborn},
    inputs::{arbitrary_context, awkward_contexts, awkward_texts},
    invariants::check_fit,
    llms::check_llm,
    strategies::check_strategy,
};
