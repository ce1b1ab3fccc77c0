//! Where files are kept that nobody named a place for: by the XDG base directories, on Windows by its own custom.

use std::{env, path::PathBuf};

/// The folder for what can be made again. `None` where the environment names no home.
#[cfg(feature = "llm")]
pub(crate) fn cache() -> Option<PathBuf> {
    usual("XDG_CACHE_HOME", ".cache")
}

/// The folder for what shall outlive the process but is no document. `None` where the environment names no home.
pub(crate) fn state() -> Option<PathBuf> {
    usual("XDG_STATE_HOME", ".local/state")
}

/// Our folder in the one that the variable names, or in `at_home`.
fn usual(variable: &str, at_home: &str) -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute(variable)
        .or_else(|| absolute("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| Some(absolute("HOME")?.join(at_home)))?;
    Some(folder.join("contextfit"))
}
