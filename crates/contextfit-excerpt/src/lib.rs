//! Machine output, cut to what matters: JSON, diffs, code, logs, tables, listings.
//!
//! [`lossless`] shortens a text without leaving anything out. [`excerpt`] does so first; if the result does not fit, it
//! keeps the most informative units within the given room. The crate builds only
//! on text and packing and is not a strategy family, so any family may use it. [`Excerpts`] is a strategy for contexts
//! that consist of machine output.

mod excerpt;
mod focus;

mod rendition;
mod shares;
mod strategy;

mod choice;
mod reading;
mod rows;
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

pub use crate::{
    excerpt::{excerpt, unit_worths},
    focus::focus,
    rendition::lossless,
    shares::share,
    strategy::Excerpts,
};
