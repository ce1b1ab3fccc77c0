//! Machine output cut to the parts that matter: JSON, diffs, code, logs, tables, listings.
//!
//! [`lossless`] shortens a text without leaving anything out. [`excerpt`] tries that first; if the result does not fit,
//! it keeps the most informative units. The crate depends only on text and packing, so any strategy family can use it.
//! [`Excerpts`] is a strategy for contexts that consist of machine output.

mod excerpt;
mod focus;

mod rendition;
mod shares;
mod strategy;

mod choice;
mod evidence;
mod reading;
mod rows;
mod weights;
mod worth;

mod names;
mod numbers;
mod signals;
mod templates;

mod diff;
mod headings;
mod json;
mod listing;
mod log;
mod page;
mod table;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_kernel as kernel;

pub use crate::{
    evidence::{ROW_FEATURES, RowFeatures},
    excerpt::{excerpt, row_features, unit_worths},
    focus::focus,
    rendition::lossless,
    shares::share,
    strategy::Excerpts,
};
