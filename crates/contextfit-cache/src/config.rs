//! The configuration of a cache.

use std::{fmt, path::PathBuf, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{Backend, CacheError, CompressionCache};

/// The back ends by name. `both` (the name in KB Labs Mind) is memory in front of another back end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CacheKind {
    /// In memory.
    #[default]
    Memory,
    /// In a file.
    Disk,
    /// In Redis.
    Redis,
    /// In Qdrant.
    Qdrant,
    /// Memory in front of [`behind`](CacheConfig::behind).
    Both,
}

contextfit_kernel::names!(
    CacheKind, "cache": Memory => "memory", Disk => "disk", Redis => "redis", Qdrant => "qdrant", Both => "both",
);

/// The configuration of a cache. Its address, which may contain a password, never appears in debug output.
///
/// ```
/// # #[cfg(feature = "memory")]
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), contextfit_cache::CacheError> {
/// # mod contextfit { pub use ::contextfit_cache as caches; }
/// use contextfit::caches::CacheConfig;
///
/// let cache = CacheConfig::default().with_capacity(64 << 20).open().await?;
/// assert_eq!(cache.statistics().await.backends[0].capacity, Some(64 << 20));
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "memory"))]
/// # fn main() {}
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct CacheConfig {
    /// The back end. Default: memory.
    pub kind: CacheKind,
    /// With `both`, the back end that memory is a cache for. Default: qdrant.
    pub behind: CacheKind,
    /// The maximum bytes in memory and on disk, each. Default: 256 MiB.
    pub capacity: u64,
    /// The age in seconds at which answers expire. Default: none.
    pub seconds: Option<u64>,
    /// The file of the back end on disk.
    pub path: Option<PathBuf>,
    /// The address of the Redis or Qdrant server.
    pub url: Option<String>,
}

impl Default for CacheConfig {
    fn default() -> Self {
        Self {
            kind: CacheKind::Memory,
            behind: CacheKind::Qdrant,
            capacity: 256 << 20,
            seconds: None,
            path: None,
            url: None,
        }
    }
}

contextfit_kernel::setters! {
    CacheConfig {
        with_kind(kind: CacheKind), with_behind(behind: CacheKind), with_capacity(capacity: u64),
        with_seconds(seconds: impl Into<Option<u64>>), with_path(path: impl Into<PathBuf> => some),
        with_url(url: impl Into<String> => some),
    }
}

impl fmt::Debug for CacheConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The address is left out because it may contain a password.
        let Self { kind, behind, capacity, seconds, path, url: _ } = self;
        f.debug_struct("CacheConfig")
            .field("kind", kind)
            .field("behind", behind)
            .field("capacity", capacity)
            .field("seconds", seconds)
            .field("path", path)
            .finish_non_exhaustive()
    }
}

impl CacheConfig {
    /// Opens the cache. Keys for servers are not part of a configuration: construct a back end that needs one directly.
    ///
    /// # Errors
    /// [`CacheError::Unavailable`] if the back end cannot be opened, its path or address is missing, or this build does
    /// not include it. An unreachable server is not an error here; it is noticed at the first call.
    pub async fn open(&self) -> Result<CompressionCache, CacheError> {
        let cache = match self.kind {
            CacheKind::Both => CompressionCache::new(self.backend(self.behind).await?)
                .with_front(self.backend(CacheKind::Memory).await?),
            kind => CompressionCache::new(self.backend(kind).await?),
        };
        Ok(match self.seconds {
            Some(seconds) => cache.with_time_to_live(Duration::from_secs(seconds)),
            None => cache,
        })
    }

    /// Opens the persistent back end: with `both`, the one named by [`behind`](CacheConfig::behind).
    ///
    /// # Errors
    /// As [`open`](CacheConfig::open).
    pub async fn last(&self) -> Result<Arc<dyn Backend>, CacheError> {
        self.backend(if self.kind == CacheKind::Both { self.behind } else { self.kind }).await
    }

    async fn backend(&self, kind: CacheKind) -> Result<Arc<dyn Backend>, CacheError> {
        match kind {
            #[cfg(feature = "memory")]
            CacheKind::Memory => Ok(Arc::new(crate::InMemory::new(self.capacity))),
            #[cfg(feature = "disk")]
            CacheKind::Disk => {
                let path = self
                    .path
                    .as_ref()
                    .ok_or_else(|| CacheError::unavailable("disk", "no path is configured"))?;
                Ok(Arc::new(crate::Disk::open(path, self.capacity).await?))
            }
            #[cfg(feature = "redis")]
            CacheKind::Redis => Ok(Arc::new(crate::Redis::new(self.address("redis")?)?)),
            #[cfg(feature = "qdrant")]
            CacheKind::Qdrant => Ok(Arc::new(crate::Qdrant::new(self.address("qdrant")?, None)?)),
            CacheKind::Both => Err(CacheError::unavailable("both", "memory cannot be in front of memory")),
            #[cfg(not(all(feature = "disk", feature = "memory", feature = "qdrant", feature = "redis")))]
            other => Err(CacheError::unavailable(other.name(), "this build does not include it")),
        }
    }

    #[cfg(any(feature = "redis", feature = "qdrant"))]
    fn address(&self, backend: &'static str) -> Result<&str, CacheError> {
        self.url.as_deref().ok_or_else(|| CacheError::unavailable(backend, "no address is configured"))
    }
}
