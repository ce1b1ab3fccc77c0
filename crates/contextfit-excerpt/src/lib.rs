//! Machine output, cut to what matters: JSON, diffs, code, logs, tables, listings.
//!
//! [`lossless`] writes a text shorter without leaving anything out. [`excerpt`] does so first; where that does not fit, it tells the
//! [`Kind`] of a text and keeps, within the room given, the units that say most. It is on the floor of text and packing and no family:
//! any may use it. [`Excerpts`] is a strategy for contexts of nothing else.

mod embedded;
mod excerpt;
mod focus;
mod folders;
mod kind;

mod lossless;
mod output;
mod rendition;
mod run;
mod shares;
mod strategy;

mod choice;
mod rows;
mod worth;

mod numbers;
mod signals;
mod templates;

mod code;
mod diff;
mod history;
mod json;
mod listing;
mod log;
mod page;
mod prose;
mod table;

pub use crate::{
    excerpt::{excerpt, unit_worths},
    focus::focus,
    kind::Kind,
    lossless::lossless,
    output::is_output,
    shares::share,
    strategy::Excerpts,
};
