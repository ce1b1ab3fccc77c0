//! A back end as used by a cache: failures count as misses.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use tracing::{debug, warn};

use crate::{Answer, Backend, BackendStatistics, CacheEntry, CacheError, Clock, Key, record::Record};

/// How long a failed back end is left alone, so that model answers do not wait for it every time.
const REST: Duration = Duration::from_secs(5);

/// A back end and its record of failures.
pub(crate) struct Layer {
    backend: Arc<dyn Backend>,
    /// Until when it is left alone.
    resting: Mutex<Option<SystemTime>>,
    failures: AtomicU64,
    damaged: AtomicU64,
}

/// An answer that was found, and its expiry.
pub(crate) struct FoundAnswer {
    pub(crate) answer: Answer,
    pub(crate) expires: Option<SystemTime>,
}

impl Layer {
    pub(crate) fn new(backend: Arc<dyn Backend>) -> Self {
        Self { backend, resting: Mutex::default(), failures: AtomicU64::new(0), damaged: AtomicU64::new(0) }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.backend.name()
    }

    /// The answers under `keys`, in order. Unreadable, damaged and expired ones count as missing.
    pub(crate) async fn get(&self, keys: &[Key], clock: &Clock) -> Vec<Option<FoundAnswer>> {
        let now = clock.now();
        let nothing = || keys.iter().map(|_| None).collect();
        if self.rests(now) {
            return nothing();
        }
        let found = match self.served(self.backend.get_all(keys).await, clock) {
            Some(found) if found.len() == keys.len() => found,
            _ => return nothing(),
        };
        let mut answers = Vec::with_capacity(keys.len());
        for (key, bytes) in keys.iter().zip(found) {
            let Some(bytes) = bytes else {
                answers.push(None);
                continue;
            };
            match read(*key, &bytes) {
                Ok((record, _)) if record.is_over(now) => answers.push(None),
                Ok((record, answer)) => answers.push(Some(FoundAnswer { answer, expires: record.expires })),
                Err(error) => {
                    self.damaged.fetch_add(1, Ordering::Relaxed);
                    warn!(backend = self.backend.name(), %error, "not cached");
                    self.served(self.backend.remove(*key).await, clock);
                    answers.push(None);
                }
            }
        }
        answers
    }

    /// Keeps `entries`, if the back end is available.
    pub(crate) async fn put(&self, entries: &[CacheEntry], clock: &Clock) {
        if !entries.is_empty() && !self.rests(clock.now()) {
            self.served(self.backend.put_all(entries).await, clock);
        }
    }

    pub(crate) async fn remove(&self, key: Key, clock: &Clock) {
        self.served(self.backend.remove(key).await, clock);
    }

    pub(crate) async fn statistics(&self) -> BackendStatistics {
        let stat = self.backend.stat().await.unwrap_or_default();
        BackendStatistics {
            backend: self.backend.name(),
            entries: stat.entries,
            bytes: stat.bytes,
            capacity: stat.capacity,
            evictions: stat.evictions,
            failures: self.failures.load(Ordering::Relaxed),
            damaged: self.damaged.load(Ordering::Relaxed),
        }
    }

    /// The back end's result; an error is logged once, and then the back end rests.
    fn served<T>(&self, result: Result<T, CacheError>, clock: &Clock) -> Option<T> {
        let error = match result {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        self.failures.fetch_add(1, Ordering::Relaxed);
        let backend = self.backend.name();
        if matches!(error, CacheError::Unavailable { .. }) {
            let mut resting = self.resting.lock().unwrap_or_else(PoisonError::into_inner);
            *resting = clock.now().checked_add(REST);
            warn!(backend, error = chain(&error), "the cache is skipped for {} s", REST.as_secs());
        } else {
            debug!(backend, %error, "not cached");
        }
        None
    }

    fn rests(&self, now: SystemTime) -> bool {
        let mut resting = self.resting.lock().unwrap_or_else(PoisonError::into_inner);
        if resting.is_some_and(|until| until <= now) {
            *resting = None;
        }
        resting.is_some()
    }
}

fn read(key: Key, bytes: &[u8]) -> Result<(Record, Answer), CacheError> {
    let record = Record::open(key, bytes)?;
    let answer = Answer::from_bytes(key, &record.value)?;
    Ok((record, answer))
}

/// The error with all its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
