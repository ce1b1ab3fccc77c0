//! How requests become answers, chosen once for any number of requests.

use std::{
    borrow::Borrow,
    collections::HashSet,
    fmt,
    num::NonZeroUsize,
    pin::pin,
    sync::Arc,
    task::{self, Poll, Waker},
};

use contextfit_bm25::SentenceOptions;
use contextfit_conversational::TurnVectors;
use contextfit_formats::Place;
use contextfit_kernel::{
    Action, Block, Budget, ByteRange, CompressionResult, Context, EmbeddingProvider, Error, Piece, Scorer,
    TokenCounter, Tokens,
};
#[cfg(feature = "code")]
use contextfit_outline::Outlines;
use contextfit_pipeline::Pipeline;
use contextfit_truncation::feedback::State;
#[cfg(feature = "parallel")]
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::{
    CompressionOptions, CompressionStrategy, Counting, FitError, MemoryOptions, Original, Preset, Profile,
    original::with_handles,
};

/// How requests become answers: [`search`](Self::search), [`chat`](Self::chat), [`memory`](Self::memory) and
/// [`excerpt`](Self::excerpt). What a request leaves open is taken from here. Any number of threads may use it at once.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_presets::{Counting, Fitter};
/// #     pub use ::contextfit_formats as formats;
/// #     pub use ::contextfit_text as text;
/// # }
/// use contextfit::{Counting, Fitter, formats::{Order, SearchRequest}, text::model};
///
/// let fitter = Fitter::new(Counting::new(None, Some(model("gpt-4o")?))?);
/// let request = r#"{"query": "where are tokens counted", "budget": 40,
///                   "chunks": [{"path": "a.md", "text": "Tokens are counted once. Nothing else is said here."}]}"#;
/// let fitted = fitter.search(SearchRequest::parse(request)?, Order::Document)?;
/// assert!(fitted.answer.context.contains("Tokens are counted once."));
/// assert_eq!(fitted.shown(0).as_deref(), Some("Tokens are counted once. Nothing else is said here."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Fitter {
    /// How tokens are counted.
    pub counting: Counting,
    /// The budget of requests that have none; without it, the [room](Counting::room) in the model's window.
    pub budget: Option<Tokens>,
    /// The reserve of requests that have none.
    pub reserve: Option<Tokens>,
    /// The query of requests that have none.
    pub query: Option<String>,
    /// The strategy for search results and files.
    pub passages: CompressionStrategy,
    /// The strategy for conversations.
    pub conversations: CompressionStrategy,
    /// How memories are fitted.
    pub memories: MemoryOptions,
    /// The options of truncation and metadata.
    pub options: CompressionOptions,
    /// The options of sentence selection.
    pub sentences: SentenceOptions,
    /// An embedding model.
    pub embeddings: Option<Embeddings>,
    /// The thresholds and weights learned from feedback.
    pub feedback: Option<Arc<State>>,
    /// Outlines of code that was parsed for earlier requests, for applications that answer many about the same files.
    #[cfg(feature = "code")]
    pub outlines: Option<Arc<Outlines>>,
    /// A language model for summaries of conversations.
    pub llm: Option<Arc<dyn FitWithLlm>>,
    /// Whether the language model shortens long passages too.
    pub llm_for_passages: bool,
    /// Whether lines of passages are shown after their numbers.
    pub line_numbers: bool,
    /// The number of threads that analyse a request, with the feature `parallel`; all cores without one. Such threads
    /// survive a fork. With a language model, all cores.
    pub threads: Option<NonZeroUsize>,
    /// The short handle of an original, from its bytes, if markers are to name the originals of what is not shown whole.
    /// [`Fitted::originals`] are then to be stored, for instance by a `Store`, whose handles are `Store::short_handle`.
    pub handles: Option<fn(&[u8]) -> String>,
}

/// An embedding model that answers without waiting, such as one from local files.
#[derive(Debug, Clone)]
pub struct Embeddings {
    /// Rates how near texts are to a query.
    pub scorer: Arc<dyn Scorer>,
    /// Gives the vectors of texts.
    pub provider: Arc<dyn EmbeddingProvider>,
    /// Why it is not used to compare turns with each other; `None` if it is.
    pub why_no_turns: Option<&'static str>,
}

