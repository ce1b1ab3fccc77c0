//! The steps of `cargo xtask ci`, as data.

use std::path::Path;

use super::features;
use crate::{Result, bench, codegen, command::Program, tidy, workspace::Workspace};

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

/// All steps, in order. `quick` skips slow ones.
pub(crate) fn all(root: &Path, workspace: &Workspace, quick: bool) -> Vec<Step> {
    let step = |name, action| Step { name, action };
    let cargo = |args| Action::Programs(vec![Program::cargo(args)]);
    vec![
        step("format", cargo("fmt --all --check")),
        step("clippy", cargo("clippy --workspace --all-targets --all-features -- -D warnings")),
        step("tests", tests(root)),
        step("doc tests", cargo("test --workspace --all-features --doc")),
        step("rustdoc", Action::Programs(vec![rustdoc()])),
        step("features", if quick { Action::Skip(QUICK) } else { each_feature(workspace) }),
        step("packages", if quick { Action::Skip(QUICK) } else { cargo(PACKAGE) }),
        step("codegen", Action::Ours("cargo xtask codegen --check", codegen::check)),
        step("tidy", Action::Ours("cargo xtask tidy", tidy::run)),
        step("spelling", if_installed(root, "typos", &[])),
        step("toml format", if_installed(root, "taplo", &["fmt", "--check"])),
        step("benchmark smoke", if quick { Action::Skip(QUICK) } else { smoke(workspace) }),
    ]
}

/// Packages every crate, which shows that each can be published; the public workflow builds them from their packages.
const PACKAGE: &str = "package --workspace --exclude xtask --no-verify --allow-dirty";

const QUICK: &str = "because of --quick";

/// The tests, with nextest if it is installed: it is faster and counts all of them.
fn tests(root: &Path) -> Action {
    let nextest = Program::cargo("nextest --version").works(root);
    let line = if nextest { "nextest run --workspace --all-features" } else { TESTS_WITHOUT_NEXTEST };
    Action::Programs(vec![Program::cargo(line)])
}

const TESTS_WITHOUT_NEXTEST: &str = "test --workspace --all-features --lib --bins --tests --examples";

fn rustdoc() -> Program {
    Program::cargo("doc --workspace --all-features --no-deps").env("RUSTDOCFLAGS", "-Dwarnings")
}

fn each_feature(workspace: &Workspace) -> Action {
    Action::Programs(workspace.members.iter().flat_map(features::checks).collect())
}

fn if_installed(root: &Path, name: &str, args: &[&str]) -> Action {
    if Program::new(name, ["--version"]).works(root) {
        Action::Programs(vec![Program::new(name, args.iter().copied())])
    } else {
        Action::Skip("because it is not installed")
    }
}

fn smoke(workspace: &Workspace) -> Action {
    let bench = |package: &crate::workspace::Package| package.benches.iter().any(|bench| bench == "fit");
    if workspace.members.iter().any(|package| package.name == "contextfit" && bench(package)) {
        Action::Programs(vec![bench::smoke()])
    } else {
        Action::Skip("because there is no benchmark yet")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Package;

    fn steps(quick: bool) -> Vec<Step> {
        let package = |name: &str, benches: &[&str]| Package {
            name: name.into(),
            benches: benches.iter().map(ToString::to_string).collect(),
            ..Package::default()
        };
        let members = vec![package("contextfit", &["fit"]), package("contextfit-kernel", &[])];
        all(Path::new("."), &Workspace { members, others: Vec::new() }, quick)
    }

    #[track_caller]
    fn check(quick: bool, name: &str, expect: &str) {
        let step = steps(quick).into_iter().find(|step| step.name == name).unwrap();
        let lines = match step.action {
            Action::Programs(programs) => programs.iter().map(Program::line).collect::<Vec<_>>().join("; "),
            Action::Ours(line, _) => line.into(),
            Action::Skip(why) => why.into(),
        };
        assert_eq!(lines, expect);
    }

    #[test]
    fn steps_run_what_they_say() {
        check(false, "format", "cargo fmt --all --check");
        check(false, "rustdoc", "RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --all-features --no-deps");
        check(
            false,
            "features",
            "cargo check -p contextfit --no-default-features; \
             cargo check -p contextfit-kernel --no-default-features",
        );
        check(false, "packages", "cargo package --workspace --exclude xtask --no-verify --allow-dirty");
        check(false, "benchmark smoke", "cargo bench -p contextfit --features code --bench fit -- --quick");
    }

    #[test]
    fn quick_leaves_out_what_takes_long() {
        check(true, "features", QUICK);
        check(true, "benchmark smoke", QUICK);
        check(true, "tidy", "cargo xtask tidy");
    }
}
