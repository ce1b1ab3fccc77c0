//! `excerpt`: one text in, its important parts out.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use clap::ValueHint;
use contextfit_excerpt::{Excerpts, lossless};
use contextfit_formats::AnswerMetrics;
use contextfit_kernel::{
    Action, Block, Budget, ByteRange, CompressionResult, Context, Error, Layout, Passage, Piece, Reason,
    TextKind, Tokens,
};
use contextfit_pipeline::{Pipeline, measure};
use contextfit_text::text_kind;
use serde::Serialize;

use crate::{
    args::{CountingArgs, FitArgs},
    console,
    decode::Nuls,
    error::CliError,
    estimate,
    files::{Unread, read_named},
    fit::UNMATCHED,
    input,
    output::Output,
    settings::Settings,
    summary::{counted, grouped},
    tokens::tokens,
};

/// The flags of `excerpt`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo test 2>&1 | contextfit excerpt --budget 2000 --query \"why does it fail\"
  curl -s https://api.example.com/orders | contextfit excerpt --budget 500
  contextfit excerpt build.log --model gpt-4o --budget 1000 --json | jq .ranges
  pip install -r requirements.txt 2>&1 | contextfit excerpt --lossless

Keeps errors, totals, changes, headers and whatever is close to the query; keeps the first and the last of repeated \
lines. JSON stays JSON. Text that fits is printed unchanged. docs/excerpts.md lists what is kept for each kind of output.")]
pub(crate) struct ExcerptArgs {
    /// File with the text; standard input if absent or -
    #[arg(value_hint = ValueHint::FilePath)]
    file: Option<PathBuf>,
    /// What you want to know from the text
    #[arg(long, short, value_name = "TEXT", allow_hyphen_values = true)]
    query: Option<String>,
    /// Maximum number of tokens to spend
    #[arg(long, short, value_name = "TOKENS", value_parser = tokens, allow_negative_numbers = true)]
    budget: Option<Tokens>,
    /// Shorten without loss: drop colours, old progress-bar states and white space in JSON, merge repeated lines
    #[arg(long, conflicts_with_all = ["query", "budget", "json", "explain"])]
    lossless: bool,
    /// Print the kind, context, ranges and metrics as JSON instead of just the excerpt
    #[arg(long)]
    json: bool,
    /// Print which lines are shown, and how many tokens they take, to standard error
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    counting: CountingArgs,
}

pub(crate) fn run(args: &ExcerptArgs) -> Result<(), CliError> {
    let started = Instant::now();
    let settings = Settings::resolve(&FitArgs {
        query: args.query.clone(),
        budget: args.budget,
        counting: args.counting.clone(),
        ..FitArgs::default()
    })?;
    if args.lossless {
        return rewrite(&settings, text(args.file.as_deref())?, started);
    }
    let budget = settings.budget(None, None)?;
    let text = text(args.file.as_deref())?;
    let kind = text_kind(&text);
    let input = context(text, kind, settings.query.as_deref());
    let pipeline = Pipeline::new(settings.counting.counter.clone()).with_strategy(Excerpts);
    let result = pipeline.fit(&input, &budget).map_err(no_room)?;
    let excerpt = Excerpt { kind, input: &input, result: &result };
    let mut output = Output::open();
    if args.json {
        let metrics = AnswerMetrics::from(result.metrics);
        let (before, after) = (metrics.tokens_before, metrics.tokens_after);
        let answer = Answer { kind: kind.name(), context: &result.text, ranges: excerpt.ranges(), metrics };
        output.json(&settings.counting.estimated(&answer, before, after))?;
    } else {
        output.context(&result.text)?;
    }
    output.finish()?;
    if args.explain {
        excerpt.explain(&settings);
    }
    excerpt.tell(&settings, &budget, started);
    Ok(())
}

/// Prints `text` shortened without losing anything.
fn rewrite(settings: &Settings, text: String, started: Instant) -> Result<(), CliError> {
    let kind = text_kind(&text);
    let input = context(text, kind, None);
    let counter = &*settings.counting.counter;
    let measured = measure(&input, counter);
    let mut shown = String::new();
    for block in &measured.blocks {
        let source = &block.block().text;
        let pieces = lossless(block, ByteRange::whole(source));
        pieces.iter().for_each(|piece| shown.push_str(piece.text(source)));
    }
    let mut output = Output::open();
    output.context(&shown)?;
    output.finish()?;
    console::note(format!(
        "nothing left out ({}) · {} of {} ({}) · {:.2} s",
        kind.name(),
        grouped(counter.count(&shown).get()),
        counted(measured.tokens.get(), "token", "tokens"),
        settings.counting.tokenizer(),
        started.elapsed().as_secs_f64(),
    ));
    Ok(())
}

/// Rephrases the error for a single text, which has no blocks.
fn no_room(error: Error) -> CliError {
    match error {
        Error::Infeasible { needed, available, .. } => CliError::Failed(format!(
            "cannot fit: the shortest excerpt needs {needed} tokens, {available} are available; raise --budget"
        )),
        other => other.into(),
    }
}