impl Embeddings {
    /// The vectors of `texts`, in order.
    ///
    /// # Errors
    /// [`FitError::Embeddings`] if the model fails, or does not answer at once.
    pub fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, FitError> {
        at_once(self.provider.embed(texts))
    }

    /// The vectors of the turns in `contexts`.
    fn turns(
        &self,
        contexts: impl IntoIterator<Item = impl Borrow<Context>>,
    ) -> Result<TurnVectors, FitError> {
        let mut turns = TurnVectors::new();
        for context in contexts {
            at_once(turns.add(&*self.provider, context.borrow()))?;
        }
        Ok(turns)
    }
}

/// The answer of a local model, which never waits. Starts no runtime: the model's own parallel work may take up another
/// request on the same thread in the middle of this one.
fn at_once<T, E: std::error::Error + Send + Sync + 'static>(
    asked: impl Future<Output = Result<T, E>>,
) -> Result<T, FitError> {
    match pin!(asked).poll(&mut task::Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer.map_err(|error| FitError::Embeddings(Box::new(error))),
        Poll::Pending => Err(FitError::Embeddings("expected a model that answers without waiting".into())),
    }
}

/// What carries out a pipeline with a language model: its calls, limits and cache are the implementer's. It blocks until
/// the model has answered.
pub trait FitWithLlm: Send + Sync {
    /// Fits a conversation with summaries from the model.
    ///
    /// # Errors
    /// Those of [`Pipeline`]; a failed model is not one of them.
    fn conversation(
        &self,
        pipeline: Pipeline,
        input: &Context,
        budget: &Budget,
    ) -> Result<CompressionResult, Error>;

    /// Fits passages after the model has shortened long ones. Returns the context that the plan refers to, too.
    ///
    /// # Errors
    /// Those of [`Pipeline`]; a failed model is not one of them.
    fn passages(
        &self,
        pipeline: Pipeline,
        input: Context,
        budget: &Budget,
        options: &CompressionOptions,
    ) -> Result<(Context, CompressionResult), Error>;
}

/// A fulfilled request for search results or a conversation.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Fitted<A> {
    /// The answer.
    pub answer: A,
    /// The context that the plan of the result refers to.
    pub input: Context,
    /// The budget.
    pub budget: Budget,
    /// The result, with its plans.
    pub result: CompressionResult,
    /// The texts to store so that handles can be restored; empty without [`Fitter::handles`].
    pub originals: Vec<Original>,
    /// The position of each chunk in the joined texts; empty for a conversation.
    pub places: Vec<Place>,
    /// The blocks of `input` whose texts are a model's, so that no place is in them.
    pub(crate) rewritten: HashSet<usize>,
}

impl<A> Fitted<A> {
    /// What the context shows of block `n` of the answer, without its header: the text, or the parts that are kept with
    /// the markers between them, or what was written instead; empty if it was dropped, or is only quoted in the record. If
    /// a model has shortened a text that several chunks were joined into, each of them is shown by all of it. `None` if
    /// there is no such block.
    #[must_use]
    pub fn shown(&self, n: usize) -> Option<String> {
        let (at, range) = match self.places.get(n) {
            Some(place) => (place.block, Some(place.range)),
            None if self.places.is_empty() => (n, None),
            None => return None,
        };
        let block = self.input.blocks.get(at)?;
        let range = range.filter(|_| !self.rewritten.contains(&at));
        let range = range.unwrap_or_else(|| ByteRange::whole(&block.text));
        let step = self.result.plan().and_then(|plan| plan.steps.get(at));
        Some(match step.map(|step| &step.action) {
            None | Some(Action::Keep) => range.of(&block.text).unwrap_or_default().to_owned(),
            Some(Action::Cut { pieces }) => within(pieces, range, &block.text),
            Some(Action::Render { text, .. }) => text.clone(),
            Some(_) => String::new(),
        })
    }
}

