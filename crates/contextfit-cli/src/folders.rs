//! Default folders for files: the XDG base directories, or the local application data on Windows.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

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

/// Creates a folder that nobody else can read; leaves an existing one as it is.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The `contextfit` folder in the folder that `variable` names, or in `at_home`.
fn usual(variable: &str, at_home: &str) -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute(variable)
        .or_else(|| absolute("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| Some(absolute("HOME")?.join(at_home)))?;
    Some(folder.join("contextfit"))
}
