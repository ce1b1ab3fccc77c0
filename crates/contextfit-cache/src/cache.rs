//! The cache of model answers.

use std::{fmt, future::Future, sync::Arc, time::Duration};

use contextfit_kernel::{ProviderError, Values};
use contextfit_text::Prices;
use thiserror::Error;

use crate::{
    Answer, Backend, CacheStatistics, Clock, Key, Source,
    flights::{Flight, Flights},
    layers::{IsFit, Layer, Layers, miscounted},
};

/// The result of a call, shared by all callers that waited for it.
type Landing = Result<Arc<Answer>, Arc<ProviderError>>;

/// Keeps answers of models: embeddings, summaries and shortened chunks, in separate spaces.
///
/// A cache never makes a call fail. A back end that is unreachable or holds damaged bytes counts as empty, with a
/// warning. Errors and empty answers are never kept. Concurrent requests for the same key share one call, with any back
/// end.
///
/// ```
/// # #[cfg(feature = "memory")]
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), contextfit_kernel::ProviderError> {
/// use std::sync::Arc;
/// # mod contextfit { pub use ::contextfit_cache as caches; }
/// use contextfit::caches::{Answer, CompressionCache, InMemory, Recipe, Space};
///
/// let cache = CompressionCache::new(Arc::new(InMemory::new(64 << 20)));
/// let key = Recipe::new("openai", "small-model").key(Space::Summary, &["a long text"]);
/// for _ in 0..2 {
///     let answer = cache.fetch(key, || async { Ok(Answer::text("short")) }).await?;
///     assert_eq!(answer.as_text(), Some("short"));
/// }
/// assert_eq!(cache.statistics().await.spaces[1].hits, 1);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "memory"))]
/// # fn main() {}
/// ```
pub struct CompressionCache {
    layers: Layers,
    flights: Arc<Flights<Landing>>,
    refresh: bool,
}

/// A request to a cache.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The keys of the answers wanted.
    pub keys: &'a [Key],
    /// The sources of the answers, if the application's index knows them: one per key, one for all, or none.
    pub sources: &'a [Source],
    /// The model's token prices, to compute savings.
    pub prices: Option<Prices>,
}

