//! Originals in a file that any number of processes may use at once.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use contextfit_cache::{CacheError, Digest, Disk, Originals, Space};
use contextfit_formats::AnswerBlock;
use contextfit_kernel::StoreError;
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};

use crate::Original;

/// The name of the file in the store's folder.
const FILE: &str = "originals.redb";

/// The most bytes of originals. When full, the store keeps no new ones until old ones expire.
const CAPACITY: u64 = 4 << 30;

/// The fewest digits of a handle to look up.
const SHORTEST_HANDLE: usize = 6;

/// Keeps originals of shortened texts, for handles in markers and answers. Its calls block until the file is written or
/// read.
#[derive(Clone)]
pub struct Store(Arc<Open>);

struct Open {
    originals: Originals,
    disk: Arc<Disk>,
    /// Runs the asynchronous work of the store for callers that are synchronous.
    runtime: Runtime,
}

/// Why no text was restored.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// It is not a handle.
    #[error(
        "{handle:?} is not a handle: expected {SHORTEST_HANDLE} to 64 hexadecimal digits from a marker or an answer"
    )]
    NotAHandle {
        /// What was given.
        handle: String,
    },
    /// Nothing has been stored in the folder.
    #[error("nothing is stored in {}", folder.display())]
    NoStore {
        /// The folder.
        folder: PathBuf,
    },
    /// No text has this handle.
    #[error("no text is stored for {handle} in {}", folder.display())]
    Unknown {
        /// The handle.
        handle: String,
        /// The folder.
        folder: PathBuf,
    },
    /// Several texts have handles that start like this.
    #[error("{handle} is ambiguous: it matches {one} and {other}; add more digits")]
    Ambiguous {
        /// The handle.
        handle: String,
        /// One of the texts.
        one: Digest,
        /// Another one.
        other: Digest,
    },
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The store failed, or is damaged.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Opens the store in `folder`, which must exist, and creates its file if there is none. Only its owner may read it.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let runtime = Builder::new_current_thread().build().map_err(StoreError::new)?;
        let disk = runtime.block_on(Disk::open(folder.join(FILE), CAPACITY)).map_err(StoreError::new)?;
        let disk = Arc::new(disk);
        make_private(&folder.join(FILE));
        Ok(Self(Arc::new(Open { originals: Originals::new(disk.clone()), disk, runtime })))
    }

    /// The short handle of an original, which markers hold: the first eight digits of its digest.
    #[must_use]
    pub fn short_handle(original: &[u8]) -> String {
        Digest::of(original).short()
    }

    /// Stores `originals` and sets the handles of the `blocks` whose texts they are.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be stored. No handle is then set, and those in markers cannot be restored; the answer
    /// is still valid.
    pub fn keep(&self, originals: &[Original], blocks: &mut [AnswerBlock]) -> Result<(), StoreError> {
        if originals.is_empty() {
            return Ok(());
        }
        let Open { originals: store, runtime, .. } = &*self.0;
        let texts: Vec<&[u8]> = originals.iter().map(|original| original.bytes.as_slice()).collect();
        let handles = runtime.block_on(store.store_bytes(&texts))?;
        for (original, handle) in originals.iter().zip(handles) {
            if let Some(block) = original.block.and_then(|at| blocks.get_mut(at)) {
                block.original = Some(handle);
            }
        }
        Ok(())
    }

    /// Stores one `text` and returns its handle.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be stored.
    pub fn keep_text(&self, text: &[u8]) -> Result<String, StoreError> {
        let Open { originals, runtime, .. } = &*self.0;
        let handles = runtime.block_on(originals.store_bytes(&[text]))?;
        Ok(handles.into_iter().next().unwrap_or_default())
    }

    /// The bytes of the text for `handle`, which may be shortened to its first digits, in the store in `folder`. Creates
    /// nothing.
    ///
    /// # Errors
    /// [`RestoreError`] if `handle` is not a handle, no text or several texts match it, or the store cannot be read.
    pub fn restore(folder: &Path, handle: &str) -> Result<Vec<u8>, RestoreError> {
        let is_handle =
            (SHORTEST_HANDLE..=64).contains(&handle.len()) && handle.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_handle {
            return Err(RestoreError::NotAHandle { handle: handle.into() });
        }
        let path = folder.join(FILE);
        // Opening the store would create the file.
        fs::metadata(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => RestoreError::NoStore { folder: folder.into() },
            _ => RestoreError::Unreadable { path, source },
        })?;
        let store = Self::open(folder)?;
        let Open { originals, disk, runtime } = &*store.0;
        let unknown = || RestoreError::Unknown { handle: handle.into(), folder: folder.into() };
        let found = runtime.block_on(disk.starting(Space::Original, &handle.to_ascii_lowercase(), 2));
        let digest = match *found.map_err(|error: CacheError| StoreError::new(error))? {
            [digest] => digest,
            [] => return Err(unknown()),
            [one, other, ..] => {
                return Err(RestoreError::Ambiguous { handle: handle.into(), one, other });
            }
        };
        runtime.block_on(originals.load_bytes(&digest.to_string()))?.ok_or_else(unknown)
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

/// Makes the file readable for its owner only. A file of another user stays as it is.
fn make_private(path: &Path) {
    #[cfg(unix)]
    let _ = fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600));
    #[cfg(not(unix))]
    let _ = path;
}
