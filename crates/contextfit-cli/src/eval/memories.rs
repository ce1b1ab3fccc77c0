//! Measures memories as `memory` fits them.

use std::sync::Arc;

use contextfit::{
    kernel::{Budget, CompressionMetrics, CompressionResult, Context, Error, TokenCounter},
    memory::{FitOptions, MemoryCompressor},
};
use contextfit_eval::{Input, InputFitter};

use crate::settings::Settings;

/// Fits memories with the settings of the command line.
pub(super) struct Memories {
    compressor: MemoryCompressor,
    counter: Arc<dyn TokenCounter>,
}

impl Memories {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            compressor: settings.fitter.memory_compressor(),
            counter: settings.fitter.counting.counter.clone(),
        }
    }
}

impl InputFitter for Memories {
    fn counter(&self) -> &dyn TokenCounter {
        &*self.counter
    }

    fn fit(&self, input: &Input, _: &Context, budget: &Budget) -> Result<CompressionResult, Error> {
        let Input::Memories { memories, query } = input else {
            return Err(Error::strategy("auto", "expected memories"));
        };
        let options = FitOptions::default().with_query(query);
        let batch = self.compressor.compress_batch_to_fit(memories, budget.available(), &options)?;
        let metrics = CompressionMetrics::default()
            .with_tokens_before(batch.tokens_before)
            .with_tokens_after(batch.tokens)
            .with_blocks_before(memories.len())
            .with_blocks_after(batch.memories.len());
        Ok(CompressionResult::new(Context::default(), batch.text, vec![batch.tokens], metrics, Vec::new()))
    }
}
