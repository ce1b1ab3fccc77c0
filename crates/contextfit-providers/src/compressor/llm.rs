//! Compression by a language model.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use contextfit_kernel::{
    Chunk, ChunkCompressor, ChunkOutcome, CompressedChunk, KeptBecause, LlmProvider, TokenCounter, Tokens,
};
use contextfit_text::{Fence, Judge, Language, Shape, unit_ends};
use futures_util::{StreamExt as _, stream};
use tracing::debug;

use super::{
    batches::{Room, batches},
    prompt,
    verdict::{Terms, judge},
};

/// Tokens allowed for the lines around one text of an answer.
const FRAME_LINES_TOKENS: Tokens = Tokens::new(32);

/// Options of an [`LlmCompressor`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LlmCompressorOptions {
    /// The most tokens of one answer. Default: 2,000.
    pub max_tokens: Tokens,
    /// The target length of a chunk as a share of the original: a wish, not a bound. Default: 0.3.
    pub ratio: f64,
    /// The most chunks in one call. Default: 4.
    pub batch: usize,
    /// The most tokens of chunks in one call; a larger chunk is shortened piece by piece. Default: 8,000.
    pub batch_tokens: Tokens,
    /// The most concurrent calls. Default: 4.
    pub concurrency: usize,
}

impl Default for LlmCompressorOptions {
    fn default() -> Self {
        let (max_tokens, batch_tokens) = (Tokens::new(2_000), Tokens::new(8_000));
        Self { max_tokens, ratio: 0.3, batch: 4, batch_tokens, concurrency: 4 }
    }
}

/// Shortens chunks with a language model, several in one call.
///
/// An answer is accepted for a chunk only if it is shorter, not empty, complete, has every signature of the chunk (in
/// the languages known to [`contextfit_text::Language`], by the chunk's path), and passes the [`Judge`] as a stand-in
/// for it. Otherwise the chunk stays as it is, with the reason; of a divided chunk, only the rejected piece does.
/// Chunks are passed to the model as data: see [`Fence`].
///
/// Timeouts and retries are left to the provider: wrap it in a [`Retry`](crate::Retry).
pub struct LlmCompressor<P> {
    provider: P,
    counter: Arc<dyn TokenCounter>,
    options: LlmCompressorOptions,
    judge: Judge,
}

impl<P: LlmProvider> LlmCompressor<P> {
    /// The version of the prompt, a part of cache keys.
    pub const PROMPT_VERSION: &str = prompt::VERSION;

    /// A compressor that calls `provider` and counts with `counter`.
    pub fn new(provider: P, counter: Arc<dyn TokenCounter>, options: LlmCompressorOptions) -> Self {
        Self { provider, counter, options, judge: Judge::new() }
    }

    /// Sets the judge of answers, such as one with an embedding model.
    #[must_use]
    pub fn with_judge(mut self, judge: Judge) -> Self {
        self.judge = judge;
        self
    }

    /// The target length of a chunk of `tokens`.
    fn target(&self, tokens: Tokens) -> Tokens {
        let target = (tokens.get() as f64 * self.options.ratio.clamp(0.0, 1.0)).ceil() as usize;
        Tokens::new(target.max(1)).min(self.options.max_tokens)
    }

