//! Conversations: what is kept of one that has grown longer than its budget.
//!
//! A message is shown whole, cut to what matters in it, or quoted in the record, which stands for earlier turns and is made
//! of whole units of them. An *exchange* (a message with tool calls and the results of these) moves as one.

mod draft;
mod exchange;
mod outputs;

mod members;
mod small_talk;
mod speech;
mod units;
mod values;

mod reading;
mod record;
mod relevance;
mod worth;

mod hierarchical;
mod hybrid;
mod repetition;
mod semantic;
mod sliding_window;
mod summarizing;
mod tool_outputs;
mod vectors;

pub use crate::{
    hierarchical::{HierarchicalCompressor, HierarchicalOptions},
    hybrid::HybridCompressor,
    semantic::{SemanticCompressor, SemanticOptions},
    sliding_window::SlidingWindowCompressor,
    summarizing::{SummarizingCompressor, SummarizingOptions},
    tool_outputs::ToolOutputCompressor,
    vectors::TurnVectors,
    worth::Worth,
};
