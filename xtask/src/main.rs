//! The project's development commands: `cargo xtask <command>`.

mod ablate;
mod bench;
mod binary;
mod check;
mod ci;
mod codegen;
mod command;
mod document;
mod downstream;
mod eval;
mod fit;
mod float;
mod picture;
mod savings;
mod say;
mod step;
mod tidy;
mod workspace;

use std::{error::Error, process::ExitCode};

use clap::{Parser, Subcommand};

/// The result of every command; error messages are for people.
type Result<T = ()> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Development commands of the contextfit project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Generate files from data: the table of models from `models.toml`, the vocabularies from tiktoken-rs
    Codegen(codegen::Args),
    /// Check the project's rules: dependencies, licences, file sizes, names, links
    Tidy,
    /// Run the benchmark of the facade and return its exit code
    Bench(bench::Args),
    /// Check some crates: format, clippy, tests, documentation tests, then tidy
    Check(check::Args),
    /// Run every check in order, up to the first failure
    Ci(ci::Args),
    /// Run the examples in an application made from the packaged crates alone
    Downstream,
    /// Draw the picture in the README from a real run
    Picture,
    /// Measure how much of the labelled data sets survives, for docs/quality.md
    Eval(eval::Args),
    /// Measure what each rule of the program contributes, by switching it off
    Ablate(ablate::Args),
    /// Fit the ranking weights to labelled commits
    Fit(fit::Args),
    /// Measure the tokens saved on source code of real repositories, for docs/savings.md
    Savings(savings::Args),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Codegen(args) => codegen::run(&args),
        Command::Tidy => tidy::run(),
        Command::Bench(args) => return bench::run(args),
        Command::Check(args) => check::run(&args),
        Command::Ci(args) => ci::run(&args),
        Command::Downstream => downstream::run(),
        Command::Picture => picture::run(),
        Command::Eval(args) => eval::run(&args),
        Command::Ablate(args) => ablate::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Savings(args) => savings::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say::line(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        super::Cli::command().debug_assert();
    }
}
