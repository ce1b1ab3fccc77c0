//! Statistics of a cache.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use contextfit_text::{Money, Prices, TokenUsage};
use serde::Serialize;

use crate::{Answer, Space};

/// The activity of a cache since it was created, and the fill level of its back ends.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CacheStatistics {
    /// By space, in the order of [`Space::CACHED`].
    pub spaces: Vec<SpaceStatistics>,
    /// By back end, the nearest first.
    pub backends: Vec<BackendStatistics>,
}

/// The figures of a space.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SpaceStatistics {
    /// The space's name.
    pub space: &'static str,
    /// Answers that were cached.
    pub hits: u64,
    /// Answers that were not.
    pub misses: u64,
    /// Answers obtained from a concurrent call of another caller, which are neither hits nor misses.
    pub shared: u64,
    /// Tokens not read or written again, as far as counted.
    pub tokens_saved: u64,
    /// The cost of these tokens, as far as prices were given.
    pub dollars_saved: Money,
}

/// The figures of a back end; `None` for unknown ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BackendStatistics {
    /// The back end's name.
    pub backend: &'static str,
    /// Entries, of every space.
    pub entries: Option<u64>,
    /// Bytes of keys and values.
    pub bytes: Option<u64>,
    /// The maximum bytes that it keeps.
    pub capacity: Option<u64>,
    /// Entries dropped to make room.
    pub evictions: Option<u64>,
    /// Failed calls.
    pub failures: u64,
    /// Entries found damaged.
    pub damaged: u64,
}

/// The running figures of a space.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    hits: AtomicU64,
    misses: AtomicU64,
    shared: AtomicU64,
    tokens: AtomicU64,
    money: Mutex<Money>,
}

impl Counts {
    pub(crate) fn hit(&self, answer: &Answer, prices: Option<&Prices>) {
        self.hits.fetch_add(1, Ordering::Relaxed);
        self.saved(answer, prices);
    }

    pub(crate) fn shared(&self, answer: &Answer, prices: Option<&Prices>) {
        self.shared.fetch_add(1, Ordering::Relaxed);
        self.saved(answer, prices);
    }

    pub(crate) fn miss(&self) {
        self.misses.fetch_add(1, Ordering::Relaxed);
    }

    /// Uncounted tokens cost nothing.
    fn saved(&self, answer: &Answer, prices: Option<&Prices>) {
        let input = answer.tokens_in.unwrap_or_default();
        let output = answer.tokens_out.unwrap_or_default();
        self.tokens.fetch_add((input + output).get() as u64, Ordering::Relaxed);
        if let Some(prices) = prices {
            let usage = TokenUsage { output, ..TokenUsage::of_input(input) };
            *self.money.lock().unwrap_or_else(PoisonError::into_inner) += usage.cost(prices);
        }
    }

    pub(crate) fn read(&self, space: Space) -> SpaceStatistics {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        SpaceStatistics {
            space: space.name(),
            hits: read(&self.hits),
            misses: read(&self.misses),
            shared: read(&self.shared),
            tokens_saved: read(&self.tokens),
            dollars_saved: *self.money.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }
}
