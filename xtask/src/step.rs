//! Steps of a check, as data: run in order up to the first failure, with a summary.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use crate::{
    program::Program,
    say::{self, Result},
};

/// One step.
pub(crate) struct Step {
    /// Its name in the summary.
    pub name: &'static str,
    /// Its action.
    pub action: Action,
}

/// The action of a step.
pub(crate) enum Action {
    /// Runs programs, one after another.
    Programs(Vec<Program>),
    /// Calls one of the project's commands; the text is the line to run it by hand.
    Ours(&'static str, fn() -> Result),
    /// Nothing, for this reason.
    Skip(&'static str),
}

impl Action {
    /// Runs cargo, with arguments separated by spaces.
    pub(crate) fn cargo(args: &str) -> Self {
        Self::Programs(vec![Program::cargo(args)])
    }

    /// Runs `program` if `version`, which prints its version, works.
    pub(crate) fn if_installed(root: &Path, version: &Program, program: Program) -> Self {
        if version.works(root) {
            Self::Programs(vec![program])
        } else {
            Self::Skip("because it is not installed")
        }
    }
}

/// How a step ended.
enum Outcome {
    Passed(Duration),
    Skipped(&'static str),
    Failed(String),
}

/// Runs `steps` in `root`.
///
/// # Errors
/// The first failure.
pub(crate) fn run(steps: impl IntoIterator<Item = Step>, root: &Path) -> Result {
    let mut summary = Vec::new();
    let mut failure = None;
    let started = Instant::now();
    for step in steps {
        let outcome = perform(&step, root);
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
        Action::Programs(programs) => programs.iter().try_for_each(|program| program.run(root)),
        Action::Ours(line, run) => {
            say::line(&format!("\n==> {line}"));
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
pub(crate) mod tests {
    use super::*;

    /// Checks what the step `name` of `steps` runs, or why it does not.
    #[track_caller]
    pub(crate) fn check_step(steps: &[Step], name: &str, expect: &str) {
        let step = steps.iter().find(|step| step.name == name).unwrap();
        let lines = match &step.action {
            Action::Programs(programs) => programs.iter().map(Program::line).collect::<Vec<_>>().join("; "),
            Action::Ours(line, _) => (*line).into(),
            Action::Skip(why) => (*why).into(),
        };
        assert_eq!(lines, expect);
    }

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

    #[test]
    fn nothing_runs_after_a_failure() {
        let step = |name, run| Step { name, action: Action::Ours("x", run) };
        let steps =
            [step("one", || Ok(())), step("two", || Err("no".into())), step("three", || panic!("ran"))];
        assert_eq!(run(steps, Path::new(".")).unwrap_err().to_string(), "two: no");
    }
}
