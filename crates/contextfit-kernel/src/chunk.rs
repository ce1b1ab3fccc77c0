//! Chunks shortened by a language model: the trait and its data.

use std::{fmt, sync::Arc};

use async_trait::async_trait;

use crate::{ProviderError, Tokens, Unfit};

/// A text to shorten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chunk<'a> {
    /// The application's name for the chunk.
    pub id: &'a str,
    /// The text.
    pub text: &'a str,
    /// Its path, from which its language is detected.
    pub path: Option<&'a str>,
}

/// The outcome for one chunk.
#[derive(Debug, Clone)]
pub struct CompressedChunk {
    /// The shorter text, or the original, byte for byte.
    pub text: String,
    /// Whether the chunk was shortened, and if not, why.
    pub outcome: ChunkOutcome,
}

/// Whether a chunk was shortened.
#[derive(Debug, Clone)]
pub enum ChunkOutcome {
    /// It was shortened.
    Shortened {
        /// Tokens before.
        before: Tokens,
        /// Tokens after; always fewer.
        after: Tokens,
    },
    /// It was kept unchanged.
    Kept(KeptBecause),
}

/// Why a chunk was kept unchanged.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum KeptBecause {
    /// No model was called.
    NotAsked,
    /// The model failed; all chunks of a call share the error.
    Failed(Arc<ProviderError>),
    /// The answer was cut off before the end of this chunk.
    Truncated,
    /// The answer cannot be parsed, or contains nothing for this chunk.
    Garbled,
    /// The answer for this chunk is empty.
    Empty,
    /// The answer for this chunk is no shorter.
    NotShorter {
        /// Tokens before.
        before: Tokens,
        /// Tokens of the answer.
        after: Tokens,
    },
    /// A declaration is missing from the answer.
    LostSignature(String),
    /// The answer does not faithfully represent the chunk.
    Unfit(Unfit),
    /// A concurrent call processed the same chunk and got no usable answer.
    Elsewhere,
}

impl fmt::Display for KeptBecause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAsked => f.write_str("no model was asked"),
            Self::Failed(error) => error.fmt(f),
            Self::Truncated => f.write_str("the answer was cut off"),
            Self::Garbled => f.write_str("the answer has no part for this chunk"),
            Self::Empty => f.write_str("the answer is empty"),
            Self::NotShorter { before, after } => {
                write!(f, "the answer has {after} tokens, the chunk {before}")
            }
            Self::LostSignature(line) => write!(f, "the answer is missing the declaration {line:?}"),
            Self::Unfit(why) => why.fmt(f),
            Self::Elsewhere => f.write_str("another call for the same chunk got no usable answer"),
        }
    }
}

/// Shortens chunks by a model. Implementations must return one result per chunk, in order: a shorter text, or the chunk
/// unchanged. A failure of the model does not fail the call.
#[async_trait]
pub trait ChunkCompressor: Send + Sync {
    /// Shortens `chunks` where possible.
    async fn compress(&self, chunks: &[Chunk<'_>]) -> Vec<CompressedChunk>;
}

#[async_trait]
impl<T: ChunkCompressor + ?Sized> ChunkCompressor for Arc<T> {
    async fn compress(&self, chunks: &[Chunk<'_>]) -> Vec<CompressedChunk> {
        (**self).compress(chunks).await
    }
}

impl CompressedChunk {
    /// Returns `chunk` unchanged, with the reason.
    #[must_use]
    pub fn kept(chunk: &Chunk<'_>, because: KeptBecause) -> Self {
        Self { text: chunk.text.into(), outcome: ChunkOutcome::Kept(because) }
    }
}
