//! What a cache did, in figures.

use std::sync::atomic::{AtomicU64, Ordering};

use contextfit_kernel::Tokens;
use serde::Serialize;

use crate::{Answer, Space};

/// What a model's tokens cost, in dollars for a million.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Prices {
    /// Of tokens read.
    pub input: f64,
    /// Of tokens written.
    pub output: f64,
}

impl Prices {
    /// What `answer` cost; tokens that nobody counted cost nothing.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of tokens stay far below 2^53")]
    pub fn of(&self, answer: &Answer) -> f64 {
        let millions = |tokens: Option<Tokens>| tokens.unwrap_or_default().get() as f64 / 1e6;
        millions(answer.tokens_in) * self.input + millions(answer.tokens_out) * self.output
    }
}

/// What a cache did since it was made, and how full its back ends are.
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
    /// Answers that were there.
    pub hits: u64,
    /// Answers that were not.
    pub misses: u64,
    /// Answers that somebody else was being given at that moment: no hit, and no call either.
    pub shared: u64,
    /// Tokens that were neither read nor written again, as far as they were counted.
    pub tokens_saved: u64,
    /// What these tokens would have cost, in dollars.
    pub dollars_saved: f64,
}

/// The figures of a back end; `None` where it does not know.
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
    /// The most bytes that it keeps.
    pub capacity: Option<u64>,
    /// Entries dropped to make room.
    pub evictions: Option<u64>,
    /// Calls in which it did not serve.
    pub failures: u64,
    /// Entries that were found damaged.
    pub damaged: u64,
}

/// A dollar in the unit that savings are summed in: a millionth of a millionth, so that the cheapest token counts.
const PER_DOLLAR: f64 = 1e12;

/// The running figures of a space.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    hits: AtomicU64,
    misses: AtomicU64,
    shared: AtomicU64,
    tokens: AtomicU64,
    money: AtomicU64,
}

impl Counts {
    pub(crate) fn hit(&self, answer: &Answer, prices: &Prices) {
        self.hits.fetch_add(1, Ordering::Relaxed);
        self.saved(answer, prices);
    }

    pub(crate) fn shared(&self, answer: &Answer, prices: &Prices) {
        self.shared.fetch_add(1, Ordering::Relaxed);
        self.saved(answer, prices);
    }

    pub(crate) fn miss(&self) {
        self.misses.fetch_add(1, Ordering::Relaxed);
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a price is finite and not negative"
    )]
    fn saved(&self, answer: &Answer, prices: &Prices) {
        let tokens = [answer.tokens_in, answer.tokens_out].into_iter().flatten().sum::<Tokens>();
        self.tokens.fetch_add(tokens.get() as u64, Ordering::Relaxed);
        self.money.fetch_add((prices.of(answer) * PER_DOLLAR).round() as u64, Ordering::Relaxed);
    }

    #[expect(clippy::cast_precision_loss, reason = "dollars for people")]
    pub(crate) fn read(&self, space: Space) -> SpaceStatistics {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        SpaceStatistics {
            space: space.name(),
            hits: read(&self.hits),
            misses: read(&self.misses),
            shared: read(&self.shared),
            tokens_saved: read(&self.tokens),
            dollars_saved: read(&self.money) as f64 / PER_DOLLAR,
        }
    }
}
