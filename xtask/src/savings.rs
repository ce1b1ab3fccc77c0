//! `cargo xtask savings`: measures the tokens saved on real code, and writes the figures into the documentation.
//!
//! Each folder is a repository. A simulated retriever returns its files, whole or in pieces of 60 lines: the best 20 by
//! BM25 for a sentence from the repository's comments. Every strategy fits each such request, at a budget of one token
//! less than all (so that only the options decide how much is cut) and at shares of the input.

mod requests;
mod tables;

use std::{env, fs, path::PathBuf, process};

use requests::{Case, Corpus, Grain, Options, Request};
use tables::{Answer, Outcome};

use crate::{
    binary::Binary,
    figures::Document,
    say::{self, Result},
    workspace,
};

const DOCUMENT: Document = Document { path: "docs/savings.md", command: "savings" };

/// The arguments of `savings`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders with sources, one repository each
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Maximum number of requests per repository and chunk size
    #[arg(long, default_value_t = 12, value_name = "N")]
    requests: usize,
}

/// Measures, and writes the tables.
///
/// # Errors
/// If a folder cannot be read or has nothing to measure, a run fails, or the document cannot be written.
pub(crate) fn run(args: &Args) -> Result {
    let root = workspace::root();
    let binary = Binary::build(&root)?;
    let mut repositories = Vec::new();
    let mut outcomes = Vec::new();
    for folder in &args.folders {
        let corpus = Corpus::read(folder)?;
        for grain in Grain::ALL {
            let requests = requests::of(&corpus, grain, args.requests);
            if requests.is_empty() {
                return Err(format!("{}: no comment is suitable as a question", folder.display()).into());
            }
            for (case, answer) in measure(&binary, &requests)? {
                outcomes.push(Outcome { repository: corpus.name.clone(), grain, case, answer });
            }
            say::line(&format!("{} in {}: {} requests", corpus.name, grain.name(), requests.len()));
        }
        repositories.push(corpus);
    }
    let text = tables::document(&repositories, &outcomes);
    DOCUMENT.write(&root, &text)
}

/// Fits every request in every way.
fn measure(binary: &Binary, requests: &[Request]) -> Result<Vec<(Case, Answer)>> {
    let mut measured = Vec::new();
    // Shares are relative to the tokens of the whole request.
    let whole: Vec<Answer> =
        ask(binary, Options::DEFAULT, requests.iter().map(|request| request.line(None, usize::MAX)))?;
    for options in Options::ALL {
        let cases: Vec<Case> = requests::cases(options).collect();
        let planned: Vec<(usize, Case)> =
            (0..requests.len()).flat_map(|n| cases.iter().map(move |case| (n, *case))).collect();
        let lines = planned.iter().filter_map(|(n, case)| {
            Some(
                requests
                    .get(*n)?
                    .line(Some(case.strategy), case.budget(whole.get(*n)?.metrics.tokens_before)),
            )
        });
        let answers = ask(binary, options, lines)?;
        measured.extend(planned.iter().map(|(_, case)| *case).zip(answers));
    }
    Ok(measured)
}

/// The answers to `lines` with `options`, in order.
fn ask(binary: &Binary, options: Options, lines: impl Iterator<Item = String>) -> Result<Vec<Answer>> {
    let file = |kind: &str| env::temp_dir().join(format!("contextfit-savings-{}.{kind}", process::id()));
    let (requests, config) = (file("jsonl"), file("toml"));
    fs::write(&requests, lines.map(|line| line + "\n").collect::<String>())?;
    fs::write(&config, options.file())?;
    let (of_requests, of_config) = (requests.display().to_string(), config.display().to_string());
    let printed = binary.run(&["search", &of_requests, "--jsonl", "--config", &of_config]);
    fs::remove_file(&requests)?;
    fs::remove_file(&config)?;
    printed?.out.lines().map(Answer::parse).collect()
}
