//! `memory`: memories in, one context with each at one of four levels out.

mod explain;
mod result;

use std::{path::PathBuf, sync::Arc, time::Instant};

use clap::{ValueEnum, ValueHint};
use contextfit_bm25::{Bm25, Fusion, SentenceSelection};
use contextfit_formats::{
    DroppedMemory, FormatError, MemoryAnswer, MemoryAnswerEntry, MemoryMetrics, MemoryRequest,
};
use contextfit_hierarchical::{
    CompressedMemory, FitOptions, MemoryBatch, MemoryBudget, MemoryCompressor, PackingMode, SentMemories,
};
use contextfit_kernel::{Budget, CompressionMetrics, Error, Level, MemoryRecord, Scorer, Tokens};
use contextfit_presets::Profile;

pub(crate) use self::result::{Ladder, MemoryReport, ladders};
use crate::{
    args::{self, CountingArgs, FitArgs},
    console,
    error::CliError,
    estimate::Estimated,
    input,
    jsonl::{self, Job},
    meaning::MeaningArgs,
    output::Output,
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
With a query, memories that answer it come first. A memory replaces those that it names, and older ones with the same \
words. Unknown keys are errors.")]
pub(crate) struct MemoryArgs {
    /// File with the request; standard input if absent or -
    #[arg(value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
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
    #[arg(long, short, value_enum, value_name = "NAME")]
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
    meaning: MeaningArgs,
}

/// How to choose the levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum MemoryStrategy {
    /// The best strategy built in: optimal
    #[default]
    Auto,
    /// Critical memories first, each at the highest level that fits into the remaining budget
    Greedy,
    /// The levels with the highest total value, with a bound on how far from optimal they may be
    Optimal,
}

impl MemoryStrategy {
    const fn mode(self) -> PackingMode {
        match self {
            Self::Greedy => PackingMode::InTurn,
            Self::Auto | Self::Optimal => PackingMode::Optimal,
        }
    }

    /// The strategy called `name` in a request.
    fn named(name: &str) -> Result<Self, Error> {
        Self::from_str(name, false)
            .map_err(|_| Error::UnknownStrategy { name: name.into(), known: "auto, greedy, optimal".into() })
    }
}

pub(crate) fn run(args: &MemoryArgs) -> Result<(), CliError> {
    let started = Instant::now();
    let flags = &args.fit;
    if let Some(target) = Target::check(flags.report.as_deref(), flags.force)? {
        target.refuse([input::path(args.file.as_deref())].into_iter().chain(flags.config.as_deref()))?;
    }
    let settings = Settings::resolve(&FitArgs {
        query: flags.query.clone(),
        budget: flags.budget,
        reserve: flags.reserve,
        profile: flags.profile,
        config: flags.config.clone(),
        counting: flags.counting.clone(),
        meaning: flags.meaning.clone(),
        ..FitArgs::default()
    })?;
    if args.jsonl {
        let job = Memories { flags, settings: &settings };
        return jsonl::run(args.file.as_deref(), &job, started);
    }
    let request = input::request(args.file.as_deref(), MemoryRequest::parse)?.request;
    console::note_own("--query", flags.query.as_ref(), request.query.as_ref());
    console::note_own("--budget", flags.budget.as_ref(), request.budget.as_ref());
    console::note_own("--reserve", flags.reserve.as_ref(), request.reserve.as_ref());
    let fitted = fit(request, flags, &settings)?;
    if let Some(path) = &flags.report {
        explain::report(&fitted, &settings, path)?;
    }
    let mut output = Output::open();
    if args.text {
        output.context(&fitted.answer.context)?;
    } else {
        output.json(&fitted.estimated(&settings))?;
    }
    output.finish()?;
    if flags.explain {
        console::note(explain::table(&fitted.batch));
    }
    console::note(explain::summary(&fitted, &settings.counting, started.elapsed()));
    Ok(())
}

/// Memories to fit, one request per line.
struct Memories<'a> {
    flags: &'a MemoryFitArgs,
    settings: &'a Settings,
}

impl Job for Memories<'_> {
    type Request = MemoryRequest;

    fn parse(&self, text: &str) -> Result<MemoryRequest, FormatError> {
        MemoryRequest::parse(text)
    }

    fn id(&self, request: &MemoryRequest) -> Option<serde_json::Value> {
        request.id.clone()
    }

    fn answer(&self, sent: Sent<MemoryRequest>) -> Result<String, CliError> {
        jsonl::json(&fit(sent.request, self.flags, self.settings)?.estimated(self.settings))
    }
}

