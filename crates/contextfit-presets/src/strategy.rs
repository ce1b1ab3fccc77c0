//! The names of strategies.

use std::{fmt, str::FromStr};

use contextfit_kernel::Error;
use serde::{Deserialize, Serialize};

/// The strategies by name, as spelled in configuration files, in requests and on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CompressionStrategy {
    /// The best built-in strategy for the input at hand.
    #[default]
    Auto,
    /// The start, declarations and end of every long block.
    SmartTruncation,
    /// A block's metadata instead of its text.
    MetadataOnly,
    /// Each block at the level that its value and the room allow.
    Incremental,
    /// The sentences most relevant to the query.
    Bm25,
    /// Code as signatures, plus the bodies that matter.
    Outline,
    /// The important parts of machine output: errors, totals, changes, heads.
    Excerpt,
    /// The newest turns of a conversation.
    SlidingWindow,
    /// The newest turns, and a summary of the turns before them.
    Summarize,
    /// Turns that say the same thing, merged into one.
    Semantic,
    /// Each turn at the level that its value justifies.
    Hierarchical,
    /// Several strategies, one after another, until the conversation fits.
    Hybrid,
}

impl CompressionStrategy {
    /// All strategies, in display order.
    pub const ALL: [Self; 12] = [
        Self::Auto,
        Self::SmartTruncation,
        Self::MetadataOnly,
        Self::Incremental,
        Self::Outline,
        Self::Bm25,
        Self::Excerpt,
        Self::SlidingWindow,
        Self::Summarize,
        Self::Semantic,
        Self::Hierarchical,
        Self::Hybrid,
    ];

    /// Strategies for search results and files, in display order.
    pub const SEARCH: [Self; 7] = [
        Self::Auto,
        Self::SmartTruncation,
        Self::MetadataOnly,
        Self::Incremental,
        Self::Outline,
        Self::Bm25,
        Self::Excerpt,
    ];

    /// Strategies for conversations, in display order.
    pub const CHAT: [Self; 6] =
        [Self::Auto, Self::SlidingWindow, Self::Summarize, Self::Semantic, Self::Hierarchical, Self::Hybrid];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::SmartTruncation => "smart-truncation",
            Self::MetadataOnly => "metadata-only",
            Self::Incremental => "incremental",
            Self::Bm25 => "bm25",
            Self::Outline => "outline",
            Self::Excerpt => "excerpt",
            Self::SlidingWindow => "sliding-window",
            Self::Summarize => "summarize",
            Self::Semantic => "semantic",
            Self::Hierarchical => "hierarchical",
            Self::Hybrid => "hybrid",
        }
    }
}

impl fmt::Display for CompressionStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for CompressionStrategy {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name).ok_or_else(|| Error::UnknownStrategy {
            name: name.into(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}
