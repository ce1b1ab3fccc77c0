//! Several strategies in sequence.

use std::{fmt, sync::Arc};

use contextfit_kernel::{Scorer, Strategy};

use crate::{HierarchicalCompressor, SlidingWindowCompressor, ToolOutputs};

/// A chain of strategies, gentlest first, as in MoFA: if one does not fit or fails, the next is tried. A pipeline that
/// is given the chain tries its stages in order, and its trace reports each with its own figures.
///
/// ```
/// use contextfit_conversational::HybridCompressor;
/// use contextfit_pipeline::Pipeline;
/// use contextfit_text::CharsPer;
/// use std::sync::Arc;
///
/// # struct Any;
/// # impl contextfit_kernel::Scorer for Any {
/// #     fn score(&self, _: &str, texts: &[&str]) -> Vec<f64> { vec![1.0; texts.len()] }
/// # }
/// let stages = HybridCompressor::new(Arc::new(Any));
/// let pipeline = stages.into_iter().fold(Pipeline::new(Arc::new(CharsPer::new(4).ok_or("no")?)), Pipeline::with_strategy);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Default)]
pub struct HybridCompressor {
    stages: Vec<Arc<dyn Strategy>>,
}

impl HybridCompressor {
    /// First tool outputs are cut; if that is not enough, every turn is shown at the level it deserves; if that fails,
    /// the newest turns remain.
    #[must_use]
    pub fn new(scorer: Arc<dyn Scorer>) -> Self {
        Self::default()
            .with_stage(ToolOutputs)
            .with_stage(HierarchicalCompressor::new(scorer))
            .with_stage(SlidingWindowCompressor::new())
    }

    /// Appends a stage to the chain.
    #[must_use]
    pub fn with_stage(mut self, stage: impl Strategy + 'static) -> Self {
        self.stages.push(Arc::new(stage));
        self
    }
}

impl IntoIterator for HybridCompressor {
    type Item = Arc<dyn Strategy>;
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.stages.into_iter()
    }
}

impl fmt::Debug for HybridCompressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.stages.iter().map(Strategy::name).collect();
        f.debug_tuple("HybridCompressor").field(&names).finish()
    }
}
