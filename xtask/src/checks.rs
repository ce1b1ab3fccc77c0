//! `cargo xtask check` for some crates, between changes, and `cargo xtask ci`: everything that must pass before a change
//! is merged.

use std::{collections::BTreeSet, path::Path};

use crate::{
    codegen, docs,
    program::Program,
    say::{Result, unknown},
    step::{self, Action, Step},
    tidy,
    workspace::{self, Package, Workspace},
};

/// The arguments of `check`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The crate to check; may be repeated
    #[arg(short, long = "package", value_name = "CRATE")]
    packages: Vec<String>,
}

/// Runs the checks of the crates, then the project's rules.
///
/// # Errors
/// The first failure, or a name that no crate has.
pub(crate) fn run(args: &Args) -> Result {
    let root = workspace::root();
    let workspace = workspace::load(&root)?;
    let mut steps = Scope::Packages(chosen(&workspace, &args.packages)?).steps(&root);
    steps.push(Step { name: "tidy", action: Action::Ours("cargo xtask tidy", tidy::run) });
    step::run(steps, &root)
}

/// The crates called `names`.
fn chosen<'w>(workspace: &'w Workspace, names: &[String]) -> Result<Vec<&'w Package>> {
    if names.is_empty() {
        return Err(
            "expected a crate: `cargo xtask check -p CRATE`, or `cargo xtask ci` for all of them".into()
        );
    }
    let named = |name: &String| {
        let found = workspace.members.iter().find(|package| package.name == *name);
        found.ok_or_else(|| {
            let names = workspace.members.iter().map(|package| package.name.as_str());
            unknown("crate", name, names).into()
        })
    };
    names.iter().map(named).collect()
}

/// The arguments of `ci`.
#[derive(clap::Args)]
pub(crate) struct CiArgs {
    /// Skip slow steps: features one by one, and the benchmark
    #[arg(long)]
    quick: bool,
}

/// Runs the steps.
///
/// # Errors
/// The first failure.
pub(crate) fn run_all(args: &CiArgs) -> Result {
    let root = workspace::root();
    let workspace = workspace::load(&root)?;
    step::run(all(&root, &workspace, args.quick), &root)
}

/// The crates that a check is for.
enum Scope<'a> {
    /// All of them.
    Workspace,
    /// These.
    Packages(Vec<&'a Package>),
}

