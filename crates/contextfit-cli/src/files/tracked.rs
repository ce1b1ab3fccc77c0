//! Files that git tracks: they belong to the project whether they are hidden or not.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Variables that would point git to another repository than that of the folder. Git sets them when it runs hooks.
const ELSEWHERE: &[&str] =
    &["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"];

/// The paths below `folder` that git tracks; empty if git is missing or refuses, for instance in the repository of
/// another user.
///
/// Git runs no program that the repository configures (listing files would only ever start `core.fsmonitor`) and
/// fetches nothing.
pub(crate) fn tracked(folder: &Path) -> Vec<PathBuf> {
    let mut git = Command::new("git");
    git.args(["-c", "core.fsmonitor=false", "ls-files", "-z", "--cached"]);
    for variable in ELSEWHERE {
        git.env_remove(variable);
    }
    git.env("GIT_NO_LAZY_FETCH", "1").current_dir(folder).stdin(Stdio::null()).stderr(Stdio::null());
    let listed = git.output().ok().filter(|listed| listed.status.success());
    let listed = listed.map(|listed| listed.stdout).unwrap_or_default();
    listed.split(|byte| *byte == 0).filter(|path| !path.is_empty()).filter_map(path).collect()
}

/// A path as git writes it: any bytes on Unix, UTF-8 elsewhere.
#[cfg(unix)]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    Some(OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}
