//! Several strategies in sequence, and the gentlest of them, which only cuts tool outputs.

use std::sync::Arc;

use contextfit_kernel::{Error, Measured, Plan, Scorer, Strategy, Tokens};
use contextfit_text::Speakers;

use crate::{
    HierarchicalCompressor, SlidingWindowCompressor,
    outputs::{SHORTEST_CUT_TOKENS, common_cap, shorten_all, start},
};

/// A chain of strategies, gentlest first, as in MoFA: if one does not fit or fails, the next is tried. A pipeline that
/// gets the chain tries its stages in order, and its trace reports each with its own figures.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_pipeline::Pipeline;
/// #     pub use ::contextfit_conversational as chat;
/// #     pub use ::contextfit_text as text;
/// # }
/// use contextfit::{Pipeline, chat::HybridCompressor, text::CharsPer};
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
#[derive(Debug, Clone, Default)]
pub struct HybridCompressor {
    stages: Vec<Arc<dyn Strategy>>,
}

impl HybridCompressor {
    /// The default chain: tool outputs are cut; if that is not enough, every turn is shown at the level it deserves; if
    /// that fails, only the newest turns are kept.
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

/// Keeps everything that was said and cuts the longest tool outputs to a common length so that the conversation fits.
/// The remaining part of an output is a structured excerpt. The plan does not fit if the words alone are too many or
/// the outputs would become too short to be useful; so this is a stage for a
/// [`HybridCompressor`](crate::HybridCompressor). Linear in the length of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToolOutputs;

impl Strategy for ToolOutputs {
    fn name(&self) -> &str {
        "tool-outputs"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        let speakers = Speakers::of(&input.blocks);
        let mut draft = start(input, room, &speakers);
        let cap = common_cap(&draft, speakers.printed()).unwrap_or(Tokens::new(SHORTEST_CUT_TOKENS));
        shorten_all(&mut draft, speakers.printed(), cap);
        Ok(draft.finish(self.name()))
    }
}
