//! The pipeline: it executes the plans of strategies.
//!
//! A context is measured ([`measure`]), a strategy plans, the plan is checked and rendered, and the text is counted.
//! Only a text that fits is a result. If a text is too long, the strategy plans again with less room; if it fails or
//! never fits, the next strategy is tried. If none fits, the result consists of the pinned blocks and as much as fits
//! of the blocks that must be shown. If even that does not fit, the error names those blocks and the tokens they need.
//!
//! A plan can request summaries of blocks by a model. Planning itself never waits: the missing summaries are requested
//! from a `Summarizer` (feature `llm`), all at once, and the strategy plans again with the answers.
//!
//! With the feature `parallel` (dependency: `rayon`) blocks are counted on all cores. The results are the same.

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
mod told;
mod validity;
mod verify;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_kernel as kernel;
#[doc(no_inline)]
pub use contextfit_text as text;

pub use crate::{
    departures::SMALLEST,
    measure::measure,
    pipeline::Pipeline,
    summaries::PROMPT_VERSION,
    validity::check_plan,
    verify::{Claim, Discrepancy, measure_planned, verified, verify},
};

#[cfg(feature = "llm")]
pub use crate::summarizer::Summarizer;
