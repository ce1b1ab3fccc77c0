//! The back ends in which bytes are kept.

#[cfg(feature = "disk")]
pub(crate) mod disk;
#[cfg(feature = "memory")]
pub(crate) mod memory;
#[cfg(feature = "qdrant")]
pub(crate) mod qdrant;
#[cfg(feature = "redis")]
pub(crate) mod redis;

use std::{sync::Arc, time::SystemTime};

use async_trait::async_trait;

use crate::{CacheError, Key};

/// Keeps bytes under keys.
///
/// The contract between callers and implementers:
///
/// - A get returns the bytes that were put, or nothing: an entry can be dropped at any time, unless it is held.
/// - A held entry is neither dropped nor given a shorter hold before it expires. If there is no room for one, putting
///   it is an error. A back end that cannot guarantee this says so in its documentation.
/// - Putting an entry replaces an earlier one with the same key.
/// - Calls do not block the polling thread.
///
/// [`CompressionCache`](crate::CompressionCache) and [`Originals`](crate::Originals) check the integrity of bytes, in
/// the same way for all back ends.
#[async_trait]
pub trait Backend: Send + Sync {
    /// Its name in messages and statistics.
    fn name(&self) -> &'static str;

    /// The bytes under each of `keys`, in order; `None` for missing ones.
    ///
    /// # Errors
    /// [`CacheError`] if the back end is unavailable.
    async fn get_all(&self, keys: &[Key]) -> Result<Vec<Option<Arc<[u8]>>>, CacheError>;

    /// Keeps all of `entries`. Once the call returns, they are as durable as the back end can make them.
    ///
    /// # Errors
    /// [`CacheError`]; some entries may have been kept.
    async fn put_all(&self, entries: &[CacheEntry]) -> Result<(), CacheError>;

    /// Drops the entry under `key`, held or not.
    ///
    /// # Errors
    /// [`CacheError`] if the back end is unavailable.
    async fn remove(&self, key: Key) -> Result<(), CacheError>;

    /// How full it is. May be linear in the number of entries.
    ///
    /// # Errors
    /// [`CacheError`] if the back end is unavailable.
    async fn stat(&self) -> Result<BackendStat, CacheError>;

    /// The bytes under `key`.
    ///
    /// # Errors
    /// As [`get_all`](Backend::get_all).
    async fn get(&self, key: Key) -> Result<Option<Arc<[u8]>>, CacheError> {
        Ok(self.get_all(&[key]).await?.pop().flatten())
    }

    /// Keeps `entry`.
    ///
    /// # Errors
    /// As [`put_all`](Backend::put_all).
    async fn put(&self, entry: CacheEntry) -> Result<(), CacheError> {
        self.put_all(&[entry]).await
    }
}

/// An entry to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheEntry {
    /// Its key.
    pub key: Key,
    /// Its value.
    pub value: Arc<[u8]>,
    /// When it expires; `None` for never.
    pub expires: Option<SystemTime>,
    /// Whether it must not be dropped before it expires.
    pub held: bool,
    /// The document that it was made from, for back ends that drop the entry when that changes.
    pub source: Option<Source>,
}

impl CacheEntry {
    /// An entry that may be dropped at any time.
    #[must_use]
    pub fn new(key: Key, value: impl Into<Arc<[u8]>>) -> Self {
        Self { key, value: value.into(), expires: None, held: false, source: None }
    }
}

/// The document that a value was made from, and its state at the time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    /// The id of the document or chunk in the application's index.
    pub id: Arc<str>,
    /// Digest of its text.
    pub content: crate::Digest,
}

/// The fill level of a back end; `None` for unknown figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BackendStat {
    /// Entries.
    pub entries: Option<u64>,
    /// Bytes of keys and values.
    pub bytes: Option<u64>,
    /// The maximum bytes that it keeps.
    pub capacity: Option<u64>,
    /// The entries dropped to make room since it was opened, or, for one that outlives the process, since it was
    /// created.
    pub evictions: Option<u64>,
}

#[async_trait]
impl<T: Backend + ?Sized> Backend for Arc<T> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    async fn get_all(&self, keys: &[Key]) -> Result<Vec<Option<Arc<[u8]>>>, CacheError> {
        (**self).get_all(keys).await
    }

    async fn put_all(&self, entries: &[CacheEntry]) -> Result<(), CacheError> {
        (**self).put_all(entries).await
    }

    async fn remove(&self, key: Key) -> Result<(), CacheError> {
        (**self).remove(key).await
    }

    async fn stat(&self) -> Result<BackendStat, CacheError> {
        (**self).stat().await
    }

    async fn get(&self, key: Key) -> Result<Option<Arc<[u8]>>, CacheError> {
        (**self).get(key).await
    }

    async fn put(&self, entry: CacheEntry) -> Result<(), CacheError> {
        (**self).put(entry).await
    }
}
