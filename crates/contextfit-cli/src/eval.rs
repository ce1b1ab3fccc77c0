//! `eval`: how much evidence survives in labelled data sets, at which budget, against baselines.

mod features;
mod memories;
mod regret;
mod table;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use clap::{ValueHint, builder::PossibleValuesParser};
use contextfit::{
    chat::TurnVectors,
    kernel::Error,
    pipeline::Pipeline,
    presets::{CompressionStrategy, Profile},
};
use contextfit_eval::{
    Allowance, Baseline, Contender, Dataset, Evaluation, LEVEL, Material, RESAMPLES, Repositories, Row,
    evaluate, plot,
};
use serde_json::json;

use crate::{
    args::{CountingArgs, FitArgs},
    chat::tell_no_turns,
    console,
    embeddings::{self, EmbeddingsArgs},
    error::CliError,
    output,
    progress::Progress,
    report,
    settings::Settings,
    summary::{counted, grouped},
};

/// The name for every strategy and every baseline.
const ALL: &str = "all";

/// The flags of `eval`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit eval data/squad_en
  contextfit eval data/squad_en data/code --json figures.json --plot kept.svg
  contextfit eval data/squad_en --strategy auto --items items.jsonl
  contextfit eval data/locomo data/tau_airline --strategy all
  contextfit eval data/nq_multidoc --strategy auto --strategy head --budget 5% --limit 200
  contextfit eval data/squad_en --strategy fast --strategy quality --budget 10%
  contextfit eval data/repo_tasks --split dev --repositories mirrors --budget 8000

A data set is a folder. Its files say what kind it is.

Question answering: SPLIT.passages.jsonl {pid, title, text} and SPLIT.queries.jsonl {id, question, answers, gold: \
[{pid, start, end}], candidates}. Evidence is the gold sentences.

Code localisation: SPLIT.localize.jsonl {id, path, lang, query, query_body, content, gold: [{start, end}], decls: \
[{sig_line}]}. Evidence is the functions to change.

Conversations, measured with the strategies of `chat`:
  Long conversations: SPLIT.conversations.jsonl {conv_id, sessions: [{date, turns: [{id, speaker, text}]}]} and \
SPLIT.queries.jsonl {id, conv_id, question, adversarial, evidence}. Evidence is turns.
  Meetings: SPLIT.meetings.jsonl {turns: [{speaker, text}], queries: [{id, query, spans}]}. Evidence is tokens of turns.
  Agent runs: SPLIT.trajectories.jsonl {id, messages, eval_points: [{cut, gold: [{value}]}]}. Evidence is the values \
that the agent used next.
  Tool outputs: SPLIT.cases.jsonl {id, format: openai | anthropic, tokens, request, facts: [{must, span}]}. Evidence \
is facts: strings that appear within `span` characters in what the model reads.

Texts alone: SPLIT.cases.jsonl {id, question, text, facts: [{kind: S | Q, must, span}]}, measured without the question \
by the facts of every reader (S), and with it by those that answer it (Q).

Memories: SPLIT.memories.jsonl {id, question, memories: [{id, time, type, importance, tags, text, replaces}], must}. \
Evidence is the strings in `must`.

For agent runs, `in whole units` is the share of values kept without counting fragments: lines that are neither whole \
sentences or lines of the messages, nor calls, nor values with their key. `fragments` is the share of such lines in \
the text that replaces dropped messages. Runs without a system message that are cut only after user requests are \
sessions: `user's words` is the share of sentences of earlier requests that are kept verbatim.

Repositories: SPLIT.jsonl has commits {id, repo, parent, query, query_noid, gold: [{path, functions: [{start, end, \
sig_line}]}]}. The strategies of `files` fit all text files of the commit `parent` into budgets in tokens. `functions` \
is the share of gold functions with every non-blank line shown, `signatures` the share with their `sig_line` shown, \
`files` the share of gold files with at least one line shown, and `gold share` the share of the context's tokens spent \
on gold files.

Intervals are 95 %, by bootstrap over the items.

