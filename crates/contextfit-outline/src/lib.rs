//! Outlines of code.
//!
//! Each language is a feature; `light` and `heavy` are groups of them. The feature `parallel` (dependency: `rayon`)
//! parses the files of a request on all cores, with the same results.

mod grammar;
mod grammars;
mod limits;
mod lines;

mod indentation;
mod known;
mod outline;
mod reading;
mod syntax;
mod walk;

mod ranking;

mod marker;
mod page;
mod shelf;

mod choice;
mod stretches;
mod units;

mod outlining;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_kernel as kernel;
#[doc(no_inline)]
pub use contextfit_text as text;

pub use crate::{
    grammars::{grammars, lacking_grammar},
    known::Outlines,
    outline::{Body, ItemKind, Outline, OutlineItem},
    outlining::{Outlining, RankedUnit},
    ranking::{DefinedNames, FEATURES, Ranked, Ranker, Surveyed, is_test_path},
};

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "tests fail by panicking"
)]
mod proof;
