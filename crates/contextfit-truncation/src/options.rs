//! Options in the format of the corresponding parts of `kb.config.json`.

use contextfit_kernel::Chars;
use serde::{Deserialize, Serialize};

use crate::ScoreMode;

/// How search results may be shortened: by default, both cut and shown by their metadata. With both turned off, blocks
/// are kept whole or left out. [`MetadataOnly`](crate::MetadataOnly) never cuts, and
/// [`Incremental`](crate::Incremental) shows more than `max_length` of a block if there is room after all others.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct TruncationOptions {
    /// Smart truncation.
    pub smart_truncation: SmartTruncationOptions,
    /// Metadata only.
    pub metadata_only: MetadataOnlyOptions,
}

impl TruncationOptions {
    /// The example of KB Labs Mind for large savings: at most 1,500 characters per block, metadata only below 0.3.
    #[must_use]
    pub fn aggressive() -> Self {
        Self::default().with_limits(1500, 0.3)
    }

    /// The example of KB Labs Mind for low loss: at most 3,000 characters per block, metadata only below 0.5.
    #[must_use]
    pub fn conservative() -> Self {
        Self::default().with_limits(3000, 0.5)
    }

    /// The smart truncation options, if enabled.
    pub(crate) fn truncating(&self) -> Option<&SmartTruncationOptions> {
        Some(&self.smart_truncation).filter(|options| options.enabled)
    }

    /// The metadata options, if enabled.
    pub(crate) fn describing(&self) -> Option<&MetadataOnlyOptions> {
        Some(&self.metadata_only).filter(|options| options.enabled)
    }

    /// What is turned off, as the options in `kb.config.json` call it.
    pub(crate) fn off(&self) -> Option<&'static str> {
        match (self.smart_truncation.enabled, self.metadata_only.enabled) {
            (false, false) => Some("enabled"),
            (false, true) => Some("smartTruncation.enabled"),
            (true, false) => Some("metadataOnly.enabled"),
            (true, true) => None,
        }
    }

    fn with_limits(mut self, max_length: usize, score_threshold: f64) -> Self {
        self.smart_truncation.max_length = Chars::new(max_length);
        self.metadata_only.score_threshold = score_threshold;
        self
    }
}

/// How blocks are cut.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SmartTruncationOptions {
    /// Whether blocks may be cut. Default: true.
    pub enabled: bool,
    /// Maximum number of characters in a block, including markers. Default: 2000.
    #[cfg_attr(feature = "schema", schemars(with = "usize"))]
    pub max_length: Chars,
    /// Whether declarations between start and end take precedence over other lines. Default: true.
    pub preserve_structure: bool,
}

impl Default for SmartTruncationOptions {
    fn default() -> Self {
        Self { enabled: true, max_length: Chars::new(2000), preserve_structure: true }
    }
}

/// When a block is shown by its metadata only.
///
/// A **lower threshold reduces fewer blocks**: with the default of 0.4, blocks that score below 0.4 lose their text;
/// with 0.3, only those below 0.3 do. (The advice in KB Labs Mind has this the wrong way round.)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct MetadataOnlyOptions {
    /// Whether blocks may be shown by their metadata. Default: true.
    pub enabled: bool,
    /// Blocks that score below this are shown by their metadata. Default: 0.4.
    pub score_threshold: f64,
    /// What the threshold is compared with. Default: the retriever's score, unchanged.
    pub score_mode: ScoreMode,
}

impl Default for MetadataOnlyOptions {
    fn default() -> Self {
        Self { enabled: true, score_threshold: 0.4, score_mode: ScoreMode::Absolute }
    }
}

contextfit_kernel::setters! {
    TruncationOptions {
        with_smart_truncation(smart_truncation: SmartTruncationOptions),
        with_metadata_only(metadata_only: MetadataOnlyOptions),
    }
}
contextfit_kernel::setters! {
    SmartTruncationOptions {
        with_enabled(enabled: bool), with_max_length(max_length: impl Into<Chars>),
        with_preserve_structure(preserve_structure: bool),
    }
}
contextfit_kernel::setters! {
    MetadataOnlyOptions {
        with_enabled(enabled: bool), with_score_threshold(score_threshold: f64),
        with_score_mode(score_mode: ScoreMode),
    }
}

impl From<SmartTruncationOptions> for TruncationOptions {
    /// These options of smart truncation, and the default ones of metadata only.
    fn from(smart_truncation: SmartTruncationOptions) -> Self {
        Self { smart_truncation, ..Self::default() }
    }
}

impl From<MetadataOnlyOptions> for TruncationOptions {
    /// These options of metadata only, and the default ones of smart truncation.
    fn from(metadata_only: MetadataOnlyOptions) -> Self {
        Self { metadata_only, ..Self::default() }
    }
}
