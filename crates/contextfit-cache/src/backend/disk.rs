//! The back end on disk.

mod tables;

use std::{
    ffi::OsString,
    fmt, fs, io,
    path::{Path, PathBuf},
    process,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::SystemTime,
};

use async_trait::async_trait;
use redb::{Builder, ConcurrencyMode};
use tokio::task::spawn_blocking;

use self::tables::{NAME, StoreError, Tables};
use crate::{Backend, BackendStat, CacheEntry, CacheError, Clock, Digest, Key, Space};

/// The memory for pages of the file; the default of [redb](https://docs.rs/redb) is a gigabyte.
const PAGES: usize = 16 << 20;

/// Keeps entries in one file, up to a capacity in bytes, for any number of processes at once.
///
/// A put is on disk when the call returns. If a process is killed during a put, the file is as it was before or after
/// it. If there is no room, the least recently used entries are dropped first; reads count as use from the next put on,
/// and are forgotten if the process is killed before it. Held entries count towards the capacity and are never dropped
/// before they expire. The capacity covers keys and values; the file is somewhat larger, and does not shrink.
///
/// Do not move files between operating systems: on Linux, macOS and Windows, locks allow several processes to write;
/// elsewhere one process owns the file.
#[derive(Clone)]
pub struct Disk {
    tables: Arc<Tables>,
    path: PathBuf,
    clock: Clock,
}

impl Disk {
    /// Opens the cache in the file at `path`, of at most `capacity` bytes, and creates it if missing. The folder must
    /// exist.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`] if the file cannot be opened, belongs to another process, or is not a cache.
    pub async fn open(path: impl AsRef<Path>, capacity: u64) -> Result<Self, CacheError> {
        let path = path.as_ref().to_path_buf();
        let opened = path.clone();
        let tables = blocking(move || {
            let mut builder = Builder::new();
            builder.set_cache_size(PAGES).set_concurrency_mode(MODE);
            create(&builder, &opened, capacity)?;
            let database = builder.create(&opened).map_err(StoreError::from)?;
            Tables::new(database, capacity)
        })
        .await?;
        Ok(Self { tables: Arc::new(tables), path, clock: Clock::default() })
    }

    /// Sets the clock by which held entries expire.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// The digests in `space` that start with `prefix`, in hexadecimal, in order; at most `limit` of them. Handles are
    /// long, so people type only a prefix.
    ///
    /// # Errors
    /// [`CacheError`] if the file cannot be read.
    pub async fn starting(
        &self,
        space: Space,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<Digest>, CacheError> {
        let prefix = prefix.to_owned();
        self.run(move |tables, _| tables.starting(space, &prefix, limit)).await
    }

    async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Tables, SystemTime) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, CacheError> {
        let tables = Arc::clone(&self.tables);
        let now = self.clock.now();
        blocking(move || job(&tables, now)).await
    }
}

const MODE: ConcurrencyMode =
    if cfg!(any(target_os = "linux", target_os = "windows", target_vendor = "apple")) {
        ConcurrencyMode::MultiWriter
    } else {
        ConcurrencyMode::ExclusiveWriter
    };

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Disk").field("path", &self.path).finish_non_exhaustive()
    }
}

#[async_trait]
impl Backend for Disk {
    fn name(&self) -> &'static str {
        NAME
    }

    async fn get_all(&self, keys: &[Key]) -> Result<Vec<Option<Arc<[u8]>>>, CacheError> {
        let keys = keys.to_vec();
        self.run(move |tables, _| tables.get_all(&keys)).await
    }

    async fn put_all(&self, entries: &[CacheEntry]) -> Result<(), CacheError> {
        let entries = entries.to_vec();
        self.run(move |tables, now| tables.put_all(&entries, now)).await
    }

    async fn remove(&self, key: Key) -> Result<(), CacheError> {
        self.run(move |tables, _| tables.remove(key)).await
    }

    async fn stat(&self) -> Result<BackendStat, CacheError> {
        self.run(|tables, _| tables.stat()).await
    }
}

/// The number of files created by this process.
static MADE: AtomicU64 = AtomicU64::new(0);

/// Creates the file at `path`, unless it exists. It is created under another name and renamed when it is complete,
/// because a process killed while redb writes the first pages would leave an invalid file.
fn create(builder: &Builder, path: &Path, capacity: u64) -> Result<(), StoreError> {
    if path.try_exists()? {
        return Ok(());
    }
    let fresh = other_name(path);
    // Removes a file that a killed process with the same id has left.
    let _ = fs::remove_file(&fresh);
    drop(Tables::new(builder.create(&fresh)?, capacity)?);
    // A link is used because it fails if another process was quicker; a rename, if the file system has no links.
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

/// Runs `job` on a thread that may block. A tampered file can make the reader panic; that becomes an error like any
/// other.
async fn blocking<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, CacheError> {
    match spawn_blocking(job).await {
        Ok(done) => done.map_err(|error| match error {
            StoreError::Cache(error) => error,
            StoreError::Database(error) => CacheError::unavailable(NAME, error),
        }),
        Err(panicked) => Err(CacheError::unavailable(NAME, panicked)),
    }
}
