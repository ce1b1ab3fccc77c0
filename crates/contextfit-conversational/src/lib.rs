//! Conversations: what to keep of one that has outgrown its budget.
//!
//! A message is shown whole, cut to the parts that matter, or quoted in the record, which represents earlier turns by
//! whole units of them. An *exchange* (a message with tool calls and their results) moves as one.

mod draft;
mod exchange;
mod outputs;

mod members;
mod said;
mod speech;
mod units;
mod values;

mod held;
mod reading;
mod record;
mod relevance;
mod shown;
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
    tool_outputs::ToolOutputs,
    vectors::TurnVectors,
    worth::Worth,
};
