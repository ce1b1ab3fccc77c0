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
    let read: Vec<(String, Result<_, Unread>)> = match args.files.as_slice() {
        [] => vec![(STDIN.into(), count(Path::new(STDIN)))],
        // Threads take longer to start than most files to count.
        [path] => vec![named(path)],
        paths => paths.par_iter().with_max_len(1).map(named).collect(),
    };
    let (mut counted, mut failed) = (Vec::new(), Vec::new());
    for (name, found) in read {
        match found {
            Ok((tokens, found)) => {
                found.warn(&name);
                counted.push((name, tokens));
            }
            Err(error) => failed.push((name, error)),
        }
    }
    let total = counted.iter().map(|(_, tokens)| *tokens).sum();
    print(args, &counting, &counted, total)?;
    if let Some(estimator) = &counting.estimator {
        let told = estimator.describe(counting.tokenizer());
        console::note(format!("note: {}: {told}", estimator.by()));
    }
    if let (Some(reported), Some(model)) = (args.reported, counting.model) {
        learn(model, &counting, Some(total).filter(|_| failed.is_empty()), reported)?;
    }
    tell(&failed)
}

/// Learns that the provider of `model` counts `reported` tokens for the same input, if all of it was counted.
fn learn(
    model: &Model,
    counting: &Counting,
    counted: Option<Tokens>,
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
    let Some(counted) = counted else { return Ok(()) };
    let mut learned = TokenFactor::default();
    learned.learn(counted, reported);
    let factor = factors::learn(model, learned)?;
    console::note(format!("{} tokens per {} token: {factor}", model.name, counting.tokenizer()));
    Ok(())
}

fn print(
    args: &CountArgs,
    counting: &Counting,
    counted: &[(String, Tokens)],
    total: Tokens,
) -> Result<(), CliError> {
    if args.json {
        let files: Vec<_> =
            counted.iter().map(|(path, tokens)| json!({"path": path, "tokens": tokens})).collect();
        let answer = json!({"tokenizer": counting.tokenizer(), "files": files, "total": total});
        let estimate = counting.estimator.map(|by| Estimate { by: by.by(), total: by.tokens(total) });
        return output::json(&Estimated { answer, estimate });
    }
    // The estimate for the model, if another tokenizer stands in for its own.
    let tokens = |counted| counting.estimator.map_or(counted, |estimator| estimator.tokens(counted));
    let total: Tokens = counted.iter().map(|(_, n)| tokens(*n)).sum();
    let width = total.to_string().len();
    let mut text = String::new();
    for (name, n) in counted {
        // Standard input has no name unless it is one of several inputs.
        let name = if args.files.is_empty() { "" } else { name };
        text += format!("{:>width$} {name}", tokens(*n).get()).trim_end();
        text.push('\n');
    }
    if args.files.len() > 1 {
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
fn tell(failed: &[(String, Unread)]) -> Result<(), CliError> {
    for (name, error) in failed {
        console::problem(format!("{name}: {error}"));
    }
    let problem = format!("{} could not be counted", counted(failed.len(), "file", "files"));
    if failed.iter().any(|(_, error)| matches!(error, Unread::Unreadable(_))) {
        return Err(CliError::Input(problem));
    }
    if failed.is_empty() { Ok(()) } else { Err(CliError::Failed(problem)) }
}
