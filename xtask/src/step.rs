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

/// Runs `steps` in `root`.
///
/// # Errors
/// The first failure.
pub(crate) fn run(steps: impl IntoIterator<Item = Step>, root: &Path) -> Result {
    let mut summary = Vec::new();
    let mut failure = None;
    let started = Instant::now();
    for Step { name, action } in steps {
        let begun = Instant::now();
        let result = match action {
            Action::Skip(why) => {
                say::line(&format!("\n==> {name}: skipped, {why}"));
                summary.push(summary_line(name, None, &format!("skipped, {why}")));
                continue;
            }
            Action::Programs(programs) => programs.iter().try_for_each(|program| program.run(root)),
            Action::Ours(line, run) => {
                say::line(&format!("\n==> {line}"));
                run()
            }
        };
        if let Err(error) = result {
            summary.push(summary_line(name, None, "FAILED"));
            failure = Some(format!("{name}: {error}"));
            break;
        }
        summary.push(summary_line(name, Some(begun.elapsed()), "passed"));
    }
    say::line("\nsummary");
    for line in summary {
        say::line(&line);
    }
    say::line(&format!("  {:<18} {:>7.1} s", "total", started.elapsed().as_secs_f64()));
    failure.map_or(Ok(()), |failure| Err(failure.into()))
}

/// How a step ended, and how long it took if it passed.
fn summary_line(name: &str, took: Option<Duration>, end: &str) -> String {
    let took = took.map_or("-".into(), |took| format!("{:.1} s", took.as_secs_f64()));
    format!("  {name:<18} {took:>9}  {end}")
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
    fn check(milliseconds: Option<u64>, end: &str, expect: &str) {
        assert_eq!(summary_line("rustfmt", milliseconds.map(Duration::from_millis), end), expect);
    }

    #[test]
    fn the_summary_lines_up() {
        check(Some(1_250), "passed", "  rustfmt                1.2 s  passed");
        check(None, "skipped, not here", "  rustfmt                    -  skipped, not here");
        check(None, "FAILED", "  rustfmt                    -  FAILED");
    }

    #[test]
    fn nothing_runs_after_a_failure() {
        let step = |name, run| Step { name, action: Action::Ours("x", run) };
        let steps =
            [step("one", || Ok(())), step("two", || Err("no".into())), step("three", || panic!("ran"))];
        assert_eq!(run(steps, Path::new(".")).unwrap_err().to_string(), "two: no");
    }
}
