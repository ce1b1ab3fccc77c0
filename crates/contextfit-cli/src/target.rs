//! Files to write beside the result: what may be overwritten, decided before any work.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read},
    path::{Path, PathBuf},
};

use crate::{error::CliError, input::STDIN, own};

/// The file of `--report` or `--html`.
#[derive(Debug)]
pub(crate) struct Target<'a> {
    path: &'a Path,
    /// The regular file that is there.
    found: Option<Found>,
}

/// A regular file.
#[derive(Debug)]
struct Found {
    file: Identity,
    bytes: u64,
    /// Whether it is empty, or contextfit wrote it.
    is_ours: bool,
}

/// Distinguishes files, whatever their paths.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

impl<'a> Target<'a> {
    /// Checks that `path` may be written: nothing is there, or an empty file, a pipe, a device, or what contextfit wrote;
    /// with `force`, any file.
    ///
    /// # Errors
    /// [`CliError::Foreign`] for another file, [`CliError::Write`] if it cannot be written, [`CliError::Usage`] if it is
    /// standard output.
    pub(crate) fn check(path: Option<&'a Path>, force: bool) -> Result<Option<Self>, CliError> {
        let Some(path) = path else { return Ok(None) };
        let name = || path.display().to_string();
        let failed = |source: io::Error| CliError::Write { path: name(), source };
        let found = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(found) if found.is_file() => found,
            Ok(_) => return Ok(Some(Self { path, found: None })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::metadata(folder(path)).map_err(failed)?;
                return Ok(Some(Self { path, found: None }));
            }
            Err(error) => return Err(failed(error)),
        };
        let file = identity(path, &found).map_err(failed)?;
        if stream("/dev/stdout").is_some_and(|output| output == file) {
            return Err(CliError::Usage(format!(
                "cannot write {}: it is standard output, which is for the result itself",
                name()
            )));
        }
        let is_ours = found.len() == 0 || is_own(path);
        if !is_ours && !force {
            return Err(CliError::Foreign { path: name() });
        }
        Ok(Some(Self { path, found: Some(Found { file, bytes: found.len(), is_ours }) }))
    }

    /// Checks that it is none of `inputs`, of which `-` is standard input.
    ///
    /// # Errors
    /// [`CliError::Usage`] if it is one.
    pub(crate) fn refuse<'i>(&self, inputs: impl IntoIterator<Item = &'i Path>) -> Result<(), CliError> {
        match inputs.into_iter().find(|input| self.is(input)) {
            None => Ok(()),
            Some(input) => Err(CliError::Usage(format!(
                "cannot write {}: it is an input of this command ({})",
                self.path.display(),
                crate::input::name(input)
            ))),
        }
    }

    /// Whether a file that was found on a walk, with this number of `bytes`, is the target.
    pub(crate) fn is_found(&self, path: &Path, bytes: u64) -> bool {
        self.found.as_ref().is_some_and(|found| found.bytes == bytes) && self.is(path)
    }

    /// Whether the file that is there is empty, or contextfit wrote it, so that nobody means it by naming its folder.
    pub(crate) fn is_ours(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.is_ours)
    }

    fn is(&self, input: &Path) -> bool {
        let Some(found) = &self.found else { return false };
        let file = match input == Path::new(STDIN) {
            true => stream("/dev/stdin"),
            false => file(input),
        };
        file.is_some_and(|file| file == found.file)
    }
}

/// The folder of `path`.
pub(crate) fn folder(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

fn is_own(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(own::START as u64).read_to_end(&mut start));
    read.is_ok() && own::written(&start).is_some()
}

/// The regular file behind a standard stream.
fn stream(path: &str) -> Option<Identity> {
    if cfg!(unix) { file(Path::new(path)) } else { None }
}

/// The regular file at `path`.
fn file(path: &Path) -> Option<Identity> {
    let found = fs::metadata(path).ok().filter(Metadata::is_file)?;
    identity(path, &found).ok()
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "it can fail on other systems")]
fn identity(_: &Path, found: &Metadata) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;

    Ok((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path, _: &Metadata) -> io::Result<Identity> {
    fs::canonicalize(path)
}
