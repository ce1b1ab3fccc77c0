//! Machine output, cut to what matters: JSON, diffs, code, logs, tables, listings.
//!
//! [`lossless`] writes a text shorter without leaving anything out. [`excerpt`] does so first; where that does not fit, it tells the [`Kind`] of a text and keeps, within the room given, the units that say most. It is on the
//! floor of text and packing and not a strategy: any family may use it.

mod excerpt;
mod kind;

mod lossless;
mod rendition;

mod choice;
mod rows;
mod worth;

mod signals;
mod similarity;

mod code;
mod diff;
mod json;
mod listing;
mod log;
mod prose;
mod table;

pub use crate::{
    excerpt::{excerpt, unit_worths},
    kind::Kind,
    lossless::lossless,
};