impl CompressionCache {
    /// A cache in `backend`.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>) -> Self {
        let mut layers = Layers::default();
        layers.layers.push(Layer::new(backend));
        Self { layers, flights: Arc::default(), refresh: false }
    }

    /// Adds `backend` in front: it is queried first, and filled from the others.
    #[must_use]
    pub fn with_front(mut self, backend: Arc<dyn Backend>) -> Self {
        self.layers.layers.insert(0, Layer::new(backend));
        self
    }

    /// Sets the age at which answers expire.
    #[must_use]
    pub fn with_time_to_live(mut self, age: Duration) -> Self {
        self.layers.age = Some(age);
        self
    }

    /// Makes the cache request every answer again: nothing is read, and new answers replace the old ones.
    #[must_use]
    pub const fn refreshing(mut self) -> Self {
        self.refresh = true;
        self
    }

    /// Sets the clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.layers.clock = clock;
        self
    }

    /// The answer under `key`, made by `make` if missing.
    ///
    /// # Errors
    /// Those of `make`.
    pub async fn fetch<F>(&self, key: Key, mut make: impl FnMut() -> F) -> Result<Arc<Answer>, ProviderError>
    where
        F: Future<Output = Result<Answer, ProviderError>>,
    {
        let make = |_| {
            let made = make();
            async { Ok(vec![made.await?]) }
        };
        let request = Request { keys: &[key], sources: &[], prices: None };
        let answers = self.fetch_all(request, make).await?;
        answers.into_iter().next().ok_or_else(|| miscounted(0, 1))
    }

    /// The answers of `request`, in order. `make` receives the positions of the missing ones, each key once, and
    /// returns one answer for each, in order. Concurrent requests for the same key make it once.
    ///
    /// # Errors
    /// Those of `make`, and an error if it returns another number of answers.
    pub async fn fetch_all<F>(
        &self,
        request: Request<'_>,
        make: impl FnMut(Vec<usize>) -> F,
    ) -> Result<Vec<Arc<Answer>>, ProviderError>
    where
        F: Future<Output = Result<Vec<Answer>, ProviderError>>,
    {
        self.fetch_fit(request, &|_, _| true, make).await
    }

    /// As [`fetch_all`](Self::fetch_all), but answers that are not fit count as missing and are not kept.
    pub(crate) async fn fetch_fit<F>(
        &self,
        request: Request<'_>,
        is_fit: IsFit<'_>,
        mut make: impl FnMut(Vec<usize>) -> F,
    ) -> Result<Vec<Arc<Answer>>, ProviderError>
    where
        F: Future<Output = Result<Vec<Answer>, ProviderError>>,
    {
        let Request { keys, .. } = request;
        let mut answers: Vec<Option<Arc<Answer>>> = vec![None; keys.len()];
        loop {
            let (mut leads, mut waits) = (Vec::new(), Vec::new());
            let open = answers.iter().zip(keys).enumerate().filter(|(_, (answer, _))| answer.is_none());
            for (at, (_, &key)) in open {
                match self.flights.join(key) {
                    Flight::Lead(lead) => leads.push((at, key, lead)),
                    Flight::Wait(wait) => waits.push((at, key, wait)),
                }
            }
            if leads.is_empty() && waits.is_empty() {
                break;
            }
            // This request finishes the calls that it leads before it waits for others, so two requests that lead calls
            // for each other cannot deadlock.
            let wanted: Vec<(usize, Key)> = leads.iter().map(|(at, key, _)| (*at, *key)).collect();
            match self.find_or_make(&wanted, &request, is_fit, &mut make).await {
                Ok(made) => {
                    for ((at, _, lead), answer) in leads.into_iter().zip(made) {
                        answers.set(at, Some(Arc::clone(&answer)));
                        lead.land(Ok(answer));
                    }
                }
                Err(error) => {
                    let error = Arc::new(error);
                    leads.into_iter().for_each(|(_, _, lead)| lead.land(Err(Arc::clone(&error))));
                    return Err(shared(error));
                }
            }
            for (at, key, wait) in waits {
                let Some(landing) = wait.landed().await else { continue };
                let answer = landing.map_err(shared)?;
                self.layers.shared(key, &answer, request.prices.as_ref());
                answers.set(at, Some(answer));
            }
        }
        answers.into_iter().map(|answer| answer.ok_or_else(|| miscounted(0, keys.len()))).collect()
    }

    /// The answer under `key`, if present.
    pub async fn get(&self, key: Key) -> Option<Answer> {
        self.layers.find(&[key], None, &|_, _| true).await.pop().flatten()
    }

    /// Keeps `answer` under `key`, unless it is empty.
    pub async fn put(&self, key: Key, answer: &Answer) {
        self.layers.keep(&[(key, answer, None)]).await;
    }

    /// Forgets the answer under `key`.
    pub async fn remove(&self, key: Key) {
        self.layers.remove(key).await;
    }

    /// Statistics of the cache, and how full it is.
    pub async fn statistics(&self) -> CacheStatistics {
        self.layers.statistics().await
    }

    /// One answer for each of `wanted`.
    async fn find_or_make<F>(
        &self,
        wanted: &[(usize, Key)],
        request: &Request<'_>,
        is_fit: IsFit<'_>,
        make: &mut impl FnMut(Vec<usize>) -> F,
    ) -> Result<Vec<Arc<Answer>>, ProviderError>
    where
        F: Future<Output = Result<Vec<Answer>, ProviderError>>,
    {
        let keys: Vec<Key> = wanted.iter().map(|(_, key)| *key).collect();
        let is_wanted = |n: usize, answer: &Answer| wanted.get(n).is_some_and(|(at, _)| is_fit(*at, answer));
        let mut found = match self.refresh {
            true => vec![None; keys.len()],
            false => self.layers.find(&keys, request.prices.as_ref(), &is_wanted).await,
        };
        let missed = wanted.iter().zip(&found).filter(|(_, found)| found.is_none());
        let (places, missed): (Vec<usize>, Vec<Key>) = missed.map(|(wanted, _)| *wanted).unzip();
        if !missed.is_empty() {
            let made = make(places.clone()).await?;
            if made.len() != missed.len() {
                return Err(miscounted(made.len(), missed.len()));
            }
            let kept = missed.iter().zip(&places).zip(&made).filter(|((_, at), answer)| is_fit(**at, answer));
            let kept: Vec<_> =
                kept.map(|((key, &at), answer)| (*key, answer, source_of(request.sources, at))).collect();
            self.layers.keep(&kept).await;
            let mut made = made.into_iter();
            found.iter_mut().filter(|found| found.is_none()).for_each(|found| *found = made.next());
        }
        let found = found.into_iter().flatten().map(Arc::new);
        Ok(found.collect())
    }
}

impl fmt::Debug for CompressionCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let backends: Vec<_> = self.layers.layers.iter().map(Layer::name).collect();
        f.debug_struct("CompressionCache").field("backends", &backends).finish_non_exhaustive()
    }
}

/// The source of the key at index `at`.
fn source_of(sources: &[Source], at: usize) -> Option<&Source> {
    match sources {
        [source] => Some(source),
        sources => sources.get(at),
    }
}

/// An error shared by several callers: the first error is its source and decides whether it is retryable.
fn shared(error: Arc<ProviderError>) -> ProviderError {
    let (status, retry_after) = (error.status, error.retry_after);
    let mut copy = ProviderError::new(error.model.clone(), error.retryable, Shared(error));
    (copy.status, copy.retry_after) = (status, retry_after);
    copy
}

/// An error shared with other callers; prints as the original.
#[derive(Debug, Error)]
#[error("{}", .0.source)]
struct Shared(Arc<ProviderError>);
