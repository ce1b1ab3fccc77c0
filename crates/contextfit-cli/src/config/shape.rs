//! The shape of a configuration file.

use std::path::PathBuf;

use contextfit::{
    caches::{CacheConfig, CacheKind},
    feedback::{Rule, RuleError},
    presets::{CompressionOptions, CompressionStrategy, DEFAULT_TOKENIZER, Profile},
    search::SentenceOptions,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema, transform::transform_subschemas};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Defaults: seconds to wait, concurrent requests, and tokens of an answer when shortening chunks.
pub(crate) const DEADLINE: u64 = 60;
pub(crate) const CONCURRENCY: usize = 4;
pub(crate) const MAX_TOKENS: usize = 2_000;

/// The default address of Qdrant, with its usual port for gRPC.
pub(crate) const QDRANT: &str = "http://localhost:6334";

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
    /// Strategies and options for whatever is not set elsewhere.
    pub(crate) profile: Option<Profile>,
    /// What may be done to blocks.
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
    /// What applies unless something else is set.
    pub(crate) fn defaults() -> Self {
        let mut compression = CompressionOptions::on();
        compression.llm.max_tokens = Some(MAX_TOKENS);
        Self {
            strategy: Some(CompressionStrategy::default()),
            chat: Some(CompressionStrategy::default()),
            tokenizer: Some(DEFAULT_TOKENIZER.into()),
            reserve: Some(0),
            compression: Some(compression),
            bm25: Some(SentenceOptions::default()),
            llm: Some(LlmConfig::usual()),
            cache: Some(CacheConfig::default().with_kind(CacheKind::Disk)),
            feedback: Some(FeedbackConfig::default()),
            ..Self::default()
        }
    }

    /// The configuration as a document, in which an absent value is null. The model that the file of another program
    /// names is not taken over: importing that file is no request to send texts to it.
    pub(crate) fn document(&self) -> Value {
        let mut document = serde_json::to_value(self).unwrap_or_default();
        if self.imported
            && let Some(llm) = document.pointer_mut("/compression/llm/model")
        {
            *llm = Value::Null;
        }
        document
    }

    /// What may be done to blocks; compression is on unless stated otherwise.
    pub(crate) fn options(&self) -> CompressionOptions {
        self.compression.clone().unwrap_or_else(CompressionOptions::on)
    }
}

/// The API of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Api {
    /// Chat completions, as in OpenAI, Ollama, vLLM, llama.cpp, LM Studio and OpenRouter
    #[default]
    Openai,
    /// Anthropic messages
    Anthropic,
}

/// A language model and its server.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct LlmConfig {
    /// The name of the model.
    pub(crate) model: Option<String>,
    /// The API of its server.
    pub(crate) api: Api,
    /// The base URL of its server.
    pub(crate) url: Option<String>,
    /// The environment variable that holds the API key.
    pub(crate) key_env: Option<String>,
    /// The file that holds the API key.
    pub(crate) key_file: Option<PathBuf>,
    /// The maximum number of seconds to wait for an answer, including retries.
    pub(crate) deadline: Option<u64>,
    /// The maximum number of tokens for prompt and answer together. Defaults to the known window of the model.
    pub(crate) window: Option<usize>,
    /// The maximum number of concurrent requests.
    pub(crate) concurrency: Option<usize>,
    /// The maximum number of requests per minute.
    pub(crate) per_minute: Option<usize>,
}

/// The usual environment variable of the key for an API.
pub(crate) const fn key_variable(api: Api) -> &'static str {
    match api {
        Api::Openai => "OPENAI_API_KEY",
        Api::Anthropic => "ANTHROPIC_API_KEY",
    }
}

impl LlmConfig {
    /// The defaults.
    pub(crate) fn usual() -> Self {
        Self { deadline: Some(DEADLINE), concurrency: Some(CONCURRENCY), ..Self::default() }
    }
}

/// The section `feedback` of a configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct FeedbackConfig {
    /// Whether `files` and `search` use what was learned.
    pub(crate) enabled: bool,
    /// The file of the reports.
    pub(crate) file: Option<PathBuf>,
    /// The project that reports are about.
    pub(crate) project: Option<String>,
    /// The share of needed blocks that may score below the learned threshold.
    pub(crate) miss_rate: f64,
}

impl Default for FeedbackConfig {
    fn default() -> Self {
        Self { enabled: false, file: None, project: None, miss_rate: Rule::MISS_RATE }
    }
}

impl FeedbackConfig {
    /// The rule by which the threshold of `options` is learned; `None` if it is one of ranks.
    pub(crate) fn rule(&self, options: &CompressionOptions) -> Result<Option<Rule>, RuleError> {
        let metadata = &options.metadata_only;
        let Some(scale) = metadata.score_mode.scale() else { return Ok(None) };
        Rule::new(scale, metadata.score_threshold)?.with_miss_rate(self.miss_rate).map(Some)
    }
}

/// The JSON schema. Descriptions keep their first paragraph only: the rest is for readers of the code.
pub(crate) fn schema() -> Schema {
    let mut schema = schemars::schema_for!(Config);
    shorten(&mut schema);
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let address = json!({"description": "The address of this schema, for editors.", "type": "string"});
        properties.insert("$schema".into(), address);
    }
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
