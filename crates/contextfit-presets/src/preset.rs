//! From a name to a pipeline.

use std::sync::Arc;

use contextfit_bm25::{Bm25, Fusion, SentenceOptions, SentenceSelection};
use contextfit_conversational::{
    HierarchicalCompressor, HybridCompressor, SemanticCompressor, SlidingWindowCompressor,
    SummarizingCompressor, TurnVectors,
};
use contextfit_excerpt::Excerpts;
use contextfit_kernel::{Error, Scorer, Strategy, TokenCounter};
#[cfg(feature = "code")]
use contextfit_outline::{Outlines, Outlining};
use contextfit_pipeline::Pipeline;
use contextfit_truncation::feedback::State;
use contextfit_truncation::{Incremental, MetadataOnly, SmartTruncation, TruncationOptions};

use crate::{
    CompressionStrategy, Dispatch, Profile, by_kind::ByKind, on_passages::OnPassages, strategy::named,
};

/// The pipeline behind `name`, a [`CompressionStrategy`] or a [`Profile`], with default options.
///
/// # Errors
/// [`Error::UnknownStrategy`] if there is no such name, [`Error::NotBuiltIn`] if this build lacks the strategy.
pub fn preset(name: &str, counter: Arc<dyn TokenCounter>) -> Result<Pipeline, Error> {
    let strategies = CompressionStrategy::ALL.map(CompressionStrategy::name);
    let names: Vec<&str> = strategies.into_iter().chain(Profile::ALL.map(Profile::name)).collect();
    let name = named(name, &names, |name| name)?;
    let preset = match name.parse::<Profile>() {
        Ok(profile) => Preset::from(profile),
        Err(_) => Preset::new(named(name, &CompressionStrategy::ALL, CompressionStrategy::name)?),
    };
    preset.pipeline(counter)
}

/// A strategy by name, with its options.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text::counter; pub use ::contextfit_presets as presets; }
/// use contextfit::{counter, presets::{CompressionOptions, CompressionStrategy, Preset}};
///
/// let preset = Preset::new(CompressionStrategy::Incremental).with_options(CompressionOptions::aggressive());
/// let pipeline = preset.pipeline(counter("chars/4")?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Preset {
    /// For search results and files.
    passages: CompressionStrategy,
    conversations: CompressionStrategy,
    options: TruncationOptions,
    sentences: SentenceOptions,
    scorer: Option<Arc<dyn Scorer>>,
    turns: Option<Arc<TurnVectors>>,
    feedback: Option<Arc<State>>,
    #[cfg(feature = "code")]
    outlines: Option<Arc<Outlines>>,
}

impl Preset {
    /// `strategy` with default options, and compression on.
    #[must_use]
    pub fn new(strategy: CompressionStrategy) -> Self {
        Self {
            passages: strategy,
            conversations: strategy,
            options: TruncationOptions::default(),
            sentences: SentenceOptions::default(),
            scorer: None,
            turns: None,
            feedback: None,
            #[cfg(feature = "code")]
            outlines: None,
        }
    }

    /// Sets the options of truncation and metadata.
    #[must_use]
    pub fn with_options(mut self, options: impl Into<TruncationOptions>) -> Self {
        self.options = options.into();
        self
    }

    /// Sets the options of sentence selection.
    #[must_use]
    pub fn with_sentence_options(mut self, options: SentenceOptions) -> Self {
        self.sentences = options;
        self
    }

    /// Ranks sentences by `scorer` too, usually an embedding model, fused with BM25.
    #[must_use]
    pub fn with_scorer(mut self, scorer: Arc<dyn Scorer>) -> Self {
        self.scorer = Some(scorer);
        self
    }

    /// Compares turns by these vectors, in the strategy `semantic`.
    #[must_use]
    pub fn with_turn_vectors(mut self, turns: Arc<TurnVectors>) -> Self {
        self.turns = Some(turns);
        self
    }

    /// Uses the thresholds and weights that were learned from feedback, in the strategies that compare the retriever's
    /// scores with a threshold: `metadata-only` and `incremental`, also where `auto` chooses them.
    #[must_use]
    pub fn with_feedback(mut self, feedback: Arc<State>) -> Self {
        self.feedback = Some(feedback);
        self
    }

    /// Parses no text whose outline is among `known` ones.
    #[cfg(feature = "code")]
    #[must_use]
    pub fn with_outlines(mut self, known: Arc<Outlines>) -> Self {
        self.outlines = Some(known);
        self
    }

    /// The pipeline. `auto`, the profiles and the strategies for conversations serve passages too; the others fail on
    /// conversations ([`Error::Strategy`]).
    ///
    /// # Errors
    /// [`Error::NotBuiltIn`] if this build lacks the strategy.
    pub fn pipeline(&self, counter: Arc<dyn TokenCounter>) -> Result<Pipeline, Error> {
        let empty = Pipeline::new(counter);
        if self.passages == self.conversations {
            return Ok(self.strategies(self.passages)?.into_iter().fold(empty, Pipeline::with_strategy));
        }
        let pairs = self.strategies(self.passages)?.into_iter().zip(self.strategies(self.conversations)?);
        Ok(pairs
            .map(|(passages, conversations)| either(passages, conversations))
            .fold(empty, Pipeline::with_strategy))
    }

