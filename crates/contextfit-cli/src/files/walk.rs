//! Which files there are.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use ignore::{DirEntry, WalkBuilder};

use super::read::Unread;
use crate::error::CliError;

/// A file that was found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    /// Where it is, without a leading `./`; files are sorted by it.
    pub(crate) path: PathBuf,
    /// Its length in bytes.
    pub(crate) bytes: u64,
}

impl Found {
    /// The path as it is shown. Control characters, of which a path may have any, would break the lines of a header.
    pub(crate) fn label(&self) -> String {
        let path = self.path.to_string_lossy();
        if path.contains(char::is_control) {
            return path.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        }
        path.into_owned()
    }
}

/// Files in the order of their paths, and what of the tree could not be gone into.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub(crate) files: Vec<Found>,
    /// What can be read only once: standard input (`-`), pipes that were named.
    pub(crate) streams: Vec<PathBuf>,
    pub(crate) skipped: Vec<(String, Unread)>,
}

/// All files under `paths`, each once.
///
/// # Errors
/// [`CliError::Read`] when one of `paths` is not there.
pub(crate) fn walk(paths: &[PathBuf], hidden: bool, no_ignore: bool) -> Result<Walked, CliError> {
    let mut walked = Walked::default();
    let mut roots: Vec<&PathBuf> = Vec::new();
    for path in paths {
        if path == Path::new("-") {
            walked.streams.push(path.clone());
            continue;
        }
        let found = fs::metadata(path)
            .map_err(|source| CliError::Read { path: path.display().to_string(), source })?;
        if found.is_file() || found.is_dir() { roots.push(path) } else { walked.streams.push(path.clone()) }
    }
    walked.streams.dedup();
    let Some((first, others)) = roots.split_first() else { return Ok(walked) };
    let mut builder = WalkBuilder::new(first);
    for path in others {
        builder.add(path);
    }
    builder.standard_filters(!no_ignore).hidden(!hidden);
    // A .gitignore counts without a repository around it: trees come unpacked, too. But then those of the folders
    // above belong to someone else.
    builder.require_git(false).parents(!no_ignore && roots.iter().any(|path| in_repository(path)));
    builder.filter_entry(move |entry| no_ignore || !is_git_folder(entry));

    for entry in builder.build() {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_dir()) => {}
            Ok(entry) => match fs::metadata(entry.path()) {
                Ok(found) if found.is_file() && (!entry.path_is_symlink() || entry.depth() == 0) => {
                    walked.files.push(Found { path: tidy(entry.path()), bytes: found.len() });
                }
                // Links within the tree are not followed: what they point to is found where it is.
                Ok(_) => {}
                Err(_) if entry.path_is_symlink() => {}
                Err(error) => {
                    let path = entry.path().display().to_string();
                    walked.skipped.push((path, Unread::Unreadable(error)));
                }
            },
            Err(error) => {
                let path = place(&error).map_or_else(String::new, |path| path.display().to_string());
                if let Some(error) = error.into_io_error() {
                    walked.skipped.push((path, Unread::Unreadable(error)));
                }
            }
        }
    }
    walked.files.sort();
    walked.files.dedup_by(|a, b| a.path == b.path);
    Ok(walked)
}

/// Whether `path` lies in a git repository.
fn in_repository(path: &Path) -> bool {
    fs::canonicalize(path).is_ok_and(|path| path.ancestors().any(|folder| folder.join(".git").exists()))
}

/// The folder that could not be gone into.
fn place(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => place(err),
        _ => None,
    }
}

fn is_git_folder(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name() == ".git"
}

/// The path without `.` in it, so that one file has one name.
fn tidy(path: &Path) -> PathBuf {
    path.components().filter(|component| *component != Component::CurDir).collect()
}
