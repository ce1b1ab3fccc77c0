//! The options, in the format of `kb.config.json`.

use contextfit_truncation::{MetadataOnlyOptions, SmartTruncationOptions, TruncationOptions};
use serde::{Deserialize, Serialize};

/// How search results may be shortened. **The default is off**, as in KB Labs Mind: [`on`](Self::on) is what an
/// application wants that has no configuration file. Unknown keys are errors; missing ones take the defaults of KB Labs
/// Mind.
///
/// ```
/// # fn main() -> Result<(), serde_json::Error> {
/// # mod contextfit { pub use ::contextfit_kernel as kernel; pub use ::contextfit_presets as presets; }
/// use contextfit::{kernel::Chars, presets::CompressionOptions};
///
/// let options: CompressionOptions = serde_json::from_str(r#"{"enabled": true, "smartTruncation": {"maxLength": 1500}}"#)?;
/// assert_eq!(options.smart_truncation.max_length, Chars::new(1500));
/// assert!(options.metadata_only.enabled);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct CompressionOptions {
    /// Whether blocks may be shortened at all. If not, they are kept whole or left out. Default: false.
    pub enabled: bool,
    /// Where compressed texts are kept. Default: memory.
    pub cache: CacheBackend,
    /// Smart truncation.
    pub smart_truncation: SmartTruncationOptions,
    /// Metadata only.
    pub metadata_only: MetadataOnlyOptions,
    /// Compression by a language model.
    pub llm: LlmOptions,
}

impl CompressionOptions {
    /// The defaults with compression on.
    #[must_use]
    pub fn on() -> Self {
        TruncationOptions::default().into()
    }

    /// KB Labs Mind's example for large savings: [`TruncationOptions::aggressive`].
    #[must_use]
    pub fn aggressive() -> Self {
        TruncationOptions::aggressive().into()
    }

    /// KB Labs Mind's example for low loss: [`TruncationOptions::conservative`].
    #[must_use]
    pub fn conservative() -> Self {
        TruncationOptions::conservative().into()
    }
}

contextfit_kernel::setters! {
    CompressionOptions {
        with_enabled(enabled: bool), with_cache(cache: CacheBackend),
        with_smart_truncation(smart_truncation: SmartTruncationOptions),
        with_metadata_only(metadata_only: MetadataOnlyOptions), with_llm(llm: LlmOptions),
    }
}

impl From<TruncationOptions> for CompressionOptions {
    fn from(options: TruncationOptions) -> Self {
        let TruncationOptions { smart_truncation, metadata_only, .. } = options;
        Self { enabled: true, smart_truncation, metadata_only, ..Self::default() }
    }
}

impl From<CompressionOptions> for TruncationOptions {
    fn from(options: CompressionOptions) -> Self {
        let CompressionOptions { enabled, mut smart_truncation, mut metadata_only, .. } = options;
        smart_truncation.enabled &= enabled;
        metadata_only.enabled &= enabled;
        Self::default().with_smart_truncation(smart_truncation).with_metadata_only(metadata_only)
    }
}

/// Where compressed texts are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CacheBackend {
    /// In the process.
    #[default]
    Memory,
    /// In the payloads of Qdrant points.
    Qdrant,
    /// In the process, backed by Qdrant.
    Both,
}

/// Compression by a language model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct LlmOptions {
    /// Whether a model may be called. Default: false.
    pub enabled: bool,
    /// The model.
    pub model: Option<String>,
    /// Maximum number of tokens in its answer.
    pub max_tokens: Option<usize>,
}

contextfit_kernel::setters! {
    LlmOptions {
        with_enabled(enabled: bool), with_model(model: impl Into<String> => some),
        with_max_tokens(max_tokens: impl Into<Option<usize>>),
    }
}
