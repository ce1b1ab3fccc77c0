//! Language models: flags and configuration.

#[cfg(not(feature = "llm"))]
mod none;
#[cfg(feature = "llm")]
mod open;
mod spent;

use contextfit::{
    kernel::Tokens,
    presets::{Counting, Embeddings},
    text::Judge,
};
use serde_json::json;

#[cfg(not(feature = "llm"))]
pub(crate) use self::none::Llm;
#[cfg(feature = "llm")]
pub(crate) use self::open::Llm;
pub(crate) use self::spent::{Cost, Spent};
use crate::{
    config::{Api, Config, Layer},
    console,
    error::CliError,
};

/// The language model to use.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Models")]
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
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    llm_deadline: Option<u64>,
    /// Maximum number of tokens for prompt and answer together; longer prompts are split [default: the known window of
    /// the model]
    #[arg(long, value_name = "TOKENS", value_parser = crate::tokens::some_tokens)]
    llm_window: Option<Tokens>,
    /// Ask again instead of reading answers from the cache; good new answers replace the cached ones
    #[arg(long)]
    refresh: bool,
}

impl LlmArgs {
    /// The settings that the flags make.
    pub(crate) fn layers(&self) -> Vec<Layer> {
        Layer::flags([
            ("--llm", "llm.model", json!(self.llm)),
            ("--llm-url", "llm.url", json!(self.llm_url)),
            ("--llm-api", "llm.api", json!(self.llm_api)),
            ("--llm-key-env", "llm.keyEnv", json!(self.llm_key_env)),
            ("--llm-deadline", "llm.deadline", json!(self.llm_deadline)),
            ("--llm-window", "llm.window", json!(self.llm_window)),
        ])
    }

    /// The model that `config`, in which the flags are included, names, with its cache; `None` if it names none. With
    /// `embeddings`, answers are also judged by nearness.
    ///
    /// # Errors
    /// [`CliError::Usage`] for an invalid address, a missing key, or a build without language models. If only the
    /// compression options, which KB Labs Mind defines, name the model, it is a warning instead.
    pub(crate) fn open(
        &self,
        config: &Config,
        counting: &Counting,
        embeddings: Option<&Embeddings>,
    ) -> Result<Option<Llm>, CliError> {
        let mut llm = config.llm.clone().unwrap_or_default();
        let of_chunks = config.compression.as_ref().filter(|options| options.enabled && options.llm.enabled);
        let is_named = llm.model.is_some();
        llm.model = llm.model.or_else(|| of_chunks?.llm.model.clone());
        if llm.model.is_none() {
            return Ok(None);
        }
        let judge = Judge::new();
        let judge = match embeddings {
            Some(model) => judge.with_nearness(model.scorer.clone()),
            None => judge,
        };
        let cache = config.cache.clone().unwrap_or_default();
        match Llm::open(llm, &cache, counting, judge, self.refresh) {
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
