//! Caches of model answers, and a store of the originals that markers replace.
//!
//! [`CompressionCache`] keeps answers under a [`Key`] made from everything that an answer depends on ([`Recipe`]), and
//! [`Cached`] adds it to any model. [`Originals`] keeps the texts that markers replace. Both work on any [`Backend`]:
//!
//! | feature | enables | extra dependencies |
//! |---|---|---|
//! | `memory` (default) | `InMemory`: bounded by bytes | `moka` |
//! | `disk` | `Disk`: one file, which survives a killed process | `redb` |
//! | `redis` | `Redis`: shared by processes and machines | `redis` |
//! | `qdrant` | `Qdrant`: in the payload of points | `qdrant-client`, `base64`, `tonic` |

mod clock;
mod digest;
mod error;

mod answer;
mod key;
mod record;

mod backend;

mod cache;
mod flights;
mod layers;
mod statistics;

mod cached;
mod config;
mod originals;

// What is in the signatures of this crate.
#[doc(no_inline)]
pub use contextfit_kernel as kernel;
#[doc(no_inline)]
pub use contextfit_text as text;

pub use crate::{
    answer::Answer,
    backend::{Backend, BackendStat, CacheEntry, Source},
    cache::{CompressionCache, Request},
    cached::Cached,
    clock::Clock,
    config::{CacheConfig, CacheKind},
    digest::{Digest, NotADigest},
    error::CacheError,
    key::{Key, Recipe, Space},
    originals::Originals,
    statistics::{BackendStatistics, CacheStatistics, SpaceStatistics},
};

#[cfg(feature = "disk")]
pub use crate::backend::disk::Disk;
#[cfg(feature = "memory")]
pub use crate::backend::memory::InMemory;
#[cfg(feature = "qdrant")]
pub use crate::backend::qdrant::Qdrant;
#[cfg(feature = "redis")]
pub use crate::backend::redis::Redis;
