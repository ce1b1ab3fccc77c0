//! Answers: the context that fits, and what became of each chunk.

use contextfit_kernel::{
    Action, Block, ByteRange, CompressionMetrics, CompressionResult, Context, Level, Piece, QuoteSource,
    Reason, Step, Tokens,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Documents, documents::Place};

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

    /// The same for `documents`, of which `input` is the context, with one entry for each chunk of the request. What a block
    /// takes is divided among its chunks by what each shows; what stands in several is the first one's.
    #[must_use]
    pub fn of_documents(
        id: Option<Value>,
        asked: &str,
        documents: &Documents,
        input: &Context,
        result: &CompressionResult,
    ) -> Self {
        let mut answer = Self::new(id, asked, input, result);
        let blocks = answer.blocks.iter().zip(documents.by_block());
        let mut chunks: Vec<_> = blocks.flat_map(|(block, members)| block.divided(&members)).collect();
        chunks.sort_by_key(|(n, _)| *n);
        answer.blocks = chunks.into_iter().map(|(_, block)| block).collect();
        let metrics = &mut answer.metrics;
        metrics.blocks_before = answer.blocks.len();
        metrics.total_chunks = metrics.blocks_before;
        metrics.blocks_after = answer.blocks.iter().filter(|block| block.level.is_some()).count();
        let is_named = |block: &&AnswerBlock| block.level.is_some_and(|level| !level.shows_source());
        metrics.metadata_only_chunks = answer.blocks.iter().filter(is_named).count();
        answer
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

    /// What became of each of the chunks that the block is made of, `members` with their numbers in the order of its text.
    fn divided(&self, members: &[(usize, &Place)]) -> Vec<(usize, Self)> {
        if let [(n, _)] = members {
            return vec![(*n, self.clone())];
        }
        let mut covered = 0;
        let mut own = |range: &ByteRange| {
            let new = range.end().saturating_sub(range.start().max(covered));
            covered = covered.max(range.end());
            new
        };
        let shares = members.iter().map(|(_, place)| {
            let ranges: Vec<ByteRange> =
                self.ranges.iter().filter_map(|range| both(*range, place.range)).collect();
            // Of what is only named, each takes the same.
            let share = if self.ranges.is_empty() { 1 } else { ranges.iter().map(&mut own).sum() };
            (ranges, share)
        });
        let shares: Vec<(Vec<ByteRange>, usize)> = shares.collect();
        let all = shares.iter().map(|(_, share)| share).sum::<usize>().max(1);
        let tokens = |through: usize| self.tokens.get().saturating_mul(through) / all;
        let mut through = 0;
        let divide = |((n, place), (ranges, share)): (&(usize, &Place), (Vec<ByteRange>, usize))| {
            let before = through;
            through += share;
            let mut chunk = Self {
                id: place.id.clone(),
                tokens: Tokens::new(tokens(through) - tokens(before)),
                ranges: ranges.iter().map(|range| relative(*range, place.range.start())).collect(),
                ..self.clone()
            };
            if chunk.ranges.is_empty() && !self.ranges.is_empty() && !place.range.is_empty() {
                (chunk.level, chunk.action) = (None, Action::Drop.name().to_owned());
                chunk.reason.push_str(", nothing of it here");
            } else if ranges.first() == Some(&place.range) {
                (chunk.level, chunk.action) = (Some(Level::Full), Action::Keep.name().to_owned());
            }
            (*n, chunk)
        };
        members.iter().zip(shares).map(divide).collect()
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

/// What is in both ranges; `None` for nothing.
fn both(a: ByteRange, b: ByteRange) -> Option<ByteRange> {
    ByteRange::new(a.start().max(b.start()), a.end().min(b.end())).filter(|range| !range.is_empty())
}

/// `range` as seen from `start`, which is not after it.
fn relative(range: ByteRange, start: usize) -> ByteRange {
    ByteRange::new(range.start() - start, range.end() - start).unwrap_or(range)
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
