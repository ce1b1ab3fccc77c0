//! Shortening of long passages of a context by a model, before any strategy runs.

use std::sync::Arc;

use async_trait::async_trait;
use contextfit_kernel::{
    Block, Budget, Chunk, ChunkCompressor, ChunkOutcome, CompressionResult, Context, ContextCompressor,
    Error, Hold, KeptBecause, LINE_BREAKS, Level, NoSummary, Outcome, Passage, Stage, Summary, SummarySource,
    TokenCounter, Tokens, Unfit, one_line,
};
use contextfit_text::Fence;

/// The name in the trace.
const NAME: &str = "llm";

/// A compressor that first lets a model shorten long passages, if the context does not fit.
///
/// A passage shortened by a model is then at [`Level::Gist`], under a line that says so: it is a summary, and not part
/// of the source. The result is within the budget whatever the model does; a passage that the model could not shorten
/// is passed to the compressor unchanged.
///
/// Blocks that are pinned, must be shown, belong to a group or are not passages are never passed to a model.
#[derive(Debug, Clone)]
pub struct Shortening<C> {
    compressor: C,
    chunks: Arc<dyn ChunkCompressor>,
    model: String,
    longest: usize,
    min_score: f64,
}

/// A context with passages shortened by a model, and the outcome for each passage.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Shortened {
    /// The context.
    pub context: Context,
    /// The trace; `None` if no model was called.
    pub stage: Option<Stage>,
}

impl<C: ContextCompressor> Shortening<C> {
    /// Passes passages of more than 2,000 characters to `chunks`, which calls `model`, before `compressor` runs.
    pub fn new(compressor: C, chunks: Arc<dyn ChunkCompressor>, model: impl Into<String>) -> Self {
        Self { compressor, chunks, model: model.into(), longest: 2_000, min_score: f64::NEG_INFINITY }
    }

    /// Sets the length above which passages are shortened, in characters.
    #[must_use]
    pub fn with_longest(self, longest: usize) -> Self {
        Self { longest, ..self }
    }

    /// Excludes passages that the retriever scored below `min_score`, as they are unlikely to be shown.
    #[must_use]
    pub fn with_min_score(self, min_score: f64) -> Self {
        Self { min_score, ..self }
    }

    /// The compressor that runs afterwards.
    #[must_use]
    pub const fn compressor(&self) -> &C {
        &self.compressor
    }

    /// The context that the compressor receives. A context within `budget` is unchanged, and no model is called.
    pub async fn shorten(&self, mut context: Context, budget: &Budget) -> Shortened {
        if self.compressor.count_tokens(&context) <= budget.available() {
            return Shortened { context, stage: None };
        }
        let long = context.blocks.iter().enumerate().filter(|(_, block)| self.is_long(block));
        let (places, asked): (Vec<usize>, Vec<Chunk<'_>>) =
            long.map(|(at, block)| (at, chunk(block))).unzip();
        if asked.is_empty() {
            return Shortened { context, stage: None };
        }
        let made = self.chunks.compress(&asked).await;
        let mut summaries = Vec::with_capacity(places.len());
        for (&at, made) in places.iter().zip(made) {
            let summary = |told| Summary::new(at, at + 1, told);
            summaries.push(match made.outcome {
                ChunkOutcome::Shortened { before, after } => {
                    if let Some(block) = context.blocks.get_mut(at) {
                        *block =
                            self.shown(block, (before, after), &made.text, context.layout.separator.trim());
                    }
                    summary(SummarySource::Model { cut: false }).with_tokens(before, after)
                }
                ChunkOutcome::Kept(because) => summary(SummarySource::Fallback(no_summary(&because))),
            });
        }
        let helped = summaries.iter().any(|summary| matches!(summary.source, SummarySource::Model { .. }));
        let outcome = match helped {
            true => Outcome::Applied,
            false => Outcome::Failed("no passage was made shorter".into()),
        };
        let stage = Stage::new(NAME, None, 1, outcome).with_summaries(summaries);
        Shortened { context, stage: Some(stage) }
    }

    /// The context within `budget`, and the one that the compressor received, whose blocks the plan refers to.
    ///
    /// # Errors
    /// Those of the compressor.
    pub async fn fit(
        &self,
        context: Context,
        budget: &Budget,
    ) -> Result<(Context, CompressionResult), Error> {
        let before = self.compressor.count_tokens(&context);
        let Shortened { context, stage } = self.shorten(context, budget).await;
        let mut result = self.compressor.compress_with_metrics(&context, budget).await?;
        result.metrics.tokens_before = before;
        result.stages.splice(..0, stage);
        Ok((context, result))
    }

    fn is_long(&self, block: &Block) -> bool {
        let Some(passage) = block.as_passage() else { return false };
        let free = block.hold == Hold::Free && block.group.is_none() && block.level.shows_source();
        free && passage.score.is_none_or(|score| score >= self.min_score)
            && block.text.chars().nth(self.longest).is_some()
    }

    /// `block` with its text replaced by `text`. What tells where the text is from is around it, so a cut keeps it.
    fn shown(&self, block: &Block, (before, after): (Tokens, Tokens), text: &str, separator: &str) -> Block {
        let header = block.header();
        let is_shown = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
        let text: String = text.trim().chars().filter(is_shown).collect();
        let model = one_line(&self.model);
        let said = format!("[shortened by {model} from {before} to {after} tokens]");
        let is_layout =
            |line: &str| Passage::reads_as_layout(line) || !separator.is_empty() && line.trim() == separator;
        let (mut above, mut below) = (vec![header.trim_end().to_owned(), said], String::new());
        if text.split(LINE_BREAKS).any(is_layout) {
            let fence = Fence::around(&[&text, &header]);
            above.push(fence.open(1));
            below = fence.close(1);
        }
        above.retain(|line| !line.is_empty());
        let mut shown = block.shown_as(text, Level::Gist);
        shown.fence = Some((above.join("\n"), below));
        shown
    }
}

fn chunk(block: &Block) -> Chunk<'_> {
    Chunk {
        id: &block.id,
        text: &block.text,
        path: block.as_passage().and_then(|passage| passage.path.as_deref()),
    }
}

fn no_summary(because: &KeptBecause) -> NoSummary {
    match because {
        KeptBecause::NotAsked => NoSummary::NotAsked,
        KeptBecause::Empty => NoSummary::Empty,
        KeptBecause::NotShorter { .. } => NoSummary::Longer,
        KeptBecause::Truncated => NoSummary::Unfit(Unfit::CutOff),
        KeptBecause::Unfit(why) => NoSummary::Unfit(why.clone()),
        other => NoSummary::Failed(other.to_string()),
    }
}

#[async_trait]
impl<C: ContextCompressor> ContextCompressor for Shortening<C> {
    async fn compress_with_metrics(
        &self,
        context: &Context,
        budget: &Budget,
    ) -> Result<CompressionResult, Error> {
        Ok(self.fit(context.clone(), budget).await?.1)
    }

    fn counter(&self) -> &dyn TokenCounter {
        self.compressor.counter()
    }

    fn count_tokens(&self, context: &Context) -> Tokens {
        self.compressor.count_tokens(context)
    }
}
