//! What changed since a revision, by git.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    ffi::OsStr,
    fmt::Display,
    mem,
    path::{Path, PathBuf},
    process::Output,
    str,
};

use contextfit::{
    code::DefinedNames,
    kernel::{Block, BlockKind},
    text::Language,
};
use rayon::prelude::*;

use super::{
    git::{git, parts, path},
    read::{Reading, label},
    walk::{Walked, in_repository, tidy},
};
use crate::{console, error::CliError, progress::Progress, summary::counted};

/// The most revisions that an error names, and deleted files that a note names.
const NAMED: usize = 5;

/// The arguments of every `git diff`: no program that the repository configures is run.
const DIFF: &[&str] = &[
    "-c",
    "diff.autoRefreshIndex=false",
    "-c",
    "core.quotePath=false",
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--find-renames",
    "--ignore-submodules=all",
    "--inter-hunk-context=0",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--relative",
];

/// What changed since a revision in the files that were found.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// The runs of changed lines of each file, from 1; `None` for a file that is new, or changed in unknown lines.
    files: BTreeMap<PathBuf, Option<Vec<(usize, usize)>>>,
    /// The number of files that are new.
    new: usize,
    /// The number of files that were called something else.
    renamed: usize,
}

impl Changes {
    /// What changed since `rev` in the files of `walked`, which were found under `roots`. Says how much, and which files
    /// were deleted, of those that are wanted.
    ///
    /// # Errors
    /// [`CliError::Usage`] if a root is in no repository, git is missing, or `rev` is none of its revisions.
    pub(super) fn since(
        rev: &str,
        roots: &[PathBuf],
        walked: &Walked,
        is_wanted: impl Fn(&Path) -> bool,
    ) -> Result<Self, CliError> {
        let parent = |file: &String| Path::new(file).parent().map(Path::to_path_buf).unwrap_or_default();
        let mut folders: BTreeSet<PathBuf> = roots.iter().cloned().collect();
        folders.extend(walked.named.iter().filter(|named| Path::new(named).is_file()).map(parent));
        let found: HashSet<&Path> = walked.files.iter().map(|file| file.path.as_path()).collect();
        let (mut changes, mut deleted) = (Self::default(), BTreeSet::new());
        for folder in &folders {
            let asked = Asked { rev, folder };
            asked.check()?;
            for Difference { status, path, lines } in asked.diff()? {
                let path = tidy(&folder.join(path));
                if status == b'D' {
                    // Only a folder that is read had this file.
                    let is_wanted = roots.contains(folder) && is_wanted(&path);
                    deleted.extend(is_wanted.then(|| label(&path)));
                } else if found.contains(path.as_path()) {
                    changes.new += usize::from(status == b'A');
                    changes.renamed += usize::from(status == b'R');
                    changes.files.insert(path, lines.filter(|_| status != b'A'));
                }
            }
            let untracked = asked.untracked()?.into_iter().map(|path| tidy(&folder.join(path)));
            for path in untracked.filter(|path| found.contains(path.as_path())) {
                changes.new += usize::from(changes.files.insert(path, None).is_none());
            }
        }
        changes.tell(rev, &deleted);
        Ok(changes)
    }

    fn tell(&self, rev: &str, deleted: &BTreeSet<String>) {
        let mut text = match self.files.len() {
            0 => "no file".to_owned(),
            files => counted(files, "file", "files"),
        };
        text += &format!(" changed since {rev}");
        for (n, how) in [(self.new, "new"), (self.renamed, "renamed")] {
            if n > 0 {
                text += &format!(", {n} of them {how}");
            }
        }
        if !deleted.is_empty() {
            let names: Vec<&str> = deleted.iter().take(NAMED).map(String::as_str).collect();
            let more = if deleted.len() > NAMED { ", ..." } else { "" };
            text += &format!("; {} deleted: {}{more}", deleted.len(), names.join(", "));
        }
        console::note(text);
    }

    /// Whether the file at `path` changed.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    /// Leaves the files in `walked` that changed, and those that name a definition which did.
    pub(super) fn narrow(&self, walked: &mut Walked, reading: &Reading) {
        let of_files = self.files.par_iter().map(|(path, lines)| names(path, lines.as_deref(), reading));
        let names = of_files.reduce(DefinedNames::default, DefinedNames::and);
        let progress = Progress::reading(walked.files.iter().map(|file| file.bytes).sum());
        let is_related = |path: &Path| reading.read(path).is_ok_and(|found| names.occur_in(&found.text));
        let files = mem::take(&mut walked.files).into_par_iter().with_max_len(1).filter(|file| {
            let keep = self.has(&file.path) || is_related(&file.path);
            progress.advance(file.bytes);
            keep
        });
        walked.files = files.collect();
        walked.first = self.files.keys().cloned().collect();
    }

