//! Storage for the originals that markers refer to.

use std::{error::Error as StdError, sync::Arc};

use async_trait::async_trait;
use thiserror::Error;

/// Stores original texts under handles, so that omitted text can be restored.
///
/// Implementations must preserve every byte: `load(store(text)) == text`. Storing the same text again returns the same
/// handle.
#[async_trait]
pub trait OriginalStore: Send + Sync {
    /// Stores `text` and returns its handle.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be stored; no marker may then refer to it.
    async fn store(&self, text: &str) -> Result<String, StoreError>;

    /// Stores all of `texts` and returns their handles, in order. Override this if a write costs a network round trip
    /// or a disk sync.
    ///
    /// # Errors
    /// [`StoreError`] if any of them could not be stored; no marker may then refer to any of them.
    async fn store_all(&self, texts: &[&str]) -> Result<Vec<String>, StoreError> {
        let mut handles = Vec::with_capacity(texts.len());
        for text in texts {
            handles.push(self.store(text).await?);
        }
        Ok(handles)
    }

    /// Returns the text stored under `handle`, or `None` if there is none.
    ///
    /// # Errors
    /// [`StoreError`] if the store could not be read or its content is damaged.
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

/// A store operation failed.
#[derive(Debug, Error)]
#[error("the store of originals failed: {source}")]
#[non_exhaustive]
pub struct StoreError {
    /// The underlying error.
    pub source: Box<dyn StdError + Send + Sync>,
}

impl StoreError {
    /// Creates an error of the store.
    #[must_use]
    pub fn new(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self { source: source.into() }
    }
}
