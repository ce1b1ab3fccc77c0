//! Several strategies in turn.

use std::{fmt, sync::Arc};

use contextfit_kernel::{Scorer, Strategy};

use crate::{HierarchicalCompressor, SlidingWindowCompressor, ToolOutputCompressor};

/// A chain of strategies, the gentlest first: the next has its turn where one does not fit or fails (seed 003). A pipeline that
/// is given them tries them in order, and its trace tells of each, with its own figures.
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
    /// Outputs of tools are cut; where that is not enough every turn stands at the level it is worth; and where that fails the
    /// newest turns remain.
    #[must_use]
    pub fn new(scorer: Arc<dyn Scorer>) -> Self {
        Self::default()
            .with_stage(ToolOutputCompressor)
            .with_stage(HierarchicalCompressor::new(scorer))
            .with_stage(SlidingWindowCompressor::new())
    }

    /// The same chain with one more stage behind the others.
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
