//! A new file, there whole or not at all.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
};

use redb::Builder;

use super::{StoreError, tables::Tables};

/// Files that this process made so far.
static MADE: AtomicU64 = AtomicU64::new(0);

/// Makes the file at `path`, unless there is one. A process that is killed while redb writes the first pages leaves a
/// file that is none; so it is made under another name, and gets its own when it is whole.
pub(super) fn make(builder: &Builder, path: &Path, capacity: u64) -> Result<(), StoreError> {
    if path.try_exists()? {
        return Ok(());
    }
    let fresh = other_name(path);
    // What a killed process of the same number left.
    let _ = fs::remove_file(&fresh);
    drop(Tables::new(builder.create(&fresh)?, capacity)?);
    // A link, since it fails where somebody else was quicker; a move where the file system knows no links.
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
