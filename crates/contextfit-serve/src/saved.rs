//! Whole outputs in files, for as long as there is room.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// What the last line of every excerpt begins with.
pub const LAST_LINE: &str = "[contextfit: ";

/// Whether `text` was shortened before, or has something that was: a line of it is the last line of an excerpt. Linear.
#[must_use]
pub fn is_excerpt(text: &str) -> bool {
    text.lines().any(|line| line.starts_with(LAST_LINE) && line.ends_with(']'))
}

/// What is kept if nothing else is said.
const USUAL_BYTES: u64 = 200_000_000;

/// A folder of whole outputs that excerpts refer to, each in a file that its owner alone may read. Any number of
/// processes may use it at once. A file is complete as soon as it has its name.
///
/// ```
/// use contextfit_serve::SavedOutputs;
///
/// let folder = tempfile::tempdir()?;
/// let saved = SavedOutputs::new(folder.path().join("runs"));
/// let path = saved.save("run-1.log", b"all of it")?;
/// saved.prune(|name| name.starts_with("run-"), &path);
/// assert_eq!(std::fs::read(path)?, b"all of it");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SavedOutputs {
    folder: PathBuf,
    bytes: u64,
    age: Option<Duration>,
}

impl SavedOutputs {
    /// Outputs in `folder`, of which the newest 200 MB are kept. The folder need not exist.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), bytes: USUAL_BYTES, age: None }
    }

    /// Keeps the newest outputs that together have at most this many bytes.
    #[must_use]
    pub const fn with_bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Keeps outputs at most this long.
    #[must_use]
    pub const fn with_age(mut self, age: Duration) -> Self {
        self.age = Some(age);
        self
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The most bytes that are kept.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Saves `output` in the file `name`, and returns its path. Makes the folder if it is not there.
    ///
    /// # Errors
    /// If it cannot be written; nothing is left of it then.
    pub fn save(&self, name: &str, output: &[u8]) -> io::Result<PathBuf> {
        save_private(&self.folder, name, output)
    }

    /// Whether the output at `path` is older than outputs are kept, although it may not have been removed yet.
    #[must_use]
    pub fn is_over(&self, path: &Path) -> bool {
        let modified = fs::metadata(path).and_then(|about| about.modified());
        self.since().is_some_and(|since| modified.is_ok_and(|modified| modified < since))
    }

    /// The time before which outputs are too old.
    fn since(&self) -> Option<SystemTime> {
        self.age.and_then(|age| SystemTime::now().checked_sub(age))
    }

    /// Removes outputs that are too old, and the oldest ones if all of them are too large, but not `newest`. Files whose
    /// names are not of `ours` are left alone. What cannot be removed stays. Linear in the number of files.
    pub fn prune(&self, ours: impl Fn(&str) -> bool, newest: &Path) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut saved: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let is_ours = ours(&entry.file_name().to_string_lossy());
                let about = entry.metadata().ok().filter(|about| about.is_file() && is_ours)?;
                Some((about.modified().ok()?, about.len(), entry.path()))
            })
            .collect();
        saved.sort();
        let since = self.since();
        let mut kept = 0_u64;
        for (modified, bytes, path) in saved.into_iter().rev() {
            kept = kept.saturating_add(bytes);
            let is_over = kept > self.bytes || since.is_some_and(|since| modified < since);
            if is_over && path != newest {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// Makes a folder that nobody else can read; leaves an existing one as it is.
///
/// # Errors
/// If it cannot be made.
pub fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Saves `bytes` in the file `name` in `folder`, for its owner alone, and returns its path. Makes the folder if it is not
/// there. The file is complete as soon as it has its name.
///
/// # Errors
/// If it cannot be written; nothing is left of it then.
pub fn save_private(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    make_private(folder)?;
    let path = folder.join(name);
    // Such files are their owner's alone.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(&path)?;
    Ok(path)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_newest_and_the_young_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let saved = SavedOutputs::new(folder.path()).with_bytes(25).with_age(Duration::from_secs(3600));
        let now = SystemTime::now();
        for (name, seconds) in [("a-old", 7_200), ("a-3", 3), ("a-2", 2), ("a-1", 1), ("other", 9_999)] {
            let path = saved.save(name, b"0123456789").unwrap();
            let at = now - Duration::from_secs(seconds);
            fs::File::open(path).unwrap().set_modified(at).unwrap();
        }
        let newest = folder.path().join("a-1");
        saved.clone().with_bytes(1000).prune(|name| name.starts_with("a-"), &newest);
        assert_eq!(names(folder.path()), ["a-1", "a-2", "a-3", "other"]);
        saved.prune(|name| name.starts_with("a-"), &newest);
        assert_eq!(names(folder.path()), ["a-1", "a-2", "other"]);
        saved.with_bytes(0).prune(|name| name.starts_with("a-"), &newest);
        assert_eq!(names(folder.path()), ["a-1", "other"]);
    }
}
