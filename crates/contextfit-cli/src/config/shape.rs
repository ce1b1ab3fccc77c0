//! The shape of a configuration file.

use contextfit_bm25::SentenceOptions;
use contextfit_cache::CacheConfig;
use contextfit_presets::CompressionOptions;
use contextfit_presets::{CompressionStrategy, Profile};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, transform::transform_subschemas};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{learned::FeedbackConfig, llm::LlmConfig};

/// Configuration of contextfit.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Config {
    /// How to shorten.
    #[schemars(schema_with = "strategy")]
    pub(crate) strategy: Option<CompressionStrategy>,
    /// How to shorten conversations.
    #[schemars(schema_with = "chat")]
    pub(crate) chat: Option<CompressionStrategy>,
    /// The tokenizer: o200k_base, cl100k_base, chars/N or the path of a tokenizer.json.
    pub(crate) tokenizer: Option<String>,
    /// The model that results are for: sets the tokenizer, and the budget if none is given.
    pub(crate) model: Option<String>,
    /// The maximum number of tokens to spend.
    pub(crate) budget: Option<usize>,
    /// Tokens to set aside from the budget.
    pub(crate) reserve: Option<usize>,
    /// A preset of a strategy and its options.
    pub(crate) profile: Option<Profile>,
    /// What may be done to blocks; replaces the options of the profile.
    pub(crate) compression: Option<CompressionOptions>,
    /// How sentences are scored and chosen.
    pub(crate) bm25: Option<SentenceOptions>,
    /// A language model to use for summaries, and for shortening chunks if `compression.llm` allows it.
    pub(crate) llm: Option<LlmConfig>,
    /// Where to keep the answers of models.
    pub(crate) cache: Option<CacheConfig>,
    /// What to learn from feedback.
    pub(crate) feedback: Option<FeedbackConfig>,
    /// Whether it was read from the file of another program.
    #[serde(skip)]
    pub(crate) imported: bool,
}

impl Config {
    /// What may be done to blocks; compression is on unless stated otherwise.
    pub(crate) fn options(&self) -> CompressionOptions {
        let of_profile = || self.profile.map(Profile::options);
        self.compression.clone().or_else(of_profile).unwrap_or_else(CompressionOptions::on)
    }
}

/// The JSON schema. Descriptions keep their first paragraph only: the rest is for readers of the code.
pub(crate) fn schema() -> Schema {
    let mut schema = schemars::schema_for!(Config);
    shorten(&mut schema);
    schema
}

fn shorten(schema: &mut Schema) {
    if let Some(Value::String(description)) = schema.get_mut("description")
        && let Some((first, _)) = description.split_once("\n\n")
    {
        *description = first.to_owned();
    }
    transform_subschemas(&mut shorten, schema);
}

/// The names of the strategies, spelled out here because the kernel does not depend on `schemars`.
fn strategy(_: &mut SchemaGenerator) -> Schema {
    names(&CompressionStrategy::SEARCH)
}

fn chat(_: &mut SchemaGenerator) -> Schema {
    names(&CompressionStrategy::CHAT)
}

fn names(known: &[CompressionStrategy]) -> Schema {
    let names: Vec<&str> = known.iter().map(|strategy| strategy.name()).collect();
    json_schema!({"type": ["string", "null"], "enum": names})
}