Exit code 1 if a result is over its budget.")]
pub(crate) struct EvalArgs {
    /// Data set folders
    #[arg(required = true, value_name = "DATASET", value_hint = ValueHint::DirPath)]
    datasets: Vec<PathBuf>,
    /// The split to read, if a folder has several
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// Strategy, profile or baseline to measure, or `all` for every strategy and baseline that suits the data set; may
    /// be repeated [default: auto and every baseline]
    #[arg(long, short, value_name = "NAME", value_parser = PossibleValuesParser::new(every_name()))]
    strategy: Vec<String>,
    /// Budget as a share of each item, such as 10% or 0.1, or in tokens, such as 2000; may be repeated [default: 10%,
    /// 25%, 50%; for long conversations 2%, 5%, 10%, 25%; for sessions 5%, 10%, 25%; for repositories 2000, 8000,
    /// 32000]
    #[arg(long, short, value_name = "SHARE|TOKENS")]
    budget: Vec<Allowance>,
    /// Folder of the git repositories that tasks refer to, each as OWNER+NAME/repo or OWNER+NAME
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    repositories: Option<PathBuf>,
    /// Phrase repository tasks without the identifiers that they name (`query_noid`)
    #[arg(long)]
    without_identifiers: bool,
    /// Measure at most N items of each data set, the same ones every time
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Write the figures to a JSON file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = report::file())]
    json: Option<PathBuf>,
    /// Write the outcome for each item as JSON, one item at one budget per line
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = report::file())]
    items: Option<PathBuf>,
    /// Measure nothing; write the features of each item's units, to fit the ranking weights, of the rows of outputs
    /// with facts, to fit what is shown of them, or of each text of `texts.jsonl` {id, text}, to fit what tells kinds of
    /// texts apart
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = report::file())]
    features: Option<PathBuf>,
    /// Plot the evidence kept against the budget, as SVG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = report::file())]
    plot: Option<PathBuf>,
    #[command(flatten)]
    embeddings: EmbeddingsArgs,
    #[command(flatten)]
    counting: CountingArgs,
}

pub(crate) fn run(args: &EvalArgs) -> Result<(), CliError> {
    let started = Instant::now();
    let (counting, embeddings) = (args.counting.clone(), args.embeddings.clone());
    // Figures must not depend on who measures, so no configuration is read.
    let mut settings = Settings::of_flags(&FitArgs { counting, embeddings, ..FitArgs::default() })?;
    settings.fitter.embeddings = settings.fitter.embeddings.map(embeddings::remembering);
    if let (Some(path), [folder]) = (&args.features, args.datasets.as_slice())
        && folder.join(features::TEXTS).is_file()
    {
        return report::write(path, &features::of_texts(folder)?);
    }
    let datasets = datasets(args)?;
    if let Some(path) = &args.features {
        let progress = Progress::items(datasets.iter().map(|dataset| dataset.items.len()).sum());
        let counter = &*settings.fitter.counting.counter;
        let is_output = |dataset: &&Dataset| matches!(dataset.kind, "excerpt" | "output");
        let lines = match datasets.iter().filter(is_output).count() {
            0 => features::lines(&datasets, counter, || progress.advance(1))?,
            all if all == datasets.len() => features::of_outputs(&datasets, counter, || progress.advance(1)),
            _ => {
                let message = "outputs have other features than the rest: write those of outputs in a call of their own";
                return Err(CliError::Input(message.into()));
            }
        };
        return report::write(path, &lines);
    }
    let evaluations = evaluations(args, &datasets, &settings)?;
    if let Some(path) = &args.items {
        write_items(path, &evaluations)?;
    }
    let rows: Vec<Row> = evaluations.into_iter().flat_map(|evaluation| evaluation.rows).collect();
    if let Some(path) = &args.json {
        write_figures(path, &datasets, &rows, &settings)?;
    }
    if let Some(path) = &args.plot {
        report::write(path, plot(&rows).as_bytes())?;
    }
    output::line(&table::table(&rows))?;
    regret::regret(&rows).into_iter().for_each(console::note);
    console::note(format!(
        "measured {} of {} ({}) · intervals 95 % · {:.2} s",
        counted(datasets.iter().map(|dataset| dataset.items.len()).sum(), "item", "items"),
        counted(datasets.len(), "data set", "data sets"),
        settings.fitter.counting.tokenizer(),
        started.elapsed().as_secs_f64()
    ));
    match rows.iter().map(|row| row.over_budget).sum() {
        0 => Ok(()),
        over => Err(CliError::Failed(format!("over budget: {}", counted(over, "result", "results")))),
    }
}

