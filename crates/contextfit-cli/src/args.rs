//! The flags that commands share.

use std::path::{Path, PathBuf};

use clap::{
    ValueHint,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use contextfit::{
    kernel::Tokens,
    presets::{CompressionStrategy, Profile},
    text::{Model, model},
};

use serde_json::json;

use crate::{
    config::Layer, embeddings::EmbeddingsArgs, error::CliError, llm::LlmArgs, models::unknown_model, report,
    store::StoreArgs, target::Target, tokens::tokens,
};

/// How tokens are counted.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Counting")]
pub(crate) struct CountingArgs {
    /// Tokenizer: o200k_base, cl100k_base, chars/N or the path of a tokenizer.json [default: o200k_base]
    #[arg(long, value_name = "NAME", value_hint = ValueHint::FilePath)]
    pub(crate) tokenizer: Option<String>,
    /// Model that the result is for: sets the tokenizer, and the budget if none is given (see contextfit models)
    #[arg(long, value_name = "NAME", value_parser = known_model)]
    pub(crate) model: Option<&'static Model>,
}

impl CountingArgs {
    /// The settings that the flags make.
    pub(crate) fn layers(&self) -> Vec<Layer> {
        // A tokenizer takes precedence over the model's, so it comes after it.
        let model = self.model.map(|model| model.name);
        Layer::flags([
            ("--model", "model", json!(model)),
            ("--tokenizer", "tokenizer", json!(self.tokenizer)),
        ])
    }
}

/// How to make a context fit.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Fitting")]
pub(crate) struct FitArgs {
    /// The question that the context should help to answer
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) query: Option<String>,
    /// Maximum number of tokens to spend
    #[arg(long, short, value_name = "TOKENS", value_parser = tokens, allow_negative_numbers = true)]
    pub(crate) budget: Option<Tokens>,
    /// Tokens to set aside from the budget, for instance for the answer
    #[arg(long, value_name = "TOKENS", value_parser = tokens, allow_negative_numbers = true)]
    pub(crate) reserve: Option<Tokens>,
    /// How to shorten [default: auto]
    #[arg(long, short, value_name = "NAME", value_parser = strategies(&CompressionStrategy::ALL))]
    pub(crate) strategy: Option<CompressionStrategy>,
    /// Settings for what is not set elsewhere (see contextfit config show --profile NAME)
    #[arg(long, value_name = "NAME", value_parser = profiles())]
    pub(crate) profile: Option<Profile>,
    /// Configuration file in TOML, YAML or JSON, or a kb.config.json, instead of the user's and the project's; `none` for
    /// no file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
    /// Prefix each line with its line number in the file
    #[arg(long)]
    pub(crate) line_numbers: bool,
    /// Fill the budget, even with sentences that have little to do with the query
    #[arg(long)]
    pub(crate) fill: bool,
    /// Print what happened to each block, and why, to standard error
    #[arg(long)]
    pub(crate) explain: bool,
    /// Write the full result, including every plan, to a JSON file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = report::file())]
    pub(crate) report: Option<PathBuf>,
    /// Let --report overwrite any file but an input; otherwise only an empty one, or one that contextfit wrote
    #[arg(long, requires = "report")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) embeddings: EmbeddingsArgs,
    #[command(flatten)]
    pub(crate) llm: LlmArgs,
    #[command(flatten)]
    pub(crate) counting: CountingArgs,
}

impl FitArgs {
    /// Checks that the report may be written, and that it is none of `inputs` or of the files that flags name.
    ///
    /// # Errors
    /// Those of [`Target::check`] and [`Target::refuse`].
    pub(crate) fn target<'i>(
        &self,
        inputs: impl IntoIterator<Item = &'i Path>,
    ) -> Result<Option<Target<'_>>, CliError> {
        let target = Target::check(self.report.as_deref(), self.force)?;
        if let Some(target) = &target {
            target.refuse(inputs)?;
            target.refuse(
                self.config.as_deref().into_iter().chain(self.counting.tokenizer.as_deref().map(Path::new)),
            )?;
        }
        Ok(target)
    }

    /// The settings that the flags make.
    pub(crate) fn layers(&self) -> Vec<Layer> {
        let layers = Layer::flags([
            ("--profile", "profile", json!(self.profile)),
            ("--strategy", "strategy", json!(self.strategy)),
            ("--strategy", "chat", json!(self.strategy)),
            ("--budget", "budget", json!(self.budget)),
            ("--reserve", "reserve", json!(self.reserve)),
            ("--fill", "bm25.minRelevance", json!(self.fill.then_some(0.0))),
        ]);
        [layers, self.counting.layers(), self.llm.layers()].concat()
    }
}

/// Parses the name of a strategy; the error for an unknown name lists the known ones.
pub(crate) fn strategies(
    known: &[CompressionStrategy],
) -> impl TypedValueParser<Value = CompressionStrategy> + use<> {
    PossibleValuesParser::new(known.iter().map(|strategy| strategy.name()))
        .try_map(|name| name.parse::<CompressionStrategy>())
}

/// Parses the name of a profile.
pub(crate) fn profiles() -> impl TypedValueParser<Value = Profile> {
    let named = |profile: Profile| {
        PossibleValue::new(profile.name()).help(match profile {
            Profile::Fast => "Speed, at a high price in quality",
            Profile::Balanced => "The default strategy and options",
            Profile::Quality => "Fill the budget: less is left out",
            Profile::CostOptimized => "Only what is close to the query, in fewer tokens",
        })
    };
    PossibleValuesParser::new(Profile::ALL.map(named)).try_map(|name| name.parse::<Profile>())
}

fn known_model(name: &str) -> Result<&'static Model, String> {
    model(name).map_err(|error| unknown_model(&error))
}
