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
    let args = match command().try_get_matches().and_then(|matches| Args::from_arg_matches(&matches)) {
        Ok(args) => args,
        Err(error) => {
            // Help and version are not errors; they go to standard output, which may be closed.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(error::USAGE));
        }
    };
    match run(args) {
        Ok(code) => code,
        Err(error) => {
            if !error.is_broken_pipe() {
                console::error(&error);
            }
            ExitCode::from(error.exit_code())
        }
    }
}

/// The command line as data, from which completions and manual pages are generated.
#[must_use]
pub fn command() -> clap::Command {
    // The commands share their flags, but each has its own strategies.
    Args::command().mut_subcommands(|command| {
        let known: &[_] = match command.get_name() {
            "files" | "search" => &CompressionStrategy::SEARCH,
            "chat" => &CompressionStrategy::CHAT,
            _ => return command,
        };
        let of_chat = command.get_name() == "chat";
        command
            .mut_arg("strategy", |arg| arg.value_parser(strategies(known)))
            // Messages have no line numbers, and conversations always fill their budget.
            .mut_arg("line_numbers", |arg| arg.hide(of_chat))
            .mut_arg("fill", |arg| arg.hide(of_chat))
    })
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
