//! Answers: the context that fits, and the outcome for each chunk.

use contextfit_kernel::{
    Action, Block, ByteRange, CompressionMetrics, CompressionResult, Context, Level, Reason, Role, Step,
    Tokens, Values,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Documents, documents::Place};

/// The answer to a [`SearchRequest`](crate::SearchRequest).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SearchAnswer {
    /// The request's id, unchanged; `null` if it had none.
    pub id: Option<Value>,
    /// The strategy that made the context; the requested one if nothing had to be done.
    pub strategy: String,
    /// The text to put into the prompt.
    pub context: String,
    /// One entry for each chunk of the request, in order.
    pub blocks: Vec<AnswerBlock>,
    /// The figures.
    pub metrics: AnswerMetrics,
}

/// The outcome for one chunk or one message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AnswerBlock {
    /// The id of the chunk, or the index of the message.
    pub id: String,
    /// The level at which it is shown, 0 to 3; `null` if it was dropped.
    pub level: Option<Level>,
    /// `keep`, `cut`, `render` or `drop`; a summary is rendered.
    pub action: String,
    /// The tokens that it takes in the context, including its share of headers.
    pub tokens: Tokens,
    /// The reason for the outcome, for people.
    pub reason: String,
    /// The byte ranges of its text that are shown, ascending; empty if none are.
    pub ranges: Vec<ByteRange>,
    /// The handle of the stored original, if the chunk's text was stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
}

/// The figures of an answer, under the names that KB Labs Mind uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AnswerMetrics {
    /// The tokens of all chunks as one text.
    pub tokens_before: Tokens,
    /// The tokens of the context, exactly.
    pub tokens_after: Tokens,
    /// The difference, at least zero.
    pub tokens_saved: Tokens,
    /// The share of the input that was saved, such as `76.4%`.
    pub compression_rate: String,
    /// The number of chunks in the request.
    pub blocks_before: usize,
    /// The number of chunks in the context, at whatever level.
    pub blocks_after: usize,
    /// The number of chunks in the request, under the name that KB Labs Mind uses.
    pub total_chunks: usize,
    /// The number of chunks that the context shows only by their metadata.
    pub metadata_only_chunks: usize,
}

impl SearchAnswer {
    /// The answer for `result` to the request with this `id` and the context `input`. `asked` is the requested
    /// strategy, which the answer names if the input was within its budget and no strategy was applied.
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

    /// The answer for `documents`, whose context is `input`, with one entry for each chunk of the request. The tokens
    /// of a block are divided among its chunks in proportion to the text that each shows; text shared by several chunks
    /// belongs to the first.
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
    /// The outcome for every block of `input`.
    pub(crate) fn all(input: &Context, result: &CompressionResult) -> Vec<Self> {
        let steps = result.plan().map(|plan| plan.steps.as_slice()).unwrap_or_default();
        let blocks = input.blocks.iter().enumerate();
        blocks.map(|(at, block)| Self::new(block, steps.get(at), result.tokens.at(at))).collect()
    }

    /// The outcome for each chunk in the block. `members` are its chunks with their numbers, in the order of the
    /// block's text.
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
            // If the block is shown only by its name, all chunks have the same share.
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

    /// The outcome of `step` for `block`; without a step, the block is unchanged.
    fn new(block: &Block, step: Option<&Step>, tokens: Tokens) -> Self {
        let (action, reason) = match step {
            Some(step) => (&step.action, &step.reason),
            None => (&Action::Keep, &Reason::WithinBudget),
        };
        let is_unknown = block.as_turn().is_some_and(|turn| turn.role == Role::Other);
        let note = if is_unknown && *reason == Reason::Pinned { ", unknown role" } else { "" };
        Self {
            id: block.id.clone(),
            level: action.level(block.level),
            action: action.name().to_owned(),
            tokens,
            reason: format!("{reason}{note}"),
            // If the text is not the chunk's own, no range of it is shown.
            ranges: if block.level.shows_source() { action.shown(&block.text) } else { Vec::new() },
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

/// The intersection of both ranges; `None` if it is empty.
fn both(a: ByteRange, b: ByteRange) -> Option<ByteRange> {
    ByteRange::new(a.start().max(b.start()), a.end().min(b.end())).filter(|range| !range.is_empty())
}

/// `range` relative to `start`, which must not be after it.
fn relative(range: ByteRange, start: usize) -> ByteRange {
    ByteRange::new(range.start() - start, range.end() - start).unwrap_or(range)
}
