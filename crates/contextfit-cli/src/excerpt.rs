//! `excerpt`: one text in, its important parts out.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use clap::ValueHint;
use contextfit::{
    kernel::{Error, Reason, TextKind, Tokens},
    presets::{Counting, FitError, FittedExcerpt},
};

use crate::{
    args::{CountingArgs, FitArgs},
    console,
    decode::Nuls,
    error::CliError,
    files::{Unread, read_named},
    fit::UNMATCHED,
    input::{self, STDIN},
    output,
    settings::Settings,
    summary::{counted, estimated_part, grouped},
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
    #[arg(value_hint = ValueHint::FilePath, default_value = STDIN, hide_default_value = true)]
    file: PathBuf,
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
        return rewrite(&settings, text(&args.file)?, started);
    }
    let counting = &settings.fitter.counting;
    // A missing budget is told before the text is read.
    settings.fitter.budget(None, None)?;
    let text = text(&args.file)?;
    let excerpt = settings.fitter.excerpt(text, None).map_err(no_room)?;
    if args.json {
        let answer = excerpt.answer();
        let (before, after) = (answer.metrics.tokens_before, answer.metrics.tokens_after);
        output::json(&counting.estimated(&answer, before, after))?;
    } else {
        output::context(&excerpt.result.text)?;
    }
    if args.explain {
        explain(&excerpt, counting);
    }
    tell(&excerpt, counting, started);
    Ok(())
}

/// Prints `text` shortened without losing anything.
fn rewrite(settings: &Settings, text: String, started: Instant) -> Result<(), CliError> {
    let counter = &settings.fitter.counting.counter;
    let (shown, kind, before) = settings.fitter.lossless(text);
    output::context(&shown)?;
    console::note(format!(
        "nothing left out ({}) · {} of {} ({}) · {:.2} s",
        kind.name(),
        grouped(counter.count(&shown).get()),
        counted(before.get(), "token", "tokens"),
        settings.fitter.counting.tokenizer(),
        started.elapsed().as_secs_f64(),
    ));
    Ok(())
}

/// Rephrases the error for a single text, which has no blocks.
fn no_room(error: FitError) -> CliError {
    match error {
        FitError::Fit(Error::Infeasible { needed, available, .. }) => CliError::Failed(format!(
            "cannot fit: the shortest excerpt needs {needed} tokens, {available} are available; raise --budget"
        )),
        other => other.into(),
    }
}

/// Reads the whole source and decodes it.
fn text(path: &Path) -> Result<String, CliError> {
    let name = input::name(path);
    let found = read_named(path, Nuls::Replaced).map_err(|error| match error {
        Unread::Unreadable(source) => CliError::Read { path: name.clone(), source },
        other => CliError::Input(format!("cannot use {name}: expected text, found {other}")),
    })?;
    found.warn(&name);
    Ok(found.text)
}

/// Prints a line for each part of the text that is shown.
fn explain(excerpt: &FittedExcerpt, counting: &Counting) {
    let (mut at, mut line) = (0, 1);
    for range in excerpt.ranges() {
        let shown = range.of(excerpt.text()).unwrap_or_default();
        line += feeds(excerpt.text().get(at..range.start()).unwrap_or_default());
        let last = line + feeds(shown.strip_suffix('\n').unwrap_or(shown));
        let lines = if last > line { format!("lines {line}-{last}") } else { format!("line {line}") };
        let (start, end) = (range.start(), range.end());
        let taken = counted(counting.counter.count(shown).get(), "token", "tokens");
        console::note(format!("{lines}, bytes {start}-{end}: {taken}"));
        (at, line) = (end, line + feeds(shown));
    }
}

/// Prints the summary.
fn tell(excerpt: &FittedExcerpt, counting: &Counting, started: Instant) {
    let reason = excerpt.reason();
    if matches!(reason, Some(Reason::Unmatched { .. })) {
        console::note(UNMATCHED);
    }
    let lines = excerpt.text().lines().count();
    let (kept, of, one, many) = match reason {
        // If lines are few and long, parts of lines are kept.
        Some(Reason::NoRoomWhole { kept, of } | Reason::Unmatched { kept, of }) if *of > 2 * lines => {
            let (one, many) = match excerpt.kind {
                TextKind::Prose => ("sentence", "sentences"),
                _ => ("part", "parts"),
            };
            (*kept, *of, one, many)
        }
        _ => (excerpt.shown_lines(), lines, "line", "lines"),
    };
    let metrics = &excerpt.result.metrics;
    console::note(format!(
        "kept {} of {} ({}) · {} of {} tokens ({}){} · input {} · {:.2} s",
        grouped(kept),
        counted(of, one, many),
        excerpt.kind.name(),
        grouped(metrics.tokens_after.get()),
        grouped(excerpt.budget.available().get()),
        counting.tokenizer(),
        estimated_part(counting, metrics.tokens_after),
        counted(metrics.tokens_before.get(), "token", "tokens"),
        started.elapsed().as_secs_f64(),
    ));
}

fn feeds(text: &str) -> usize {
    text.matches('\n').count()
}
