//! Language models: flags and configuration.

#[cfg(not(feature = "llm"))]
mod none;
#[cfg(feature = "llm")]
mod open;
mod spent;

use std::path::PathBuf;

use contextfit_cache::{CacheConfig, CacheKind};
use contextfit_kernel::Tokens;
use contextfit_presets::CacheBackend;
use contextfit_text::Judge;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[cfg(not(feature = "llm"))]
pub(crate) use self::none::Llm;
#[cfg(feature = "llm")]
pub(crate) use self::open::Llm;
pub(crate) use self::spent::{Cost, Spent};
use crate::{config::Config, console, error::CliError, meaning::Meaning, settings::Counting};

/// Defaults: seconds to wait, concurrent requests, and tokens of an answer when shortening chunks.
#[cfg(any(test, feature = "llm"))]
pub(crate) const DEADLINE: u64 = 60;
#[cfg(any(test, feature = "llm"))]
pub(crate) const CONCURRENCY: usize = 4;
#[cfg(any(test, feature = "llm"))]
pub(crate) const MAX_TOKENS: usize = 2_000;

/// The default address of Qdrant, with its usual port for gRPC.
const QDRANT: &str = "http://localhost:6334";

/// The language model to use.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Language model")]
pub(crate) struct LlmArgs {
    /// Language model to ask for summaries of conversations and shorter versions of long chunks
    #[arg(long, value_name = "MODEL")]
    pub(crate) llm: Option<String>,
    /// Base URL of the model's server [default: OpenAI's, or Anthropic's with --llm-api anthropic]
    #[arg(long, value_name = "URL", value_hint = clap::ValueHint::Url)]
    llm_url: Option<String>,
    /// API of the model's server [default: openai]
    #[arg(long, value_enum, value_name = "NAME")]
    llm_api: Option<Api>,
    /// Environment variable that holds the API key [default: OPENAI_API_KEY or ANTHROPIC_API_KEY]
    #[arg(long, value_name = "NAME")]
    llm_key_env: Option<String>,
    /// Maximum number of seconds to wait for an answer, including retries [default: 60]
    #[arg(long, value_name = "SECONDS")]
    llm_deadline: Option<u64>,
    /// Maximum number of tokens for prompt and answer together; longer prompts are split [default: the known window of
    /// the model]
    #[arg(long, value_name = "TOKENS", value_parser = crate::tokens::tokens)]
    llm_window: Option<Tokens>,
    /// Ask again instead of reading answers from the cache; good new answers replace the cached ones
    #[arg(long)]
    refresh: bool,
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

/// How to judge answers, and whether to ignore cached ones.
pub(crate) struct Answers {
    pub(crate) judge: Judge,
    pub(crate) refresh: bool,
}

#[cfg(test)]
impl LlmConfig {
    /// The defaults.
    pub(crate) fn usual() -> Self {
        Self { deadline: Some(DEADLINE), concurrency: Some(CONCURRENCY), ..Self::default() }
    }
}

impl LlmArgs {
    /// The model that flags and `config` name, with its cache; `None` if they name none. A model in the file of another
    /// program does not count: text leaves this machine only if the user asked this program to send it. With `meaning`,
    /// answers are also judged by nearness.
    ///
    /// # Errors
    /// [`CliError::Usage`] for an invalid address, a missing key, or a build without language models. If only the
    /// compression options, which KB Labs Mind defines, name the model, it is a warning instead.
    pub(crate) fn open(
        &self,
        config: &Config,
        counting: &Counting,
        meaning: Option<&Meaning>,
    ) -> Result<Option<Llm>, CliError> {
        let file = config.llm.clone().unwrap_or_default();
        let own = config.compression.as_ref().filter(|_| !config.imported);
        let of_chunks = own.filter(|options| options.enabled && options.llm.enabled);
        let named = self.llm.clone().or(file.model.clone());
        let is_named = named.is_some();
        let Some(model) = named.or(of_chunks.and_then(|options| options.llm.model.clone())) else {
            return Ok(None);
        };
        let merged = LlmConfig {
            model: Some(model),
            api: self.llm_api.unwrap_or(file.api),
            url: self.llm_url.clone().or(file.url),
            key_env: self.llm_key_env.clone().or(file.key_env),
            deadline: self.llm_deadline.or(file.deadline),
            window: self.llm_window.map(Tokens::get).or(file.window),
            ..file
        };
        let judge = Judge::new();
        let judge = match meaning {
            Some(meaning) => judge.with_nearness(meaning.scorer()),
            None => judge,
        };
        match Llm::open(merged, &cache(config), counting, Answers { judge, refresh: self.refresh }) {
            Ok(llm) => Ok(Some(llm)),
            // The compression options of KB Labs Mind hold only the name, and what they request also works without a
            // model.
            Err(error) if !is_named => {
                console::warning(format!("{}; continuing without it", console::chain(&error)));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Where to keep answers: as `cache` says, or else the compression options of KB Labs Mind, or else on disk.
pub(crate) fn cache(config: &Config) -> CacheConfig {
    let usual = |kind| CacheConfig { kind, url: Some(QDRANT.into()), ..CacheConfig::default() };
    match (&config.cache, &config.compression) {
        (Some(cache), _) => cache.clone(),
        (None, None) => usual(CacheKind::Disk),
        (None, Some(options)) => usual(match options.cache {
            CacheBackend::Memory => CacheKind::Memory,
            _ if cfg!(not(feature = "cache-qdrant")) => CacheKind::Memory,
            CacheBackend::Qdrant => CacheKind::Qdrant,
            CacheBackend::Both => CacheKind::Both,
        }),
    }
}
