//! Profiles: strategies and their options under one name.

use contextfit_bm25::SentenceOptions;
use contextfit_truncation::{MetadataOnlyOptions, SmartTruncationOptions};
use serde::{Deserialize, Serialize};

use crate::{CompressionOptions, CompressionStrategy};

/// The profiles, from the fastest to the most economical. What each keeps, spends and takes is measured in
/// docs/quality.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// The strategies that analyse the least: smart truncation, and the newest turns of a conversation. Several times as
    /// fast on code and conversations, and much of what is needed is lost.
    Fast,
    /// The default strategies and options.
    Balanced,
    /// Fills the budget: nothing is left out while there is room for it.
    Quality,
    /// Leaves out what is not close to the query, even if there is room for it.
    CostOptimized,
}

contextfit_kernel::names!(
    Profile, "strategy": Fast => "fast", Balanced => "balanced", Quality => "quality",
    CostOptimized => "cost-optimized",
);

impl Profile {
    /// The strategy for search results and files.
    #[must_use]
    pub const fn passages(self) -> CompressionStrategy {
        match self {
            Self::Fast => CompressionStrategy::SmartTruncation,
            Self::Balanced | Self::Quality | Self::CostOptimized => CompressionStrategy::Auto,
        }
    }

    /// The strategy for conversations.
    #[must_use]
    pub const fn conversations(self) -> CompressionStrategy {
        match self {
            Self::Fast => CompressionStrategy::SlidingWindow,
            Self::Balanced | Self::Quality | Self::CostOptimized => CompressionStrategy::Auto,
        }
    }

    /// The options of truncation and metadata.
    #[must_use]
    pub fn options(self) -> CompressionOptions {
        let (max_length, score_threshold): (usize, _) = match self {
            Self::Fast | Self::Balanced => return CompressionOptions::on(),
            // Longer cuts, and only blocks that the retriever itself doubts lose their text.
            Self::Quality => (3000, 0.3),
            // Shorter cuts, and every block below the middle of the scale is a name.
            Self::CostOptimized => (1500, 0.5),
        };
        let smart = SmartTruncationOptions::default().with_max_length(max_length);
        let metadata = MetadataOnlyOptions::default().with_score_threshold(score_threshold);
        CompressionOptions::on().with_smart_truncation(smart).with_metadata_only(metadata)
    }

    /// The options of sentence selection.
    #[must_use]
    pub fn sentences(self) -> SentenceOptions {
        let usual = SentenceOptions::default();
        match self {
            Self::Fast | Self::Balanced => usual,
            // A sentence that looks irrelevant may be the second step of a two-step question.
            Self::Quality => usual.with_min_relevance(0.0),
            // At a quarter of the tokens, a third of what is sent scores less than half of the best sentence.
            Self::CostOptimized => usual.with_min_relevance(0.5),
        }
    }
}
