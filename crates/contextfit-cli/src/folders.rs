//! Default folders for files: the XDG base directories, or the local application data on Windows.

use std::{env, path::PathBuf};

/// The folder for files that can be recreated. `None` if the environment names no home.
#[cfg(feature = "llm")]
pub(crate) fn cache() -> Option<PathBuf> {
    usual("XDG_CACHE_HOME", ".cache")
}

/// The folder for persistent files that are not documents. `None` if the environment names no home.
pub(crate) fn state() -> Option<PathBuf> {
    usual("XDG_STATE_HOME", ".local/state")
}

/// The `contextfit` folder in the folder that `variable` names, or in `at_home`.
fn usual(variable: &str, at_home: &str) -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute(variable)
        .or_else(|| absolute("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| Some(absolute("HOME")?.join(at_home)))?;
    Some(folder.join("contextfit"))
}
