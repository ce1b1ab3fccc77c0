//! `memory`: memories in, one context with each at one of four levels out.

mod explain;
mod result;

use std::{path::PathBuf, time::Instant};

use clap::{
    ValueHint,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use contextfit::{
    formats::MemoryRequest,
    kernel::{Level, Tokens},
    presets::{MemoryStrategy, Profile},
};

pub(crate) use self::result::{Ladder, MemoryReport, ladders};
use crate::{
    args::{self, CountingArgs, FitArgs},
    console,
    embeddings::EmbeddingsArgs,
    error::CliError,
    input::{self, STDIN},
    jsonl::{self, Job},
    output,
    repaired::Sent,
    report,
    settings::Settings,
    target::Target,
    tokens::tokens,
};

/// The flags of `memory`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit memory memories.json --budget 400
  contextfit memory memories.json --budget 400 --query \"how are payments retried\" --explain
  contextfit memory memories.json --budget 400 --share tribal=0.25 --share constraint=0.2 --text
  contextfit memory --jsonl requests.jsonl --budget 400 > answers.jsonl

The request is a JSON object, or just the array of its memories; flags supply what it leaves out:
  {\"id\": \"q1\", \"query\": \"…\", \"budget\": 400,
   \"memories\": [{\"id\": \"m1\", \"type\": \"tribal\", \"importance\": \"critical\", \"confidence\": 0.9,
                 \"date\": \"2025-03-31\", \"replaces\": [\"m0\"], \"summary\": \"…\", \"knowledge\": \"…\",
                 \"tags\": [\"…\"]}]}
With a query, memories that answer it come first. A memory replaces those that it names, \
and one of those with the same content counts. Unknown keys are errors.")]
pub(crate) struct MemoryArgs {
    /// File with the request; standard input if absent or -
    #[arg(value_hint = ValueHint::FilePath, default_value = STDIN, hide_default_value = true)]
    file: PathBuf,
    /// Read one request per line and write one answer per line, in order
    #[arg(long, conflicts_with_all = ["text", "explain", "report"])]
    jsonl: bool,
    /// Print just the context instead of the JSON answer
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    fit: MemoryFitArgs,
}

/// How to make memories fit.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Fitting")]
struct MemoryFitArgs {
    /// The question that the memories should help to answer
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    query: Option<String>,
    /// Maximum number of tokens to spend
    #[arg(long, short, value_name = "TOKENS", value_parser = tokens, allow_negative_numbers = true)]
    budget: Option<Tokens>,
    /// Tokens to set aside from the budget, for instance for the answer
    #[arg(long, value_name = "TOKENS", value_parser = tokens, allow_negative_numbers = true)]
    reserve: Option<Tokens>,
    /// How to choose the levels [default: auto]
    #[arg(long, short, value_name = "NAME", value_parser = strategies())]
    strategy: Option<MemoryStrategy>,
    /// Lowest level to show a memory at
    #[arg(long, value_name = "LEVEL", default_value = "0", value_parser = level)]
    min_level: Level,
    /// Highest level to show a memory at
    #[arg(long, value_name = "LEVEL", default_value = "3", value_parser = level)]
    max_level: Level,
    /// Share of the budget to offer to memories of a type first, such as tribal=0.25; may be repeated
    #[arg(long, value_name = "TYPE=SHARE", value_parser = share)]
    share: Vec<(String, f64)>,
    /// Preset of a strategy and its options
    #[arg(long, value_name = "NAME", value_parser = args::profiles())]
    profile: Option<Profile>,
    /// Configuration file in TOML, YAML or JSON, of which budget, reserve, model, profile and tokenizer apply
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    config: Option<PathBuf>,
    /// Print the tokens of each memory at every level, the chosen level and the reason to standard error
    #[arg(long)]
    explain: bool,
    /// Write the full result to a JSON file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = report::file())]
    report: Option<PathBuf>,
    /// Let --report overwrite any file but an input; otherwise only an empty one, or one that contextfit wrote
    #[arg(long, requires = "report")]
    force: bool,
    #[command(flatten)]
    counting: CountingArgs,
    #[command(flatten)]
    embeddings: EmbeddingsArgs,
}

pub(crate) fn run(args: &MemoryArgs) -> Result<(), CliError> {
    let started = Instant::now();
    let flags = &args.fit;
    if let Some(target) = Target::check(flags.report.as_deref(), flags.force)? {
        target.refuse([args.file.as_path()].into_iter().chain(flags.config.as_deref()))?;
    }
    let settings = Settings::resolve(&FitArgs {
        query: flags.query.clone(),
        budget: flags.budget,
        reserve: flags.reserve,
        profile: flags.profile,
        config: flags.config.clone(),
        counting: flags.counting.clone(),
        embeddings: flags.embeddings.clone(),
        ..FitArgs::default()
    })?;
    let mut fitter = settings.fitter;
    let memories = &mut fitter.memories;
    memories.strategy = flags.strategy.unwrap_or(memories.strategy);
    (memories.min_level, memories.max_level) = (flags.min_level, flags.max_level);
    memories.shares.clone_from(&flags.share);
    if args.jsonl {
        let answer = |sent: Sent<MemoryRequest>| {
            jsonl::json(&explain::estimated(&fitter.memory(sent.request)?, &fitter.counting))
        };
        let job = Job { parse: MemoryRequest::parse, id: |request| request.id.clone(), answer: &answer };
        return jsonl::run(&args.file, &job, started);
    }
    let request = input::request(&args.file, MemoryRequest::parse)?.request;
    console::note_own("--query", flags.query.as_ref(), request.query.as_ref());
    console::note_own("--budget", flags.budget.as_ref(), request.budget.as_ref());
    console::note_own("--reserve", flags.reserve.as_ref(), request.reserve.as_ref());
    let fitted = fitter.memory(request)?;
    if let Some(path) = &flags.report {
        explain::report(&fitted, &fitter.counting, path)?;
    }
    if args.text {
        output::context(&fitted.answer.context)?;
    } else {
        output::json(&explain::estimated(&fitted, &fitter.counting))?;
    }
    if flags.explain {
        console::note(explain::table(&fitted.batch));
    }
    console::note(explain::summary(&fitted, &fitter.counting, started.elapsed()));
    Ok(())
}

/// Parses the name of a strategy.
fn strategies() -> impl TypedValueParser<Value = MemoryStrategy> {
    let named = |strategy: MemoryStrategy| {
        PossibleValue::new(strategy.name()).help(match strategy {
            MemoryStrategy::Greedy => {
                "Critical memories first, each at the highest level that fits into the remaining budget"
            }
            MemoryStrategy::Optimal => {
                "The levels with the highest total value, with a bound on how far from optimal they may be"
            }
            _ => "The best strategy built in: optimal",
        })
    };
    PossibleValuesParser::new(MemoryStrategy::ALL.map(named)).try_map(|name| name.parse::<MemoryStrategy>())
}

/// Parses a level.
fn level(text: &str) -> Result<Level, String> {
    let number = text.parse::<u8>().ok().and_then(|number| Level::try_from(number).ok());
    number.ok_or_else(|| "expected a level from 0 to 3".into())
}

/// Parses a type of memories and its share of the budget.
fn share(text: &str) -> Result<(String, f64), String> {
    let parts =
        text.rsplit_once('=').and_then(|(memory_type, share)| Some((memory_type, share.parse().ok()?)));
    let share = parts.filter(|(_, share)| (0.0..=1.0).contains(share));
    share
        .map(|(memory_type, share)| (memory_type.to_owned(), share))
        .ok_or_else(|| "expected a type and a share from 0 to 1, such as tribal=0.25".into())
}
