//! Back ends in layers, and the figures of hits and misses.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use contextfit_kernel::{ProviderError, Values};
use contextfit_text::Prices;
use tracing::{debug, warn};

use crate::{
    Answer, Backend, BackendStatistics, CacheEntry, CacheError, CacheStatistics, Clock, Key, Source, Space,
    record::Record, statistics::Counts,
};

/// Whether an answer is acceptable for the request at this position.
pub(crate) type IsFit<'a> = &'a (dyn Fn(usize, &Answer) -> bool + Sync);

/// Layers, the nearest first.
#[derive(Default)]
pub(crate) struct Layers {
    pub(crate) layers: Vec<Layer>,
    pub(crate) age: Option<Duration>,
    pub(crate) clock: Clock,
    counts: [Counts; Space::CACHED.len()],
}

impl Layers {
    /// The answers under `keys`, in order; hits in a far layer are copied to the nearer ones. Unfit answers are
    /// removed.
    pub(crate) async fn find(
        &self,
        keys: &[Key],
        prices: Option<&Prices>,
        is_fit: IsFit<'_>,
    ) -> Vec<Option<Answer>> {
        let mut answers: Vec<Option<Answer>> = vec![None; keys.len()];
        for (depth, layer) in self.layers.iter().enumerate() {
            let open = keys.iter().enumerate().zip(&answers).filter(|(_, answer)| answer.is_none());
            let (places, open): (Vec<usize>, Vec<Key>) = open.map(|((at, key), _)| (at, *key)).unzip();
            if open.is_empty() {
                break;
            }
            let mut fill = Vec::new();
            for ((at, key), found) in places.into_iter().zip(&open).zip(layer.get(&open, &self.clock).await) {
                let Some((answer, expires)) = found else { continue };
                if depth > 0 {
                    fill.push(sealed(*key, expires, &answer));
                }
                answers.set(at, Some(answer));
            }
            for nearer in self.layers.iter().take(depth) {
                nearer.put(&fill, &self.clock).await;
            }
        }
        for (n, (key, slot)) in keys.iter().zip(&mut answers).enumerate() {
            if slot.as_ref().is_some_and(|answer| !is_fit(n, answer)) {
                *slot = None;
                self.remove(*key).await;
            }
        }
        for (key, answer) in keys.iter().zip(&answers) {
            match (self.counts(key.space), answer) {
                (Some(counts), Some(answer)) => counts.hit(answer, prices),
                (Some(counts), None) => counts.miss(),
                (None, _) => {}
            }
        }
        answers
    }

    /// Keeps `answers`, each with its source, in every layer; empty ones are skipped.
    pub(crate) async fn keep(&self, answers: &[(Key, &Answer, Option<&Source>)]) {
        let expires = self.age.and_then(|age| self.clock.now().checked_add(age));
        let full = answers.iter().filter(|(_, answer, _)| !answer.body.is_empty());
        let entries: Vec<CacheEntry> = full
            .map(|(key, answer, source)| CacheEntry {
                source: source.cloned(),
                ..sealed(*key, expires, answer)
            })
            .collect();
        for layer in &self.layers {
            layer.put(&entries, &self.clock).await;
        }
    }

    pub(crate) async fn remove(&self, key: Key) {
        for layer in &self.layers {
            layer.remove(key, &self.clock).await;
        }
    }

    /// Counts `answer` as obtained from another caller's call.
    pub(crate) fn shared(&self, key: Key, answer: &Answer, prices: Option<&Prices>) {
        if let Some(counts) = self.counts(key.space) {
            counts.shared(answer, prices);
        }
    }

    pub(crate) async fn statistics(&self) -> CacheStatistics {
        let spaces = Space::CACHED.into_iter().zip(&self.counts).map(|(space, counts)| counts.read(space));
        let mut backends = Vec::with_capacity(self.layers.len());
        for layer in &self.layers {
            backends.push(layer.statistics().await);
        }
        CacheStatistics { spaces: spaces.collect(), backends }
    }

    fn counts(&self, space: Space) -> Option<&Counts> {
        Space::CACHED.iter().zip(&self.counts).find(|(cached, _)| **cached == space).map(|(_, counts)| counts)
    }
}

/// The error for a model that returned the wrong number of answers.
pub(crate) fn miscounted(made: usize, asked: usize) -> ProviderError {
    ProviderError::new("behind the cache", false, format!("{made} answers to {asked} requests"))
}

/// The time for which a failed back end is not used, so that answers of models do not wait for it every time.
const REST: Duration = Duration::from_secs(5);

/// A back end and its record of failures.
pub(crate) struct Layer {
    backend: Arc<dyn Backend>,
    /// The time until which it is not used.
    resting: Mutex<Option<SystemTime>>,
    failures: AtomicU64,
    damaged: AtomicU64,
}

impl Layer {
    pub(crate) fn new(backend: Arc<dyn Backend>) -> Self {
        Self { backend, resting: Mutex::default(), failures: AtomicU64::new(0), damaged: AtomicU64::new(0) }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.backend.name()
    }

    /// The answers under `keys`, in order, and when they expire. Unreadable, damaged and expired ones count as missing.
    pub(crate) async fn get(&self, keys: &[Key], clock: &Clock) -> Vec<Option<(Answer, Option<SystemTime>)>> {
        let now = clock.now();
        let mut answers = vec![None; keys.len()];
        if self.rests(now) {
            return answers;
        }
        let found = match self.served(self.backend.get_all(keys).await, clock) {
            Some(found) if found.len() == keys.len() => found,
            _ => return answers,
        };
        for ((key, bytes), answer) in keys.iter().zip(found).zip(&mut answers) {
            let Some(bytes) = bytes else { continue };
            match read(*key, &bytes) {
                Ok((record, read)) if !record.is_over(now) => *answer = Some((read, record.expires)),
                Ok(_) => {}
                Err(error) => {
                    self.damaged.fetch_add(1, Ordering::Relaxed);
                    warn!(backend = self.backend.name(), %error, "not cached");
                    self.served(self.backend.remove(*key).await, clock);
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

    /// The result of the back end. An error is logged once, and the back end is then not used for a while.
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

/// The entry for `answer`.
fn sealed(key: Key, expires: Option<SystemTime>, answer: &Answer) -> CacheEntry {
    CacheEntry { expires, ..CacheEntry::new(key, Record::seal(key, expires, &answer.to_bytes())) }
}

fn read(key: Key, bytes: &[u8]) -> Result<(Record, Answer), CacheError> {
    let record = Record::open(key, bytes)?;
    let answer = Answer::from_bytes(key, &record.value)?;
    Ok((record, answer))
}

/// The error with all its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
