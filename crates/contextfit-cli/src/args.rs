//! The command line: its commands and the flags that they share.

use std::path::PathBuf;

use clap::{
    Parser, Subcommand, ValueHint,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use contextfit_kernel::Tokens;
use contextfit_presets::{CompressionStrategy, Profile};
use contextfit_text::{Model, UnknownModel, model};

use crate::{
    chat::ChatArgs, config::ConfigCommand, count::CountArgs, eval::EvalArgs, excerpt::ExcerptArgs,
    files::FilesArgs, llm::LlmArgs, meaning::MeaningArgs, memory::MemoryArgs, models::ModelsArgs,
    restore::RestoreArgs, search::SearchArgs, store::StoreArgs,
};

/// The largest number of tokens that is accepted, the same as in requests.
const LARGEST: usize = 1_000_000_000_000;

/// Fit what you want to tell a language model into a token budget
#[derive(Debug, Parser)]
#[command(
    name = "contextfit",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "\
Examples:
  contextfit files src --query \"how are tokens counted\" --budget 2000
  retrieve | contextfit search --model gpt-4o > prompt.json
  cargo test 2>&1 | contextfit excerpt --budget 2000
  contextfit count README.md
  contextfit config init

Exit codes: 0 done, 1 cannot fit or a check failed, 2 wrong usage or input"
)]
pub(crate) struct Args {
    /// The command to run
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Log level on standard error: off, error, warn, info, debug or trace; CONTEXTFIT_LOG sets it too [default: warn]
    #[arg(long, global = true, value_name = "LEVEL", help_heading = "Logging")]
    pub(crate) log: Option<String>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fit files and folders into one context
    Files(FilesArgs),
    /// Fit retrieved chunks into one context
    Search(SearchArgs),
    /// Cut the output of a tool down to what matters
    Excerpt(ExcerptArgs),
    /// Shorten a conversation to fit a budget
    Chat(ChatArgs),
    /// Fit memories into one context, each at one of four levels
    Memory(MemoryArgs),
    /// Count tokens
    Count(CountArgs),
    /// Print the original text for a handle
    Restore(RestoreArgs),
    /// Measure how much evidence survives in labelled data sets, against baselines
    Eval(EvalArgs),
    /// List the models that --model knows
    Models(ModelsArgs),
    /// Write, check and describe configuration files
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print shell completions
    #[command(
        after_help = "Example:\n  contextfit completions bash > ~/.local/share/bash-completion/completions/contextfit"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of contextfit or of one command
    #[command(after_help = "Example:\n  contextfit man files | man -l -")]
    Man {
        /// The command, such as `files` or `config check`
        command: Vec<String>,
    },
}

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
    /// Preset of a strategy and its options
    #[arg(long, value_name = "NAME", value_parser = profiles())]
    pub(crate) profile: Option<Profile>,
    /// Configuration file in TOML, YAML or JSON, or a kb.config.json
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
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    #[command(flatten)]
    pub(crate) meaning: MeaningArgs,
    #[command(flatten)]
    pub(crate) llm: LlmArgs,
    #[command(flatten)]
    pub(crate) counting: CountingArgs,
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
            Profile::Fast => "Smart truncation alone",
            Profile::Balanced => "The default strategy and options",
            Profile::Quality => "Longer excerpts, and more blocks by name only",
            Profile::CostOptimized => "Shorter excerpts of more blocks",
        })
    };
    PossibleValuesParser::new(Profile::ALL.map(named)).try_map(|name| name.parse::<Profile>())
}

fn known_model(name: &str) -> Result<&'static Model, UnknownModel> {
    model(name)
}

/// Parses a number of tokens.
pub(crate) fn tokens(text: &str) -> Result<Tokens, String> {
    match text.parse() {
        Ok(number) if number <= LARGEST => Ok(Tokens::new(number)),
        _ => Err(format!("expected a whole number of tokens from 0 to {LARGEST}")),
    }
}