/// Reads the data sets, each limited to the requested number of items.
fn datasets(args: &EvalArgs) -> Result<Vec<Dataset>, CliError> {
    let repositories =
        Repositories { folder: args.repositories.clone(), without_identifiers: args.without_identifiers };
    let read = |path: &PathBuf| {
        let dataset = Dataset::read_with(path, args.split.as_deref(), &repositories)?;
        tell_skipped(&dataset);
        Ok(match args.limit {
            Some(most) => dataset.with_limit(most),
            None => dataset,
        })
    };
    args.datasets.iter().map(read).collect()
}

/// Measures every contender on every data set, with progress.
fn evaluations(
    args: &EvalArgs,
    datasets: &[Dataset],
    settings: &Settings,
) -> Result<Vec<Evaluation>, CliError> {
    let contenders = |dataset: &Dataset| contenders(&args.strategy, dataset, settings);
    let contenders: Vec<Vec<Contender>> = datasets.iter().map(contenders).collect::<Result<_, _>>()?;
    let progress = Progress::items(datasets.iter().map(|dataset| dataset.items.len()).sum());
    let measured = |(dataset, contenders): (&Dataset, &Vec<Contender>)| {
        let budgets = if args.budget.is_empty() { dataset.budgets } else { &args.budget };
        evaluate(dataset, contenders, budgets, || progress.advance(1))
    };
    Ok(datasets.iter().zip(&contenders).map(measured).collect())
}

/// Writes the outcome for each item, one per line.
fn write_items(path: &Path, evaluations: &[Evaluation]) -> Result<(), CliError> {
    let items = evaluations.iter().flat_map(|evaluation| &evaluation.items);
    let lines: Result<String, _> = items.map(|item| Ok(serde_json::to_string(item)? + "\n")).collect();
    report::write(path, lines.map_err(CliError::Json)?.as_bytes())
}

/// Writes the figures, and how they were measured.
fn write_figures(
    path: &Path,
    datasets: &[Dataset],
    rows: &[Row],
    settings: &Settings,
) -> Result<(), CliError> {
    let dataset = |dataset: &Dataset| json!({"name": dataset.name, "kind": dataset.kind, "split": dataset.split, "n": dataset.items.len()});
    let figures = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "tokenizer": settings.fitter.counting.tokenizer(),
        "interval": LEVEL,
        "resamples": RESAMPLES,
        "datasets": datasets.iter().map(dataset).collect::<Vec<_>>(),
        "figures": rows,
    });
    report::write_json(path, &figures)
}

/// Warns how many items cannot be measured, and why.
fn tell_skipped(dataset: &Dataset) {
    let skipped: usize = dataset.skipped.values().sum();
    if skipped == 0 {
        return;
    }
    let all = grouped(dataset.items.len() + skipped);
    console::warning(format!("{}: skipped {} of {all} items:", dataset.name, grouped(skipped)));
    for (reason, n) in &dataset.skipped {
        console::note(format!("  {} with {reason}", grouped(*n)));
    }
}

/// Every name that can be measured on some data set: strategies first, then profiles and baselines.
fn every_name() -> impl Iterator<Item = &'static str> {
    let strategies = CompressionStrategy::ALL.into_iter().map(CompressionStrategy::name);
    let others = Profile::ALL.map(Profile::name).into_iter().chain(Baseline::ALL.map(Baseline::name));
    strategies.chain(others).chain([ALL])
}

