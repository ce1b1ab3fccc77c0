//! Appends events to a history that other processes may append to at the same time.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use contextfit::feedback::Event;

use crate::{error::CliError, folders};

/// Appends `events` in one write. The file is created for its owner alone.
pub(super) fn append(path: &Path, events: &[Event]) -> Result<(), CliError> {
    let lines: Result<String, _> = events.iter().map(Event::to_line).collect();
    let lines = lines.map_err(CliError::Json)?;
    write(path, lines).map_err(|source| CliError::Write { path: path.display().to_string(), source })
}

fn write(path: &Path, mut lines: String) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        folders::make_private(folder)?;
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true).read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    // Released when the file is closed.
    file.lock()?;
    if is_torn(&mut file)? {
        lines.insert(0, '\n');
    }
    file.write_all(lines.as_bytes())?;
    file.sync_data()
}

/// Whether the last line has no line feed. Another line must not be added to it.
fn is_torn(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}
