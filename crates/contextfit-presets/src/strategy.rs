//! The strategies by name.

use contextfit_hierarchical::PackingMode;
use contextfit_kernel::{Error, Level};
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

contextfit_kernel::names!(
    CompressionStrategy, "strategy": Auto => "auto", SmartTruncation => "smart-truncation",
    MetadataOnly => "metadata-only", Incremental => "incremental", Outline => "outline", Bm25 => "bm25",
    Excerpt => "excerpt", SlidingWindow => "sliding-window", Summarize => "summarize", Semantic => "semantic",
    Hierarchical => "hierarchical", Hybrid => "hybrid",
);

impl CompressionStrategy {
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

    /// The strategy for search results and files with this name.
    ///
    /// # Errors
    /// [`Error::UnknownStrategy`], which lists those.
    pub fn of_passages(name: &str) -> Result<Self, Error> {
        named(name, &Self::SEARCH, Self::name)
    }

    /// The strategy for conversations with this name.
    ///
    /// # Errors
    /// [`Error::UnknownStrategy`], which lists those.
    pub fn of_conversations(name: &str) -> Result<Self, Error> {
        named(name, &Self::CHAT, Self::name)
    }
}

/// The one of `all` that is called `name`; `name_of` gives the name of each.
///
/// # Errors
/// [`Error::UnknownStrategy`], which lists the known ones.
pub(crate) fn named<T: Copy>(name: &str, all: &[T], name_of: fn(T) -> &'static str) -> Result<T, Error> {
    all.iter().copied().find(|one| name_of(*one) == name).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|one| name_of(*one)).collect();
        Error::UnknownStrategy { name: name.into(), known: known.join(", ") }
    })
}

/// How memories are fitted.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MemoryOptions {
    /// How levels are chosen, for requests that do not say.
    pub strategy: MemoryStrategy,
    /// The lowest level at which a memory is shown.
    pub min_level: Level,
    /// The highest level at which a memory is shown.
    pub max_level: Level,
    /// Types of memories, and the share of the budget from 0 to 1 that is offered to each first.
    pub shares: Vec<(String, f64)>,
}

impl Default for MemoryOptions {
    fn default() -> Self {
        Self {
            strategy: MemoryStrategy::default(),
            min_level: Level::Reference,
            max_level: Level::Full,
            shares: Vec::new(),
        }
    }
}

/// How the levels of memories are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum MemoryStrategy {
    /// The best strategy built in: optimal.
    #[default]
    Auto,
    /// Critical memories first, each at the highest level that fits into the remaining budget.
    Greedy,
    /// The levels with the highest total value, with a bound on how far from optimal they may be.
    Optimal,
}

contextfit_kernel::names!(
    MemoryStrategy, "strategy": Auto => "auto", Greedy => "greedy", Optimal => "optimal",
);

impl MemoryStrategy {
    pub(crate) const fn mode(self) -> PackingMode {
        match self {
            Self::Greedy => PackingMode::InTurn,
            Self::Auto | Self::Optimal => PackingMode::Optimal,
        }
    }
}
