//! Finds the files under the given paths.

use std::{
    collections::HashSet,
    fs::{self, Metadata},
    path::{Component, Path, PathBuf},
};

use ignore::{DirEntry, WalkBuilder};

use super::{
    git::tracked,
    read::{Unread, label},
};
use crate::{error::CliError, input, target::Target};

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    /// The path without a leading `./`; files are sorted by it.
    pub(crate) path: PathBuf,
    /// Its length in bytes.
    pub(crate) bytes: u64,
}

impl Found {
    /// The path for display.
    pub(crate) fn label(&self) -> String {
        label(&self.path)
    }
}

/// The files in the order of their paths, and the parts of the tree that could not be read.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) files: Vec<Found>,
    /// Inputs that can be read only once: standard input (`-`) and pipes that the shell opened.
    pub(crate) streams: Vec<PathBuf>,
    /// The files and streams named, as displayed.
    pub(crate) named: HashSet<String>,
    pub(crate) skipped: Vec<(String, Unread)>,
    /// Entries that are not files, and what they are.
    pub(crate) passed: Vec<(String, &'static str)>,
    /// The files that are read before all others if there are too many.
    pub(crate) first: HashSet<PathBuf>,
}

impl Walked {
    /// Leaves out the file of the report if it is empty. What contextfit wrote is left out when it is read.
    ///
    /// # Errors
    /// [`CliError::Usage`] if it is neither empty nor written by contextfit: it is an input then.
    pub(crate) fn leave_out(&mut self, target: &Target<'_>) -> Result<(), CliError> {
        if target.is_ours() {
            self.files.retain(|file| file.bytes > 0 || !target.is_found(&file.path, file.bytes));
            return Ok(());
        }
        let found = self.files.iter().find(|file| target.is_found(&file.path, file.bytes));
        target.refuse(found.map(|file| file.path.as_path()))
    }
}

/// Finds all files under `paths`, each once: those that are neither hidden nor ignored, and those that git tracks.
///
/// # Errors
/// [`CliError::Read`] if one of `paths` does not exist or may not be read, [`CliError::Usage`] if it is neither a file
/// nor a folder.
pub(crate) fn walk(paths: &[PathBuf], hidden: bool, no_ignore: bool) -> Result<Walked, CliError> {
    let mut walked = Walked::default();
    let mut roots: Vec<PathBuf> = Vec::new();
    for path in paths {
        let unreadable = |source| CliError::Read { path: label(path), source };
        let is_stdin = path == Path::new(input::STDIN);
        let found = if is_stdin { None } else { Some(fs::metadata(path).map_err(unreadable)?) };
        match found {
            Some(found) if found.is_dir() => {
                fs::read_dir(path).map_err(unreadable)?;
                roots.push(path.clone());
                continue;
            }
            Some(found) if found.is_file() => roots.push(path.clone()),
            Some(found) if !is_open_pipe(path, &found) => {
                return Err(CliError::Usage(format!(
                    "cannot read {}: expected a file or a folder, found {}; pipe its content into standard input and pass - \
                     instead",
                    label(path),
                    kind(&found)
                )));
            }
            _ => walked.streams.push(path.clone()),
        }
        walked.named.insert(label(&tidy(path)));
    }
    walked.streams.dedup();
    let Some(walk) = builder(&roots, hidden, no_ignore) else { return Ok(walked) };
    collect(&walk, &mut walked);
    add_tracked(&roots, no_ignore, &mut walked);
    walked.files.sort();
    walked.files.dedup_by(|a, b| a.path == b.path);
    Ok(walked)
}

/// A walk through `roots`; `None` if there are none.
pub(crate) fn builder(roots: &[PathBuf], hidden: bool, no_ignore: bool) -> Option<WalkBuilder> {
    let (first, others) = roots.split_first()?;
    let mut builder = WalkBuilder::new(first);
    for path in others {
        builder.add(path);
    }
    builder.standard_filters(!no_ignore).hidden(!hidden);
    // A .gitignore counts even outside a repository, as in an unpacked archive. But then those of the parent folders do
    // not belong to the project.
    builder.require_git(false).parents(!no_ignore && roots.iter().any(|path| in_repository(path)));
    builder.filter_entry(move |entry| no_ignore || !is_git_folder(entry));
    Some(builder)
}

