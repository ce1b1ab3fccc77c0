//! The command line of contextfit.
//!
//! Data goes to standard output, everything for people to standard error. The exit code is 0 when the job is done, 1
//! when something cannot fit or a check failed, 2 for wrong usage or input.
//!
//! This crate reads, chooses and prints; what happens to a context is decided and done by the crates below it.

mod args;
mod error;
mod estimate;
mod log;

mod console;
mod held;
mod input;
mod jsonl;
mod output;
mod progress;
mod report;
mod surrogates;

mod config;
mod profile;
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
mod files;
mod meaning;
mod memory;
mod models;
mod pages;
mod restore;
mod search;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use contextfit_kernel::CompressionStrategy;

use crate::{
    args::{Args, Command, strategies},
    error::CliError,
};

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let args = match command().try_get_matches().and_then(|matches| Args::from_arg_matches(&matches)) {
        Ok(args) => args,
        Err(error) => {
            // Help and version are no errors; they go to standard output, which may be closed.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(error::USAGE));
        }
    };
    match run(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is_broken_pipe() {
                console::error(&error);
            }
            ExitCode::from(error.exit_code())
        }
    }
}

/// The command line as data: what completions and the manual are made from.
#[must_use]
pub fn command() -> clap::Command {
    // The commands share their flags; which strategies there are is each one's own.
    Args::command().mut_subcommands(|command| {
        let known: &[_] = match command.get_name() {
            "files" | "search" => &CompressionStrategy::SEARCH,
            "chat" => &CompressionStrategy::CHAT,
            _ => return command,
        };
        let of_chat = command.get_name() == "chat";
        command
            .mut_arg("strategy", |arg| arg.value_parser(strategies(known)))
            // Messages have no lines of a file, and the budget of a conversation is always filled.
            .mut_arg("line_numbers", |arg| arg.hide(of_chat))
            .mut_arg("fill", |arg| arg.hide(of_chat))
    })
}

fn run(args: Args) -> Result<(), CliError> {
    log::init(args.log.as_deref())?;
    match args.command {
        Command::Files(args) => files::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Excerpt(args) => excerpt::run(&args),
        Command::Chat(args) => chat::run(&args),
        Command::Memory(args) => memory::run(&args),
        Command::Restore(args) => restore::run(&args),
        Command::Count(args) => count::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Models(args) => models::run(&args),
        Command::Config(command) => config::run(&command),
        Command::Completions { shell } => pages::completions(shell),
        Command::Man { command } => pages::man(&command),
    }
}