/// The output of `--json`.
#[derive(Serialize)]
struct Answer<'a> {
    kind: &'static str,
    context: &'a str,
    /// The bytes of the input that are shown, ascending.
    ranges: Vec<ByteRange>,
    metrics: AnswerMetrics,
}

/// Reads the whole source and decodes it.
fn text(path: Option<&Path>) -> Result<String, CliError> {
    let name = input::name(path);
    let found = read_named(input::path(path), Nuls::Replaced).map_err(|error| match error {
        Unread::Unreadable(source) => CliError::Read { path: name.clone(), source },
        other => CliError::Input(format!("cannot use {name}: expected text, found {other}")),
    })?;
    found.warn(&name);
    Ok(found.text)
}

/// The text as the only block of a context, with nothing around it.
fn context(text: String, kind: TextKind, query: Option<&str>) -> Context {
    // JSON need not be read again, and whatever the first line of a script says, a marker is not a comment.
    let language = if kind == TextKind::Json { "json" } else { "text" };
    let passage = Passage { language: Some(language.into()), ..Passage::default() };
    let layout = Layout { headers: false, separator: String::new(), omission: None, ..Layout::default() };
    let block = Block::passage("input", passage, text).with_shown();
    let mut context = Context::new(vec![block]).with_layout(layout);
    context.query = query.map(Into::into);
    context
}

/// A text and the result of shortening it.
struct Excerpt<'a> {
    kind: TextKind,
    input: &'a Context,
    result: &'a CompressionResult,
}

impl Excerpt<'_> {
    fn text(&self) -> &str {
        self.input.blocks.first().map_or("", |block| &block.text)
    }

    /// The bytes that are shown, ascending.
    fn ranges(&self) -> Vec<ByteRange> {
        let step = self.result.plan().and_then(|plan| plan.steps.first());
        match step.map(|step| &step.action) {
            Some(Action::Cut { pieces }) => pieces.iter().filter_map(Piece::range).collect(),
            _ if self.text().is_empty() => Vec::new(),
            _ => vec![ByteRange::whole(self.text())],
        }
    }

    /// The number of lines shown in whole or in part.
    fn lines(&self) -> usize {
        let mut ranges = self.ranges().into_iter().peekable();
        let mut end = 0;
        let is_shown = |line: &&str| {
            let start = end;
            end += line.len();
            while ranges.next_if(|range| range.end() <= start).is_some() {}
            ranges.peek().is_some_and(|range| range.start() < end)
        };
        self.text().split_inclusive('\n').filter(is_shown).count()
    }

    /// Prints a line for each part of the text that is shown.
    fn explain(&self, settings: &Settings) {
        let (mut at, mut line) = (0, 1);
        for range in self.ranges() {
            let shown = range.of(self.text()).unwrap_or_default();
            line += feeds(self.text().get(at..range.start()).unwrap_or_default());
            let last = line + feeds(shown.strip_suffix('\n').unwrap_or(shown));
            let lines = if last > line { format!("lines {line}-{last}") } else { format!("line {line}") };
            let (start, end) = (range.start(), range.end());
            let taken = counted(settings.counting.counter.count(shown).get(), "token", "tokens");
            console::note(format!("{lines}, bytes {start}-{end}: {taken}"));
            (at, line) = (end, line + feeds(shown));
        }
    }

    /// Prints the summary.
    fn tell(&self, settings: &Settings, budget: &Budget, started: Instant) {
        let reason = self.result.plan().and_then(|plan| plan.steps.first()).map(|step| &step.reason);
        if matches!(reason, Some(Reason::Unmatched { .. })) {
            console::note(UNMATCHED);
        }
        let lines = self.text().lines().count();
        let (kept, of, one, many) = match reason {
            // If lines are few and long, parts of lines are kept.
            Some(Reason::NoRoomWhole { kept, of } | Reason::Unmatched { kept, of }) if *of > 2 * lines => {
                let (one, many) = match self.kind {
                    TextKind::Prose => ("sentence", "sentences"),
                    _ => ("part", "parts"),
                };
                (*kept, *of, one, many)
            }
            _ => (self.lines(), lines, "line", "lines"),
        };
        let metrics = &self.result.metrics;
        console::note(format!(
            "kept {} of {} ({}) · {} of {} tokens ({}){} · input {} · {:.2} s",
            grouped(kept),
            counted(of, one, many),
            self.kind.name(),
            grouped(metrics.tokens_after.get()),
            grouped(budget.available().get()),
            settings.counting.tokenizer(),
            estimate::part(settings.counting.estimator.as_ref(), metrics.tokens_after),
            counted(metrics.tokens_before.get(), "token", "tokens"),
            started.elapsed().as_secs_f64(),
        ));
    }
}

fn feeds(text: &str) -> usize {
    text.matches('\n').count()
}
