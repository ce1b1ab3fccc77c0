//! A memory at one level.

use std::sync::Arc;

use contextfit_kernel::{Blocker, Error, Hold, Level, MemoryRecord, Scorer, TokenCounter, Tokens};
use contextfit_packing::PackingMode;
use contextfit_text::{Shape, unit_ends};

use crate::{
    CompressedMemory, Details, Full, Level0Output, Level1Output, Level2Output, Level3Output, LevelLimits,
    LevelOutput, SentMemories, Weights,
    choices::details,
    one_liner::{about, missing, shortened},
    render::{self, Note},
};

/// The maximum number of tags at level 1.
const TAGS: usize = 3;

/// Shows memories at four levels: a single one, or many within a budget.
///
/// ```
/// use std::sync::Arc;
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Level, Tokens};
/// #     pub use ::contextfit_kernel as kernel;
/// #     pub use ::contextfit_hierarchical as memory;
/// #     pub use ::contextfit_text as text;
/// # }
/// use contextfit::{
///     Level, Tokens,
///     kernel::{Importance, MemoryRecord},
///     memory::{FitOptions, MemoryCompressor},
///     text::CharsPer,
/// };
///
/// let memory = MemoryRecord::new("money", "constraint")
///     .with_importance(Importance::Critical)
///     .with_knowledge("Amounts are in cents. Never use floats for them.");
/// let compressor = MemoryCompressor::new(Arc::new(CharsPer::new(4).ok_or("zero characters per token")?));
/// let line = compressor.compress(&memory, Level::Gist);
/// assert_eq!(line.text, "[money] constraint critical: Amounts are in cents. [... 1 sentence]");
/// assert_eq!(line.tokens(), Tokens::new(17));
///
/// let batch = compressor.compress_batch_to_fit(&[memory], Tokens::new(17), &FitOptions::default())?;
/// assert_eq!((batch.text.as_str(), batch.gap()), (line.text.as_str(), 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct MemoryCompressor {
    pub(crate) counter: Arc<dyn TokenCounter>,
    pub(crate) limits: LevelLimits,
    pub(crate) weights: Weights,
    pub(crate) scorer: Option<Arc<dyn Scorer>>,
}

/// The allowed levels, and how to choose among them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FitOptions<'a> {
    /// No memory is shown below this level.
    pub min_level: Level,
    /// No memory is shown above this level, unless it is pinned.
    pub max_level: Level,
    /// How to choose the levels of many memories. [`PackingMode::InTurn`] is the greedy method of Cortex: critical
    /// memories first, each at the highest level that fits in the remaining budget.
    pub mode: PackingMode,
    /// The question that the memories should help to answer.
    pub query: Option<&'a str>,
    /// Shares of the budget, from 0 to 1, that memories of a type get first. Unused tokens go to all memories.
    pub shares: &'a [(String, f64)],
    /// The memories sent before.
    pub session: Option<&'a SentMemories>,
}

impl Default for FitOptions<'_> {
    /// All levels, the optimal choice, no query, no shares, nothing sent before.
    fn default() -> Self {
        Self {
            min_level: Level::Reference,
            max_level: Level::Full,
            mode: PackingMode::Optimal,
            query: None,
            shares: &[],
            session: None,
        }
    }
}

