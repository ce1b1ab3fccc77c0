//! The shape of a configuration file.

use contextfit_bm25::SentenceOptions;
use contextfit_cache::CacheConfig;
use contextfit_kernel::CompressionStrategy;
use contextfit_truncation::CompressionOptions;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, transform::transform_subschemas};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{llm::LlmConfig, profile::Profile};

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
    /// How to count: o200k_base, cl100k_base, chars/N or the path of a tokenizer.json.
    pub(crate) tokenizer: Option<String>,
    /// A model: chooses the tokenizer, and the budget when none is given.
    pub(crate) model: Option<String>,
    /// The most tokens to spend.
    pub(crate) budget: Option<usize>,
    /// Tokens of the budget to set aside.
    pub(crate) reserve: Option<usize>,
    /// A strategy and its options under one name.
    pub(crate) profile: Option<Profile>,
    /// What may be done to blocks; stands in place of the profile's options.
    pub(crate) compression: Option<CompressionOptions>,
    /// How sentences are scored and chosen.
    pub(crate) bm25: Option<SentenceOptions>,
    /// A language model that may be asked: for summaries, and for shorter chunks where `compression.llm` allows it.
    pub(crate) llm: Option<LlmConfig>,
    /// Where the answers of models are kept.
    pub(crate) cache: Option<CacheConfig>,
    /// Whether it was read from a file of another program.
    #[serde(skip)]
    pub(crate) imported: bool,
}

/// The JSON schema. Of the descriptions only the first paragraph is kept: the others are for readers of the code.
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

/// The names of the strategies: the kernel, which knows them, knows no schemas.
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