    /// The strategies behind `name`, tried in order.
    fn strategies(&self, name: CompressionStrategy) -> Result<Vec<Box<dyn Strategy>>, Error> {
        use CompressionStrategy as S;

        Ok(match name {
            S::Auto => self.auto(),
            S::SmartTruncation => on_passages(SmartTruncation::new(self.options.clone())),
            S::MetadataOnly => on_passages(self.metadata_only()),
            S::Incremental => on_passages(self.incremental()),
            S::Bm25 => on_passages(self.sentence_selection()),
            #[cfg(feature = "code")]
            S::Outline => on_passages(self.outlining()),
            #[cfg(not(feature = "code"))]
            S::Outline => return Err(Error::NotBuiltIn { name: name.to_string(), feature: "code" }),
            S::Excerpt => on_passages(Excerpts),
            S::SlidingWindow => vec![Box::new(SlidingWindowCompressor::new())],
            // Without a model it is as `hierarchical`.
            S::Summarize => vec![Box::new(SummarizingCompressor::new().with_scorer(by_words()))],
            S::Semantic => vec![Box::new(self.semantic())],
            S::Hierarchical => hierarchical(),
            S::Hybrid => {
                let boxed = |strategy| Box::new(strategy) as Box<dyn Strategy>;
                HybridCompressor::new(by_words()).into_iter().map(boxed).collect()
            }
        })
    }

    /// The best strategy for each kind of context, and the one after it.
    fn auto(&self) -> Vec<Box<dyn Strategy>> {
        // Without a query, a repository is shown as a map, chunks that a retriever scored by their scores, and prose by
        // how its parts begin.
        let others = Dispatch::new(self.sentence_selection())
            .with_rule(|context| context.is_conversation, HierarchicalCompressor::new(by_words()))
            .with_rule(|context| context.is_cut_by_lines, Excerpts)
            .with_rule(|context| !context.is_asked && context.is_scored, self.incremental());
        #[cfg(feature = "code")]
        let others = others.with_rule(|context| context.code > 0, self.outlining());
        let best = Dispatch::new(others.clone()).with_rule(
            |context| context.is_mixed,
            ByKind { others: Arc::new(others), output: Arc::new(Excerpts) },
        );
        vec![Box::new(best), Box::new(either(self.metadata_only(), SlidingWindowCompressor::new()))]
    }

    #[cfg(feature = "code")]
    fn outlining(&self) -> Outlining {
        self.outlines.iter().cloned().fold(Outlining::new(), Outlining::with_outlines)
    }

    fn sentence_selection(&self) -> SentenceSelection {
        let by_words = SentenceSelection::new(self.sentences.clone());
        match &self.scorer {
            Some(scorer) => by_words.with_scorer(Arc::clone(scorer), Fusion::default()),
            None => by_words,
        }
    }

    fn incremental(&self) -> Incremental {
        let usual = Incremental::new(self.options.clone()).with_scorer(by_words());
        self.feedback.iter().cloned().fold(usual, Incremental::with_feedback)
    }

    fn metadata_only(&self) -> MetadataOnly {
        let usual = MetadataOnly::new(self.options.clone());
        self.feedback.iter().cloned().fold(usual, MetadataOnly::with_feedback)
    }

    fn semantic(&self) -> SemanticCompressor {
        let by_words = SemanticCompressor::new(by_words());
        self.turns.iter().cloned().fold(by_words, SemanticCompressor::with_vectors)
    }
}

fn on_passages(strategy: impl Strategy + 'static) -> Vec<Box<dyn Strategy>> {
    vec![Box::new(OnPassages(strategy))]
}

fn by_words() -> Arc<Bm25> {
    Arc::new(Bm25::default())
}

fn hierarchical() -> Vec<Box<dyn Strategy>> {
    vec![Box::new(HierarchicalCompressor::new(by_words())), Box::new(SlidingWindowCompressor::new())]
}

/// `conversations` for contexts that are conversations, `passages` for others.
fn either(passages: impl Strategy + 'static, conversations: impl Strategy + 'static) -> Dispatch {
    Dispatch::new(passages).with_rule(|context| context.is_conversation, conversations)
}

impl From<Profile> for Preset {
    fn from(profile: Profile) -> Self {
        let preset = Self::new(profile.passages())
            .with_options(profile.options())
            .with_sentence_options(profile.sentences());
        Self { conversations: profile.conversations(), ..preset }
    }
}

impl From<CompressionStrategy> for Preset {
    fn from(strategy: CompressionStrategy) -> Self {
        Self::new(strategy)
    }
}
