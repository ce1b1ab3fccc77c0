//! Errors of a cache.

use std::error::Error as StdError;

use thiserror::Error;

use crate::Key;

/// Why a back end failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// The back end could not be opened, reached, read or written.
    #[error("the {backend} cache is unavailable")]
    Unavailable {
        /// The back end's name.
        backend: &'static str,
        /// The cause.
        source: Box<dyn StdError + Send + Sync>,
    },
    /// The stored bytes are not those that were written.
    #[error("the entry under {key} is damaged: {what}")]
    Damaged {
        /// Its key.
        key: Key,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The value will never fit.
    #[error("a value of {bytes} bytes exceeds the capacity of the {backend} cache, {capacity} bytes")]
    TooLarge {
        /// The back end's name.
        backend: &'static str,
        /// The size of the value.
        bytes: u64,
        /// The back end's capacity.
        capacity: u64,
    },
    /// There is no room, and nothing that may be dropped.
    #[error("the {backend} cache is full of originals still in use: no room for {bytes} bytes in {capacity}")]
    Full {
        /// The back end's name.
        backend: &'static str,
        /// The size of the value.
        bytes: u64,
        /// The back end's capacity.
        capacity: u64,
    },
}

impl CacheError {
    /// The back end called `backend` failed.
    #[must_use]
    pub fn unavailable(backend: &'static str, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::Unavailable { backend, source: source.into() }
    }
}
