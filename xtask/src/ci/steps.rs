//! The steps of `cargo xtask ci`, as data.

use std::path::Path;

use super::features;
use crate::{
    bench, codegen,
    command::Program,
    step::{Action, Scope, Step},
    tidy,
    workspace::{Package, Workspace},
};

/// All steps, in order. `quick` skips slow ones.
pub(crate) fn all(root: &Path, workspace: &Workspace, quick: bool) -> Vec<Step> {
    let step = |name, action| Step { name, action };
    let unless_quick = |action: &dyn Fn() -> Action| if quick { Action::Skip(QUICK) } else { action() };
    let mut steps = Scope::Workspace.steps(root);
    steps.extend([
        step("rustdoc", Action::Programs(vec![rustdoc()])),
        step("features", unless_quick(&|| each_feature(workspace))),
        step("packages", unless_quick(&|| Action::cargo(PACKAGE))),
        step("codegen", Action::Ours("cargo xtask codegen --check", codegen::check)),
        step("tidy", Action::Ours("cargo xtask tidy", tidy::run)),
        step("deny", deny(root)),
        step("spelling", if_installed(root, "typos", &[])),
        step("toml format", if_installed(root, "taplo", &["fmt", "--check"])),
        step("benchmark smoke", unless_quick(&|| smoke(workspace))),
    ]);
    steps
}

/// Packages every crate, which shows that each can be published; the public workflow builds them from their packages.
const PACKAGE: &str = "package --workspace --exclude xtask --no-verify --allow-dirty";

const QUICK: &str = "because of --quick";

fn rustdoc() -> Program {
    Program::cargo("doc --workspace --all-features --no-deps").env("RUSTDOCFLAGS", "-Dwarnings")
}

fn each_feature(workspace: &Workspace) -> Action {
    Action::Programs(workspace.members.iter().flat_map(features::checks).collect())
}

/// The checks of deny.toml that need no network; the public workflow checks the advisories too.
fn deny(root: &Path) -> Action {
    Action::if_installed(root, &Program::cargo("deny --version"), Program::cargo(DENY))
}

const DENY: &str = "deny --offline --workspace check bans licenses sources";

fn if_installed(root: &Path, name: &str, args: &[&str]) -> Action {
    let program = Program::new(name, args.iter().copied());
    Action::if_installed(root, &Program::new(name, ["--version"]), program)
}

fn smoke(workspace: &Workspace) -> Action {
    let bench = |package: &Package| package.benches.iter().any(|bench| bench == "fit");
    if workspace.members.iter().any(|package| package.name == "contextfit" && bench(package)) {
        Action::Programs(vec![bench::smoke()])
    } else {
        Action::Skip("because there is no benchmark yet")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::tests::check_step;

    #[track_caller]
    fn check(quick: bool, name: &str, expect: &str) {
        let package = |name: &str, benches: &[&str]| Package {
            name: name.into(),
            benches: benches.iter().map(ToString::to_string).collect(),
            ..Package::default()
        };
        let members = vec![package("contextfit", &["fit"]), package("contextfit-kernel", &[])];
        let workspace = Workspace { members, ..Workspace::default() };
        check_step(&all(Path::new("."), &workspace, quick), name, expect);
    }

    #[test]
    fn steps_run_what_they_say() {
        check(false, "rustdoc", "RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --all-features --no-deps");
        check(
            false,
            "features",
            "cargo check -p contextfit --no-default-features; \
             cargo check -p contextfit-kernel --no-default-features",
        );
        check(false, "packages", "cargo package --workspace --exclude xtask --no-verify --allow-dirty");
        check(false, "benchmark smoke", &bench::smoke().line());
    }

    #[test]
    fn quick_leaves_out_what_takes_long() {
        check(true, "features", QUICK);
        check(true, "benchmark smoke", QUICK);
        check(true, "tidy", "cargo xtask tidy");
    }
}
