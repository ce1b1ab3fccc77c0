//! A language model that may be asked: what flags and configuration say about it.

#[cfg(not(feature = "llm"))]
mod none;
#[cfg(feature = "llm")]
mod open;
mod spent;

use std::path::PathBuf;

use contextfit_cache::{CacheConfig, CacheKind};
use contextfit_kernel::Tokens;
use contextfit_text::Judge;
use contextfit_truncation::CacheBackend;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[cfg(not(feature = "llm"))]
pub(crate) use self::none::Llm;
#[cfg(feature = "llm")]
pub(crate) use self::open::Llm;
pub(crate) use self::spent::{Cost, Spent};
use crate::{config::Config, console, error::CliError, meaning::Meaning, settings::Counting};

/// What is done where nothing says otherwise: seconds to wait, requests at a time, tokens of an answer about chunks.
#[cfg(any(test, feature = "llm"))]
pub(crate) const DEADLINE: u64 = 60;
#[cfg(any(test, feature = "llm"))]
pub(crate) const CONCURRENCY: usize = 4;
#[cfg(any(test, feature = "llm"))]
pub(crate) const MAX_TOKENS: usize = 2_000;

/// Where a Qdrant is when nothing says it: its usual port for gRPC.
const QDRANT: &str = "http://localhost:6334";

/// The language model to ask.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Language model")]
pub(crate) struct LlmArgs {
    /// Ask this model: for summaries of a conversation, for shorter versions of long chunks
    #[arg(long, value_name = "MODEL")]
    pub(crate) llm: Option<String>,
    /// The address of its server [default: that of OpenAI, with --llm-api anthropic that of Anthropic]
    #[arg(long, value_name = "URL", value_hint = clap::ValueHint::Url)]
    llm_url: Option<String>,
    /// What its server speaks [default: openai]
    #[arg(long, value_enum, value_name = "NAME")]
    llm_api: Option<Api>,
    /// The environment variable that holds the key [default: OPENAI_API_KEY or ANTHROPIC_API_KEY]
    #[arg(long, value_name = "NAME")]
    llm_key_env: Option<String>,
    /// The most seconds to wait for an answer, attempts included [default: 60]
    #[arg(long, value_name = "SECONDS")]
    llm_deadline: Option<u64>,
    /// The tokens that its prompt and answer may take together: longer prompts are divided [default: what is known of the model]
    #[arg(long, value_name = "TOKENS", value_parser = crate::args::tokens)]
    llm_window: Option<Tokens>,
    /// Ask again: read no answers from the cache, and keep those that are good in their place
    #[arg(long)]
    refresh: bool,
}

/// What a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Api {
    /// Chat completions, as OpenAI, Ollama, vLLM, llama.cpp, LM Studio and OpenRouter have them
    #[default]
    Openai,
    /// Anthropic's messages
    Anthropic,
}

/// A language model, and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct LlmConfig {
    /// The model.
    pub(crate) model: Option<String>,
    /// What its server speaks.
    pub(crate) api: Api,
    /// The address of its server.
    pub(crate) url: Option<String>,
    /// The environment variable that holds the key.
    pub(crate) key_env: Option<String>,
    /// The file that holds the key.
    pub(crate) key_file: Option<PathBuf>,
    /// The most seconds to wait for an answer, attempts included.
    pub(crate) deadline: Option<u64>,
    /// The tokens that its prompt and answer may take together; what is known of the model otherwise.
    pub(crate) window: Option<usize>,
    /// The most requests at a time.
    pub(crate) concurrency: Option<usize>,
    /// The most requests in a minute.
    pub(crate) per_minute: Option<usize>,
}

/// How answers are judged, and whether those that were kept are read.
pub(crate) struct Answers {
    pub(crate) judge: Judge,
    pub(crate) refresh: bool,
}

#[cfg(test)]
impl LlmConfig {
    /// What is done where nothing says otherwise.
    pub(crate) fn usual() -> Self {
        Self { deadline: Some(DEADLINE), concurrency: Some(CONCURRENCY), ..Self::default() }
    }
}

impl LlmArgs {
    /// The model that flags and `config` name, with its cache; `None` when they name none. A file of another program names none,
    /// whatever it says: texts leave this machine for nobody who did not ask this program for it. With `meaning`, answers are judged by
    /// that too.
    ///
    /// # Errors
    /// [`CliError::Usage`] for an address that is none, a key that is not there, and where this build cannot ask models. Not
    /// where only the options of seeds 000 and 001 name a model: that is warned of.
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
            // The options of seeds 000 and 001 say no more than the name: what they ask for is done without a model as well.
            Err(error) if !is_named => {
                console::warning(format!("no model is asked: {}", console::chain(&error)));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Where answers are kept: as `cache` says, else as the options of seeds 000 and 001 do, else on disk.
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
