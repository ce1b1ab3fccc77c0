//! Creates a new file atomically.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
};

use redb::Builder;

use super::{StoreError, tables::Tables};

/// Files created by this process so far.
static MADE: AtomicU64 = AtomicU64::new(0);

/// Creates the file at `path`, unless it exists. A process killed while redb writes the first pages would leave an
/// invalid file; so it is created under another name, and renamed when complete.
pub(super) fn make(builder: &Builder, path: &Path, capacity: u64) -> Result<(), StoreError> {
    if path.try_exists()? {
        return Ok(());
    }
    let fresh = other_name(path);
    // Left by a killed process with the same id.
    let _ = fs::remove_file(&fresh);
    drop(Tables::new(builder.create(&fresh)?, capacity)?);
    // A link, since it fails if another process was quicker; a rename if the file system has no links.
    let named = match fs::hard_link(&fresh, path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !path.try_exists()? => {
            fs::rename(&fresh, path)
        }
        _ => fs::remove_file(&fresh),
    };
    named?;
    #[cfg(unix)]
    fs::File::open(path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))?
        .sync_all()?;
    Ok(())
}

fn other_name(path: &Path) -> PathBuf {
    let n = MADE.fetch_add(1, Ordering::Relaxed);
    let mut name = OsString::from(path);
    name.push(format!(".{}-{n}.new", process::id()));
    name.into()
}
