//! The command line of contextfit.
//!
//! Data goes to standard output, everything for people to standard error. The exit code is 0 when the job is done, 1
//! when something cannot fit or a check failed, 2 for wrong usage or input.
//!
//! This crate reads, chooses and prints; what happens to a context is decided and done by the crates below it.

mod args;
mod error;
mod log;

mod console;
mod output;
mod progress;
mod report;

mod config;
mod profile;
mod settings;

mod explain;
mod fit;
mod store;
mod summary;

mod count;
mod eval;
mod files;
mod meaning;
mod models;
mod pages;
mod restore;
mod search;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::{
    args::{Args, Command},
    error::CliError,
};

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let args = match Args::try_parse() {
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
    Args::command()
}

fn run(args: Args) -> Result<(), CliError> {
    log::init(args.log.as_deref())?;
    match args.command {
        Command::Files(args) => files::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Restore(args) => restore::run(&args),
        Command::Count(args) => count::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Models(args) => models::run(&args),
        Command::Config(command) => config::run(&command),
        Command::Completions { shell } => pages::completions(shell),
        Command::Man { command } => pages::man(&command),
    }
}