/// The strategies for `material`.
const fn strategies(material: Material) -> &'static [CompressionStrategy] {
    match material {
        Material::Talk | Material::Agent => &CompressionStrategy::CHAT,
        Material::Memories => &[CompressionStrategy::Auto],
        _ => &CompressionStrategy::SEARCH,
    }
}

/// Every name that can be measured on `material`.
fn names(material: Material) -> impl Iterator<Item = &'static str> {
    let strategies = strategies(material).iter().map(|strategy| strategy.name());
    let profiles = Profile::ALL.map(Profile::name).into_iter();
    let profiles = profiles.filter(move |_| material != Material::Memories);
    strategies.chain(profiles).chain(material.baselines().iter().map(|baseline| baseline.name()))
}

/// The contenders on `dataset`: those called `asked`, each once, or `auto` and every baseline if `asked` is empty.
fn contenders(asked: &[String], dataset: &Dataset, settings: &Settings) -> Result<Vec<Contender>, CliError> {
    let material = dataset.material;
    if let Some(other) =
        asked.iter().find(|asked| *asked != ALL && names(material).all(|name| name != *asked))
    {
        let known = names(material).collect::<Vec<_>>().join(", ");
        let (name, of) = (&dataset.name, material.name());
        return Err(CliError::Usage(format!(
            "{name} consists of {of}, but `{other}` does not work on {of}; expected one of: {known}"
        )));
    }
    let baseline = |name: &str| material.baselines().iter().find(|baseline| baseline.name() == name);
    let by_name = |name: &str| asked.iter().any(|asked| asked == name);
    let wanted = |name: &&str| match asked {
        [] => *name == CompressionStrategy::Auto.name() || baseline(name).is_some(),
        // Profiles are measured only by name: most are `auto` with other options.
        _ => by_name(name) || by_name(ALL) && name.parse::<Profile>().is_err(),
    };
    let contexts = || dataset.items.iter().map(|item| item.input.context(&*settings.fitter.counting.counter));
    let semantic = CompressionStrategy::Semantic;
    let turns = match material {
        Material::Talk | Material::Agent if wanted(&semantic.name()) => {
            tell_no_turns(&settings.fitter, semantic);
            settings.fitter.turn_vectors(semantic, contexts())?
        }
        _ => None,
    };
    let contender = |name: &'static str| -> Result<Contender, CliError> {
        let pipeline = match baseline(name) {
            Some(baseline) => {
                Pipeline::new(settings.fitter.counting.counter.clone()).with_strategy(*baseline)
            }
            None if material == Material::Memories => {
                return Ok(Contender::new(name, memories::Memories::new(settings)));
            }
            None => ours(name, material, settings, turns.as_ref())?,
        };
        Ok(Contender::new(name, pipeline))
    };
    let contenders = names(material).filter(wanted).map(|name| (name, contender(name)));
    // `all` means those that are built in: some strategies have a name but are missing from this build.
    let built = contenders.filter(|(name, contender)| contender.is_ok() || by_name(name));
    built.map(|(_, contender)| contender).collect()
}

/// The pipeline of the strategy or the profile called `name`.
fn ours(
    name: &str,
    material: Material,
    settings: &Settings,
    turns: Option<&Arc<TurnVectors>>,
) -> Result<Pipeline, Error> {
    let of_passages = matches!(material, Material::Passages | Material::Repository);
    let (fitter, strategy) = match name.parse::<Profile>() {
        Ok(profile) => {
            let strategy = if of_passages { profile.passages() } else { profile.conversations() };
            (&settings.fitter.clone().with_profile(profile), strategy)
        }
        Err(_) if of_passages => (&settings.fitter, CompressionStrategy::of_passages(name)?),
        Err(_) => (&settings.fitter, CompressionStrategy::of_conversations(name)?),
    };
    if of_passages {
        fitter.passages_pipeline(strategy)
    } else {
        fitter.conversations_pipeline(strategy, turns.cloned())
    }
}
