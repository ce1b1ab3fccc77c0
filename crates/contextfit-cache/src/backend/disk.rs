//! The back end on disk.

mod fresh;
mod tables;

use std::{
    fmt, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use async_trait::async_trait;
use redb::{Builder, ConcurrencyMode, DatabaseError, StorageError};
use tokio::task::spawn_blocking;

use self::tables::Tables;
use crate::{Backend, BackendStat, CacheEntry, CacheError, Clock, Digest, Key, Space};

const NAME: &str = "disk";

/// Memory for pages of the file; [redb](https://docs.rs/redb) would take a gigabyte.
const PAGES: usize = 16 << 20;

/// Keeps entries in one file, up to a capacity in bytes, for any number of processes at once.
///
/// A put is on disk when the call returns: a process killed in the middle of one leaves the file as it was before or
/// after it. If there is no room, the least recently used entries go first; reads count as use from the next put on,
/// and are lost if the process is killed before it. Held entries count towards the capacity and are never dropped
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
            fresh::make(&builder, &opened, capacity)?;
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

/// What can go wrong with the file.
pub(crate) enum StoreError {
    Cache(CacheError),
    Database(Box<redb::Error>),
}

/// Converts each kind of redb error into its common one.
macro_rules! from_redb {
    ($($kind:ty),*) => {$(
        impl From<$kind> for StoreError {
            fn from(error: $kind) -> Self {
                Self::Database(Box::new(error.into()))
            }
        }
    )*};
}

from_redb!(DatabaseError, StorageError, redb::CommitError, redb::TableError, redb::TransactionError);

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        StorageError::from(error).into()
    }
}
