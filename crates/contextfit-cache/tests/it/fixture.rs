//! Models that count their calls, clocks that are set, and a back end that fails on demand.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use async_trait::async_trait;
use contextfit_cache::{
    Backend, BackendStat, CacheEntry, CacheError, Cached, Clock, CompressionCache, Key, Recipe,
};
use contextfit_kernel::{
    Chunk, ChunkCompressor, ChunkOutcome, Completion, CompletionRequest, CompressedChunk, KeptBecause,
    LlmProvider, ProviderError, Tokens,
};
use tokio::sync::Barrier;

/// A model that gives a set answer and counts the calls.
pub(crate) struct CountingModel {
    pub(crate) calls: AtomicUsize,
    pub(crate) answer: Mutex<Result<String, String>>,
}

impl CountingModel {
    pub(crate) fn new(answer: &str) -> Arc<Self> {
        Arc::new(Self { calls: AtomicUsize::new(0), answer: Mutex::new(Ok(answer.into())) })
    }

    pub(crate) fn failing(error: &str) -> Arc<Self> {
        Arc::new(Self { calls: AtomicUsize::new(0), answer: Mutex::new(Err(error.into())) })
    }

    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

/// Every chunk is a call, and becomes the answer; an empty answer keeps the chunk as it is.
#[async_trait]
impl ChunkCompressor for CountingModel {
    async fn compress(&self, chunks: &[Chunk<'_>]) -> Vec<CompressedChunk> {
        self.calls.fetch_add(chunks.len(), Ordering::SeqCst);
        let answer = self.answer.lock().unwrap().clone().unwrap_or_default();
        let made = |chunk: &Chunk<'_>| match answer.as_str() {
            "" => CompressedChunk::kept(chunk, KeptBecause::Empty),
            text => {
                let (before, after) = (Tokens::new(chunk.text.len()), Tokens::new(text.len()));
                CompressedChunk { text: text.into(), outcome: ChunkOutcome::Shortened { before, after } }
            }
        };
        chunks.iter().map(made).collect()
    }
}

#[async_trait]
impl LlmProvider for CountingModel {
    fn model(&self) -> &str {
        "counting"
    }

    async fn complete(&self, _: &CompletionRequest) -> Result<Completion, ProviderError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        // Lets other tasks run, so that they arrive while this call is in progress.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        let answer = self.answer.lock().unwrap().clone();
        let text = answer.map_err(|error| ProviderError::new("counting", true, error))?;
        let mut completion = Completion::new(text);
        (completion.tokens_in, completion.tokens_out) = (Some(Tokens::new(1000)), Some(Tokens::new(10)));
        Ok(completion)
    }
}

pub(crate) fn request(input: &str) -> CompletionRequest {
    CompletionRequest::new("summarize", input, Tokens::new(50))
}

pub(crate) fn cached(model: &Arc<CountingModel>, cache: &Arc<CompressionCache>) -> Cached<CountingModel> {
    Cached::new(Arc::clone(model), Arc::clone(cache), Recipe::new("test", "counting"))
}

/// A thousand tasks request the same at once: one call, and all get the answer.
pub(crate) async fn check_one_call(cache: CompressionCache) {
    let model = CountingModel::new("short");
    let cached = cached(&model, &Arc::new(cache));
    let barrier = Arc::new(Barrier::new(1000));
    let tasks: Vec<_> = (0..1000)
        .map(|_| {
            let (cached, barrier) = (cached.clone(), Arc::clone(&barrier));
            tokio::spawn(async move {
                barrier.wait().await;
                cached.complete(&request("one conversation")).await.unwrap().text
            })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), "short");
    }
    assert_eq!(model.calls(), 1);
}

/// An answer in one cache is found by another over the same store: another run, or another machine.
pub(crate) async fn check_shared(one: CompressionCache, other: CompressionCache) {
    let model = CountingModel::new("short");
    let corpus: Vec<String> = (0..20).map(|n| format!("conversation {n}")).collect();
    let (one, other) = (cached(&model, &Arc::new(one)), cached(&model, &Arc::new(other)));
    for text in &corpus {
        one.complete(&request(text)).await.unwrap();
    }
    assert_eq!(model.calls(), corpus.len());
    for text in &corpus {
        let completion = other.complete(&request(text)).await.unwrap();
        assert_eq!((&*completion.text, completion.tokens_in), ("short", Some(Tokens::new(1000))));
    }
    assert_eq!(model.calls(), corpus.len(), "nothing is requested twice");
}

/// A clock that advances on demand.
#[derive(Clone)]
pub(crate) struct SetClock(Arc<AtomicU64>);

impl SetClock {
    pub(crate) fn new() -> Self {
        Self(Arc::new(AtomicU64::new(1_800_000_000)))
    }

    pub(crate) fn clock(&self) -> Clock {
        let this = self.clone();
        Clock::new(move || this.now())
    }

    pub(crate) fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(self.0.load(Ordering::SeqCst))
    }

    pub(crate) fn forward(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

/// Keeps everything, or fails; its contents can be altered.
#[derive(Default)]
pub(crate) struct Shelf {
    pub(crate) entries: Mutex<std::collections::HashMap<Key, Arc<[u8]>>>,
    pub(crate) is_down: std::sync::atomic::AtomicBool,
    pub(crate) calls: AtomicUsize,
}

impl Shelf {
    /// Flips a bit of every value.
    pub(crate) fn damage(&self) {
        for value in self.entries.lock().unwrap().values_mut() {
            let mut bytes = value.to_vec();
            *bytes.last_mut().unwrap() ^= 1;
            *value = bytes.into();
        }
    }

    fn serve(&self) -> Result<(), CacheError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        match self.is_down.load(Ordering::SeqCst) {
            true => Err(CacheError::unavailable("shelf", "it is down")),
            false => Ok(()),
        }
    }
}

#[async_trait]
impl Backend for Shelf {
    fn name(&self) -> &'static str {
        "shelf"
    }

    async fn get_all(&self, keys: &[Key]) -> Result<Vec<Option<Arc<[u8]>>>, CacheError> {
        self.serve()?;
        let entries = self.entries.lock().unwrap();
        Ok(keys.iter().map(|key| entries.get(key).cloned()).collect())
    }

    async fn put_all(&self, entries: &[CacheEntry]) -> Result<(), CacheError> {
        self.serve()?;
        let entries = entries.iter().map(|entry| (entry.key, Arc::clone(&entry.value)));
        self.entries.lock().unwrap().extend(entries);
        Ok(())
    }

    async fn remove(&self, key: Key) -> Result<(), CacheError> {
        self.serve()?;
        self.entries.lock().unwrap().remove(&key);
        Ok(())
    }

    async fn stat(&self) -> Result<BackendStat, CacheError> {
        self.serve()?;
        Ok(BackendStat::default())
    }
}
