//! Memories: a request in, one context with each at one of four levels out.

use std::sync::Arc;

use contextfit_bm25::{Bm25, Fusion, SentenceSelection};
use contextfit_formats::{DroppedMemory, MemoryAnswer, MemoryAnswerEntry, MemoryMetrics, MemoryRequest};
use contextfit_hierarchical::{
    CompressedMemory, FitOptions, MemoryBatch, MemoryBudget, MemoryCompressor, SentMemories,
};
use contextfit_kernel::{Budget, CompressionMetrics, Level, MemoryRecord, Scorer};
use serde_json::Value;

use crate::{FitError, Fitter, MemoryOptions, MemoryStrategy, Profile, strategy::named};

impl From<Profile> for MemoryStrategy {
    fn from(profile: Profile) -> Self {
        match profile {
            Profile::Fast => Self::Greedy,
            _ => Self::Optimal,
        }
    }
}

/// A fulfilled request for memories.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FittedMemories {
    /// The answer.
    pub answer: MemoryAnswer<CompressedMemory>,
    /// The memories.
    pub memories: Vec<MemoryRecord>,
    /// The level at which the conversation holds each, if it does.
    pub sent: Vec<Option<Level>>,
    /// The query, from the request or the fitter.
    pub query: Option<String>,
    /// The strategy.
    pub strategy: MemoryStrategy,
    /// The budget.
    pub budget: Budget,
    /// The result, with the tokens of each memory at every level and the reasons.
    pub batch: MemoryBatch,
}

impl Fitter {
    /// Answers `request`.
    ///
    /// # Errors
    /// [`FitError`] if there is no budget, nothing fits, or the strategy is unknown.
    pub fn memory(&self, mut request: MemoryRequest) -> Result<FittedMemories, FitError> {
        let MemoryOptions { strategy, min_level, max_level, shares } = &self.memories;
        let strategy = match request.strategy.as_deref() {
            Some(name) => named(name, &MemoryStrategy::ALL, MemoryStrategy::name)?,
            None => *strategy,
        };
        let budget = self.budget(request.budget, request.reserve)?;
        let query = request.query.take().or_else(|| self.query.clone());
        let id = request.id.take();
        let shares =
            shares.iter().fold(MemoryBudget::new(budget.available()), |shares, (memory_type, share)| {
                shares.with_share(memory_type, *share)
            });
        let compressor = self.memory_compressor();
        let sent: Vec<Option<Level>> = request.memories.iter().map(|memory| memory.sent).collect();
        let memories = request.into_records();
        let session = sent_memories(&compressor, &memories, &sent);
        let mut options = FitOptions::default()
            .with_min_level(*min_level)
            .with_max_level(*max_level)
            .with_mode(strategy.mode())
            .with_shares(shares.shares())
            .with_session(&session);
        options.query = query.as_deref();
        let batch =
            self.on_threads(|| compressor.compress_batch_to_fit(&memories, budget.available(), &options))?;
        let answer = memory_answer(id, &batch);
        Ok(FittedMemories { answer, memories, sent, query, strategy, budget, batch })
    }

    /// The compressor of memories: its relevance is that of the embedding model, fused with BM25, or of BM25 alone.
    #[must_use]
    pub fn memory_compressor(&self) -> MemoryCompressor {
        let scorer: Arc<dyn Scorer> = match &self.embeddings {
            Some(model) => Arc::new(
                SentenceSelection::default().with_scorer(Arc::clone(&model.scorer), Fusion::default()),
            ),
            None => Arc::new(Bm25::default()),
        };
        MemoryCompressor::new(Arc::clone(&self.counting.counter)).with_scorer(scorer)
    }
}

/// The memories that a conversation holds, given the level at which each was sent, if it was.
#[must_use]
pub fn sent_memories(
    compressor: &MemoryCompressor,
    memories: &[MemoryRecord],
    levels: &[Option<Level>],
) -> SentMemories {
    let mut session = SentMemories::new();
    for (memory, level) in memories.iter().zip(levels) {
        if let Some(level) = *level {
            session.sent(memory, &compressor.compress(memory, level));
        }
    }
    session
}

/// The answer for `batch` to the request with this `id`.
#[must_use]
pub fn memory_answer(id: Option<Value>, batch: &MemoryBatch) -> MemoryAnswer<CompressedMemory> {
    let mut memories = batch.memories.iter().cloned();
    let entries = batch.shown.iter().map(|shown| match shown.level.and_then(|_| memories.next()) {
        Some(memory) => MemoryAnswerEntry::Shown(memory),
        None => MemoryAnswerEntry::Dropped(DroppedMemory::new(shown.id.clone())),
    });
    let levels = batch.distribution();
    let [references, gists, ..] = levels;
    let metrics = CompressionMetrics::default()
        .with_tokens_before(batch.tokens_before)
        .with_tokens_after(batch.tokens)
        .with_blocks_before(batch.shown.len())
        .with_blocks_after(batch.memories.len())
        .with_metadata_only(references + gists);
    let metrics = MemoryMetrics::new(metrics, levels, batch.value, batch.bound)
        .with_tokens_not_resent(batch.tokens_not_resent)
        .with_unmatched(batch.unmatched.clone());
    MemoryAnswer::new(id, batch.text.clone(), entries.collect(), metrics)
}
