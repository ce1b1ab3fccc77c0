//! The purpose of a file.

use std::sync::LazyLock;

use contextfit_text::{Language, Shape, WordLists};

/// The purpose of a file, judged by its path and text. A prior of the ranking that gives way if the query asks for that
/// kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FileKind {
    /// The project's own code.
    Source,
    /// Tests, and what they need.
    Test,
    /// Examples and benchmarks.
    Example,
    /// Documents: READMEs, guides, manuals.
    Documentation,
    /// Changes from release to release.
    Changelog,
    /// Manifests, settings, builds and CI.
    Configuration,
    /// Written by others or by a program: vendored, bundled, generated, minified, locked.
    Foreign,
}

/// Whether `path`, with `/` between its names, is that of a file of tests, judged by its names as in the ranking. Linear
/// in its length.
#[must_use]
pub fn is_test_path(path: &str) -> bool {
    FileKind::of(path, "") == FileKind::Test
}

/// What paths, first lines and queries say of kinds.
static KINDS: LazyLock<WordLists> = LazyLock::new(|| WordLists::new([include_str!("kinds.txt")]));

/// How many bytes of a text are examined.
const EXAMINED_BYTES: usize = 512;

/// A file with longer lines than this on average was not written by hand.
const LONG_LINES_BYTES: usize = 240;

contextfit_kernel::names!(
    FileKind, "kind of file":
    Source => "source",
    Test => "test",
    Example => "example",
    Documentation => "documentation",
    Changelog => "changelog",
    Configuration => "configuration",
    Foreign => "foreign",
);

impl FileKind {
    /// All but [`Source`](Self::Source), in the order of their features.
    pub(crate) const OTHERS: [Self; 6] =
        [Self::Test, Self::Example, Self::Documentation, Self::Changelog, Self::Configuration, Self::Foreign];

    /// The purpose of the file at `path` with this text; a file without a path has no prior. Constant time.
    #[must_use]
    pub(crate) fn of(path: &str, text: &str) -> Self {
        let path = path.to_ascii_lowercase();
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let within = |known: &str| folders.split('/').any(|folder| KINDS.list(known).has(folder));
        let begins = |known: &str| KINDS.list(known).words().any(|known| name.starts_with(known));
        let language = Language::of_path(&path);
        let prose = language.is_some_and(|language| language.shape == Shape::Prose);
        if path.is_empty() {
            return Self::Source;
        }
        if within("foreign folders")
            || KINDS.list("locks").has(name)
            || stem.ends_with(".min")
            || is_generated(text)
        {
            Self::Foreign
        } else if within("test folders") || names_test(stem) {
            Self::Test
        } else if within("example folders") {
            Self::Example
        } else if begins("changelogs") && (prose || language.is_none()) {
            Self::Changelog
        } else if begins("builds") || is_settings(folders, name, extension) {
            Self::Configuration
        } else if prose || within("document folders") || (begins("documents") && language.is_none()) {
            Self::Documentation
        } else if language.is_none() {
            Self::Configuration
        } else {
            Self::Source
        }
    }

    /// Whether `query` asks for each of [`OTHERS`](Self::OTHERS).
    pub(crate) fn asked(query: &str) -> [bool; 6] {
        let words: Vec<String> =
            query.split(|c: char| !c.is_alphanumeric() && c != '-').map(str::to_lowercase).collect();
        let is_asked = |kind: Self| {
            let known = KINDS.list(&format!("asks for {}", kind.name()));
            words.iter().any(|word| known.has(word))
                || kind == Self::Changelog && query.split_whitespace().any(is_version)
        };
        Self::OTHERS.map(is_asked)
    }
}

/// Whether a word is a version number: `15.1.0`, `v0.3`.
fn is_version(word: &str) -> bool {
    let number = word.trim_matches(|c: char| !c.is_ascii_alphanumeric()).trim_start_matches(['v', 'V']);
    let mut parts = number.split('.');
    number.contains('.')
        && parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether the lowercase name of a file, module or function is that of a test.
pub(crate) fn names_test(stem: &str) -> bool {
    let affixed = |affix: &str| stem.strip_suffix(affix).is_some_and(|rest| rest.ends_with(['_', '.', '-']));
    matches!(stem, "test" | "tests" | "conftest")
        || ["test_", "tests_"].into_iter().any(|prefix| stem.starts_with(prefix))
        || ["test", "tests", "spec", "specs"].into_iter().any(affixed)
}

/// Whether a file holds settings, by its name or as one of the hidden files that tools look for.
fn is_settings(folders: &str, name: &str, extension: &str) -> bool {
    let hidden = |part: &str| part.len() > 1 && part.starts_with('.') && part != "..";
    KINDS.list("settings").has(extension)
        || KINDS.list("manifests").has(name)
        || hidden(name)
        || folders.split('/').any(hidden)
        || name.contains(".config.")
}

/// Whether a text says that a program wrote it, or looks like it.
fn is_generated(text: &str) -> bool {
    let beginning = text.get(..text.floor_char_boundary(EXAMINED_BYTES)).unwrap_or(text);
    let lower = beginning.to_ascii_lowercase();
    let long = || {
        text.len() > LONG_LINES_BYTES * 8
            && text.len() > LONG_LINES_BYTES * text.lines().take(text.len() / LONG_LINES_BYTES + 1).count()
    };
    KINDS.list("generated").phrases().iter().any(|sign| lower.contains(sign)) || long()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_by_their_paths() {
        for (kind, paths) in [
            (
                FileKind::Source,
                "src/budget.rs lib/app.js requests/sessions.py src/testing_tools.c include/log.h",
            ),
            (
                FileKind::Test,
                "tests/it/main.rs src/tests_budget.rs src/app.test.ts pkg/router_test.go test.js tests/readme.md",
            ),
            (FileKind::Example, "examples/rag.rs benches/fit.rs demo/README.md"),
            (FileKind::Documentation, "README.md docs/guide.md docs/conf.py LICENSE doc/api.rst"),
            (FileKind::Changelog, "CHANGELOG.md History.md NEWS"),
            (
                FileKind::Configuration,
                "Cargo.toml .github/workflows/ci.yml Makefile setup.py tsconfig.json .gitignore",
            ),
            (FileKind::Foreign, "dist/app.js vendor/x/y.go Cargo.lock lib/jquery.min.js"),
        ] {
            for path in paths.split(' ') {
                assert_eq!(FileKind::of(path, ""), kind, "{path}");
            }
        }
    }

    #[test]
    fn what_programs_write() {
        let of = |text: &str| FileKind::of("src/a.rs", text);
        assert_eq!(of("// @generated by a tool\nfn a() {}\n"), FileKind::Foreign);
        assert_eq!(of(&"a=1;".repeat(1_000)), FileKind::Foreign);
        assert_eq!(of(&"let a = 1;\n".repeat(1_000)), FileKind::Source);
        assert_eq!(of(""), FileKind::Source);
    }

    #[test]
    fn what_queries_ask_for() {
        let asked = |query| {
            let asked = FileKind::asked(query);
            FileKind::OTHERS
                .into_iter()
                .zip(asked)
                .filter(|(_, asked)| *asked)
                .map(|(kind, _)| kind)
                .collect::<Vec<_>>()
        };
        assert_eq!(asked("where is the budget enforced"), []);
        assert_eq!(asked("Add a test for CI."), [FileKind::Test, FileKind::Configuration]);
        assert_eq!(asked("what changed in v15.1.0?"), [FileKind::Changelog]);
        assert_eq!(asked("README: fix the example"), [FileKind::Example, FileKind::Documentation]);
    }
}
