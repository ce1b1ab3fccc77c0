//! `cargo xtask bench`: the benchmark figures in the README.

use std::path::{self, PathBuf};

use crate::{program::Program, say::Result, workspace};

/// The arguments of `bench`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Smoke test: small inputs, few rounds
    #[arg(long)]
    quick: bool,
    /// Also write the figures to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Arguments to pass to the benchmark unchanged
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Runs the benchmark.
///
/// # Errors
/// If it cannot be built, or fails.
pub(crate) fn run(args: Args) -> Result {
    program(args)?.run(&workspace::root())
}

fn program(args: Args) -> Result<Program> {
    let mut program = Program::cargo("bench -p contextfit --features code --bench fit --");
    if args.quick {
        program = program.arg("--quick");
    }
    if let Some(file) = args.json {
        // Cargo runs benchmarks in the folder of their crate, but the path is relative to the caller's folder.
        program = program.arg("--json").arg(path::absolute(file)?.to_string_lossy());
    }
    Ok(args.rest.into_iter().fold(program, Program::arg))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(quick: bool, rest: &[&str], expect: &str) {
        let rest = rest.iter().map(ToString::to_string).collect();
        assert_eq!(program(Args { quick, json: None, rest }).unwrap().line(), expect);
    }

    #[test]
    fn arguments_reach_the_benchmark() {
        check(false, &[], "cargo bench -p contextfit --features code --bench fit --");
        check(
            true,
            &["--only", "bm25"],
            "cargo bench -p contextfit --features code --bench fit -- --quick --only bm25",
        );
    }

    #[test]
    fn the_file_is_the_callers() {
        let args = Args { quick: false, json: Some("out.json".into()), rest: Vec::new() };
        let line = program(args).unwrap().line();
        let file = line.split_once("--json ").map(|(_, file)| PathBuf::from(file));
        assert!(file.is_some_and(|file| file.is_absolute() && file.ends_with("out.json")), "{line}");
    }
}
