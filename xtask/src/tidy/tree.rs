//! What rules read, the workspace and the text of its files, and what they find.

use std::{fmt, fs, path::Path};

use crate::{
    say::Result,
    workspace::{self, Workspace, slashes},
};

/// Folders of test data: their content only looks like code and documents.
const DATA: [&str; 5] = ["inputs", "data", "fixtures", "snapshots", "corpus"];
/// The extensions of files that rules check.
const KINDS: [&str; 3] = ["rs", "toml", "md"];

/// The workspace and its files.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// The workspace according to cargo.
    pub workspace: Workspace,
    /// The files that rules check.
    pub files: Vec<File>,
    /// Every path, including folders, to check links.
    pub paths: Vec<String>,
}

/// One file.
#[derive(Debug, Clone, Default)]
pub(crate) struct File {
    /// Its path relative to the root, with `/`.
    pub path: String,
    /// Its content.
    pub text: String,
}

impl Tree {
    /// Reads the files below `root` that are not ignored.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn load(root: &Path, workspace: Workspace) -> Result<Self> {
        let mut tree = Self { workspace, ..Self::default() };
        for entry in workspace::files(root) {
            let entry = entry?;
            let path = slashes(entry.path().strip_prefix(root)?);
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            if is_file && KINDS.iter().any(|kind| has_extension(&path, kind)) && !is_data(&path) {
                let text = fs::read_to_string(entry.path()).map_err(|error| format!("{path}: {error}"))?;
                tree.files.push(File { path: path.clone(), text });
            }
            tree.paths.push(path);
        }
        Ok(tree)
    }

    /// The Rust files of the crates, of the commands and of the fuzz targets.
    pub(crate) fn rust(&self) -> impl Iterator<Item = &File> {
        let ours = |file: &&File| ["crates/", "fuzz/", "xtask/"].iter().any(|at| file.path.starts_with(at));
        self.files.iter().filter(|file| has_extension(&file.path, "rs")).filter(ours)
    }

    /// The documents.
    pub(crate) fn documents(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| has_extension(&file.path, "md"))
    }

    /// The file at `path`.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }
}

impl File {
    /// Its lines with their numbers, from 1.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(i, line)| (i + 1, line))
    }
}

fn has_extension(path: &str, extension: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, found)| found == extension)
}

fn is_data(path: &str) -> bool {
    path.split('/').any(|part| DATA.contains(&part))
}

/// A violation of a rule, its position, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    file: String,
    line: Option<usize>,
    what: String,
    advice: String,
}

impl Finding {
    /// A finding about `file` as a whole; the path is relative to the root.
    pub(crate) fn in_file(file: &str, what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { file: file.into(), line: None, what: what.into(), advice: advice.into() }
    }

    /// A finding on one line of `file`, from 1.
    pub(crate) fn at(file: &str, line: usize, what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { line: Some(line), ..Self::in_file(file, what, advice) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, what, advice } = self;
        match line {
            Some(line) => write!(f, "{file}:{line}: {what}; {advice}"),
            None => write!(f, "{file}: {what}; {advice}"),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A tree with nothing but files, for the tests of the rules.
    pub(crate) fn tree(files: &[(&str, &str)]) -> Tree {
        let file = |(path, text): &(&str, &str)| File { path: (*path).into(), text: (*text).into() };
        Tree {
            files: files.iter().map(file).collect(),
            paths: files.iter().map(|(path, _)| (*path).into()).collect(),
            ..Tree::default()
        }
    }

    #[track_caller]
    fn check_data(path: &str, expect: bool) {
        assert_eq!(is_data(path), expect, "{path}");
    }

    #[test]
    fn data_is_told_from_code_by_its_folder() {
        check_data("crates/a/tests/inputs/lib.rs", true);
        check_data("crates/a/src/inputs.rs", false);
    }

    #[test]
    fn lines_are_counted_from_one() {
        let file = File { path: "a".into(), text: "x\ny\nz".into() };
        assert_eq!(file.lines().last(), Some((3, "z")));
    }

    #[test]
    fn rust_files_are_those_of_the_crates() {
        let tree = tree(&[
            ("crates/a/src/lib.rs", ""),
            ("docs/x.rs", ""),
            ("fuzz/src/lib.rs", ""),
            ("xtask/src/main.rs", ""),
        ]);
        let paths: Vec<_> = tree.rust().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["crates/a/src/lib.rs", "fuzz/src/lib.rs", "xtask/src/main.rs"]);
    }

    /// Asserts that findings read as expected, for the tests of the rules.
    #[track_caller]
    pub(crate) fn check_findings(findings: &[Finding], expect: &[&str]) {
        let lines: Vec<_> = findings.iter().map(ToString::to_string).collect();
        assert_eq!(lines, expect);
    }

    #[test]
    fn a_finding_names_its_place_and_what_to_do() {
        check_findings(
            &[Finding::at("a.rs", 3, "long", "split it"), Finding::in_file("b.rs", "odd", "rename it")],
            &["a.rs:3: long; split it", "b.rs: odd; rename it"],
        );
    }
}
