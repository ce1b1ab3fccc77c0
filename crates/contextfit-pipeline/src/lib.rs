//! Executes plans.
//!
//! The flow goes in one direction: a context is measured ([`measure`]), a strategy plans, the plan is checked and
//! rendered, the text is recounted, and only a text that fits is a result. A plan that turns out too long is made again
//! with less room; a strategy that fails or never fits gives way to the next. If none fits, the pinned blocks remain,
//! with as much as fits of those that must be shown. If even that does not fit, the error names those blocks and the
//! tokens they need.
//!
//! A plan can ask for blocks to be summarized by a model. Planning itself never waits: the missing summaries are
//! requested from a `Summarizer` (feature `llm`), all at once, and the context is planned again with the answers.
//!
//! With the feature `parallel` (dependency: `rayon`) blocks are counted on all cores; results are the same.

mod assembly;
mod attempt;
mod conversation;
mod departures;
mod forgery;
mod handles;
mod measure;
mod numbering;
mod outcome;
mod pipeline;
mod remembered;
mod render;
mod summaries;
#[cfg(feature = "llm")]
mod summarizer;
mod validity;
mod verify;

pub use crate::{
    measure::measure,
    pipeline::Pipeline,
    summaries::PROMPT_VERSION,
    validity::check_plan,
    verify::{Claim, Discrepancy, measure_planned, verified, verify},
};

#[cfg(feature = "llm")]
pub use crate::summarizer::Summarizer;