/// A fulfilled request.
struct Fitted {
    /// The memories, and the level at which the conversation holds each.
    memories: Vec<MemoryRecord>,
    sent: Vec<Option<Level>>,
    query: Option<String>,
    strategy: MemoryStrategy,
    budget: Budget,
    batch: MemoryBatch,
    answer: MemoryAnswer<CompressedMemory>,
}

impl Fitted {
    /// The answer to print.
    fn estimated(&self, settings: &Settings) -> Estimated<'_, MemoryAnswer<CompressedMemory>> {
        settings.counting.estimated(&self.answer, self.batch.tokens_before, self.batch.tokens)
    }
}

/// Fulfils `request`; flags and `settings` supply whatever it leaves open.
fn fit(mut request: MemoryRequest, flags: &MemoryFitArgs, settings: &Settings) -> Result<Fitted, CliError> {
    let profile = settings.profile.map(|profile| match profile {
        Profile::Fast => MemoryStrategy::Greedy,
        _ => MemoryStrategy::Optimal,
    });
    let strategy = match request.strategy.as_deref() {
        Some(name) => MemoryStrategy::named(name)?,
        None => flags.strategy.or(profile).unwrap_or_default(),
    };
    let budget = settings.budget(request.budget, request.reserve)?;
    let query = request.query.take().or_else(|| settings.query.clone());
    let id = request.id.take();
    let shares = flags.share.iter().cloned();
    let shares = shares.fold(MemoryBudget::new(budget.available()), |shares, (memory_type, share)| {
        shares.with_share(memory_type, share)
    });
    let compressor = compressor(settings);
    let sent: Vec<Option<Level>> = request.memories.iter().map(|memory| memory.sent).collect();
    let memories = request.into_records();
    let session = session(&compressor, &memories, &sent);
    let options = FitOptions {
        min_level: flags.min_level,
        max_level: flags.max_level,
        mode: strategy.mode(),
        query: query.as_deref(),
        shares: shares.shares(),
        session: Some(&session),
    };
    let batch = compressor.compress_batch_to_fit(&memories, budget.available(), &options)?;
    let answer = answer(id, &batch);
    Ok(Fitted { memories, sent, query, strategy, budget, batch, answer })
}

/// The compressor for `settings`.
pub(crate) fn compressor(settings: &Settings) -> MemoryCompressor {
    let scorer: Arc<dyn Scorer> = match &settings.meaning {
        Some(model) => Arc::new(SentenceSelection::default().with_meaning(model.scorer(), Fusion::default())),
        None => Arc::new(Bm25::default()),
    };
    MemoryCompressor::new(settings.counting.counter.clone()).with_scorer(scorer)
}

/// The memories that the conversation holds, given the level at which each was sent, if it was.
pub(crate) fn session(
    compressor: &MemoryCompressor,
    memories: &[MemoryRecord],
    levels: &[Option<Level>],
) -> SentMemories {
    let mut session = SentMemories::new();
    for (memory, level) in memories.iter().zip(levels) {
        if let Some(level) = *level {
            session.sent(memory, &compressor.compress(memory, level));
        }
    }
    session
}

/// The answer for `batch` to the request with this `id`.
pub(crate) fn answer(id: Option<serde_json::Value>, batch: &MemoryBatch) -> MemoryAnswer<CompressedMemory> {
    let mut memories = batch.memories.iter().cloned();
    let entries = batch.shown.iter().map(|shown| match shown.level.and_then(|_| memories.next()) {
        Some(memory) => MemoryAnswerEntry::Shown(memory),
        None => MemoryAnswerEntry::Dropped(DroppedMemory::new(shown.id.clone())),
    });
    let levels = batch.distribution();
    let [references, gists, ..] = levels;
    let metrics = CompressionMetrics {
        tokens_before: batch.tokens_before,
        tokens_after: batch.tokens,
        blocks_before: batch.shown.len(),
        blocks_after: batch.memories.len(),
        metadata_only: references + gists,
    };
    let metrics = MemoryMetrics::new(metrics, levels, batch.value, batch.bound)
        .with_tokens_not_resent(batch.tokens_not_resent)
        .with_unmatched(batch.unmatched.clone());
    MemoryAnswer::new(id, batch.text.clone(), entries.collect(), metrics)
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
