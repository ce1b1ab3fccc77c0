//! The originals that markers replace.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use contextfit_kernel::{OriginalStore, StoreError};
use tracing::warn;

use crate::{Backend, CacheEntry, CacheError, Clock, Digest, Key};

/// The default time to live of an original.
const USUAL_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Keeps original texts by their SHA-256, which is their handle: 64 hexadecimal digits.
///
/// When `store` returns, the text is as durable as the back end can make it. Only then may a marker name it. Texts are
/// verified against the handle when they are read: a text that does not match is an error.
///
/// An original is held: back ends that can guarantee it do not drop it before it expires. If there is no room, `store`
/// is an error. A value of this type is a session: whenever it stores, it renews the originals that it named before and
/// that have reached half of their time, until they are [released](Originals::release).
///
/// ```
/// # #[cfg(feature = "memory")]
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), contextfit_kernel::StoreError> {
/// use std::sync::Arc;
/// # mod contextfit { pub use ::contextfit_cache as caches; pub use ::contextfit_kernel as kernel; }
/// use contextfit::{caches::{InMemory, Originals}, kernel::OriginalStore};
///
/// let originals = Originals::new(Arc::new(InMemory::new(64 << 20)));
/// let handle = originals.store("a long text").await?;
/// assert_eq!(originals.load(&handle).await?.as_deref(), Some("a long text"));
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "memory"))]
/// # fn main() {}
/// ```
pub struct Originals {
    backend: Arc<dyn Backend>,
    age: Duration,
    clock: Clock,
    /// The originals named by this session, and when to renew them.
    named: Mutex<HashMap<Key, SystemTime>>,
}

impl Originals {
    /// A session that keeps its originals in `backend`, for 30 days from their last use.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Self { backend, age: USUAL_AGE, clock: Clock::default(), named: Mutex::default() }
    }

    /// Sets how long originals are held, at least a second.
    #[must_use]
    pub fn with_time_to_live(mut self, age: Duration) -> Self {
        self.age = age.max(Duration::from_secs(1));
        self
    }

    /// Sets the clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Declares that no marker names `handle` any more: it is not renewed, and is dropped after it expires.
    pub fn release(&self, handle: &str) {
        if let Ok(digest) = handle.parse() {
            self.named().remove(&Key { space: crate::Space::Original, digest });
        }
    }

    /// Renews the originals named by this session that have reached half of their time; `store` does so automatically.
    ///
    /// # Errors
    /// [`StoreError`] if the back end fails.
    pub async fn renew(&self) -> Result<(), StoreError> {
        let now = self.clock.now();
        let due: Vec<Key> = self.named().iter().filter(|(_, at)| **at <= now).map(|(key, _)| *key).collect();
        if due.is_empty() {
            return Ok(());
        }
        let found = self.backend.get_all(&due).await.map_err(StoreError::new)?;
        let mut texts = Vec::with_capacity(due.len());
        for (key, text) in due.into_iter().zip(found) {
            match text.filter(|text| Digest::of(text) == key.digest) {
                Some(text) => texts.push((key, text)),
                None => {
                    warn!(backend = self.backend.name(), %key, "an original named by a marker is lost");
                    self.named().remove(&key);
                }
            }
        }
        self.hold(texts, now).await
    }

    /// Stores the bytes of texts, in any encoding, and returns their handles, in order.
    ///
    /// # Errors
    /// [`StoreError`] if any of them could not be stored; no marker may then refer to any of them.
    pub async fn store_bytes(&self, texts: &[&[u8]]) -> Result<Vec<String>, StoreError> {
        self.renew().await?;
        let texts: Vec<(Key, Arc<[u8]>)> =
            texts.iter().map(|text| (Key::of_original(text), Arc::from(*text))).collect();
        let handles = texts.iter().map(|(key, _)| key.digest.to_string()).collect();
        self.hold(texts, self.clock.now()).await?;
        Ok(handles)
    }

    /// Returns the bytes stored under `handle`, or `None` if there are none.
    ///
    /// # Errors
    /// [`StoreError`] if the back end fails or the bytes do not match the handle.
    pub async fn load_bytes(&self, handle: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let digest = handle.parse::<Digest>().map_err(StoreError::new)?;
        let key = Key { space: crate::Space::Original, digest };
        let Some(bytes) = self.backend.get(key).await.map_err(StoreError::new)? else { return Ok(None) };
        if Digest::of(&bytes) != digest {
            let what = "the text does not match the handle";
            return Err(StoreError::new(CacheError::Damaged { key, what }));
        }
        Ok(Some(bytes.to_vec()))
    }

    async fn hold(&self, texts: Vec<(Key, Arc<[u8]>)>, now: SystemTime) -> Result<(), StoreError> {
        let expires = now.checked_add(self.age);
        let held = |(key, text)| CacheEntry { expires, held: true, ..CacheEntry::new(key, text) };
        let entries: Vec<CacheEntry> = texts.into_iter().map(held).collect();
        self.backend.put_all(&entries).await.map_err(StoreError::new)?;
        let half = now.checked_add(self.age / 2).unwrap_or(now);
        self.named().extend(entries.iter().map(|entry| (entry.key, half)));
        Ok(())
    }

    fn named(&self) -> MutexGuard<'_, HashMap<Key, SystemTime>> {
        self.named.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Originals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Originals")
            .field("backend", &self.backend.name())
            .field("age", &self.age)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl OriginalStore for Originals {
    async fn store(&self, text: &str) -> Result<String, StoreError> {
        let handles = self.store_all(&[text]).await?;
        handles.into_iter().next().ok_or_else(|| StoreError::new("no handle"))
    }

    async fn store_all(&self, texts: &[&str]) -> Result<Vec<String>, StoreError> {
        let texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        self.store_bytes(&texts).await
    }

    async fn load(&self, handle: &str) -> Result<Option<String>, StoreError> {
        let Some(bytes) = self.load_bytes(handle).await? else { return Ok(None) };
        let key = Key { space: crate::Space::Original, digest: Digest::of(&bytes) };
        let damaged = |_| StoreError::new(CacheError::Damaged { key, what: "it is not UTF-8" });
        String::from_utf8(bytes).map(Some).map_err(damaged)
    }
}
