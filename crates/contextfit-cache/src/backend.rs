//! Where bytes are kept.

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
/// Callers may rely on this, and implementers owe it:
///
/// - What was put is what is got, byte for byte, or nothing: an entry may be gone at any time, unless it is held.
/// - A held entry is neither dropped nor replaced by a shorter hold before its time is over. Where there is no room
///   for one, putting is an error. A back end that cannot promise that says so in its documentation.
/// - Putting again replaces.
/// - Nothing blocks the thread that polls.
///
/// Whether bytes are still those that were put is checked above, by [`CompressionCache`](crate::CompressionCache) and
/// [`Originals`](crate::Originals), for all back ends in one way.
#[async_trait]
pub trait Backend: Send + Sync {
    /// What it is called in messages and statistics.
    fn name(&self) -> &'static str;

    /// The bytes under each of `keys`, in order; `None` where there are none.
    ///
    /// # Errors
    /// [`CacheError`] when it could not be asked.
    async fn get_all(&self, keys: &[Key]) -> Result<Vec<Option<Arc<[u8]>>>, CacheError>;

    /// Keeps all of `entries`. When the call returns they survive whatever the back end can survive.
    ///
    /// # Errors
    /// [`CacheError`]; then some may be kept and others not.
    async fn put_all(&self, entries: &[Entry]) -> Result<(), CacheError>;

    /// Drops what is under `key`, held or not.
    ///
    /// # Errors
    /// [`CacheError`] when it could not be asked.
    async fn remove(&self, key: Key) -> Result<(), CacheError>;

    /// How full it is. May be linear in the number of entries.
    ///
    /// # Errors
    /// [`CacheError`] when it could not be asked.
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
    async fn put(&self, entry: Entry) -> Result<(), CacheError> {
        self.put_all(&[entry]).await
    }
}

/// Something to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where.
    pub key: Key,
    /// What.
    pub value: Arc<[u8]>,
    /// When it is of no use any more; `None` for never.
    pub expires: Option<SystemTime>,
    /// Whether it must not be dropped before that.
    pub held: bool,
    /// What it was made from, for back ends that forget it when that changes.
    pub source: Option<Source>,
}

impl Entry {
    /// An entry that may be dropped at any time.
    #[must_use]
    pub fn new(key: Key, value: impl Into<Arc<[u8]>>) -> Self {
        Self { key, value: value.into(), expires: None, held: false, source: None }
    }
}

/// The document that a value was made from, and the state that it was in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    /// What the application's index calls the document or chunk.
    pub id: Arc<str>,
    /// Of its text.
    pub content: crate::Digest,
}

/// How full a back end is; `None` where it does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BackendStat {
    /// Entries.
    pub entries: Option<u64>,
    /// Bytes of keys and values.
    pub bytes: Option<u64>,
    /// The most bytes that it keeps.
    pub capacity: Option<u64>,
    /// Entries that were dropped to make room, since it was opened or, where it outlives the process, made.
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

    async fn put_all(&self, entries: &[Entry]) -> Result<(), CacheError> {
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

    async fn put(&self, entry: Entry) -> Result<(), CacheError> {
        (**self).put(entry).await
    }
}
