//! Conversations: what is kept of a talk that has grown longer than its budget.
//!
//! A message stands at one of four levels: whole, cut to what matters in it, as a line that carries its values, or not at
//! all. An *exchange* (a message with tool calls and the results of these) moves as one.

mod anchors;
mod draft;
mod exchange;
mod hierarchical;
mod hybrid;
mod lines;
mod opening;
mod outputs;
mod relevance;
mod repetition;
mod semantic;
mod sliding_window;
mod summarizing;
mod tool_outputs;
mod values;
mod vectors;

mod rules;
mod small_talk;
mod speech;

mod instructions;

pub use crate::{
    hierarchical::{HierarchicalCompressor, HierarchicalOptions},
    hybrid::HybridCompressor,
    instructions::{Cue, Instruction, standing_instructions},
    lines::Worth,
    semantic::{SemanticCompressor, SemanticOptions},
    sliding_window::SlidingWindowCompressor,
    summarizing::{SummarizingCompressor, SummarizingOptions},
    tool_outputs::ToolOutputCompressor,
    vectors::TurnVectors,
};
