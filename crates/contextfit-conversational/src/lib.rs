//! Conversations: what to keep of one that has outgrown its budget.
//!
//! A message is shown whole, cut to the parts that matter, or quoted in the record, which represents earlier turns by
//! whole units. An *exchange* (a message with tool calls and their results) is kept, cut or dropped as one.

mod draft;
mod outputs;

mod units;
mod values;

mod reading;
mod record;
mod shown;

mod hierarchical;
mod hybrid;
mod semantic;
mod sliding_window;
mod summarizing;
mod vectors;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_kernel as kernel;

pub use contextfit_text::Bm25;

pub use crate::{
    hierarchical::{HierarchicalCompressor, HierarchicalOptions},
    hybrid::HybridCompressor,
    hybrid::ToolOutputs,
    reading::Worth,
    semantic::{SemanticCompressor, SemanticOptions},
    sliding_window::SlidingWindowCompressor,
    summarizing::{SummarizingCompressor, SummarizingOptions},
    vectors::TurnVectors,
};
