//! The originals behind markers.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use contextfit_kernel::{OriginalStore, StoreError};
use tracing::warn;

use crate::{Backend, CacheError, Clock, Digest, Entry, Key};

/// How long an original is kept when nothing else is said.
const USUAL_AGE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Keeps original texts by their SHA-256, which is their handle: 64 hexadecimal digits.
///
/// When `store` returns, the text is as safe as the back end can make it; only then may a marker name it. What is read
/// is held against the handle: a text that is not the one that was stored is an error, never a result.
///
/// An original is held: while its time is not over, no back end that can promise it drops it to make room. Where there
/// is no room, `store` is an error. One value of this type is a session: as long as it stores, the originals that it
/// named before are given new time at half of it, until they are [released](Originals::release).
///
/// ```
/// # #[cfg(feature = "memory")]
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), contextfit_kernel::StoreError> {
/// use std::sync::Arc;
/// use contextfit_cache::{Memory, Originals};
/// use contextfit_kernel::OriginalStore;
///
/// let originals = Originals::new(Arc::new(Memory::new(64 << 20)));
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
    /// What this session named, and when it is given new time.
    named: Mutex<HashMap<Key, SystemTime>>,
}

impl Originals {
    /// A session that keeps its originals in `backend`, for 30 days from their last use.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        Self { backend, age: USUAL_AGE, clock: Clock::default(), named: Mutex::default() }
    }

    /// The same; originals are held for `age`, at least a second.
    #[must_use]
    pub fn with_time_to_live(mut self, age: Duration) -> Self {
        self.age = age.max(Duration::from_secs(1));
        self
    }

    /// The same with another clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Says that no marker names `handle` any more: it is given no new time, and goes when its time is over.
    pub fn release(&self, handle: &str) {
        if let Ok(digest) = handle.parse() {
            self.named().remove(&Key { space: crate::Space::Original, digest });
        }
    }

    /// Gives new time to what this session named, where half of it is over; `store` does that by itself.
    ///
    /// # Errors
    /// [`StoreError`] when the back end does not serve.
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
                    warn!(backend = self.backend.name(), %key, "an original that a marker names is lost");
                    self.named().remove(&key);
                }
            }
        }
        self.hold(texts, now).await
    }

    async fn hold(&self, texts: Vec<(Key, Arc<[u8]>)>, now: SystemTime) -> Result<(), StoreError> {
        let expires = now.checked_add(self.age);
        let held = |(key, text)| Entry { expires, held: true, ..Entry::new(key, text) };
        let entries: Vec<Entry> = texts.into_iter().map(held).collect();
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
        self.renew().await?;
        let texts: Vec<(Key, Arc<[u8]>)> = (texts.iter().map(|text| text.as_bytes()))
            .map(|text| (Key::of_original(text), text.into()))
            .collect();
        let handles = texts.iter().map(|(key, _)| key.digest.to_string()).collect();
        self.hold(texts, self.clock.now()).await?;
        Ok(handles)
    }

    async fn load(&self, handle: &str) -> Result<Option<String>, StoreError> {
        let digest = handle.parse::<Digest>().map_err(StoreError::new)?;
        let key = Key { space: crate::Space::Original, digest };
        let Some(bytes) = self.backend.get(key).await.map_err(StoreError::new)? else { return Ok(None) };
        let damaged = |what| StoreError::new(CacheError::Damaged { key, what });
        if Digest::of(&bytes) != digest {
            return Err(damaged("it is not the text of this handle"));
        }
        let text = str::from_utf8(&bytes).map_err(|_| damaged("it is no text"))?;
        Ok(Some(text.to_owned()))
    }
}
