//! What can go wrong with a cache.

use std::error::Error as StdError;

use thiserror::Error;

use crate::Key;

/// Why a back end did not serve.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// The back end could not be opened, reached, read or written.
    #[error("the {backend} cache cannot be used")]
    Unavailable {
        /// The back end's name.
        backend: &'static str,
        /// What happened.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// What is stored is not what was stored.
    #[error("what is kept under {key} is damaged: {what}")]
    Damaged {
        /// Where it is kept.
        key: Key,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The value will never fit.
    #[error("a value of {bytes} bytes is more than the {backend} cache holds in all, {capacity}")]
    TooLarge {
        /// The back end's name.
        backend: &'static str,
        /// The size of the value.
        bytes: u64,
        /// The back end's capacity.
        capacity: u64,
    },
    /// Nothing that may be dropped is left to make room.
    #[error(
        "the {backend} cache is full of originals that are still named: {bytes} bytes do not fit into {capacity}"
    )]
    Full {
        /// The back end's name.
        backend: &'static str,
        /// The size of what was to be stored.
        bytes: u64,
        /// The back end's capacity.
        capacity: u64,
    },
}

impl CacheError {
    /// The back end called `backend` did not serve.
    #[must_use]
    pub fn unavailable(backend: &'static str, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Unavailable { backend, source: source.into() }
    }
}
