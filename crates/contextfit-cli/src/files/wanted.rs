//! Which of the files that were found are wanted.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
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
    /// What changed since a commit, branch or tag, by git: changed functions first, then their callers
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
        // The path as it is shown, and below the folder that was named.
        let names = |path: &Path| {
            let below = roots.iter().filter_map(|root| path.strip_prefix(root).ok());
            below.chain([path]).map(relative).collect::<Vec<_>>()
        };
        let (mut included, mut excluded) = (Matched::of(&include), Matched::of(&exclude));
        walked.files.retain(|file| {
            let names = names(&file.path);
            let is_wanted =
                (include.is_empty() || included.find(&include, &names)) && !excluded.find(&exclude, &names);
            is_wanted && !(self.no_tests && names.iter().any(|name| is_test_path(&slashes(name))))
        });
        if walked.files.is_empty() && !before.is_empty() {
            return Err(CliError::Usage(self.nothing(&before, &included)));
        }
        for glob in included.unused(&include).chain(excluded.unused(&exclude)) {
            console::note(format!("note: no file matches {glob}"));
        }
        self.since.as_ref().map(|rev| Changes::since(rev, &roots, walked)).transpose()
    }

    /// The error if none of `files` is left.
    fn nothing(&self, files: &[PathBuf], included: &Matched) -> String {
        let ending = |path: &PathBuf| {
            path.extension().map_or("no ending".into(), |ending| format!(".{}", ending.display()))
        };
        let mut endings: BTreeMap<String, usize> = BTreeMap::new();
        files.iter().for_each(|path| *endings.entry(ending(path)).or_default() += 1);
        let mut endings: Vec<(String, usize)> = endings.into_iter().collect();
        endings.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let there: Vec<String> =
            endings.iter().take(ENDINGS).map(|(ending, n)| format!("{} {ending}", grouped(*n))).collect();
        let more = if endings.len() > ENDINGS { ", ..." } else { "" };
        let files = counted(files.len(), "file", "files");
        let mut text = String::new();
        let globs =
            |globs: &[String]| globs.iter().map(|glob| format!("{glob:?}")).collect::<Vec<_>>().join(", ");
        // Writing to a String cannot fail.
        let _ = match included.any() || self.include.is_empty() {
            true => write!(text, "no file is left of {files}"),
            false => write!(text, "none of {files} matches --include {}", globs(&self.include)),
        };
        if included.any() && !self.include.is_empty() {
            let _ = write!(text, ", --include {}", globs(&self.include));
        }
        if !self.exclude.is_empty() {
            let _ = write!(text, ", --exclude {}", globs(&self.exclude));
        }
        if self.no_tests {
            text.push_str(", --no-tests");
        }
        format!("{text}; there are {}{more}", there.join(", "))
    }
}

/// Globs of one option.
struct Globs {
    option: &'static str,
    globs: Vec<(String, Gitignore)>,
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
            Ok((glob.clone(), parsed))
        };
        Ok(Self { option, globs: globs.iter().map(parse).collect::<Result<_, _>>()? })
    }

    fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }
}

/// Which globs matched any file.
struct Matched(Vec<bool>);

impl Matched {
    fn of(globs: &Globs) -> Self {
        Self(vec![false; globs.globs.len()])
    }

    /// Whether a glob matches one of these names of a file, or a folder above it.
    fn find(&mut self, globs: &Globs, names: &[PathBuf]) -> bool {
        let mut found = false;
        for ((_, glob), matched) in globs.globs.iter().zip(&mut self.0) {
            if names.iter().any(|name| glob.matched_path_or_any_parents(name, false).is_ignore()) {
                (*matched, found) = (true, true);
            }
        }
        found
    }

    fn any(&self) -> bool {
        self.0.contains(&true)
    }

    /// The options whose globs matched nothing.
    fn unused<'g>(&self, globs: &'g Globs) -> impl Iterator<Item = String> + use<'g> {
        let unused: Vec<bool> = self.0.iter().map(|matched| !matched).collect();
        globs
            .globs
            .iter()
            .zip(unused)
            .filter(|(_, unused)| *unused)
            .map(|((glob, _), _)| format!("{} {glob:?}", globs.option))
    }
}

/// `path` without what comes before its first name, such as `/` or `..`: globs match relative paths.
fn relative(path: &Path) -> PathBuf {
    path.components().filter(|component| matches!(component, Component::Normal(_))).collect()
}

/// The path as text, with `/` between its names.
pub(super) fn slashes(path: &Path) -> String {
    let names: Vec<_> = path.components().map(|name| name.as_os_str().to_string_lossy()).collect();
    names.join("/")
}
