//! Chunks made shorter by a language model, as a seam.

use std::{fmt, sync::Arc};

use async_trait::async_trait;

use crate::{ProviderError, Tokens, Unfit};

/// A text to make shorter (seeds 000, 001).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chunk<'a> {
    /// What the application calls it.
    pub id: &'a str,
    /// The text.
    pub text: &'a str,
    /// Where it is from: what tells its language.
    pub path: Option<&'a str>,
}

/// What became of a chunk.
#[derive(Debug, Clone)]
pub struct CompressedChunk {
    /// The shorter text, or the original, byte for byte.
    pub text: String,
    /// Which of the two, and why.
    pub outcome: ChunkOutcome,
}

/// Whether a chunk is shorter now.
#[derive(Debug, Clone)]
pub enum ChunkOutcome {
    /// It is.
    Shortened {
        /// Tokens before.
        before: Tokens,
        /// Tokens after: fewer.
        after: Tokens,
    },
    /// It is not.
    Kept(KeptBecause),
}

/// Why a chunk is as it was.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum KeptBecause {
    /// No model was asked.
    NotAsked,
    /// The model failed; all chunks of a call share its error.
    Failed(Arc<ProviderError>),
    /// The answer was cut off before this chunk's end.
    Truncated,
    /// The answer cannot be taken apart, or has nothing for this chunk.
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
    /// A declaration is missing in the answer.
    LostSignature(String),
    /// The answer does not stand for the chunk.
    Unfit(Unfit),
    /// Another call was asking the same at that moment, and had no use of the answer.
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
            Self::LostSignature(line) => write!(f, "the answer lacks {line:?}"),
            Self::Unfit(why) => why.fmt(f),
            Self::Elsewhere => f.write_str("another call asked the same, without use"),
        }
    }
}

/// Makes chunks shorter. Implementers owe one result for each chunk, in order, that is either shorter or the chunk itself:
/// no failure of a model is one of the call.
#[async_trait]
pub trait ChunkCompressor: Send + Sync {
    /// The chunks, made shorter where that worked.
    async fn compress(&self, chunks: &[Chunk<'_>]) -> Vec<CompressedChunk>;
}

#[async_trait]
impl<T: ChunkCompressor + ?Sized> ChunkCompressor for Arc<T> {
    async fn compress(&self, chunks: &[Chunk<'_>]) -> Vec<CompressedChunk> {
        (**self).compress(chunks).await
    }
}

impl CompressedChunk {
    /// `chunk` as it is, for this reason.
    #[must_use]
    pub fn kept(chunk: &Chunk<'_>, because: KeptBecause) -> Self {
        Self { text: chunk.text.into(), outcome: ChunkOutcome::Kept(because) }
    }
}
