//! Profiles: presets of a strategy and its options.

use std::{fmt, str::FromStr};

use contextfit_kernel::Error;
use serde::{Deserialize, Serialize};

use crate::{CompressionOptions, CompressionStrategy};

/// The profiles, from the fastest to the most economical.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Smart truncation alone; the newest turns of a conversation.
    Fast,
    /// The default strategy and options.
    Balanced,
    /// Longer excerpts, and more blocks by name only.
    Quality,
    /// Shorter excerpts of more blocks.
    CostOptimized,
}

impl Profile {
    /// All profiles, in display order.
    pub const ALL: [Self; 4] = [Self::Fast, Self::Balanced, Self::Quality, Self::CostOptimized];

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Balanced => "balanced",
            Self::Quality => "quality",
            Self::CostOptimized => "cost-optimized",
        }
    }

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

    /// The options.
    #[must_use]
    pub fn options(self) -> CompressionOptions {
        match self {
            Self::Fast | Self::Balanced => CompressionOptions::on(),
            Self::Quality => CompressionOptions::conservative(),
            Self::CostOptimized => CompressionOptions::aggressive(),
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Profile {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|profile| profile.name() == name).ok_or_else(|| Error::UnknownStrategy {
            name: name.into(),
            known: Self::ALL.map(Self::name).join(", "),
        })
    }
}
