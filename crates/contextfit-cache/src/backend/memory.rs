//! The back end in memory.

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use moka::{future::Cache, notification::RemovalCause};

use crate::{Backend, BackendStat, CacheEntry, CacheError, Clock, Key};

/// The bytes of an entry in addition to its value: the key, and the record in the table.
const ENTRY_BYTES_IN_MEMORY: usize = 96;

/// Keeps entries in memory, up to a capacity in bytes (and up to the same again for held ones).
///
/// If there is no room, the least used entries are dropped ([moka](https://docs.rs/moka): TinyLFU, which beats LRU on
/// traces of real caches). Held entries are in a separate table that refuses entries for which it has no room.
#[derive(Clone)]
pub struct InMemory {
    entries: Cache<Key, Arc<[u8]>>,
    held: Arc<Mutex<Held>>,
    evictions: Arc<AtomicU64>,
    capacity: u64,
    clock: Clock,
}

impl InMemory {
    /// A cache of at most `capacity` bytes.
    #[must_use]
    pub fn new(capacity: u64) -> Self {
        Self::build(capacity, None)
    }

    /// Sets the time to live of entries that are not held, from when they are put. The returned cache is empty.
    #[must_use]
    pub fn with_time_to_live(self, age: Duration) -> Self {
        Self { clock: self.clock, ..Self::build(self.capacity, Some(age)) }
    }

    /// Sets the clock by which held entries expire.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    fn build(capacity: u64, age: Option<Duration>) -> Self {
        let evictions = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&evictions);
        let builder = Cache::builder()
            .max_capacity(capacity)
            .weigher(|_: &Key, value: &Arc<[u8]>| u32::try_from(weight(value)).unwrap_or(u32::MAX))
            .eviction_listener(move |_, _, cause| {
                if cause == RemovalCause::Size {
                    counted.fetch_add(1, Ordering::Relaxed);
                }
            });
        let entries = match age {
            Some(age) => builder.time_to_live(age).build(),
            None => builder.build(),
        };
        Self { entries, held: Arc::default(), evictions, capacity, clock: Clock::default() }
    }

    fn held<T>(&self, job: impl FnOnce(&mut Held) -> T) -> T {
        job(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for InMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InMemory").field("capacity", &self.capacity).finish_non_exhaustive()
    }
}

#[async_trait]
impl Backend for InMemory {
    fn name(&self) -> &'static str {
        "memory"
    }

    async fn get_all(&self, keys: &[Key]) -> Result<Vec<Option<Arc<[u8]>>>, CacheError> {
        let mut found: Vec<_> = self.held(|held| keys.iter().map(|key| held.get(key)).collect());
        for (key, found) in keys.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            *found = self.entries.get(key).await;
        }
        Ok(found)
    }

    async fn put_all(&self, entries: &[CacheEntry]) -> Result<(), CacheError> {
        for entry in entries {
            if entry.held {
                self.held(|held| held.put(entry, self.capacity, self.clock.now()))?;
            } else {
                self.entries.insert(entry.key, Arc::clone(&entry.value)).await;
            }
        }
        Ok(())
    }

    async fn remove(&self, key: Key) -> Result<(), CacheError> {
        self.held(|held| held.remove(&key));
        self.entries.invalidate(&key).await;
        Ok(())
    }

    async fn stat(&self) -> Result<BackendStat, CacheError> {
        // Entries are weighed in the background; the figures include what was pending.
        self.entries.run_pending_tasks().await;
        let (held, held_bytes) = self.held(|held| (held.entries.len() as u64, held.bytes));
        Ok(BackendStat {
            entries: Some(self.entries.entry_count() + held),
            bytes: Some(self.entries.weighted_size() + held_bytes),
            capacity: Some(self.capacity),
            evictions: Some(self.evictions.load(Ordering::Relaxed)),
        })
    }
}

/// Entries that must not be dropped, with their expiry.
#[derive(Default)]
struct Held {
    entries: HashMap<Key, (Arc<[u8]>, Option<SystemTime>)>,
    bytes: u64,
}

impl Held {
    fn get(&self, key: &Key) -> Option<Arc<[u8]>> {
        self.entries.get(key).map(|(value, _)| Arc::clone(value))
    }

    fn put(&mut self, entry: &CacheEntry, capacity: u64, now: SystemTime) -> Result<(), CacheError> {
        let bytes = weight(&entry.value);
        if bytes > capacity {
            return Err(CacheError::TooLarge { backend: "memory", bytes, capacity });
        }
        if let Some((value, expires)) = self.entries.get_mut(&entry.key) {
            self.bytes = self.bytes - weight(value) + bytes;
            *value = Arc::clone(&entry.value);
            *expires = expires.zip(entry.expires).map(|(before, after)| before.max(after));
            return Ok(());
        }
        if self.bytes + bytes > capacity {
            self.forget_expired(now);
        }
        if self.bytes + bytes > capacity {
            return Err(CacheError::Full { backend: "memory", bytes, capacity });
        }
        self.bytes += bytes;
        self.entries.insert(entry.key, (Arc::clone(&entry.value), entry.expires));
        Ok(())
    }

    fn remove(&mut self, key: &Key) {
        if let Some((value, _)) = self.entries.remove(key) {
            self.bytes -= weight(&value);
        }
    }

    fn forget_expired(&mut self, now: SystemTime) {
        self.entries.retain(|_, (_, expires)| expires.is_none_or(|expires| expires > now));
        self.bytes = self.entries.values().map(|(value, _)| weight(value)).sum();
    }
}

/// The bytes that a value counts for.
fn weight(value: &[u8]) -> u64 {
    (value.len() + ENTRY_BYTES_IN_MEMORY) as u64
}