    /// Marks the changed lines of `blocks`.
    pub(super) fn mark(&self, blocks: &mut [Block]) {
        for block in blocks {
            let lines = block.text.lines().count();
            let BlockKind::Passage(passage) = &mut block.kind else { continue };
            let found = passage.path.as_deref().and_then(|path| self.files.get(Path::new(path)));
            let first = passage.start_line.unwrap_or(1);
            passage.changed = match found {
                Some(Some(changed)) => changed.clone(),
                Some(None) => vec![(first, first + lines.saturating_sub(1))],
                None => Vec::new(),
            };
        }
    }
}

/// The names of the definitions of the file at `path` with any of these lines, or of all if it is new.
fn names(path: &Path, lines: Option<&[(usize, usize)]>, reading: &Reading) -> DefinedNames {
    let language = path.to_str().and_then(Language::of_path);
    let found = language.zip(reading.read(path).ok());
    found.map(|(language, found)| DefinedNames::of(&found.text, language, lines)).unwrap_or_default()
}

/// Git, asked about one revision in one folder.
struct Asked<'r> {
    rev: &'r str,
    folder: &'r Path,
}

impl Asked<'_> {
    fn usage(&self, problem: impl Display) -> CliError {
        CliError::Usage(format!("--since {}: {problem}", self.rev))
    }

    fn start<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<Output, CliError> {
        let output = git(self.folder, arguments);
        output.map_err(|error| self.usage(format!("cannot run git, which knows what changed: {error}")))
    }

    /// What git prints.
    ///
    /// # Errors
    /// [`CliError::Usage`] if it is missing or refuses.
    fn ask<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<Vec<u8>, CliError> {
        let output = self.start(arguments)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let problem = String::from_utf8_lossy(&output.stderr);
        Err(self.usage(format!("git refuses: {}", problem.trim().lines().next().unwrap_or_default())))
    }

    /// Checks that the folder is in a repository that has the revision.
    fn check(&self) -> Result<(), CliError> {
        if !in_repository(self.folder) {
            let folder =
                if self.folder.as_os_str().is_empty() { "this folder".into() } else { label(self.folder) };
            return Err(self.usage(format!("expected files in a git repository, but {folder} is in none")));
        }
        let commit = format!("{}^{{commit}}", self.rev);
        if self.start(["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?.status.success() {
            return Ok(());
        }
        let listed = self.ask([
            "for-each-ref",
            "--sort=-committerdate",
            "--format=%(refname:short)",
            "refs/heads",
            "refs/tags",
        ])?;
        let listed = String::from_utf8_lossy(&listed);
        let names: Vec<&str> = listed.lines().take(NAMED).collect();
        let there = match names.is_empty() {
            true => "expected a commit, but there are no branches and no tags yet".to_owned(),
            false => format!("expected a commit, a branch or a tag, such as {}", names.join(", ")),
        };
        Err(self.usage(format!("unknown revision; {there}")))
    }

    /// The files that git neither tracks nor ignores, without those of repositories in the folder.
    fn untracked(&self) -> Result<Vec<PathBuf>, CliError> {
        let listed = self.ask(["ls-files", "-z", "--others", "--exclude-standard"])?;
        Ok(parts(&listed).filter_map(path).collect())
    }

    /// The files below the folder that differ from the revision.
    fn diff(&self) -> Result<Vec<Difference>, CliError> {
        let filters = self.no_filters()?;
        let run = |more: [&str; 2]| {
            let arguments = filters.iter().map(String::as_str).chain(DIFF.iter().copied());
            self.ask(arguments.chain(more).chain(["--end-of-options", self.rev, "--"]))
        };
        let listed = run(["--name-status", "-z"])?;
        let mut listed = parts(&listed);
        let mut files = Vec::new();
        while let (Some(status), Some(before)) = (listed.next(), listed.next()) {
            let status = status.first().copied().unwrap_or_default();
            let name = if status == b'R' { listed.next().unwrap_or_default() } else { before };
            files.push((status, before, name));
        }
        // The patch has the files in the same order, but not those in which only the time changed. All lines of a file begin
        // with a sign, but for its header.
        let patch = run(["--unified=0", "--patch"])?;
        let mut sections: Vec<Section<'_>> = Vec::new();
        for line in patch.split(|byte| *byte == b'\n') {
            if line.starts_with(b"diff --git ") {
                sections.push((line, Vec::new()));
            } else if let (Some((_, of_file)), Some(lines)) = (sections.last_mut(), hunk(line)) {
                of_file.push(lines);
            }
        }
        let mut sections = sections.into_iter().peekable();
        let mut found = Vec::new();
        for (status, before, name) in files {
            // What became a link, or a file, has two sections: it is removed and added.
            let mut lines = None;
            for _ in 0..if status == b'T' { 2 } else { 1 } {
                let of_file = sections.next_if(|(header, _)| is_header(header, before, name));
                lines = of_file.map(|(_, lines)| lines).or(lines);
            }
            if lines.is_some() || status == b'U' {
                found.extend(path(name).map(|path| Difference { status, path, lines }));
            }
        }
        Ok(found)
    }

    /// The arguments that switch off the filters which the configuration of git names: they are programs, and git would run
    /// them on the files that it compares.
    ///
    /// # Errors
    /// [`CliError::Usage`] if there is one whose name no argument can have.
    fn no_filters(&self) -> Result<Vec<String>, CliError> {
        let listed = self.ask(["config", "--null", "--name-only", "--list"])?;
        let mut arguments = Vec::new();
        for key in parts(&listed).filter(|key| key.starts_with(b"filter.")) {
            let name = str::from_utf8(key).ok().filter(|name| !name.contains('='));
            let Some((driver, _)) = name.and_then(|name| name.rsplit_once('.')) else {
                let key = String::from_utf8_lossy(key);
                return Err(self.usage(format!(
                    "git would run the filter that {key:?} of its configuration names, which cannot be switched off; \
                     rename or remove it"
                )));
            };
            let settings = ["clean=", "smudge=", "process=", "required=false"];
            arguments
                .extend(settings.iter().flat_map(|setting| ["-c".to_owned(), format!("{driver}.{setting}")]));
        }
        Ok(arguments)
    }
}

