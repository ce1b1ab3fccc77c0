//! Where originals of what is shortened are kept, and what the command line says about it.

#[cfg(feature = "store")]
mod file;
#[cfg(not(feature = "store"))]
mod none;

use std::{env, path::PathBuf};

use clap::ValueHint;

#[cfg(feature = "store")]
pub(crate) use self::file::Store;
#[cfg(not(feature = "store"))]
pub(crate) use self::none::Store;

/// Whether originals are kept, and where.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Originals")]
pub(crate) struct StoreArgs {
    /// Keep the text of every block that is not shown whole; the answer names its handle
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, num_args = 0..=1, require_equals = true)]
    store: Option<Option<PathBuf>>,
}

/// Where originals are.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct PlaceArgs {
    /// The folder of the store [default: contextfit in $XDG_STATE_HOME or ~/.local/state]
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    store: Option<PathBuf>,
}

/// The folder for what can be made again.
#[cfg(feature = "llm")]
pub(crate) fn cache_folder() -> Option<PathBuf> {
    usual_folder_of("XDG_CACHE_HOME", ".cache")
}

/// The folder for what shall outlive the process but is no document: by the XDG base directories, on Windows by its
/// own custom. `None` where the environment names no home.
fn usual_folder() -> Option<PathBuf> {
    usual_folder_of("XDG_STATE_HOME", ".local/state")
}

/// The folder that the variable names, or `at_home`.
fn usual_folder_of(variable: &str, at_home: &str) -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute(variable)
        .or_else(|| absolute("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| Some(absolute("HOME")?.join(at_home)))?;
    Some(folder.join("contextfit"))
}
