//! Files and search results on the ladder: smart truncation, metadata only, incremental context building.
//!
//! The family of seeds 000 and 001. Each strategy plans from what was measured; none counts the input again.
//!
//! | strategy | what it does |
//! |---|---|
//! | [`SmartTruncation`] | start, declarations and end of every block over `maxLength` |
//! | [`MetadataOnly`] | blocks below the score threshold as path, symbols, lines |
//! | [`Incremental`] | every block at the level that its worth and the room allow |

mod options;
mod threshold;

mod declarations;
mod description;
mod extract;
mod forms;
mod gist;
mod selection;

mod items;
mod relevance;

mod incremental;
mod metadata_only;
mod smart_truncation;

pub use crate::{
    incremental::Incremental,
    metadata_only::MetadataOnly,
    options::{CacheBackend, CompressionOptions, LlmOptions, MetadataOnlyOptions, SmartTruncationOptions},
    smart_truncation::SmartTruncation,
    threshold::ScoreMode,
};
