//! Shortening chunks of search results with a language model.

mod llm;
mod shorten;

use async_trait::async_trait;
use contextfit_kernel::{Chunk, ChunkCompressor, CompressedChunk, KeptBecause};

pub use self::{
    llm::{LlmCompressor, LlmCompressorOptions},
    shorten::{Shortened, Shortening},
};

/// A compressor that keeps every chunk unchanged, for setups in which no model may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NullLlmCompressor;

#[async_trait]
impl ChunkCompressor for NullLlmCompressor {
    async fn compress(&self, chunks: &[Chunk<'_>]) -> Vec<CompressedChunk> {
        chunks.iter().map(|chunk| CompressedChunk::kept(chunk, KeptBecause::NotAsked)).collect()
    }
}
