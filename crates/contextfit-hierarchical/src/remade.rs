//! A batch made again from the choice of its levels.

use contextfit_kernel::{Error, Level, MemoryRecord, Reason, Tokens};

use crate::{FitOptions, MemoryBatch, MemoryCompressor, batch::finished, entries::Entries};

/// The choice by which a batch was made.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MemoryChoice {
    /// The level of each memory.
    pub levels: Vec<Option<Level>>,
    /// The relevance of each to the query, as in [`MemoryBatch::shown`](crate::MemoryBatch::shown).
    pub relevance: Option<Vec<f64>>,
    /// The value.
    pub value: f64,
    /// The bound on the value.
    pub bound: f64,
}

impl MemoryCompressor {
    /// `memories` at the levels that were chosen before, for checking a batch: nothing is scored or packed, and the
    /// reasons say so. Linear in the length of the memories.
    ///
    /// # Errors
    /// [`Error::Circular`] if memories replace one another in a circle.
    pub fn compress_batch_at(
        &self,
        memories: &[MemoryRecord],
        budget: Tokens,
        choice: MemoryChoice,
        options: &FitOptions<'_>,
    ) -> Result<MemoryBatch, Error> {
        let MemoryChoice { levels, relevance, value, bound } = choice;
        let entries = Entries::new(self, memories, options, Some(relevance))?;
        let levels = (0..memories.len()).map(|n| levels.get(n).copied().flatten()).collect();
        let mut text = self.text_at(&entries, levels);
        if text.tokens > budget {
            text = text.without_marker(&*self.counter);
        }
        let mut batch = finished(&entries, options, text, [value, bound]);
        for shown in &mut batch.shown {
            shown.reason = Reason::Other("chosen before".into());
        }
        Ok(batch)
    }
}
