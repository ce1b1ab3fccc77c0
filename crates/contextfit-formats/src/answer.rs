//! Answers: the context that fits, and what became of each chunk.

use contextfit_kernel::{
    Action, Block, ByteRange, CompressionMetrics, CompressionResult, Context, Level, Piece, QuoteSource,
    Reason, Step, Tokens,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The answer to a [`SearchRequest`](crate::SearchRequest).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SearchAnswer {
    /// The request's id, unchanged; `null` when it had none.
    pub id: Option<Value>,
    /// The strategy that made the context; the one asked for when nothing had to be done.
    pub strategy: String,
    /// What to put into the prompt.
    pub context: String,
    /// One entry for each chunk of the request, in order.
    pub blocks: Vec<AnswerBlock>,
    /// The figures.
    pub metrics: AnswerMetrics,
}

/// What became of one chunk, or of one message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AnswerBlock {
    /// The chunk's id; a message's index.
    pub id: String,
    /// The level at which it is shown, 0 to 3; `null` when it was dropped.
    pub level: Option<Level>,
    /// `keep`, `cut`, `render` or `drop`; a summary is rendered.
    pub action: String,
    /// Tokens that it takes in the context, its share of headers included.
    pub tokens: Tokens,
    /// Why, for people.
    pub reason: String,
    /// The bytes of its text that are shown, ascending. Empty when none of it is.
    pub ranges: Vec<ByteRange>,
    /// The handle under which the chunk's text is kept, where somebody keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
}

/// The figures of an answer, under the names of seed 001.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AnswerMetrics {
    /// Tokens of all chunks as one text.
    pub tokens_before: Tokens,
    /// Tokens of the context, exactly.
    pub tokens_after: Tokens,
    /// The difference, zero at least.
    pub tokens_saved: Tokens,
    /// What was saved in percent of the input, as `76.4%`.
    pub compression_rate: String,
    /// Chunks in the request.
    pub blocks_before: usize,
    /// Chunks in the context, at whatever level.
    pub blocks_after: usize,
    /// Chunks in the request, by the name that seed 001 has for it.
    pub total_chunks: usize,
    /// Chunks of which the context says only what they are.
    pub metadata_only_chunks: usize,
}

impl SearchAnswer {
    /// The answer that `result` is to the request called `id` with the context `input`. `asked` is the strategy that
    /// was asked for: what the answer names when the input was within its budget and none was applied.
    #[must_use]
    pub fn new(id: Option<Value>, asked: &str, input: &Context, result: &CompressionResult) -> Self {
        Self {
            id,
            strategy: result.strategy().unwrap_or(asked).to_owned(),
            context: result.text.clone(),
            blocks: AnswerBlock::all(input, result),
            metrics: AnswerMetrics::from(result.metrics),
        }
    }
}

impl AnswerBlock {
    /// What became of every block of `input`.
    pub(crate) fn all(input: &Context, result: &CompressionResult) -> Vec<Self> {
        let steps = result.plan().map(|plan| plan.steps.as_slice()).unwrap_or_default();
        let blocks = input.blocks.iter().enumerate();
        blocks
            .map(|(at, block)| {
                Self::new(block, steps.get(at), result.tokens.get(at).copied().unwrap_or_default())
            })
            .collect()
    }

    /// What `step` did to `block`; without a step the block stands as it came.
    fn new(block: &Block, step: Option<&Step>, tokens: Tokens) -> Self {
        let (action, reason) = match step {
            Some(step) => (&step.action, &step.reason),
            None => (&Action::Keep, &Reason::WithinBudget),
        };
        Self {
            id: block.id.clone(),
            level: action.level(block.level),
            action: action.name().to_owned(),
            tokens,
            reason: reason.to_string(),
            // Of a text that is not the chunk's own nothing is a part of the chunk.
            ranges: if block.level.shows_source() { shown(action, &block.text) } else { Vec::new() },
            original: None,
        }
    }
}

impl From<CompressionMetrics> for AnswerMetrics {
    fn from(metrics: CompressionMetrics) -> Self {
        Self {
            tokens_before: metrics.tokens_before,
            tokens_after: metrics.tokens_after,
            tokens_saved: metrics.tokens_saved(),
            compression_rate: metrics.compression_rate(),
            blocks_before: metrics.blocks_before,
            blocks_after: metrics.blocks_after,
            total_chunks: metrics.blocks_before,
            metadata_only_chunks: metrics.metadata_only,
        }
    }
}

/// The ranges of `text` that are shown, verbatim or rewritten without loss.
fn shown(action: &Action, text: &str) -> Vec<ByteRange> {
    match action {
        Action::Keep if text.is_empty() => Vec::new(),
        Action::Keep => vec![ByteRange::whole(text)],
        Action::Cut { pieces } => pieces.iter().filter_map(Piece::range).collect(),
        Action::Record { entries } => {
            let quotes = entries.iter().flat_map(|entry| entry.lines.iter().flatten());
            let own = quotes.filter(|quote| quote.source == QuoteSource::Text);
            own.map(|quote| quote.range).collect()
        }
        Action::Render { .. } | Action::Summarize { .. } | Action::Drop => Vec::new(),
    }
}
