//! Profiles: presets of a strategy and its options.

use contextfit_kernel::CompressionStrategy;
use contextfit_truncation::CompressionOptions;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The profiles, from the fastest to the most economical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Profile {
    /// Smart truncation alone
    Fast,
    /// The default strategy and options
    Balanced,
    /// Longer excerpts, and more blocks by name only
    Quality,
    /// Shorter excerpts of more blocks
    CostOptimized,
}

impl Profile {
    /// The strategy and options of the profile.
    pub(crate) fn settings(self) -> (CompressionStrategy, CompressionOptions) {
        match self {
            Self::Fast => (CompressionStrategy::SmartTruncation, CompressionOptions::on()),
            Self::Balanced => (CompressionStrategy::Auto, CompressionOptions::on()),
            Self::Quality => (CompressionStrategy::Auto, CompressionOptions::conservative()),
            Self::CostOptimized => (CompressionStrategy::Auto, CompressionOptions::aggressive()),
        }
    }

    /// The strategy of the profile for conversations.
    pub(crate) const fn conversation(self) -> CompressionStrategy {
        match self {
            Self::Fast => CompressionStrategy::SlidingWindow,
            Self::Balanced | Self::Quality | Self::CostOptimized => CompressionStrategy::Auto,
        }
    }
}
