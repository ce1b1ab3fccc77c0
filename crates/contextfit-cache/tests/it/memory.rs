//! The back end in memory.

use std::sync::Arc;

use contextfit_cache::{Backend, CompressionCache, Entry, Key, Memory, Originals};
use contextfit_testkit::{check_cache, check_store};

use crate::fixture::check_one_call;

#[tokio::test]
async fn it_keeps_the_contract() {
    check_cache(&Memory::new(16 << 20)).await;
    check_store(&Originals::new(Arc::new(Memory::new(16 << 20)))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_at_once_make_one_call() {
    check_one_call(CompressionCache::new(Arc::new(Memory::new(1 << 20)))).await;
}

/// The seed's cache held so many entries, however large.
#[tokio::test]
async fn capacity_is_in_bytes() {
    let memory = Memory::new(100_000);
    for n in 0..1000_u32 {
        let key = Key::of_original(&n.to_le_bytes());
        memory.put(Entry::new(key, vec![0; 1000])).await.unwrap();
    }
    let stat = memory.stat().await.unwrap();
    assert_eq!(stat.capacity, Some(100_000));
    assert!(stat.bytes.unwrap() <= 100_000, "{stat:?}");
    assert_eq!(stat.entries.unwrap() + stat.evictions.unwrap(), 1000, "{stat:?}");
}
