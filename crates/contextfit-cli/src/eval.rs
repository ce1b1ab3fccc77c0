//! `eval`: what survives of labelled data sets, at which budget, against baselines.

mod table;

use std::{path::PathBuf, time::Instant};

use clap::{ValueHint, builder::PossibleValuesParser};
use contextfit_eval::{Baseline, Contender, Dataset, LEVEL, RESAMPLES, Row, Share, evaluate, plot};
use contextfit_kernel::CompressionStrategy;
use contextfit_pipeline::Pipeline;
use serde::Serialize;

use crate::{
    args::{CountingArgs, FitArgs},
    console,
    error::CliError,
    fit,
    meaning::MeaningArgs,
    output::Output,
    progress::Progress,
    report,
    settings::Settings,
    summary::counted,
};

/// The name that stands for every strategy and every baseline.
const ALL: &str = "all";

/// The flags of `eval`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A data set is a folder. Question answering has SPLIT.passages.jsonl {pid, title, text} and SPLIT.queries.jsonl \
{id, question, answers, gold: [{pid, start, end}], candidates}; localisation in code has SPLIT.localize.jsonl \
{id, path, lang, query, query_body, content, gold: [{start, end}], decls: [{sig_line}]}. Evidence is the gold \
sentences, or the functions to change. Intervals are 95 %, by bootstrap over the items.

Examples:
  contextfit eval data/squad_en
  contextfit eval data/squad_en data/code --json figures.json --plot kept.svg
  contextfit eval data/nq_multidoc --strategy auto --strategy head --budget 5% --limit 200

Exit code 1 when a result is over its budget.")]
pub(crate) struct EvalArgs {
    /// Folders with data sets
    #[arg(required = true, value_name = "DATASET", value_hint = ValueHint::DirPath)]
    datasets: Vec<PathBuf>,
    /// The split to read, where a folder has several
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// What to measure; again for more [default: auto and every baseline]
    #[arg(long, short, value_name = "NAME", value_parser = PossibleValuesParser::new(names().chain([ALL])))]
    strategy: Vec<String>,
    /// The budget as a share of each item, as 10% or 0.1; again for more [default: 10%, 25%, 50%]
    #[arg(long, short, value_name = "SHARE")]
    budget: Vec<Share>,
    /// Measure only so many items of each data set, the same ones each time
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Write the figures as JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    json: Option<PathBuf>,
    /// Draw evidence kept against budget, as SVG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    plot: Option<PathBuf>,
    #[command(flatten)]
    meaning: MeaningArgs,
    #[command(flatten)]
    counting: CountingArgs,
}

pub(crate) fn run(args: &EvalArgs) -> Result<(), CliError> {
    let started = Instant::now();
    let (counting, meaning) = (args.counting.clone(), args.meaning.clone());
    let settings = Settings::resolve(&FitArgs { counting, meaning, ..FitArgs::default() })?;
    let contenders = contenders(&args.strategy, &settings)?;
    let shares = if args.budget.is_empty() { Share::USUAL.to_vec() } else { args.budget.clone() };
    let read = |path: &PathBuf| {
        let dataset = Dataset::read(path, args.split.as_deref())?;
        Ok(match args.limit {
            Some(most) => dataset.with_limit(most),
            None => dataset,
        })
    };
    let datasets: Vec<Dataset> = args.datasets.iter().map(read).collect::<Result<_, CliError>>()?;

    let items = datasets.iter().map(|dataset| dataset.items.len()).sum();
    let progress = Progress::items(items);
    let measured = |dataset| evaluate(dataset, &contenders, &shares, || progress.advance(1));
    let rows: Vec<Row> = datasets.iter().flat_map(measured).collect();
    drop(progress);

    if let Some(path) = &args.json {
        let figures = Figures {
            version: env!("CARGO_PKG_VERSION"),
            tokenizer: settings.counting.tokenizer(),
            interval: LEVEL,
            resamples: RESAMPLES,
            datasets: datasets.iter().map(Source::of).collect(),
            figures: &rows,
        };
        let mut text = serde_json::to_vec_pretty(&figures).map_err(CliError::Json)?;
        text.push(b'\n');
        report::write(path, &text)?;
    }
    if let Some(path) = &args.plot {
        report::write(path, plot(&rows).as_bytes())?;
    }
    let mut output = Output::open();
    output.line(&table::table(&rows))?;
    output.finish()?;
    console::note(format!(
        "measured {} of {} ({}) · intervals 95 % · {:.2} s",
        counted(items, "item", "items"),
        counted(datasets.len(), "data set", "data sets"),
        settings.counting.tokenizer(),
        started.elapsed().as_secs_f64()
    ));
    match rows.iter().map(|row| row.over_budget).sum() {
        0 => Ok(()),
        over => Err(CliError::Failed(format!("over budget: {}", counted(over, "result", "results")))),
    }
}

/// Every name that can be measured: our strategies, then the baselines.
fn names() -> impl Iterator<Item = &'static str> {
    let strategies = CompressionStrategy::SEARCH.into_iter().map(CompressionStrategy::name);
    strategies.chain(Baseline::ALL.map(Baseline::name))
}

/// Who is measured: those called `asked`, each once; without a name, `auto` and every baseline.
fn contenders(asked: &[String], settings: &Settings) -> Result<Vec<Contender>, CliError> {
    let baseline = |name: &str| Baseline::ALL.into_iter().find(|baseline| baseline.name() == name);
    let wanted = |name: &&str| match asked {
        [] => *name == CompressionStrategy::Auto.name() || baseline(name).is_some(),
        _ => asked.iter().any(|asked| asked == name || asked == ALL),
    };
    let contender = |name: &str| {
        let pipeline = match baseline(name) {
            Some(baseline) => Pipeline::new(settings.counting.counter.clone()).with_strategy(baseline),
            None => fit::pipeline(settings, fit::strategy(name, &CompressionStrategy::SEARCH)?)?,
        };
        Ok(Contender { name: name.into(), pipeline })
    };
    names().filter(wanted).map(contender).collect()
}

/// The figures, and what they were measured with.
#[derive(Serialize)]
struct Figures<'a> {
    version: &'static str,
    tokenizer: &'a str,
    interval: f64,
    resamples: usize,
    datasets: Vec<Source<'a>>,
    figures: &'a [Row],
}

/// A data set that was measured.
#[derive(Serialize)]
struct Source<'a> {
    name: &'a str,
    kind: &'a str,
    split: &'a str,
    n: usize,
}

impl<'a> Source<'a> {
    fn of(dataset: &'a Dataset) -> Self {
        Self { name: &dataset.name, kind: dataset.kind, split: &dataset.split, n: dataset.items.len() }
    }
}
