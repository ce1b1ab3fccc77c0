//! The command line of contextfit.
//!
//! Data goes to standard output, and messages for people go to standard error. The exit code is 0 if the job is done, 1
//! if something cannot fit or a check failed, and 2 for wrong usage or input.
//!
//! This crate reads input, chooses settings and prints results; the crates that it depends on do the compression.

mod args;
mod commands;
mod embeddings;
mod error;
mod log;
mod problem;
mod tokens;

mod diff;
mod evaluation;
mod result;
mod verify;

mod console;
mod decode;
mod held;
mod history;
mod input;
mod jsonl;
mod output;
mod own;
mod progress;
mod repaired;
mod report;
mod tables;
mod target;

mod config;
mod settings;

mod explain;
mod factors;
mod fit;
mod folders;
mod llm;
mod store;
mod summary;

mod chat;
mod count;
mod eval;
mod excerpt;
mod feedback;
mod files;
mod hook;
#[cfg(feature = "mcp")]
mod mcp;
mod memory;
mod models;
mod pages;
mod pins;
mod programs;
mod restore;
mod run;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod shortened;
mod version;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use contextfit::presets::CompressionStrategy;

use crate::{
    args::strategies,
    commands::{Args, Command},
    error::CliError,
};

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    if version::is_asked(std::env::args_os().skip(1)) {
        return ended(output::context(&version::text()).map(|()| ExitCode::SUCCESS));
    }
    let args = match command().try_get_matches().and_then(|matches| Args::from_arg_matches(&matches)) {
        Ok(args) => args,
        Err(error) => {
            // Help and version are not errors; they go to standard output, which may be closed.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(error::USAGE));
        }
    };
    ended(run(args))
}

/// The exit code of the process; prints the error that ends it.
fn ended(result: Result<ExitCode, CliError>) -> ExitCode {
    result.unwrap_or_else(|error| {
        if !error.is_broken_pipe() {
            console::error(&error);
        }
        ExitCode::from(error.exit_code())
    })
}

/// The command line as data, from which completions and manual pages are generated.
#[must_use]
pub fn command() -> clap::Command {
    Args::command().mut_subcommands(|command| match command.get_name() {
        "files" | "search" => of_fitting(command, &CompressionStrategy::SEARCH, IN_PASSAGES),
        "chat" => of_fitting(command, &CompressionStrategy::CHAT, IN_CONVERSATIONS)
            // Messages have no line numbers, and conversations always fill their budget.
            .mut_arg("line_numbers", |arg| arg.hide(true))
            .mut_arg("fill", |arg| arg.hide(true)),
        "memory" => command
            .mut_arg("embeddings", |arg| {
                arg.hide_short_help(true).help(
                    "Also compare memories with the query by meaning, with the embedding model in this folder: static \
                     (model2vec) or BERT",
                )
            }),
        _ => command,
    })
}

/// What `--embeddings`, `--llm` and `--explain` do in `files` and `search`, and in `chat`.
const IN_PASSAGES: [&str; 3] = [
    "Also compare sentences with the query by meaning, in the strategy bm25, with the embedding model in this folder: \
     static (model2vec) or BERT; code is compared by a table that is built in",
    "Language model to ask for shorter versions of long chunks",
    "Print what happened to each block, and why, to standard error",
];
const IN_CONVERSATIONS: [&str; 3] = [
    "Compare turns with the query by meaning, in the strategy semantic, with the embedding model in this folder: a BERT",
    "Language model to ask for summaries of earlier turns",
    "Print what happened to each message, and why, to standard error",
];

/// A command that shares the flags of fitting, with its own strategies and what flags do in it. Flags that few need are in
/// `--help` alone.
fn of_fitting(
    command: clap::Command,
    known: &'static [CompressionStrategy],
    [embeddings, llm, explain]: [&'static str; 3],
) -> clap::Command {
    let is_rare = |heading: Option<&str>| matches!(heading, Some("Models" | "Feedback" | "Originals"));
    command
        .mut_args(move |arg| {
            let is_rare = is_rare(arg.get_help_heading());
            arg.hide_short_help(is_rare)
        })
        .mut_arg("strategy", |arg| arg.value_parser(strategies(known)))
        .mut_arg("embeddings", |arg| arg.help(embeddings))
        .mut_arg("llm", |arg| arg.help(llm))
        .mut_arg("explain", |arg| arg.help(explain))
}

fn run(args: Args) -> Result<ExitCode, CliError> {
    log::init(args.log.as_deref())?;
    let done = match args.command {
        Command::Run(args) => return run::run(&args),
        Command::Hook(command) => hook::run(&command),
        Command::Files(args) => files::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Excerpt(args) => excerpt::run(&args),
        Command::Chat(args) => chat::run(&args),
        Command::Memory(args) => memory::run(&args),
        Command::Restore(args) => restore::run(&args),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(&args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&args),
        Command::Count(args) => count::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Report(args) => evaluation::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Feedback(command) => feedback::run(&command),
        Command::Eval(args) => eval::run(&args),
        Command::Models(args) => models::run(&args),
        Command::Config(command) => config::run(&command),
        Command::Completions { shell } => pages::completions(shell),
        Command::Man { command } => pages::man(&command),
    };
    done.map(|()| ExitCode::SUCCESS)
}
