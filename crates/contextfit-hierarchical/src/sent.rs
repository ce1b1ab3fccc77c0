//! Memories sent before.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use contextfit_kernel::{Level, MemoryRecord};

use crate::CompressedMemory;

/// The memories that a conversation already contains, and their levels.
///
/// Passed to [`compress_batch_to_fit`](crate::MemoryCompressor::compress_batch_to_fit), it prevents a memory from being
/// sent again at the same level or a lower one. A memory that has changed since counts as never sent. A session is
/// valid within one process, because the content of a memory is identified by its hash.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SentMemories {
    sent: HashMap<String, (u64, Level)>,
}

impl SentMemories {
    /// A session with nothing sent yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Records that `shown` was sent for `memory`.
    pub fn sent(&mut self, memory: &MemoryRecord, shown: &CompressedMemory) {
        let (hash, level) = (hashed(memory), shown.level);
        let entry = self.sent.entry(memory.id.clone()).or_insert((hash, level));
        *entry = if entry.0 == hash { (hash, entry.1.max(level)) } else { (hash, level) };
    }

    /// The highest level at which `memory` was sent in its current form, if it was.
    #[must_use]
    pub fn level(&self, memory: &MemoryRecord) -> Option<Level> {
        self.sent.get(&memory.id).filter(|(hash, _)| *hash == hashed(memory)).map(|(_, level)| *level)
    }
}

/// A hash of the memory's content, without its hints to the packer, which may change.
fn hashed(memory: &MemoryRecord) -> u64 {
    let mut hasher = DefaultHasher::new();
    let MemoryRecord {
        memory_type, importance, confidence, date, summary, knowledge, tags, examples, ..
    } = memory;
    (memory_type, importance, confidence.map(f64::to_bits), date, summary, knowledge, tags, examples)
        .hash(&mut hasher);
    for evidence in &memory.evidence {
        (&evidence.description, evidence.confidence.map(f64::to_bits)).hash(&mut hasher);
    }
    let MemoryRecord { related, causal_chain, linked_patterns, linked_constraints, .. } = memory;
    (related, causal_chain, linked_patterns, linked_constraints).hash(&mut hasher);
    (&memory.linked_files, &memory.linked_functions).hash(&mut hasher);
    hasher.finish()
}
