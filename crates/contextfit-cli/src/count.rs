//! `count`: tokens of files, like `wc`.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use contextfit::{
    kernel::Tokens,
    presets::{Counting, EstimatedBy},
    text::{Model, TokenFactor},
};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    args::CountingArgs,
    config::Layers,
    console,
    decode::{Nuls, Text},
    error::CliError,
    factors,
    files::{Unread, read_named},
    input::STDIN,
    output, settings,
    summary::counted,
};

/// The flags of `count`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  contextfit count README.md src/*.rs
  contextfit files src --budget 2000 | contextfit count
  contextfit count --model gpt-4 --json prompt.txt
  contextfit count --model claude-sonnet-4-5 --reported 12873 prompt.txt

If a model's tokenizer is not available, another one stands in for it. The figures are then estimates on the safe \
side, and a note says so; --json prints the stand-in's counts and the estimated total. With --reported, contextfit \
learns from the counts of the provider: after five reports, the learned factor replaces the built-in one.

Counts the text that the bytes stand for: UTF-8, UTF-16 by its byte order mark, and as Windows-1252 what is neither, with \
a warning. NULs and the mark of UTF-8 are counted as they are. Exit code 1 if a file is binary, 2 if one cannot be read; the \
other files are still counted.")]
pub(crate) struct CountArgs {
    /// Files to count; standard input if none are given, or for -
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Learn that the provider of --model counted this many tokens for the whole input
    #[arg(long, value_name = "TOKENS", requires = "model", value_parser = crate::tokens::tokens)]
    reported: Option<Tokens>,
    #[command(flatten)]
    counting: CountingArgs,
}

pub(crate) fn run(args: &CountArgs) -> Result<(), CliError> {
    let config = Layers::read(None, args.counting.layers())?.config()?;
    let counting = settings::counting(&args.counting, &config)?;
    let count = |path: &Path| {
        let found = read_named(path, Nuls::Kept)?;
        Ok((counting.counter.count(&found.text), Text { text: String::new(), ..found }))
    };
    let named = |path: &PathBuf| (path.display().to_string(), count(path));
    let counted: Vec<(String, Result<_, Unread>)> = match args.files.as_slice() {
        [] => vec![(STDIN.into(), count(Path::new(STDIN)))],
        // Threads take longer to start than most files to count.
        [path] => vec![named(path)],
        paths => paths.par_iter().with_max_len(1).map(named).collect(),
    };
    let counted: Vec<(String, Result<Tokens, Unread>)> = counted
        .into_iter()
        .map(|(name, found)| {
            let tokens = found.map(|(tokens, found)| {
                found.warn(&name);
                tokens
            });
            (name, tokens)
        })
        .collect();
    print(args, &counting, &counted)?;
    if let Some(estimator) = &counting.estimator {
        let told = estimator.describe(counting.tokenizer());
        console::note(format!("note: {}: {told}", estimator.by()));
    }
    if let (Some(reported), Some(model)) = (args.reported, counting.model) {
        learn(model, &counting, &counted, reported)?;
    }
    tell(&counted)
}

/// Learns that the provider of `model` counts `reported` tokens for the same input.
fn learn(
    model: &Model,
    counting: &Counting,
    counted: &[(String, Result<Tokens, Unread>)],
    reported: Tokens,
) -> Result<(), CliError> {
    if model.exact {
        return Err(CliError::Usage(format!(
            "the tokenizer of {} is published and counts are exact, so there is nothing to learn: leave out --reported",
            model.name
        )));
    }
    if counting.tokenizer() != model.encoding {
        return Err(CliError::Usage(format!(
            "--reported for {} needs the tokenizer {}: leave out --tokenizer",
            model.name, model.encoding
        )));
    }
    if counted.iter().any(|(_, tokens)| tokens.is_err()) {
        return Ok(());
    }
    let mut learned = TokenFactor::default();
    learned.learn(counted.iter().filter_map(|(_, tokens)| tokens.as_ref().ok().copied()).sum(), reported);
    let factor = factors::learn(model, learned)?;
    console::note(format!("{} tokens per {} token: {factor}", model.name, counting.tokenizer()));
    Ok(())
}

fn print(
    args: &CountArgs,
    counting: &Counting,
    counted: &[(String, Result<Tokens, Unread>)],
) -> Result<(), CliError> {
    let found: Vec<(&str, Tokens)> = counted
        .iter()
        .filter_map(|(name, tokens)| tokens.as_ref().ok().map(|tokens| (name.as_str(), *tokens)))
        .collect();
    let total: Tokens = found.iter().map(|(_, tokens)| *tokens).sum();
    if args.json {
        let files: Vec<_> =
            found.iter().map(|(path, tokens)| json!({"path": path, "tokens": tokens})).collect();
        let answer = json!({"tokenizer": counting.tokenizer(), "files": files, "total": total});
        let estimate = counting.estimator.map(|by| Estimate { by: by.by(), total: by.tokens(total) });
        return output::json(&Estimated { answer, estimate });
    }
    // The estimate for the model, if another tokenizer stands in for its own.
    let tokens = |counted| counting.estimator.map_or(counted, |estimator| estimator.tokens(counted));
    let found: Vec<(&str, Tokens)> = found.into_iter().map(|(name, n)| (name, tokens(n))).collect();
    let total: Tokens = found.iter().map(|(_, tokens)| *tokens).sum();
    let width = total.to_string().len();
    let mut text = String::new();
    for (name, tokens) in &found {
        // Standard input has no name unless it is one of several inputs.
        let name = if args.files.is_empty() { "" } else { name };
        text += format!("{:>width$} {name}", tokens.get()).trim_end();
        text.push('\n');
    }
    if counted.len() > 1 {
        text += &format!("{total} total\n");
    }
    output::context(&text)
}

/// The figures, with the estimate for the model if another tokenizer stands in for its own.
#[derive(Serialize)]
struct Estimated {
    #[serde(flatten)]
    answer: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<Estimate>,
}

/// The estimated number of the model's tokens.
#[derive(Serialize)]
struct Estimate {
    #[serde(flatten)]
    by: EstimatedBy,
    total: Tokens,
}

/// Reports files that could not be counted.
fn tell(counted: &[(String, Result<Tokens, Unread>)]) -> Result<(), CliError> {
    let failures: Vec<(&str, &Unread)> = counted
        .iter()
        .filter_map(|(name, tokens)| tokens.as_ref().err().map(|error| (name.as_str(), error)))
        .collect();
    for (name, error) in &failures {
        console::problem(format!("{name}: {error}"));
    }
    let files = counted_files(failures.len());
    if failures.iter().any(|(_, error)| matches!(error, Unread::Unreadable(_))) {
        return Err(CliError::Input(format!("{files} could not be counted")));
    }
    if failures.is_empty() { Ok(()) } else { Err(CliError::Failed(format!("{files} could not be counted"))) }
}

fn counted_files(n: usize) -> String {
    counted(n, "file", "files")
}
