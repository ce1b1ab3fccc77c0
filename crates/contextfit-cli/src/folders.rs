//! Default folders for files: the XDG base directories, or the local application data on Windows.

use std::{env, path::PathBuf};

pub(crate) use contextfit_serve::make_private;

use crate::error::CliError;

/// The folder for files that can be recreated. `None` if the environment names no home.
#[cfg(feature = "llm")]
pub(crate) fn cache() -> Option<PathBuf> {
    usual("XDG_CACHE_HOME", ".cache")
}

/// The folder for configuration. `None` if the environment names no home.
pub(crate) fn config() -> Option<PathBuf> {
    usual("XDG_CONFIG_HOME", ".config")
}

/// The folder for persistent files that are not documents. `None` if the environment names no home.
pub(crate) fn state() -> Option<PathBuf> {
    usual("XDG_STATE_HOME", ".local/state")
}

/// The error if there is no folder for `what`, which `variable` would name. `remedy` says what else helps.
pub(crate) fn missing(what: &str, variable: &str, remedy: &str) -> CliError {
    CliError::Usage(format!("no {what}, as neither {variable} nor HOME is set: {remedy}"))
}

/// The `contextfit` folder in the folder that `variable` names, or in `at_home`.
fn usual(variable: &str, at_home: &str) -> Option<PathBuf> {
    let of_windows = || absolute("LOCALAPPDATA").filter(|_| cfg!(windows));
    let folder = absolute(variable).or_else(of_windows).or_else(|| base(variable, at_home))?;
    Some(folder.join("contextfit"))
}

/// The folder that `variable` names, or `at_home` in the user's home.
pub(crate) fn base(variable: &str, at_home: &str) -> Option<PathBuf> {
    absolute(variable).or_else(|| Some(absolute("HOME")?.join(at_home)))
}

fn absolute(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}