/// A file that differs from a revision.
struct Difference {
    /// `A` if it is new, `D` if it was deleted, `R` if it was called something else.
    status: u8,
    path: PathBuf,
    /// The runs of lines that changed, if known.
    lines: Option<Vec<(usize, usize)>>,
}

/// The header of a section of a patch, and the runs of lines that changed in it.
type Section<'p> = (&'p [u8], Vec<(usize, usize)>);

/// Whether `header` begins the section of the file called `name`, and `before` at the revision.
fn is_header(header: &[u8], before: &[u8], name: &[u8]) -> bool {
    header == [b"diff --git ", &*in_header(b"a/", before), b" ", &*in_header(b"b/", name)].concat()
}

/// A name as a header of git has it: quoted, with escapes, if it has quotes, backslashes or control characters.
fn in_header(prefix: &[u8], name: &[u8]) -> Vec<u8> {
    let name = [prefix, name].concat();
    let escape = |byte: u8| match byte {
        b'"' | b'\\' => vec![b'\\', byte],
        7..=13 => vec![b'\\', b"abtnvfr".get(usize::from(byte) - 7).copied().unwrap_or_default()],
        0..=31 | 127 => format!("\\{byte:03o}").into_bytes(),
        _ => vec![byte],
    };
    let escaped: Vec<u8> = name.iter().copied().flat_map(escape).collect();
    if escaped == name { name } else { [b"\"", &*escaped, b"\""].concat() }
}

/// The lines after the change that `@@ -A,B +C,D @@` names; where lines were only removed, those around them.
fn hunk(line: &[u8]) -> Option<(usize, usize)> {
    // What follows the second sign is a line of the file, in any encoding.
    let numbers = line.strip_prefix(b"@@ -")?.split(|byte| *byte == b'@').next()?;
    let after = str::from_utf8(numbers).ok()?.split_once(" +")?.1.strip_suffix(' ')?;
    let (start, count) = after.split_once(',').unwrap_or((after, "1"));
    let (start, count): (usize, usize) = (start.parse().ok()?, count.parse().ok()?);
    Some(if count == 0 { (start.max(1), start + 1) } else { (start, start + count - 1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_name_lines_after_the_change() {
        for (line, expect) in [
            ("@@ -1,2 +3,4 @@ fn f() {", Some((3, 6))),
            ("@@ -1 +1 @@", Some((1, 1))),
            ("@@ -9,2 +8,0 @@", Some((8, 9))),
            ("@@ -1,2 +0,0 @@", Some((1, 1))),
            ("@@ -198 +198 @@ def f(): # ééééééééééééééééééééééééééé", Some((198, 198))),
            ("+@@ -1 +1 @@", None),
            ("@@@ -1 -1 +1 @@@", None),
        ] {
            assert_eq!(hunk(line.as_bytes()), expect, "{line}");
        }
    }
}
