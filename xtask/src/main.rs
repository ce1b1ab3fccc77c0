//! The project's development commands: `cargo xtask <command>`.

mod ablate;
mod bench;
mod binary;
mod checks;
mod codegen;
mod docs;
mod downstream;
mod eval;
mod figures;
mod fit;
mod picture;
mod program;
mod savings;
mod say;
mod size;
mod step;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    /// Check the project's rules: dependencies, file sizes, names, links
    Tidy,
    /// Run the benchmark of the facade
    Bench(bench::Args),
    /// Check some crates: format, clippy, tests, documentation tests, then tidy
    Check(checks::Args),
    /// Run every check in order, up to the first failure
    Ci(checks::CiArgs),
    /// Run the examples in an application made from the packaged crates alone
    Downstream,
    /// Run the commands in the documents, and bring their outputs and the picture up to date
    Docs(docs::Args),
    /// Draw the picture in the README from a real run
    Picture,
    /// Print what each part of the binary takes
    Size,
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
        Command::Bench(args) => bench::run(args),
        Command::Check(args) => checks::run(&args),
        Command::Ci(args) => checks::run_all(&args),
        Command::Downstream => downstream::run(),
        Command::Docs(args) => docs::run(&args),
        Command::Picture => picture::run(),
        Command::Size => size::run(),
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
