//! Chunks shortened by a model, with a cache in front.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use async_trait::async_trait;
use contextfit_kernel::{Chunk, ChunkCompressor, ChunkOutcome, CompressedChunk, KeptBecause, Tokens};

use crate::{Answer, Cached, Digest, Key, Request, Source, Space};

#[async_trait]
impl<P: ChunkCompressor + ?Sized> ChunkCompressor for Cached<P> {
    async fn compress(&self, chunks: &[Chunk<'_>]) -> Vec<CompressedChunk> {
        let key =
            |chunk: &Chunk<'_>| self.recipe.key(Space::Chunk, &[chunk.text, chunk.path.unwrap_or_default()]);
        let source =
            |chunk: &Chunk<'_>| Source { id: chunk.id.into(), content: Digest::of(chunk.text.as_bytes()) };
        let keys: Vec<Key> = chunks.iter().map(key).collect();
        let sources: Vec<Source> = chunks.iter().map(source).collect();
        let kept: Mutex<HashMap<Key, KeptBecause>> = Mutex::default();
        let make = |places: Vec<usize>| {
            let (kept, keys) = (&kept, &keys);
            async move {
                let missed: Vec<Chunk<'_>> =
                    places.iter().filter_map(|&at| chunks.get(at).copied()).collect();
                let made = self.model.compress(&missed).await;
                let answers = places.iter().zip(made).map(|(&at, made)| match made.outcome {
                    ChunkOutcome::Shortened { before, after } => {
                        Answer::text(&made.text).with_tokens(Some(before), Some(after))
                    }
                    ChunkOutcome::Kept(because) => {
                        if let Some(&key) = keys.get(at) {
                            kept.lock().unwrap_or_else(PoisonError::into_inner).insert(key, because);
                        }
                        // An empty answer is never kept.
                        Answer::text("")
                    }
                });
                Ok(answers.collect())
            }
        };
        let request = Request { keys: &keys, sources: &sources, prices: self.prices };
        // The target length is up to the compressor.
        let is_fit = |at: usize, answer: &Answer| {
            let pair = chunks.get(at).zip(answer.as_text()).filter(|(_, text)| !text.is_empty());
            pair.is_none_or(|(chunk, text)| self.judge.check(chunk.text, text, Tokens::ZERO).is_ok())
        };
        let answers = self.cache.fetch_fit(request, &is_fit, make).await;
        let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        let answers = match answers {
            Ok(answers) => answers,
            Err(error) => {
                let because = KeptBecause::Failed(error.into());
                return chunks.iter().map(|chunk| CompressedChunk::kept(chunk, because.clone())).collect();
            }
        };
        let results = chunks.iter().zip(&keys).zip(answers).map(|((chunk, key), answer)| {
            match answer.as_text().filter(|text| !text.is_empty()) {
                Some(text) => CompressedChunk { text: text.to_owned(), outcome: shortened(&answer) },
                None => {
                    CompressedChunk::kept(chunk, kept.get(key).cloned().unwrap_or(KeptBecause::Elsewhere))
                }
            }
        });
        results.collect()
    }
}

fn shortened(answer: &Answer) -> ChunkOutcome {
    let count = |tokens: Option<Tokens>| tokens.unwrap_or_default();
    ChunkOutcome::Shortened { before: count(answer.tokens_in), after: count(answer.tokens_out) }
}
