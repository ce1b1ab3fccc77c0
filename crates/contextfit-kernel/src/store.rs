//! Where the originals behind markers are kept.

use std::error::Error as StdError;

use async_trait::async_trait;
use thiserror::Error;

/// Keeps original texts by a handle, so that what was cut can be had back.
///
/// Implementers owe exact bytes: `load(store(text)) == text`. Storing the same text again gives the same handle.
#[async_trait]
pub trait OriginalStore: Send + Sync {
    /// Stores `text` and returns its handle.
    ///
    /// # Errors
    /// [`StoreError`] when it could not be stored; then no marker may name it.
    async fn store(&self, text: &str) -> Result<String, StoreError>;

    /// The text behind `handle`; `None` when there is none.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be read, or what it holds is damaged.
    async fn load(&self, handle: &str) -> Result<Option<String>, StoreError>;
}

/// Why a store did not serve.
#[derive(Debug, Error)]
#[error("the store of originals failed: {source}")]
#[non_exhaustive]
pub struct StoreError {
    /// What happened.
    pub source: Box<dyn StdError + Send + Sync>,
}

impl StoreError {
    /// An error of the store.
    #[must_use]
    pub fn new(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { source: source.into() }
    }
}