/// The `pieces` of `text` within `range`, and the markers between them.
fn within(pieces: &[Piece], range: ByteRange, text: &str) -> String {
    let (mut shown, mut at, mut pending) = (String::new(), 0, String::new());
    for piece in pieces {
        let Some(source) = piece.range() else {
            if at >= range.start() && at <= range.end() {
                pending.push_str(piece.text(text));
            }
            continue;
        };
        at = source.end();
        let (start, end) = (source.start().max(range.start()), source.end().min(range.end()));
        if start < end || source.is_empty() && range.start() <= start && end <= range.end() {
            shown.push_str(&std::mem::take(&mut pending));
            match ByteRange::new(start, end).filter(|part| *part != source) {
                Some(part) => shown.push_str(part.of(text).unwrap_or_default()),
                None => shown.push_str(piece.text(text)),
            }
        }
    }
    shown + &pending
}

impl Fitter {
    /// Fits with the defaults: the best strategy for each request, compression on, no models.
    #[must_use]
    pub fn new(counting: Counting) -> Self {
        Self {
            counting,
            budget: None,
            reserve: None,
            query: None,
            passages: CompressionStrategy::default(),
            conversations: CompressionStrategy::default(),
            memories: MemoryOptions::default(),
            options: CompressionOptions::on(),
            sentences: SentenceOptions::default(),
            embeddings: None,
            feedback: None,
            #[cfg(feature = "code")]
            outlines: None,
            llm: None,
            llm_for_passages: false,
            line_numbers: false,
            threads: None,
            handles: None,
        }
    }

    /// Fits with the options of `profile`; strategies stay as they are.
    #[must_use]
    pub fn with_profile(self, profile: Profile) -> Self {
        Self { options: profile.options(), sentences: profile.sentences(), ..self }
    }

    /// The budget of a request with these values; what it leaves open is the fitter's. If another tokenizer stands in for
    /// the model's own, the budget is in tokens of the stand-in, and smaller by the factor.
    ///
    /// # Errors
    /// [`FitError::MissingBudget`] if there is no budget, [`FitError::Fit`] if the reserve exceeds it.
    pub fn budget(&self, budget: Option<Tokens>, reserve: Option<Tokens>) -> Result<Budget, FitError> {
        let limit = budget.or(self.budget).or_else(|| self.counting.room()).ok_or(FitError::MissingBudget)?;
        let budget = Budget::new(limit).with_reserve(reserve.or(self.reserve).unwrap_or_default())?;
        let Some(estimator) = self.counting.estimator else { return Ok(budget) };
        let (limit, available) = (estimator.safe(limit), estimator.safe(budget.available()));
        // Round the reserve up, so that the rest stays within the provider's count.
        Ok(Budget::new(limit).with_reserve(limit.saturating_sub(available))?)
    }

    /// `strategy` with the options of the fitter.
    #[must_use]
    pub fn preset(&self, strategy: CompressionStrategy) -> Preset {
        let preset = Preset::new(strategy)
            .with_options(self.options.clone())
            .with_sentence_options(self.sentences.clone());
        let preset = match &self.embeddings {
            Some(model) => preset.with_scorer(Arc::clone(&model.scorer)),
            None => preset,
        };
        let preset = match &self.feedback {
            Some(feedback) => preset.with_feedback(Arc::clone(feedback)),
            None => preset,
        };
        #[cfg(feature = "code")]
        if let Some(outlines) = &self.outlines {
            return preset.with_outlines(Arc::clone(outlines));
        }
        preset
    }

    /// The pipeline for search results and files.
    ///
    /// # Errors
    /// [`Error::UnknownStrategy`] if `strategy` does not work on passages, [`Error::NotBuiltIn`] if this build lacks it.
    pub fn passages_pipeline(&self, strategy: CompressionStrategy) -> Result<Pipeline, Error> {
        CompressionStrategy::of_passages(strategy.name())?;
        self.preset(strategy).pipeline(Arc::clone(&self.counting.counter))
    }

    /// The pipeline for conversations; `turns` are the vectors of the embedding model, if it compares turns.
    ///
    /// # Errors
    /// [`Error::UnknownStrategy`] if `strategy` does not work on conversations.
    pub fn conversations_pipeline(
        &self,
        strategy: CompressionStrategy,
        turns: Option<Arc<TurnVectors>>,
    ) -> Result<Pipeline, Error> {
        CompressionStrategy::of_conversations(strategy.name())?;
        let preset = self.preset(strategy);
        let preset = match turns {
            Some(turns) => preset.with_turn_vectors(turns),
            None => preset,
        };
        preset.pipeline(Arc::clone(&self.counting.counter))
    }

