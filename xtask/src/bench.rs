//! `cargo xtask bench`: the benchmark, and its figures against those of another run.

use std::{
    fs,
    path::{self, PathBuf},
};

use clap::builder::PossibleValuesParser;

use crate::{program::Program, say::Result, workspace};

/// The areas of the benchmark.
const AREAS: [&str; 8] =
    ["count", "fit", "sentences", "outline", "growth", "conversation", "extreme", "pack"];

/// The arguments of `bench`.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench                                     everything, for docs/benchmarks.md
  cargo xtask bench --only pack                         the rows of one area
  cargo xtask bench --made --quick --json before.json   a baseline
  cargo xtask bench --baseline before.json              fails if a row is 25 % slower than there

Rows are compared by their ratios to other work in the same run, which differ little from machine to machine. Areas with
slower rows are measured twice.")]
pub(crate) struct Args {
    /// Small inputs, few rounds
    #[arg(long, conflicts_with = "baseline")]
    quick: bool,
    /// Made inputs only, so that figures of different commits can be compared
    #[arg(long, conflicts_with = "baseline")]
    made: bool,
    /// The only area to measure
    #[arg(long, value_name = "AREA", value_parser = PossibleValuesParser::new(AREAS))]
    only: Option<String>,
    /// Also write the figures to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Compare with the figures in this file, on the same kind of inputs, and fail if a row is slower
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// How much larger a ratio may be than in the baseline [default: 25%]
    #[arg(long, value_name = "PERCENT", requires = "baseline")]
    tolerance: Option<String>,
}

/// Runs the benchmark.
///
/// # Errors
/// If it cannot be built, or fails, or is slower than the baseline; before that if a file cannot be written or read.
pub(crate) fn run(args: Args) -> Result {
    if let Some(file) = &args.json {
        // It may be the baseline too, so nothing is written yet.
        fs::File::options()
            .append(true)
            .create(true)
            .open(file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    if let Some(file) = &args.baseline {
        fs::metadata(file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    program(args)?.run(&workspace::root())
}

fn program(args: Args) -> Result<Program> {
    let mut program = Program::cargo("bench -p contextfit --features code --bench fit --");
    for flag in [(args.quick, "--quick"), (args.made, "--made")] {
        program = if flag.0 { program.arg(flag.1) } else { program };
    }
    for (flag, value) in [("--only", args.only), ("--tolerance", args.tolerance)] {
        program = value.into_iter().fold(program, |program, value| program.arg(flag).arg(value));
    }
    for (flag, file) in [("--json", args.json), ("--baseline", args.baseline)] {
        // Cargo runs benchmarks in the folder of their crate, but the path is relative to the caller's folder.
        if let Some(file) = file {
            program = program.arg(flag).arg(path::absolute(file)?.to_string_lossy());
        }
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(args: Args, expect: &str) {
        let line = program(args).unwrap().line();
        assert_eq!(line, format!("cargo bench -p contextfit --features code --bench fit --{expect}"));
    }

    #[test]
    fn arguments_reach_the_benchmark() {
        check(Args::default(), "");
        let made = Args { quick: true, made: true, only: Some("pack".into()), ..Args::default() };
        check(made, " --quick --made --only pack");
    }

    #[test]
    fn files_are_the_callers() {
        let args =
            Args { json: Some("out.json".into()), baseline: Some("in.json".into()), ..Args::default() };
        let line = program(args).unwrap().line();
        let mut files = ["--json ", "--baseline "].into_iter().map(|flag| line.split_once(flag).unwrap().1);
        assert!(files.all(|file| file.starts_with('/')), "{line}");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_an_error_before_the_run() {
        let args = Args { json: Some("missing/out.json".into()), ..Args::default() };
        assert!(run(args).unwrap_err().to_string().starts_with("missing/out.json: "));
    }
}
