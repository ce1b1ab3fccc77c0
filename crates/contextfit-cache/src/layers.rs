//! Back ends in layers, and the figures of hits and misses.

use std::time::Duration;

use contextfit_kernel::ProviderError;
use contextfit_text::Prices;

use crate::{
    Answer, CacheEntry, CacheStatistics, Clock, Key, Source, Space, layer::Layer, record::Record,
    statistics::Counts,
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
                let (Some(found), Some(slot)) = (found, answers.get_mut(at)) else { continue };
                if depth > 0 {
                    let value = Record::seal(*key, found.expires, &found.answer.to_bytes());
                    fill.push(CacheEntry { expires: found.expires, ..CacheEntry::new(*key, value) });
                }
                *slot = Some(found.answer);
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
            .map(|(key, answer, source)| {
                let value = Record::seal(*key, expires, &answer.to_bytes());
                CacheEntry { expires, source: source.cloned(), ..CacheEntry::new(*key, value) }
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
