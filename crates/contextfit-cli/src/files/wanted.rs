//! Which of the files that were found are wanted.

use std::{
    cell::Cell,
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

use contextfit::code::is_test_path;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::{
    since::Changes,
    walk::{Walked, tidy},
};
use crate::{
    console,
    error::CliError,
    summary::{counted, grouped},
};

/// The most endings of files that an error names.
const ENDINGS: usize = 8;

/// Which files are wanted.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Choosing files")]
pub(super) struct WantedArgs {
    /// Read only files and folders that match, in the syntax of .gitignore ("*.rs", "src/**/api"); may be repeated
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Leave out files and folders that match ("docs/", "*.lock"); may be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Leave out files of tests, judged by their names and folders
    #[arg(long)]
    no_tests: bool,
    /// What changed since a commit, branch or tag, by git: changed lines first, then their functions and callers
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) since: Option<String>,
    /// Read hidden files and folders too
    #[arg(long)]
    pub(super) hidden: bool,
    /// Read files that .gitignore and similar files exclude
    #[arg(long)]
    pub(super) no_ignore: bool,
    /// Read files with secrets too
    #[arg(long)]
    pub(super) allow_secrets: bool,
    /// List every file that was skipped or left out, including links and hidden files
    #[arg(long, short)]
    pub(super) verbose: bool,
}

impl WantedArgs {
    /// Leaves the wanted files in `walked`, which was found under `roots`, and returns what changed in them, if asked.
    ///
    /// # Errors
    /// [`CliError::Usage`] for an invalid glob, if no file is left, and those of [`Changes::since`].
    pub(super) fn choose(&self, roots: &[PathBuf], walked: &mut Walked) -> Result<Option<Changes>, CliError> {
        let include = Globs::new("--include", &self.include)?;
        let exclude = Globs::new("--exclude", &self.exclude)?;
        let roots: Vec<PathBuf> = roots.iter().filter(|root| root.is_dir()).map(|root| tidy(root)).collect();
        let before: Vec<PathBuf> = walked.files.iter().map(|file| file.path.clone()).collect();
        let is_wanted = |path: &Path| {
            let below = roots.iter().filter_map(|root| path.strip_prefix(root).ok());
            // The path below the folder that was named, and as it is shown, unless that says where the project is.
            let shown = (path.is_relative() || roots.is_empty()).then_some(path);
            let names: Vec<PathBuf> = below.chain(shown).map(relative).collect();
            (include.globs.is_empty() || include.find(&names))
                && !exclude.find(&names)
                && !(self.no_tests && names.iter().any(|name| is_test_path(&slashes(name))))
        };
        walked.files.retain(|file| is_wanted(&file.path));
        if walked.files.is_empty() && !before.is_empty() {
            let no_tests = self.no_tests.then(|| "--no-tests".to_owned());
            let asked: Vec<String> = include.options().chain(exclude.options()).chain(no_tests).collect();
            return Err(CliError::Usage(format!(
                "none of {} is left by {}; {}",
                counted(before.len(), "file", "files"),
                asked.join(", "),
                there(&before)
            )));
        }
        let changes = self.since.as_ref().map(|rev| Changes::since(rev, &roots, walked, is_wanted));
        for unused in include.unused().chain(exclude.unused()) {
            console::note(format!("note: no file matches {unused}"));
        }
        changes.transpose()
    }
}

/// The endings of `files`, the most frequent ones first.
fn there(files: &[PathBuf]) -> String {
    let ending = |path: &PathBuf| {
        path.extension().map_or("no ending".into(), |ending| format!(".{}", ending.display()))
    };
    let mut endings: BTreeMap<String, usize> = BTreeMap::new();
    files.iter().for_each(|path| *endings.entry(ending(path)).or_default() += 1);
    let mut endings: Vec<(String, usize)> = endings.into_iter().collect();
    endings.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let named = endings.iter().take(ENDINGS).map(|(ending, n)| format!("{} {ending}", grouped(*n)));
    let more = if endings.len() > ENDINGS { ", ..." } else { "" };
    format!("there are {}{more}", named.collect::<Vec<_>>().join(", "))
}

/// The globs of an option, and whether each has matched a file.
struct Globs {
    option: &'static str,
    globs: Vec<(String, Gitignore, Cell<bool>)>,
}

impl Globs {
    fn new(option: &'static str, globs: &[String]) -> Result<Self, CliError> {
        let parse = |glob: &String| {
            let invalid = |why: &str| CliError::Usage(format!("{option} {glob:?}: {why}"));
            if let Some(rest) = glob.strip_prefix('!') {
                let other = if option == "--include" { "--exclude" } else { "--include" };
                return Err(invalid(&format!("expected a glob without `!`; use {other} {rest:?} instead")));
            }
            let plain = glob.strip_prefix("./").unwrap_or(glob);
            let mut builder = GitignoreBuilder::new("");
            builder.add_line(None, plain).map_err(|error| invalid(&error.to_string()))?;
            let parsed = builder.build().map_err(|error| invalid(&error.to_string()))?;
            if parsed.is_empty() {
                return Err(invalid("expected a glob, such as \"*.rs\" or \"src/\""));
            }
            Ok((glob.clone(), parsed, Cell::new(false)))
        };
        Ok(Self { option, globs: globs.iter().map(parse).collect::<Result<_, _>>()? })
    }

    /// Whether a glob matches one of these names of a file, or a folder above it.
    fn find(&self, names: &[PathBuf]) -> bool {
        let mut found = false;
        for (_, glob, has_matched) in &self.globs {
            if names.iter().any(|name| glob.matched_path_or_any_parents(name, false).is_ignore()) {
                has_matched.set(true);
                found = true;
            }
        }
        found
    }

    /// Each glob as it was given.
    fn options(&self) -> impl Iterator<Item = String> {
        self.globs.iter().map(|(glob, ..)| format!("{} {glob:?}", self.option))
    }

    /// Those that have matched nothing.
    fn unused(&self) -> impl Iterator<Item = String> {
        self.options()
            .zip(&self.globs)
            .filter(|(_, (.., has_matched))| !has_matched.get())
            .map(|(option, _)| option)
    }
}

/// `path` without what comes before its first name, such as `/` or `..`: globs match relative paths.
fn relative(path: &Path) -> PathBuf {
    path.components().filter(|component| matches!(component, Component::Normal(_))).collect()
}

/// The path as text, with `/` between its names.
fn slashes(path: &Path) -> String {
    let names: Vec<_> = path.components().map(|name| name.as_os_str().to_string_lossy()).collect();
    names.join("/")
}
