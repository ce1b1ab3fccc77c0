//! Evaluates one compression, without labels and without a model.
//!
//! A [`Compression`] is a context, the text it became, and the stages in between. From it come:
//!
//! - [`Quality`]: which identifiers, numbers, quotations, instructions and words of the query were lost, by name; how
//!   much of the output is whole units; how much of the dropped text is said again; whether calls and results are still
//!   paired; with an embedding model, how near the output is to each part of the input.
//! - [`Comparison`]: two compressions of the same context, block by block.
//! - [`page`]: a self-contained page in HTML with everything in place.
//!
//! Everything here is pure and deterministic. To measure on labelled data, see `contextfit-eval`.

mod compression;
mod outcome;
mod shown;

mod losses;
mod names;

mod quality;

mod comparison;

mod page;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_kernel as kernel;
#[doc(no_inline)]
pub use serde_json;

pub use crate::{
    comparison::{BlockDifference, Comparison, Different, Side, SourceShare},
    compression::Compression,
    losses::{Loss, Losses, LostName, MAX_LOST_NAMES},
    outcome::{BlockOutcome, Fate},
    page::page,
    quality::{Output, Quality, Repetition, Transcript},
};
