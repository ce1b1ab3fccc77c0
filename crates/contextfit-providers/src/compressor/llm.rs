//! Compression by a language model.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use contextfit_kernel::{
    Chunk, ChunkCompressor, ChunkOutcome, CompressedChunk, KeptBecause, LlmProvider, TokenCounter, Tokens,
};
use contextfit_text::Fence;
use futures_util::{StreamExt as _, stream};
use tracing::debug;

use super::{
    batches::{Room, batches},
    prompt,
    verdict::judge,
};

/// What the lines around one text of an answer may take.
const LINES: Tokens = Tokens::new(32);

/// What an [`LlmCompressor`] may do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LlmCompressorOptions {
    /// The most tokens of one answer. Default: 2,000.
    pub max_tokens: Tokens,
    /// How long a chunk shall be, as a share of what it was: a wish, not a bound. Default: 0.3.
    pub ratio: f64,
    /// The most chunks in one call. Default: 4.
    pub batch: usize,
    /// The most tokens of chunks in one call; a single chunk may have more. Default: 8,000.
    pub batch_tokens: Tokens,
    /// The most calls at a time. Default: 4.
    pub concurrency: usize,
}

impl Default for LlmCompressorOptions {
    fn default() -> Self {
        let (max_tokens, batch_tokens) = (Tokens::new(2_000), Tokens::new(8_000));
        Self { max_tokens, ratio: 0.3, batch: 4, batch_tokens, concurrency: 4 }
    }
}

/// Chunks made shorter by a language model, several in one call.
///
/// An answer is accepted for a chunk only if it is shorter, not empty, complete, and has every signature that the chunk
/// has (in the languages that [`contextfit_text::Language`] knows, by the chunk's path). Otherwise the chunk stays as it
/// is and says why. The chunks are data to the model: see [`Fence`].
///
/// Time limits and repetitions are the provider's: wrap it in a [`Retry`](crate::Retry).
pub struct LlmCompressor<P> {
    provider: P,
    counter: Arc<dyn TokenCounter>,
    options: LlmCompressorOptions,
}

impl<P: LlmProvider> LlmCompressor<P> {
    /// The version of the prompt: part of cache keys.
    pub const PROMPT_VERSION: &str = prompt::VERSION;

    /// A compressor that asks `provider` and counts by `counter`.
    pub fn new(provider: P, counter: Arc<dyn TokenCounter>, options: LlmCompressorOptions) -> Self {
        Self { provider, counter, options }
    }

    /// The tokens that a chunk of `tokens` shall have.
    fn target(&self, tokens: Tokens) -> Tokens {
        let target = (tokens.get() as f64 * self.options.ratio.clamp(0.0, 1.0)).ceil() as usize;
        Tokens::new(target.max(1)).min(self.options.max_tokens)
    }

    async fn ask(&self, batch: Vec<(Chunk<'_>, Tokens)>) -> Vec<CompressedChunk> {
        let texts: Vec<&str> = batch.iter().map(|(chunk, _)| chunk.text).collect();
        let fence = Fence::around(&texts);
        let targets: Vec<(&str, Tokens)> =
            batch.iter().map(|(chunk, tokens)| (chunk.text, self.target(*tokens))).collect();
        // An answer as long as the texts would not be accepted.
        let room: Tokens = batch.iter().map(|(_, tokens)| *tokens + LINES).sum();
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
                // One text needs no lines around it.
                None if alone && !answer.text.contains(fence.name()) => Ok(answer.text.as_str()),
                None => Err(KeptBecause::Garbled),
            };
            match part {
                Ok(part) => judge(chunk, *tokens, part, &self.counter),
                Err(because) => CompressedChunk::kept(chunk, because),
            }
        });
        judged.collect()
    }
}

#[async_trait]
impl<P: LlmProvider> ChunkCompressor for LlmCompressor<P> {
    async fn compress(&self, chunks: &[Chunk<'_>]) -> Vec<CompressedChunk> {
        let mut counted: Vec<(Chunk<'_>, Tokens)> =
            chunks.iter().map(|chunk| (*chunk, self.counter.count(chunk.text))).collect();
        let sizes: Vec<_> = counted.iter().map(|(_, tokens)| (*tokens, self.target(*tokens))).collect();
        let LlmCompressorOptions { max_tokens, batch, batch_tokens, concurrency, .. } = self.options;
        let room = Room { chunks: batch.max(1), input: batch_tokens, output: max_tokens };
        let mut calls = Vec::new();
        for count in batches(&sizes, room) {
            let rest = counted.split_off(count.min(counted.len()));
            calls.push(self.ask(std::mem::replace(&mut counted, rest)));
        }
        let answers: Vec<_> = stream::iter(calls).buffered(concurrency.max(1)).collect().await;
        let all: Vec<CompressedChunk> = answers.into_iter().flatten().collect();
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
