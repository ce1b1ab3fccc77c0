//! What git knows about files, asked in a way that runs nothing which a repository configures.

use std::{
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// Variables that would point git to another repository than that of the folder. Git sets them when it runs hooks.
const ELSEWHERE: &[&str] =
    &["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"];

/// Runs git in `folder`: without hooks and monitors, without fetching, and without writing to the repository.
///
/// # Errors
/// If git cannot be started.
pub(super) fn git<S: AsRef<OsStr>>(
    folder: &Path,
    arguments: impl IntoIterator<Item = S>,
) -> io::Result<Output> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut git = Command::new("git");
    // Git changes into the folder itself: a relative entry of PATH must not find a git there.
    git.arg("-C").arg(folder);
    git.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]).args(arguments);
    for variable in ELSEWHERE {
        git.env_remove(variable);
    }
    // It would show more than what changed.
    git.env_remove("GIT_DIFF_OPTS");
    git.env("GIT_NO_LAZY_FETCH", "1").env("GIT_OPTIONAL_LOCKS", "0");
    git.stdin(Stdio::null()).output()
}

/// The paths below `folder` that git tracks; empty if git is missing or refuses, for instance in the repository of
/// another user.
pub(super) fn tracked(folder: &Path) -> Vec<PathBuf> {
    let listed = git(folder, ["ls-files", "-z", "--cached"]).ok().filter(|listed| listed.status.success());
    parts(&listed.map(|listed| listed.stdout).unwrap_or_default()).filter_map(path).collect()
}

/// The parts of an output with NUL between them.
pub(super) fn parts(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output.split(|byte| *byte == 0).filter(|part| !part.is_empty())
}

/// A path as git writes it: any bytes on Unix, UTF-8 elsewhere.
#[cfg(unix)]
pub(super) fn path(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;

    Some(OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
pub(super) fn path(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}
