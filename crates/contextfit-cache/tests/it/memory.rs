//! The back end in memory.

use std::sync::Arc;

use contextfit_cache::{Backend, CacheEntry, CompressionCache, InMemory, Key, Originals};
use contextfit_testkit::{check_cache, check_store};

use crate::fixture::check_one_call;

#[tokio::test]
async fn it_keeps_the_contract() {
    check_cache(&InMemory::new(16 << 20)).await;
    check_store(&Originals::new(Arc::new(InMemory::new(16 << 20)))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_at_once_make_one_call() {
    check_one_call(CompressionCache::new(Arc::new(InMemory::new(1 << 20)))).await;
}

/// The capacity is in bytes, not entries.
#[tokio::test]
async fn capacity_is_in_bytes() {
    let memory = InMemory::new(100_000);
    for n in 0..1000_u32 {
        let key = Key::of_original(&n.to_le_bytes());
        memory.put(CacheEntry::new(key, vec![0; 1000])).await.unwrap();
    }
    let stat = memory.stat().await.unwrap();
    assert_eq!(stat.capacity, Some(100_000));
    assert!(stat.bytes.unwrap() <= 100_000, "{stat:?}");
    assert_eq!(stat.entries.unwrap() + stat.evictions.unwrap(), 1000, "{stat:?}");
}
