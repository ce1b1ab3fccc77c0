//! A model behind a cache.

use std::sync::Arc;

use async_trait::async_trait;
use contextfit_kernel::{
    Completion, CompletionRequest, EmbeddingProvider, LlmProvider, ProviderError, TokenCounter, Tokens,
};
use contextfit_text::{Judge, Prices};

use crate::{Answer, CompressionCache, Key, Recipe, Request, Source, Space};

/// A model, or what asks one to shorten chunks, whose answers are kept: what was asked before is not asked again, by whoever
/// shares the cache.
///
/// The tokens of a completion are those of the call that made it: count what is spent by a decorator inside of this one.
///
/// Of a batch of texts to embed, or of chunks to shorten, only those that are not there are asked for; order and number stay
/// as they were. A chunk has a key of its own, whatever else it was asked with; one that stayed as it was is asked again. An
/// empty answer, a vector of nothing or one with what is not a number is an error, and errors are never kept.
///
/// Nor are answers that do not stand for their source ([`Judge`], [`CompletionRequest::source`]): they are given, for whoever asked to
/// say why they are not used, and asked for again the next time. One that is there, from before it was judged so, is removed.
///
/// ```
/// # #[cfg(feature = "memory")]
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), contextfit_kernel::ProviderError> {
/// use std::sync::Arc;
/// use contextfit_cache::{Cached, CompressionCache, Memory, Recipe};
/// use contextfit_kernel::EmbeddingProvider;
/// use contextfit_testkit::HashEmbedder;
///
/// let cache = Arc::new(CompressionCache::new(Arc::new(Memory::new(64 << 20))));
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
    counter: Option<Counter>,
    pub(crate) judge: Judge,
    pub(crate) model: Arc<P>,
}

impl<P: ?Sized> Cached<P> {
    /// `model` behind `cache`. `recipe` holds what its answers depend on beside the texts; completions are kept as
    /// summaries.
    #[must_use]
    pub fn new(model: Arc<P>, cache: Arc<CompressionCache>, recipe: Recipe) -> Self {
        Self { cache, recipe, prices: None, source: None, counter: None, judge: Judge::new(), model }
    }

    /// The same with what the model's tokens cost ([`contextfit_text::prices`]), for the figure of what was saved.
    #[must_use]
    pub fn with_prices(mut self, prices: Prices) -> Self {
        self.prices = Some(prices);
        self
    }

    /// The same with what the texts are taken from, for back ends that forget it when it changes.
    #[must_use]
    pub fn with_source(mut self, source: Source) -> Self {
        self.source = Some(source);
        self
    }

    /// The same with a counter for texts that are embedded: embedding models do not say what they read.
    #[must_use]
    pub fn with_counter(mut self, counter: Arc<dyn TokenCounter>) -> Self {
        self.counter = Some(Counter(counter));
        self
    }

    /// The same with another judge of answers: one that knows an embedding model.
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
                true => Err(ProviderError::new(self.model(), false, "an empty answer")),
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
        completion.ok_or_else(|| ProviderError::new(self.model(), false, "an answer that is no text"))
    }
}

/// The completion that `answer` is; `None` when it is no text.
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
                .ok_or_else(|| ProviderError::new(self.model(), false, "an answer that is no vector"))
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
                "a vector of nothing, or with what is not a number",
            ));
        }
        let tokens: Option<Tokens> = self.counter.as_ref().map(|counter| counter.0.count(text));
        Ok(Answer::vector(vector).with_tokens(tokens, None))
    }
}

/// A counter, named when it is printed.
#[derive(Clone)]
struct Counter(Arc<dyn TokenCounter>);

impl std::fmt::Debug for Counter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.name())
    }
}
