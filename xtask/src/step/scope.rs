//! The checks that run for all crates as well as for single ones.

use std::path::Path;

use super::{Action, Step};
use crate::{command::Program, workspace::Package};

/// The crates that a check is for.
pub(crate) enum Scope<'a> {
    /// All of them.
    Workspace,
    /// These.
    Packages(Vec<&'a Package>),
}

impl Scope<'_> {
    /// Format, clippy, tests and documentation tests; the tests with nextest if it is installed, which is faster and
    /// counts all of them.
    pub(crate) fn steps(&self, root: &Path) -> Vec<Step> {
        self.steps_with(Program::cargo("nextest --version").works(root))
    }

    fn steps_with(&self, nextest: bool) -> Vec<Step> {
        let step = |name, action| Step { name, action };
        let all = self.flags("--workspace", |_| true);
        let libraries = self.flags("--workspace", |package| package.has_library);
        let tests = match (nextest, libraries.is_empty()) {
            (true, _) => format!("nextest run {all} --all-features"),
            (false, true) => format!("test {all} --all-features --bins --tests --examples"),
            (false, false) => format!("test {all} --all-features --lib --bins --tests --examples"),
        };
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
            step("tests", Action::cargo(&tests)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::tests::check_step;

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
        check_step(&steps, "tests", "cargo nextest run --workspace --all-features");
        check_step(&steps, "doc tests", "cargo test --workspace --all-features --doc");
    }

    #[test]
    fn single_crates() {
        let (a, b) = (package("a", true), package("b", false));
        let steps = Scope::Packages(vec![&a, &b]).steps_with(false);
        check_step(&steps, "format", "cargo fmt -p a -p b --check");
        check_step(&steps, "clippy", "cargo clippy -p a -p b --all-targets --all-features -- -D warnings");
        check_step(&steps, "tests", "cargo test -p a -p b --all-features --lib --bins --tests --examples");
        check_step(&steps, "doc tests", "cargo test -p a --all-features --doc");
    }

    #[test]
    fn a_program_has_no_library_to_test() {
        let package = package("a", false);
        let steps = Scope::Packages(vec![&package]).steps_with(false);
        check_step(&steps, "tests", "cargo test -p a --all-features --bins --tests --examples");
        check_step(&steps, "doc tests", "because there is no library");
    }
}
