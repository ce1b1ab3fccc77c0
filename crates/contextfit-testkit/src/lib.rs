//! For tests only: fakes, awkward inputs, and conformance suites for every implementation.
//!
//! A strategy is checked by [`check_strategy`], one for conversations by [`check_conversation_strategy`] as well, a
//! counter by [`check_counter`], an embedding model by [`check_embedder`], a language model by [`check_llm`], a store of
//! originals by [`check_store`], and with the feature `cache` a cache back end by `check_cache`. The feature `git` has a
//! helper for tests that make repositories.
//!
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
    reason = "a test library fails by panicking, and prints what it skips"
)]

mod fakes;
#[cfg(feature = "git")]
mod git;
mod inputs;

#[cfg(feature = "cache")]
mod cache;
mod counters;
mod invariants;
mod quietly;
mod services;
mod strategies;

#[cfg(test)]
mod tests;

// What is in the signatures of this crate.
#[cfg(feature = "cache")]
#[doc(no_inline)]
pub use contextfit_cache::Backend;
#[doc(no_inline)]
pub use contextfit_kernel as kernel;
#[doc(no_inline)]
pub use contextfit_pipeline as pipeline;

#[cfg(feature = "cache")]
pub use crate::cache::check_cache;
#[cfg(feature = "git")]
pub use crate::git::git;
pub use crate::{
    counters::check_counter,
    fakes::{DropAll, FakeModel, HashEmbedder, Log, PairCounter, Reply, Stubborn},
    inputs::{
        arbitrary_context, arbitrary_conversation, awkward_contexts, awkward_conversations, awkward_texts,
        conversation_of,
    },
    invariants::{check_fit, check_result},
    services::{check_embedder, check_llm, check_store},
    strategies::{check_chain, check_conversation_chain, check_conversation_strategy, check_strategy},
};
