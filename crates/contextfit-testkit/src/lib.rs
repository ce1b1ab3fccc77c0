//! For tests only: fakes, inputs of every awkward kind, and the suites that every implementation passes.
//!
//! A strategy proves itself with [`check_strategy`], one for conversations with [`check_conversation_strategy`] as well, a
//! counter with [`check_counter`], an embedding model with [`check_embedder`], a language model with [`check_llm`], a back
//! end of caches with [`check_cache`], a store of originals with [`check_store`]:
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
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test library fails by panicking, and says what it skips"
)]

mod conversations;
mod fakes;
mod git;
mod inputs;
mod log;
mod models;

mod caches;
mod counters;
mod embedders;
mod invariants;
mod llms;
mod stores;
mod strategies;

pub use crate::{
    caches::check_cache,
    conversations::{arbitrary_conversation, awkward_conversations, conversation_of},
    counters::check_counter,
    embedders::check_embedder,
    fakes::{DropAll, HashEmbedder, PairCounter, Stubborn},
    git::git,
    inputs::{arbitrary_context, awkward_contexts, awkward_texts},
    invariants::{check_fit, check_result},
    llms::check_llm,
    log::Log,
    models::{FakeModel, Reply},
    stores::check_store,
    strategies::{check_conversation_chain, check_conversation_strategy, check_strategy},
};