impl Scope<'_> {
    /// Format, clippy, tests and documentation tests; the tests with nextest if it is installed, which is faster and
    /// counts all of them.
    fn steps(&self, root: &Path) -> Vec<Step> {
        self.steps_with(Program::cargo("nextest --version").works(root))
    }

    fn steps_with(&self, nextest: bool) -> Vec<Step> {
        let step = |name, action| Step { name, action };
        let all = self.flags("--workspace", |_| true);
        let libraries = self.flags("--workspace", |package| package.has_library);
        let tests = if nextest { "nextest run" } else { "test" };
        let doc_tests = match libraries.is_empty() {
            true => Action::Skip("because there is no library"),
            false => Action::cargo(&format!("test {libraries} --all-features --doc")),
        };
        let mut format = vec![Program::cargo(&format!("fmt {} --check", self.flags("--all", |_| true)))];
        if matches!(self, Self::Workspace) {
            // The fuzz targets are a workspace of their own.
            format.push(Program::cargo("fmt --manifest-path fuzz/Cargo.toml --check"));
        }
        vec![
            step("format", Action::Programs(format)),
            step(
                "clippy",
                Action::cargo(&format!("clippy {all} --all-targets --all-features -- -D warnings")),
            ),
            // Clippy has checked the examples: nothing would run them.
            step("tests", Action::cargo(&format!("{tests} {all} --all-features --tests"))),
            step("doc tests", doc_tests),
        ]
    }

    /// The arguments that select the crates that `is_one` accepts; `every` for the workspace.
    fn flags(&self, every: &str, is_one: fn(&Package) -> bool) -> String {
        match self {
            Self::Workspace => every.into(),
            Self::Packages(packages) => {
                let chosen = packages.iter().filter(|package| is_one(package));
                chosen.map(|package| format!("-p {}", package.name)).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// All steps, in order. `quick` skips slow ones.
fn all(root: &Path, workspace: &Workspace, quick: bool) -> Vec<Step> {
    let step = |name, action| Step { name, action };
    let unless_quick = |action: &dyn Fn() -> Action| if quick { Action::Skip(QUICK) } else { action() };
    let mut steps = Scope::Workspace.steps(root);
    steps.extend([
        step("rustdoc", Action::Programs(vec![rustdoc()])),
        step("features", unless_quick(&|| each_feature(workspace))),
        step("packages", unless_quick(&|| Action::cargo(PACKAGE))),
        step("docs", Action::Ours("cargo xtask docs --check", docs::check)),
        step("codegen", Action::Ours("cargo xtask codegen --check", codegen::check)),
        step("tidy", Action::Ours("cargo xtask tidy", tidy::run)),
        step("deny", deny(root)),
        step("spelling", if_installed(root, "typos", &[])),
        step("toml format", if_installed(root, "taplo", &["fmt", "--check"])),
        step("benchmark smoke", unless_quick(&|| Action::cargo(SMOKE))),
    ]);
    steps
}

/// Packages every crate, which shows that each can be published; the public workflow builds them from their packages.
pub(crate) const PACKAGE: &str = "package --workspace --exclude xtask --no-verify --allow-dirty";

/// That the benchmark runs, as a test: built from what the tests are built from, and not for speed.
const SMOKE: &str = "test --workspace --all-features --bench fit -- --smoke";

const QUICK: &str = "because of --quick";

fn rustdoc() -> Program {
    Program::cargo("doc --workspace --all-features --no-deps").env("RUSTDOCFLAGS", "-Dwarnings")
}

fn each_feature(workspace: &Workspace) -> Action {
    Action::Programs(workspace.members.iter().flat_map(feature_checks).collect())
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

/// One check for each set of features that differs from those before it.
fn feature_checks(package: &Package) -> Vec<Program> {
    let none = Program::cargo("check -p").arg(&package.name).arg("--no-default-features");
    let mut seen = BTreeSet::from([BTreeSet::new()]);
    let single = package.features.keys().filter(|feature| seen.insert(effect(package, feature)));
    let single = single.map(|feature| none.clone().arg("--features").arg(feature));
    [none.clone()].into_iter().chain(single).collect()
}

/// Everything that `feature` turns on in the end. A feature that only turns on others of the crate has no separate
/// effect: `default = ["a"]` is the same as `a`, and an empty `default` is the same as none.
fn effect<'p>(package: &'p Package, feature: &'p str) -> BTreeSet<&'p str> {
    let mut effect = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![feature];
    while let Some(name) = open.pop() {
        if !seen.insert(name) {
            continue;
        }
        let parts = package.features.get(name).map(Vec::as_slice).unwrap_or_default();
        let only_others = !parts.is_empty() && parts.iter().all(|part| package.features.contains_key(part));
        if name != "default" && !only_others {
            effect.insert(name);
        }
        open.extend(parts.iter().map(String::as_str));
    }
    effect
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::tests::check_step;

    fn workspace() -> Workspace {
        let names = ["contextfit", "contextfit-bm25", "contextfit-pipeline", "contextfit-text", "xtask"];
        let package = |name: &str| Package { name: name.into(), ..Package::default() };
        Workspace { members: names.into_iter().map(package).collect(), ..Workspace::default() }
    }

    #[track_caller]
    fn check_chosen(names: &[&str], expect: std::result::Result<&[&str], &str>) {
        let workspace = workspace();
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let found = chosen(&workspace, &names).map_err(|error| error.to_string());
        let found = found.map(|found| found.iter().map(|package| package.name.as_str()).collect::<Vec<_>>());
        assert_eq!(found.as_deref().map_err(String::as_str), expect);
    }

    #[test]
    fn crates_are_chosen_by_name() {
        check_chosen(&["contextfit-text"], Ok(&["contextfit-text"]));
        check_chosen(&["xtask", "contextfit"], Ok(&["xtask", "contextfit"]));
    }

    #[test]
    fn an_unknown_name_is_an_error_with_the_nearest() {
        check_chosen(
            &["contextfit-pipelines"],
            Err("no crate is called `contextfit-pipelines`; \
                 the nearest names are contextfit-pipeline, contextfit-text, contextfit-bm25"),
        );
        check_chosen(
            &["text"],
            Err(
                "no crate is called `text`; the nearest names are contextfit-text, contextfit, contextfit-bm25",
            ),
        );
    }

    #[test]
    fn no_name_is_an_error() {
        check_chosen(
            &[],
            Err("expected a crate: `cargo xtask check -p CRATE`, or `cargo xtask ci` for all of them"),
        );
    }

    fn package(name: &str, has_library: bool) -> Package {
        Package { name: name.into(), has_library, ..Package::default() }
    }

    #[test]
    fn all_crates() {
        let steps = Scope::Workspace.steps_with(true);
        check_step(
            &steps,
            "format",
            "cargo fmt --all --check; cargo fmt --manifest-path fuzz/Cargo.toml --check",
        );
        check_step(&steps, "clippy", "cargo clippy --workspace --all-targets --all-features -- -D warnings");
        check_step(&steps, "tests", "cargo nextest run --workspace --all-features --tests");
        check_step(&steps, "doc tests", "cargo test --workspace --all-features --doc");
    }

    #[test]
    fn single_crates() {
        let (a, b) = (package("a", true), package("b", false));
        let steps = Scope::Packages(vec![&a, &b]).steps_with(false);
        check_step(&steps, "format", "cargo fmt -p a -p b --check");
        check_step(&steps, "clippy", "cargo clippy -p a -p b --all-targets --all-features -- -D warnings");
        check_step(&steps, "tests", "cargo test -p a -p b --all-features --tests");
        check_step(&steps, "doc tests", "cargo test -p a --all-features --doc");
    }

    #[test]
    fn a_program_has_no_library_to_test() {
        let package = package("a", false);
        let steps = Scope::Packages(vec![&package]).steps_with(false);
        check_step(&steps, "doc tests", "because there is no library");
    }

    #[track_caller]
    fn check(quick: bool, name: &str, expect: &str) {
        let members = vec![package("contextfit", true), package("contextfit-kernel", true)];
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
        check(false, "benchmark smoke", "cargo test --workspace --all-features --bench fit -- --smoke");
    }

    #[test]
    fn quick_leaves_out_what_takes_long() {
        check(true, "features", QUICK);
        check(true, "benchmark smoke", QUICK);
        check(true, "tidy", "cargo xtask tidy");
    }

    #[track_caller]
    fn check_features(features: &[(&str, &[&str])], expect: &[&str]) {
        let features = features.iter().map(|(name, parts)| {
            (name.to_string(), parts.iter().map(ToString::to_string).collect::<Vec<_>>())
        });
        let package = Package { name: "x".into(), features: features.collect(), ..Package::default() };
        let lines: Vec<_> = feature_checks(&package).iter().map(Program::line).collect();
        let expect: Vec<_> = expect
            .iter()
            .map(|feature| match *feature {
                "" => "cargo check -p x --no-default-features".to_string(),
                feature => format!("cargo check -p x --no-default-features --features {feature}"),
            })
            .collect();
        assert_eq!(lines, expect);
    }

    #[test]
    fn a_crate_without_features_is_checked_once() {
        check_features(&[], &[""]);
        check_features(&[("default", &[])], &[""]);
    }

    #[test]
    fn every_feature_is_checked_alone() {
        check_features(&[("a", &["dep:a"]), ("b", &[])], &["", "a", "b"]);
    }

    #[test]
    fn equal_sets_are_checked_once() {
        check_features(&[("a", &["dep:a"]), ("default", &["a"])], &["", "a"]);
        check_features(
            &[("a", &["dep:a"]), ("b", &["dep:b"]), ("default", &["a", "b"]), ("full", &["b", "a"])],
            &["", "a", "b", "default"],
        );
    }

    #[test]
    fn a_feature_that_needs_another_is_not_the_same() {
        check_features(&[("a", &["dep:a"]), ("b", &["a", "x/b"])], &["", "a", "b"]);
    }

    #[test]
    fn a_circle_of_features_ends() {
        check_features(&[("a", &["b"]), ("b", &["a", "dep:c"])], &["", "a"]);
    }
}
