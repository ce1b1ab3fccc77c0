//! Strategies for files and search results: smart truncation, metadata only and incremental context building.
//!
//! The strategies and their options come from KB Labs Mind. Each strategy plans from the measured input and counts none
//! of it again.
//!
//! [`feedback`] learns score thresholds and weights for these strategies from reports that blocks were needed.
//!
//! | strategy | what it does |
//! |---|---|
//! | [`SmartTruncation`] | shows start, declarations and end of every block over `maxLength` |
//! | [`MetadataOnly`] | shows blocks below the score threshold as path, symbols and lines |
//! | [`Incremental`] | shows every block at a level that depends on its value and the room |

pub mod feedback;

mod options;
mod threshold;

mod declarations;
mod description;
mod extract;
mod forms;
mod gist;

mod items;
mod relevance;

mod incremental;
mod metadata_only;
mod smart_truncation;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_kernel as kernel;
#[cfg(feature = "json")]
#[doc(no_inline)]
pub use serde_json;

pub use contextfit_packing::PackingMode;

pub use crate::{
    gist::{gist, reference},
    incremental::Incremental,
    metadata_only::MetadataOnly,
    options::{MetadataOnlyOptions, SmartTruncationOptions, TruncationOptions},
    smart_truncation::SmartTruncation,
    threshold::ScoreMode,
};
