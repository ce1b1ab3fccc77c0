//! A model with a cache, for texts, vectors, and shortened chunks.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use async_trait::async_trait;
use contextfit_kernel::{
    Chunk, ChunkCompressor, ChunkOutcome, Completion, CompletionRequest, CompressedChunk, EmbeddingProvider,
    KeptBecause, LlmProvider, ProviderError, TokenCounter, Tokens,
};
use contextfit_text::{Judge, Prices};

use crate::{Answer, CompressionCache, Digest, Key, Recipe, Request, Source, Space};

/// A model, or a compressor of chunks that calls one, with cached answers: a repeated request is answered from the
/// cache for all callers that share it.
///
/// The token counts of a completion are those of the call that made it. To count actual spending, put a metering
/// decorator inside this one.
///
/// Of a batch of texts to embed or chunks to shorten, only the missing ones are requested; order and number stay the
/// same. Each chunk has a key of its own, independent of its batch; a chunk that was kept unchanged is requested again.
/// An empty answer, an empty vector or one with a NaN is an error, and errors are never kept.
///
/// Answers that cannot replace their source ([`Judge`], [`CompletionRequest::source`]) are not kept either. They are
/// returned, so that the caller can report why they are not used, and requested again next time. A cached answer that
/// the judge rejects is removed.
///
/// ```
/// # #[cfg(feature = "memory")]
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), contextfit_kernel::ProviderError> {
/// use std::sync::Arc;
/// use contextfit_cache::{Cached, CompressionCache, InMemory, Recipe};
/// use contextfit_kernel::EmbeddingProvider;
/// use contextfit_testkit::HashEmbedder;
///
/// let cache = Arc::new(CompressionCache::new(Arc::new(InMemory::new(64 << 20))));
/// let model = Cached::new(Arc::new(HashEmbedder { dimension: 8 }), cache.clone(), Recipe::new("local", "hash"));
/// let first = model.embed(&["a text", "another"]).await?;
/// let second = model.embed(&["another", "a third", "a text"]).await?;
/// assert_eq!((&first[0], &first[1]), (&second[2], &second[0]));
/// assert_eq!(cache.statistics().await.spaces[0].misses, 3);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "memory"))]
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Cached<P: ?Sized> {
    pub(crate) cache: Arc<CompressionCache>,
    pub(crate) recipe: Recipe,
    pub(crate) prices: Option<Prices>,
    source: Option<Source>,
    counter: Option<Arc<dyn TokenCounter>>,
    pub(crate) judge: Judge,
    pub(crate) model: Arc<P>,
}

impl<P: ?Sized> Cached<P> {
    /// Creates a model that answers from `cache` if possible, and otherwise calls `model`. `recipe` holds everything
    /// but the texts that its answers depend on. Completions are kept as summaries.
    #[must_use]
    pub fn new(model: Arc<P>, cache: Arc<CompressionCache>, recipe: Recipe) -> Self {
        Self { cache, recipe, prices: None, source: None, counter: None, judge: Judge::new(), model }
    }

    /// Sets the model's token prices ([`contextfit_text::prices`]), to compute savings.
    #[must_use]
    pub fn with_prices(mut self, prices: Prices) -> Self {
        self.prices = Some(prices);
        self
    }

    /// Sets the source of the texts, for back ends that forget answers when it changes.
    #[must_use]
    pub fn with_source(mut self, source: Source) -> Self {
        self.source = Some(source);
        self
    }

    /// Sets the counter for embedded texts, as embedding models do not report their input.
    #[must_use]
    pub fn with_counter(mut self, counter: Arc<dyn TokenCounter>) -> Self {
        self.counter = Some(counter);
        self
    }

    /// Sets the judge of answers, such as one with an embedding model.
    #[must_use]
    pub fn with_judge(mut self, judge: Judge) -> Self {
        self.judge = judge;
        self
    }

    fn request<'a>(&'a self, keys: &'a [Key]) -> Request<'a> {
        Request { keys, sources: self.source.as_slice(), prices: self.prices }
    }
}

impl<P: ?Sized> Clone for Cached<P> {
    fn clone(&self) -> Self {
        Self {
            cache: Arc::clone(&self.cache),
            recipe: self.recipe.clone(),
            prices: self.prices,
            source: self.source.clone(),
            counter: self.counter.clone(),
            judge: self.judge.clone(),
            model: Arc::clone(&self.model),
        }
    }
}

#[async_trait]
impl<P: LlmProvider + ?Sized> LlmProvider for Cached<P> {
    fn model(&self) -> &str {
        self.model.model()
    }

    async fn complete(&self, request: &CompletionRequest) -> Result<Completion, ProviderError> {
        let limit = request.max_tokens.get().to_string();
        let key =
            self.recipe.key(Space::Summary, &[self.model(), &request.instructions, &request.input, &limit]);
        let make = |_| async {
            let Completion { text, tokens_in, tokens_out, truncated, .. } =
                self.model.complete(request).await?;
            match text.trim().is_empty() {
                true => Err(ProviderError::new(self.model(), false, "the answer is empty")),
                false => {
                    let answer = Answer::text(&text).with_tokens(tokens_in, tokens_out);
                    Ok(vec![answer.with_truncated(truncated)])
                }
            }
        };
        let is_fit = |_, answer: &Answer| {
            completion(answer).is_some_and(|answer| self.judge.completion(request, &answer).is_ok())
        };
        let answers = self.cache.fetch_fit(self.request(&[key]), &is_fit, make).await?;
        let completion = answers.first().and_then(|answer| completion(answer));
        completion.ok_or_else(|| ProviderError::new(self.model(), false, "the cached answer is not text"))
    }
}

/// The completion in `answer`; `None` if it is not text.
fn completion(answer: &Answer) -> Option<Completion> {
    let mut completion = Completion::new(answer.as_text()?).with_usage(answer.tokens_in, answer.tokens_out);
    completion.truncated = answer.truncated;
    Some(completion)
}

#[async_trait]
impl<P: EmbeddingProvider + ?Sized> EmbeddingProvider for Cached<P> {
    fn model(&self) -> &str {
        self.model.model()
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        let keys: Vec<Key> =
            texts.iter().map(|text| self.recipe.key(Space::Embedding, &[self.model.model(), text])).collect();
        let make = |places: Vec<usize>| async move {
            let missed: Vec<&str> = places.iter().filter_map(|&at| texts.get(at).copied()).collect();
            let vectors = self.model.embed(&missed).await?;
            let answers = missed.iter().zip(&vectors).map(|(text, vector)| self.answer(text, vector));
            answers.collect::<Result<Vec<_>, _>>()
        };
        let answers = self.cache.fetch_all(self.request(&keys), make).await?;
        let vectors = answers.iter().map(|answer| {
            answer
                .to_vector()
                .ok_or_else(|| ProviderError::new(self.model(), false, "the cached answer is not a vector"))
        });
        vectors.collect()
    }
}

impl<P: EmbeddingProvider + ?Sized> Cached<P> {
    fn answer(&self, text: &str, vector: &[f32]) -> Result<Answer, ProviderError> {
        if vector.is_empty() || !vector.iter().all(|x| x.is_finite()) {
            return Err(ProviderError::new(
                self.model(),
                false,
                "a vector is empty or contains a NaN or infinity",
            ));
        }
        let tokens: Option<Tokens> = self.counter.as_ref().map(|counter| counter.count(text));
        Ok(Answer::vector(vector).with_tokens(tokens, None))
    }
}

#[async_trait]
impl<P: ChunkCompressor + ?Sized> ChunkCompressor for Cached<P> {
    async fn compress(&self, chunks: &[Chunk<'_>]) -> Vec<CompressedChunk> {
        let key =
            |chunk: &Chunk<'_>| self.recipe.key(Space::Chunk, &[chunk.text, chunk.path.unwrap_or_default()]);
        let source =
            |chunk: &Chunk<'_>| Source { id: chunk.id.into(), content: Digest::of(chunk.text.as_bytes()) };
        let keys: Vec<Key> = chunks.iter().map(key).collect();
        let sources: Vec<Source> = chunks.iter().map(source).collect();
        let kept: Mutex<HashMap<Key, KeptBecause>> = Mutex::default();
        let make = |places: Vec<usize>| {
            let (kept, keys) = (&kept, &keys);
            async move {
                let missed: Vec<Chunk<'_>> =
                    places.iter().filter_map(|&at| chunks.get(at).copied()).collect();
                let made = self.model.compress(&missed).await;
                let answers = places.iter().zip(made).map(|(&at, made)| match made.outcome {
                    ChunkOutcome::Shortened { before, after } => {
                        Answer::text(&made.text).with_tokens(Some(before), Some(after))
                    }
                    ChunkOutcome::Kept(because) => {
                        if let Some(&key) = keys.get(at) {
                            kept.lock().unwrap_or_else(PoisonError::into_inner).insert(key, because);
                        }
                        // An empty answer is never kept.
                        Answer::text("")
                    }
                });
                Ok(answers.collect())
            }
        };
        let request = Request { keys: &keys, sources: &sources, prices: self.prices };
        // The compressor enforces the target length.
        let is_fit = |at: usize, answer: &Answer| {
            let pair = chunks.get(at).zip(answer.as_text()).filter(|(_, text)| !text.is_empty());
            pair.is_none_or(|(chunk, text)| self.judge.check(chunk.text, text, Tokens::ZERO).is_ok())
        };
        let answers = self.cache.fetch_fit(request, &is_fit, make).await;
        let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        let answers = match answers {
            Ok(answers) => answers,
            Err(error) => {
                let because = KeptBecause::Failed(error.into());
                return chunks.iter().map(|chunk| CompressedChunk::kept(chunk, because.clone())).collect();
            }
        };
        let results = chunks.iter().zip(&keys).zip(answers).map(|((chunk, key), answer)| {
            match answer.as_text().filter(|text| !text.is_empty()) {
                Some(text) => CompressedChunk { text: text.to_owned(), outcome: shortened(&answer) },
                None => {
                    CompressedChunk::kept(chunk, kept.get(key).cloned().unwrap_or(KeptBecause::Elsewhere))
                }
            }
        });
        results.collect()
    }
}

fn shortened(answer: &Answer) -> ChunkOutcome {
    let count = |tokens: Option<Tokens>| tokens.unwrap_or_default();
    ChunkOutcome::Shortened { before: count(answer.tokens_in), after: count(answer.tokens_out) }
}
