//! A scorer that embeds each text only once.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

use contextfit_kernel::{EmbeddingProvider, Scorer, nearness};

use super::at_once;

/// Scores texts by the nearness of a provider's vectors, embedding each text only once.
pub(super) struct Remembered {
    provider: Arc<dyn EmbeddingProvider>,
    known: Mutex<HashMap<String, Arc<[f32]>>>,
}

impl Remembered {
    pub(super) fn new(provider: Arc<dyn EmbeddingProvider>) -> Self {
        Self { provider, known: Mutex::default() }
    }

    /// The vector of each text that has one.
    fn vectors(&self, texts: &[&str]) -> Vec<Option<Arc<[f32]>>> {
        let mut seen = HashSet::new();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let new: Vec<&str> =
            texts.iter().copied().filter(|text| !known.contains_key(*text) && seen.insert(*text)).collect();
        // Embedding runs on threads that may be waiting for this lock.
        drop(known);
        let vectors = self.embed(&new);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(new.iter().map(|text| (*text).to_owned()).zip(vectors.into_iter().map(Into::into)));
        texts.iter().map(|text| known.get(*text).cloned()).collect()
    }

    /// Empty if the model fails.
    fn embed(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        at_once(self.provider.embed(texts)).and_then(Result::ok).unwrap_or_default()
    }
}

impl Scorer for Remembered {
    /// The [`nearness`] of each text to `query`; 0 if either has no vector.
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        let all: Vec<&str> = [query].into_iter().chain(texts.iter().copied()).collect();
        let vectors = self.vectors(&all);
        let vectors: Vec<&[f32]> =
            vectors.iter().map(|vector| vector.as_deref().unwrap_or_default()).collect();
        vectors.split_first().map_or_else(Vec::new, |(asked, rest)| nearness(asked, rest))
    }
}