    /// Fits passages into `budget`. Returns the context that the plan refers to, which is not `input` if a model shortened
    /// passages first, and the result. Markers name the original of a block by its `handle`.
    ///
    /// # Errors
    /// [`FitError::Fit`] if nothing fits, or `strategy` is not one for passages.
    pub fn passages(
        &self,
        strategy: CompressionStrategy,
        input: Context,
        budget: &Budget,
        handle: impl Fn(&Block) -> Option<String>,
    ) -> Result<(Context, CompressionResult), FitError> {
        let mut pipeline = self.passages_pipeline(strategy)?;
        if self.handles.is_some() {
            pipeline = with_handles(pipeline, input.blocks.iter().map(handle));
        }
        if let Some(llm) = self.llm.as_ref().filter(|_| self.llm_for_passages) {
            return Ok(llm.passages(pipeline, input, budget, &self.options)?);
        }
        let result = self.on_threads(|| pipeline.fit(&input, budget))?;
        Ok((input, result))
    }

    /// The vectors of the turns in `contexts`, if `strategy` compares turns and the embedding model is used for that.
    ///
    /// # Errors
    /// [`FitError::Embeddings`] if the model fails, or does not answer at once.
    pub fn turn_vectors(
        &self,
        strategy: CompressionStrategy,
        contexts: impl IntoIterator<Item = impl Borrow<Context>>,
    ) -> Result<Option<Arc<TurnVectors>>, FitError> {
        let model = self.turn_model(strategy).filter(|model| model.why_no_turns.is_none());
        model.map(|model| model.turns(contexts).map(Arc::new)).transpose()
    }

    /// Why `strategy`, which compares turns, does not use the embedding model; `None` if it does or there is no model.
    #[must_use]
    pub fn why_no_turn_vectors(&self, strategy: CompressionStrategy) -> Option<&'static str> {
        self.turn_model(strategy)?.why_no_turns
    }

    fn turn_model(&self, strategy: CompressionStrategy) -> Option<&Embeddings> {
        self.embeddings.as_ref().filter(|_| strategy == CompressionStrategy::Semantic)
    }

    /// What `answer` makes of each of `requests`, in order, on the threads of the fitter. It must not wait, so the fitter
    /// must not have a language model.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_presets::{Counting, Fitter}; }
    /// use contextfit::{Counting, Fitter};
    ///
    /// let fitter = Fitter::new(Counting::new(Some("chars/4"), None)?);
    /// let tokens = fitter.each(vec!["one", "two or three"], |fitter, text| fitter.counting.counter.count(text).get());
    /// assert_eq!(tokens, [1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn each<R: Send, A: Send>(
        &self,
        requests: Vec<R>,
        answer: impl Fn(&Self, R) -> A + Sync + Send,
    ) -> Vec<A> {
        #[cfg(feature = "parallel")]
        if requests.len() > 1 {
            return self
                .on_threads(|| requests.into_par_iter().map(|request| answer(self, request)).collect());
        }
        // Waking threads for one request takes longer than counting a short text.
        requests.into_iter().map(|request| answer(self, request)).collect()
    }

    /// Does `work`, which waits for nothing, on the threads of the fitter: a thread of a pool that waits would begin
    /// another request in the middle of this one.
    #[cfg(feature = "parallel")]
    pub(crate) fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        crate::threads::install(self.threads, work)
    }

    /// Does `work` on this thread.
    #[cfg(not(feature = "parallel"))]
    pub(crate) fn on_threads<T>(&self, work: impl FnOnce() -> T) -> T {
        work()
    }

    /// The counter.
    pub(crate) fn counter(&self) -> &dyn TokenCounter {
        &*self.counting.counter
    }
}

impl fmt::Debug for Fitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fitter")
            .field("counting", &self.counting)
            .field("budget", &self.budget)
            .field("passages", &self.passages)
            .field("conversations", &self.conversations)
            .finish_non_exhaustive()
    }
}