    /// `chunk` with its token count; if that exceeds a call's limit, its pieces: whole sentences or lines.
    fn pieces<'a>(&self, chunk: &Chunk<'a>) -> Vec<(Chunk<'a>, Tokens)> {
        let (tokens, most) = (self.counter.count(chunk.text), self.options.batch_tokens.get().max(1));
        if tokens.get() <= most {
            return vec![(*chunk, tokens)];
        }
        let shape = chunk.path.and_then(Language::of_path).map_or(Shape::Prose, |_| Shape::Code);
        let size = (chunk.text.len() / tokens.get().div_ceil(most)).max(1);
        let (mut pieces, mut start, mut last) = (Vec::new(), 0, 0);
        let mut cut = |from: usize, to: usize| {
            let piece = Chunk { text: chunk.text.get(from..to).unwrap_or_default(), ..*chunk };
            pieces.push((piece, self.counter.count(piece.text)));
        };
        for end in unit_ends(chunk.text, shape) {
            if end - start > size && last > start {
                cut(start, last);
                start = last;
            }
            last = end;
        }
        cut(start, last);
        pieces
    }

    /// `chunk` reassembled from its pieces; pieces that were not shortened stay as they are.
    fn joined(&self, chunk: &Chunk<'_>, mut pieces: Vec<CompressedChunk>) -> CompressedChunk {
        if pieces.len() == 1
            && let Some(whole) = pieces.pop()
        {
            return whole;
        }
        let kept = pieces.iter().find_map(|piece| match &piece.outcome {
            ChunkOutcome::Kept(because) => Some(because.clone()),
            ChunkOutcome::Shortened { .. } => None,
        });
        let is_shorter = pieces.iter().any(|piece| matches!(piece.outcome, ChunkOutcome::Shortened { .. }));
        match kept.filter(|_| !is_shorter) {
            Some(because) => CompressedChunk::kept(chunk, because),
            None => {
                let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.trim_end()).collect();
                let text = texts.join("\n");
                let (before, after) = (self.counter.count(chunk.text), self.counter.count(&text));
                match after < before {
                    true => CompressedChunk { text, outcome: ChunkOutcome::Shortened { before, after } },
                    false => CompressedChunk::kept(chunk, KeptBecause::NotShorter { before, after }),
                }
            }
        }
    }

    async fn ask(&self, batch: Vec<(Chunk<'_>, Tokens)>) -> Vec<CompressedChunk> {
        let texts: Vec<&str> = batch.iter().map(|(chunk, _)| chunk.text).collect();
        let fence = Fence::around(&texts);
        let targets: Vec<(&str, Tokens)> =
            batch.iter().map(|(chunk, tokens)| (chunk.text, self.target(*tokens))).collect();
        // An answer as long as the texts would be rejected.
        let room: Tokens = batch.iter().map(|(_, tokens)| *tokens + FRAME_LINES_TOKENS).sum();
        let request = prompt::request(&fence, &targets, room.min(self.options.max_tokens));
        let answer = match self.provider.complete(&request).await {
            Ok(answer) => answer,
            Err(error) => {
                let error = Arc::new(error);
                let failed = |(chunk, _): &(Chunk<'_>, Tokens)| {
                    CompressedChunk::kept(chunk, KeptBecause::Failed(Arc::clone(&error)))
                };
                return batch.iter().map(failed).collect();
            }
        };
        let alone = batch.len() == 1;
        let judged = batch.iter().enumerate().map(|(at, (chunk, tokens))| {
            let part = match fence.find(&answer.text, at + 1) {
                Some(part) => Ok(part),
                None if answer.truncated => Err(KeptBecause::Truncated),
                // A single text needs no lines around it.
                None if alone && !answer.text.contains(fence.name()) => Ok(answer.text.as_str()),
                None => Err(KeptBecause::Garbled),
            };
            match part {
                Ok(part) => {
                    let asked = self.target(*tokens);
                    judge(chunk, *tokens, part, &Terms { judge: &self.judge, counter: &self.counter, asked })
                }
                Err(because) => CompressedChunk::kept(chunk, because),
            }
        });
        judged.collect()
    }
}

#[async_trait]
impl<P: LlmProvider> ChunkCompressor for LlmCompressor<P> {
    async fn compress(&self, chunks: &[Chunk<'_>]) -> Vec<CompressedChunk> {
        let mut counts = Vec::with_capacity(chunks.len());
        let mut counted: Vec<(Chunk<'_>, Tokens)> = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            let before = counted.len();
            counted.extend(self.pieces(chunk));
            counts.push(counted.len() - before);
        }
        let sizes: Vec<_> = counted.iter().map(|(_, tokens)| (*tokens, self.target(*tokens))).collect();
        let LlmCompressorOptions { max_tokens, batch, batch_tokens, concurrency, .. } = self.options;
        let room = Room { chunks: batch.max(1), input: batch_tokens, output: max_tokens };
        let mut calls = Vec::new();
        for count in batches(&sizes, room) {
            let rest = counted.split_off(count.min(counted.len()));
            calls.push(self.ask(std::mem::replace(&mut counted, rest)));
        }
        let answers: Vec<_> = stream::iter(calls).buffered(concurrency.max(1)).collect().await;
        let mut pieces = answers.into_iter().flatten();
        let joined = |(chunk, n): (&Chunk<'_>, usize)| self.joined(chunk, pieces.by_ref().take(n).collect());
        let all: Vec<CompressedChunk> = chunks.iter().zip(counts).map(joined).collect();
        for (at, chunk) in all.iter().enumerate() {
            match &chunk.outcome {
                ChunkOutcome::Shortened { before, after } => debug!(at, %before, %after, "chunk shortened"),
                ChunkOutcome::Kept(because) => debug!(at, %because, "chunk kept"),
            }
        }
        all
    }
}

impl<P: fmt::Debug> fmt::Debug for LlmCompressor<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LlmCompressor")
            .field("provider", &self.provider)
            .field("counter", &self.counter.name())
            .field("options", &self.options)
            .finish()
    }
}
