//! Where the originals behind markers are kept.

use std::{error::Error as StdError, sync::Arc};

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

    /// Stores all of `texts` and returns their handles, in order. Worth overriding where a write costs a round trip or
    /// a sync of the disk.
    ///
    /// # Errors
    /// [`StoreError`] when one of them could not be stored; then no marker may name any of them.
    async fn store_all(&self, texts: &[&str]) -> Result<Vec<String>, StoreError> {
        let mut handles = Vec::with_capacity(texts.len());
        for text in texts {
            handles.push(self.store(text).await?);
        }
        Ok(handles)
    }

    /// The text behind `handle`; `None` when there is none.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be read, or what it holds is damaged.
    async fn load(&self, handle: &str) -> Result<Option<String>, StoreError>;
}

#[async_trait]
impl<T: OriginalStore + ?Sized> OriginalStore for Arc<T> {
    async fn store(&self, text: &str) -> Result<String, StoreError> {
        (**self).store(text).await
    }

    async fn store_all(&self, texts: &[&str]) -> Result<Vec<String>, StoreError> {
        (**self).store_all(texts).await
    }

    async fn load(&self, handle: &str) -> Result<Option<String>, StoreError> {
        (**self).load(handle).await
    }
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
