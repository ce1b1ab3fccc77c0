//! Writes files whole or not at all.

use std::{
    fs::{self, File, Permissions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::builder::{PathBufValueParser, TypedValueParser};
use serde::Serialize;
use tempfile::Builder;

use crate::{error::CliError, input::STDIN, target::folder};

/// Parses the name of a file to write. `-` would be standard output, which carries the result itself.
pub(crate) fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path == Path::new(STDIN) {
        true => Err("expected the name of a file: standard output is for the result itself"),
        false => Ok(path),
    })
}

/// Writes `bytes` to `path`, replacing what was there.
///
/// # Errors
/// [`CliError::Write`]; `path` is then unchanged.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    replace(path, bytes).map_err(|source| CliError::Write { path: path.display().to_string(), source })
}

/// Writes `value` to `path` as indented JSON, replacing what was there.
///
/// # Errors
/// [`CliError::Write`]; `path` is then unchanged.
pub(crate) fn write_json(path: &Path, value: &impl Serialize) -> Result<(), CliError> {
    let mut text = serde_json::to_vec_pretty(value).map_err(CliError::Json)?;
    text.push(b'\n');
    write(path, &text)
}

/// Writes `bytes` to `path` if nothing is there.
///
/// # Errors
/// [`CliError::Exists`] if something is there, [`CliError::Write`] for any other failure.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let name = || path.display().to_string();
    let written =
        fill(folder(path), bytes).and_then(|file| file.persist_noclobber(path).map_err(|e| e.error));
    match written {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(CliError::Exists { path: name() }),
        Err(source) => Err(CliError::Write { path: name(), source }),
    }
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        // Write into a device or a pipe: nobody wants it replaced with a file.
        Ok(found) if !found.is_file() => return File::options().write(true).open(path)?.write_all(bytes),
        _ => {}
    }
    // A link stays a link: its target is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let file = fill(folder(&path), bytes)?;
    // Whoever made it private wants it to stay so.
    if let Ok(found) = fs::metadata(&path) {
        file.as_file().set_permissions(found.permissions())?;
    }
    file.persist(&path)?;
    Ok(())
}

/// A temporary file in the target folder, so that moving it into place is one atomic step.
fn fill(folder: PathBuf, bytes: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    let mode: Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    // The usual permissions of a new file, minus the umask, rather than those of a private one.
    #[cfg(unix)]
    builder.permissions(mode);
    // A missing folder gives the system's error; other errors must not name the temporary file, which nobody knows.
    fs::metadata(&folder)?;
    let mut file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}