contextfit_kernel::setters! {
    FitOptions<'a> where 'a {
        with_min_level(min_level: Level), with_max_level(max_level: Level), with_mode(mode: PackingMode),
        with_query(query: &'a str => some), with_shares(shares: &'a [(String, f64)]),
        with_session(session: impl Into<Option<&'a SentMemories>>),
    }
}

impl MemoryCompressor {
    /// Creates a compressor with this `counter`, the limits of Cortex, the default weights and no scorer.
    #[must_use]
    pub fn new(counter: Arc<dyn TokenCounter>) -> Self {
        Self { counter, limits: LevelLimits::default(), weights: Weights::default(), scorer: None }
    }

    /// Sets the limits.
    #[must_use]
    pub const fn with_limits(mut self, limits: LevelLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the weights.
    #[must_use]
    pub const fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// Sets the scorer for relevance to the query.
    #[must_use]
    pub fn with_scorer(mut self, scorer: Arc<dyn Scorer>) -> Self {
        self.scorer = Some(scorer);
        self
    }

    /// Shows `memory` at `level`. Linear in the length of the memory.
    #[must_use]
    pub fn compress(&self, memory: &MemoryRecord, level: Level) -> CompressedMemory {
        self.compress_noted(memory, &Note::of(memory), level)
    }

    /// Like [`compress`](Self::compress), with `note` in the first line.
    pub(crate) fn compress_noted(
        &self,
        memory: &MemoryRecord,
        note: &Note<'_>,
        level: Level,
    ) -> CompressedMemory {
        if level == Level::Reference {
            let text = render::reference(memory);
            let output = LevelOutput::Reference(self.reference(memory, &text));
            return CompressedMemory { level, output, text };
        }
        let ends = unit_ends(&memory.knowledge, Shape::Prose);
        let (mut gist, text) = self.gist(memory, note, &ends);
        if level == Level::Gist {
            return CompressedMemory { level, output: LevelOutput::Gist(gist), text };
        }
        let (details, language) = self.details(memory, note, &gist, &ends);
        let text = match level {
            Level::Full => render::full(memory, note),
            _ => render::extract(memory, note, &gist, &details, language),
        };
        gist.base.tokens = self.counter.count(&text);
        let extract = Level2Output { base: gist, details };
        let output = match level {
            Level::Full => LevelOutput::Full(Box::new(full(memory, extract))),
            _ => LevelOutput::Extract(extract),
        };
        CompressedMemory { level, output, text }
    }

    /// Shows `memory` at the highest allowed level that takes at most `max` tokens.
    ///
    /// # Errors
    /// [`Error::Infeasible`] if no allowed level fits, with the fewest tokens that one takes.
    pub fn compress_to_fit(
        &self,
        memory: &MemoryRecord,
        max: Tokens,
        options: &FitOptions<'_>,
    ) -> Result<CompressedMemory, Error> {
        let mut needed = None;
        for level in allowed(options).rev() {
            let compressed = self.compress(memory, level);
            if compressed.tokens() <= max {
                return Ok(compressed);
            }
            needed = needed.min(Some(compressed.tokens())).or(Some(compressed.tokens()));
        }
        let needed = needed.unwrap_or_default();
        let blocker = Blocker { id: memory.id.clone(), tokens: needed, hold: Hold::Shown };
        Err(Error::Infeasible { needed, available: max, blockers: vec![blocker] })
    }

    /// The highest level at which `memory` takes at most `budget` tokens; `None` if not even level 0 fits.
    #[must_use]
    pub fn suggest_level(&self, memory: &MemoryRecord, budget: Tokens) -> Option<Level> {
        Some(self.compress_to_fit(memory, budget, &FitOptions::default()).ok()?.level)
    }

    /// The tokens of `memory` at each level, from level 0 up, as actually counted.
    #[must_use]
    pub fn ladder(&self, memory: &MemoryRecord) -> [Tokens; 4] {
        self.ladder_noted(memory, &Note::of(memory))
    }

    /// Like [`ladder`](Self::ladder), with `note` in the first line.
    pub(crate) fn ladder_noted(&self, memory: &MemoryRecord, note: &Note<'_>) -> [Tokens; 4] {
        let ends = unit_ends(&memory.knowledge, Shape::Prose);
        let (gist, line) = self.gist(memory, note, &ends);
        let (details, language) = self.details(memory, note, &gist, &ends);
        let extract = render::extract(memory, note, &gist, &details, language);
        let texts = [render::reference(memory), line, extract, render::full(memory, note)];
        texts.map(|text| self.counter.count(&text))
    }

    /// Level 1 as data and as text.
    fn gist(&self, memory: &MemoryRecord, note: &Note<'_>, ends: &[usize]) -> (Level1Output, String) {
        let tags: Vec<String> = memory.tags.iter().take(TAGS).cloned().collect();
        let max = self.limits.of(Level::Gist).max;
        let about = about(memory, ends);
        let missing = missing(memory, ends, &about);
        let line = |about: &str| match note.brief {
            true => render::brief(memory, about, &missing),
            false => render::gist(memory, note, &tags, about, &missing),
        };
        let one_liner = shortened(about, line, max, &*self.counter);
        let text = line(&one_liner);
        let base = self.reference(memory, &text);
        let older_than = note.older_than.map(str::to_owned);
        let date = memory.date.clone();
        (
            Level1Output {
                base,
                one_liner,
                tags: tags.clone(),
                confidence: memory.confidence,
                date,
                older_than,
            },
            text,
        )
    }

    /// The details that level 2 adds, and the language of its example.
    fn details<'m>(
        &self,
        memory: &'m MemoryRecord,
        note: &Note<'_>,
        gist: &Level1Output,
        ends: &[usize],
    ) -> (Details, &'m str) {
        details(memory, note, gist, ends, self.limits.of(Level::Extract).max, &*self.counter)
    }

    fn reference(&self, memory: &MemoryRecord, text: &str) -> Level0Output {
        Level0Output {
            id: memory.id.clone(),
            memory_type: memory.memory_type.clone(),
            importance: memory.importance,
            tokens: self.counter.count(text),
        }
    }
}

/// The allowed levels, from the lowest to the highest.
pub(crate) fn allowed(options: &FitOptions<'_>) -> impl DoubleEndedIterator<Item = Level> {
    let (min, max) = (options.min_level, options.max_level.max(options.min_level));
    Level::ALL.into_iter().filter(move |level| (min..=max).contains(level))
}

/// Level 3: `base` and the complete content of `memory`.
fn full(memory: &MemoryRecord, base: Level2Output) -> Level3Output {
    let memory = memory.clone();
    let full = Full {
        summary: memory.summary,
        complete_knowledge: memory.knowledge,
        all_tags: memory.tags,
        all_examples: memory.examples,
        all_evidence: memory.evidence,
        related_memories: memory.related,
        causal_chain: memory.causal_chain,
        linked_patterns: memory.linked_patterns,
        linked_constraints: memory.linked_constraints,
        linked_files: memory.linked_files,
        linked_functions: memory.linked_functions,
    };
    Level3Output { base, full }
}
