//! `cargo xtask ci`: everything that must pass before a change is merged.

mod features;
mod steps;

use std::{
    path::Path,
    time::{Duration, Instant},
};

use steps::{Action, Step};

use crate::{Result, say, workspace};

/// The arguments of `ci`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Skip slow steps: features one by one, and the benchmark
    #[arg(long)]
    quick: bool,
}

/// How a step ended.
enum Outcome {
    Passed(Duration),
    Skipped(&'static str),
    Failed(String),
}

/// Runs the steps.
///
/// # Errors
/// The first failure.
pub(crate) fn run(args: &Args) -> Result {
    let root = workspace::root();
    let workspace = workspace::load(&root)?;
    let mut summary = Vec::new();
    let mut failure = None;
    let started = Instant::now();
    for step in steps::all(&root, &workspace, args.quick) {
        let outcome = perform(&step, &root);
        summary.push(summary_line(step.name, &outcome));
        if let Outcome::Failed(error) = outcome {
            failure = Some(format!("{}: {error}", step.name));
            break;
        }
    }
    say::line("\nsummary");
    for line in summary {
        say::line(&line);
    }
    say::line(&format!("  {:<18} {:>7.1} s", "total", started.elapsed().as_secs_f64()));
    failure.map_or(Ok(()), |failure| Err(failure.into()))
}

fn perform(step: &Step, root: &Path) -> Outcome {
    if let Action::Skip(why) = step.action {
        say::line(&format!("\n==> {}: skipped, {why}", step.name));
        return Outcome::Skipped(why);
    }
    let started = Instant::now();
    let result = match &step.action {
        Action::Skip(_) => Ok(()),
        Action::Programs(programs) => programs.iter().try_for_each(|program| {
            say::line(&format!("\n==> {}: {}", step.name, program.line()));
            let status = program.status(root)?;
            if status.success() { Ok(()) } else { Err(format!("`{}`: {status}", program.line()).into()) }
        }),
        Action::Ours(line, run) => {
            say::line(&format!("\n==> {}: {line}", step.name));
            run()
        }
    };
    match result {
        Ok(()) => Outcome::Passed(started.elapsed()),
        Err(error) => Outcome::Failed(error.to_string()),
    }
}

fn summary_line(name: &str, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed(took) => format!("  {name:<18} {:>7.1} s  passed", took.as_secs_f64()),
        Outcome::Skipped(why) => format!("  {name:<18} {:>9}  skipped, {why}", "-"),
        Outcome::Failed(_) => format!("  {name:<18} {:>9}  FAILED", "-"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(outcome: &Outcome, expect: &str) {
        assert_eq!(summary_line("rustfmt", outcome), expect);
    }

    #[test]
    fn the_summary_lines_up() {
        check(&Outcome::Passed(Duration::from_millis(1_250)), "  rustfmt                1.2 s  passed");
        check(&Outcome::Skipped("not here"), "  rustfmt                    -  skipped, not here");
        check(&Outcome::Failed("x".into()), "  rustfmt                    -  FAILED");
    }
}
