//! What can be said on the command line.

use std::path::PathBuf;

use clap::{
    Parser, Subcommand, ValueHint,
    builder::{PossibleValuesParser, TypedValueParser},
};
use contextfit_kernel::{CompressionStrategy, Tokens};
use contextfit_text::{Model, UnknownModel, model};

use crate::{
    chat::ChatArgs, config::ConfigCommand, count::CountArgs, eval::EvalArgs, excerpt::ExcerptArgs,
    files::FilesArgs, llm::LlmArgs, meaning::MeaningArgs, memory::MemoryArgs, models::ModelsArgs,
    profile::Profile, restore::RestoreArgs, search::SearchArgs, store::StoreArgs,
};

/// The largest number of tokens that is believed, as in requests.
const LARGEST: usize = 1_000_000_000_000;

/// Fit what you want to tell a language model into the tokens you may spend
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
    /// What to do
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Log to standard error: off, error, warn, info, debug or trace; also CONTEXTFIT_LOG [default: warn]
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
    /// Cut the output of a tool to what matters in it
    Excerpt(ExcerptArgs),
    /// Shorten a conversation
    Chat(ChatArgs),
    /// Fit memories into one context, each at one of four levels
    Memory(MemoryArgs),
    /// Count tokens
    Count(CountArgs),
    /// Print the original behind a handle
    Restore(RestoreArgs),
    /// Measure what survives of labelled data sets, against baselines
    Eval(EvalArgs),
    /// List the models that --model knows
    Models(ModelsArgs),
    /// Write, check and describe configuration files
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print completions for a shell
    #[command(
        after_help = "Example:\n  contextfit completions bash > ~/.local/share/bash-completion/completions/contextfit"
    )]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, of contextfit or of one command
    #[command(after_help = "Example:\n  contextfit man files | man -l -")]
    Man {
        /// The command, as `files` or `config check`
        command: Vec<String>,
    },
}

/// How tokens are counted.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Counting")]
pub(crate) struct CountingArgs {
    /// o200k_base, cl100k_base, chars/N or the path of a tokenizer.json [default: o200k_base]
    #[arg(long, value_name = "NAME", value_hint = ValueHint::FilePath)]
    pub(crate) tokenizer: Option<String>,
    /// A model: chooses the tokenizer, and the budget when none is given
    #[arg(long, value_name = "NAME", value_parser = known_model)]
    pub(crate) model: Option<&'static Model>,
}

/// How a context is made to fit.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Fitting")]
pub(crate) struct FitArgs {
    /// The question that the context shall help to answer
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) query: Option<String>,
    /// The most tokens to spend
    #[arg(long, short, value_name = "TOKENS", value_parser = tokens, allow_negative_numbers = true)]
    pub(crate) budget: Option<Tokens>,
    /// Tokens of the budget to set aside
    #[arg(long, value_name = "TOKENS", value_parser = tokens, allow_negative_numbers = true)]
    pub(crate) reserve: Option<Tokens>,
    /// How to shorten [default: auto]
    #[arg(long, short, value_name = "NAME", value_parser = strategies(&CompressionStrategy::ALL))]
    pub(crate) strategy: Option<CompressionStrategy>,
    /// A strategy and its options under one name
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,
    /// Configuration in TOML, YAML or JSON; a kb.config.json too
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
    /// Show each line behind its number in its file
    #[arg(long)]
    pub(crate) line_numbers: bool,
    /// Fill the budget with sentences that say little to the question, too
    #[arg(long)]
    pub(crate) fill: bool,
    /// Say on standard error what became of each block, and why
    #[arg(long)]
    pub(crate) explain: bool,
    /// Write the full result, with every plan, as JSON
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

/// A strategy by name; a wrong name is answered with the known ones.
pub(crate) fn strategies(
    known: &[CompressionStrategy],
) -> impl TypedValueParser<Value = CompressionStrategy> + use<> {
    PossibleValuesParser::new(known.iter().map(|strategy| strategy.name()))
        .try_map(|name| name.parse::<CompressionStrategy>())
}

fn known_model(name: &str) -> Result<&'static Model, UnknownModel> {
    model(name)
}

/// A number of tokens.
pub(crate) fn tokens(text: &str) -> Result<Tokens, String> {
    match text.parse() {
        Ok(number) if number <= LARGEST => Ok(Tokens::new(number)),
        _ => Err(format!("a whole number of tokens from 0 to {LARGEST} is needed")),
    }
}