/// Adds files that git tracks but the walk left out. Visits only the folders that lead to them, so that links are not
/// followed and `.ignore` files, which do not concern git, still count.
fn add_tracked(roots: &[PathBuf], no_ignore: bool, walked: &mut Walked) {
    let known: HashSet<PathBuf> = walked.files.iter().map(|file| file.path.clone()).collect();
    for root in roots.iter().filter(|root| root.is_dir() && in_repository(root)) {
        let more = tracked(root).into_iter().map(|path| tidy(&root.join(path)));
        let more: Vec<PathBuf> = more.filter(|path| !known.contains(path)).collect();
        let leading: HashSet<PathBuf> =
            more.iter().flat_map(|path| path.ancestors().map(PathBuf::from)).collect();
        if leading.is_empty() {
            continue;
        }
        let Some(mut walk) = builder(std::slice::from_ref(root), true, no_ignore) else { continue };
        walk.git_ignore(false).git_global(false).git_exclude(false);
        walk.filter_entry(move |entry| leading.contains(&tidy(entry.path())));
        let files: HashSet<PathBuf> = more.into_iter().collect();
        let mut found = Walked::default();
        collect(&walk, &mut found);
        walked.files.extend(found.files.into_iter().filter(|file| files.contains(&file.path)));
        walked.passed.extend(found.passed);
        walked.skipped.extend(found.skipped);
    }
    walked.passed.sort();
    walked.passed.dedup();
}

/// Adds what `walk` finds.
fn collect(walk: &WalkBuilder, walked: &mut Walked) {
    for entry in walk.build() {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_dir()) => {}
            // Links within the tree are not followed: their targets are found where they are.
            Ok(entry) if entry.path_is_symlink() && entry.depth() > 0 => {
                walked.passed.push((label(&tidy(entry.path())), "a symbolic link, which is not followed"));
            }
            Ok(entry) => match fs::metadata(entry.path()) {
                Ok(found) if found.is_file() => {
                    walked.files.push(Found { path: tidy(entry.path()), bytes: found.len() });
                }
                Ok(found) if found.is_dir() => {}
                Ok(found) => walked.passed.push((label(&tidy(entry.path())), kind(&found))),
                Err(error) => walked.skipped.push((label(entry.path()), Unread::Unreadable(error))),
            },
            Err(error) => {
                let path = place(&error).map_or_else(String::new, label);
                if let Some(error) = error.into_io_error() {
                    walked.skipped.push((path, Unread::Unreadable(error)));
                }
            }
        }
    }
}

/// Whether `path` is a pipe that is already open, as the shell creates for `<(command)`. Reading any other pipe would
/// wait for a writer.
fn is_open_pipe(path: &Path, found: &Metadata) -> bool {
    kind(found) == PIPE
        && ["/dev/fd", "/dev/stdin", "/proc/self/fd"].iter().any(|open| path.starts_with(open))
}

const PIPE: &str = "a named pipe";

/// The kind of an entry that is neither a file nor a folder.
fn kind(found: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;

        let kind = found.file_type();
        if kind.is_fifo() {
            return PIPE;
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    let _ = found;
    "a device"
}

/// Whether `path` lies in a git repository.
pub(super) fn in_repository(path: &Path) -> bool {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    fs::canonicalize(path).is_ok_and(|path| path.ancestors().any(|folder| folder.join(".git").exists()))
}

/// The folder that could not be read.
fn place(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => place(err),
        _ => None,
    }
}

pub(crate) fn is_git_folder(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name() == ".git"
}

/// The path without `.` components, so that each file has one name.
pub(crate) fn tidy(path: &Path) -> PathBuf {
    path.components().filter(|component| *component != Component::CurDir).collect()
}
