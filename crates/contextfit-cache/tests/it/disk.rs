//! The back end on disk.

use std::{fs, sync::Arc};

use contextfit_cache::{Backend, CacheEntry, CacheError, CompressionCache, Disk, Key, Originals};
use contextfit_testkit::{check_cache, check_store};
use tempfile::tempdir;

use crate::fixture::{check_one_call, check_shared};

const CAPACITY: u64 = 16 << 20;

#[tokio::test]
async fn it_keeps_the_contract() {
    let folder = tempdir().unwrap();
    let disk = Disk::open(folder.path().join("cache"), CAPACITY).await.unwrap();
    check_cache(&disk).await;
    check_store(&Originals::new(Arc::new(disk))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_at_once_make_one_call() {
    let folder = tempdir().unwrap();
    let disk = Disk::open(folder.path().join("cache"), CAPACITY).await.unwrap();
    check_one_call(CompressionCache::new(Arc::new(disk))).await;
}

#[tokio::test]
async fn a_second_run_makes_no_calls() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("cache");
    // Two handles on one file act as two processes.
    let one = Disk::open(&path, CAPACITY).await.unwrap();
    let other = Disk::open(&path, CAPACITY).await.unwrap();
    check_shared(CompressionCache::new(Arc::new(one)), CompressionCache::new(Arc::new(other))).await;
}

/// The least recently used entries go first.
#[tokio::test]
async fn what_was_used_longest_ago_goes_first() {
    let folder = tempdir().unwrap();
    let disk = Disk::open(folder.path().join("cache"), 4 * 1200).await.unwrap();
    let key = |n: u8| Key::of_original(&[n]);
    for n in 0..4 {
        disk.put(CacheEntry::new(key(n), vec![n; 1000])).await.unwrap();
    }
    assert!(disk.get(key(0)).await.unwrap().is_some());
    disk.put(CacheEntry::new(key(4), vec![4; 1000])).await.unwrap();
    let kept = disk.get_all(&[0, 1, 2, 3, 4].map(key)).await.unwrap();
    assert_eq!(kept.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true, true, true]);
    let stat = disk.stat().await.unwrap();
    assert_eq!((stat.entries, stat.evictions), (Some(4), Some(1)));
    assert!(stat.bytes <= stat.capacity, "{stat:?}");
}

#[tokio::test]
async fn what_is_larger_than_everything_is_refused() {
    let folder = tempdir().unwrap();
    let disk = Disk::open(folder.path().join("cache"), 1000).await.unwrap();
    let error = disk.put(CacheEntry::new(Key::of_original(b"key"), vec![0; 1000])).await.unwrap_err();
    assert!(matches!(error, CacheError::TooLarge { .. }), "{error}");
}

#[tokio::test]
async fn a_file_of_something_else_is_an_error() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("cache");
    for content in [&b"something else"[..], &[0; 100_000], &[0xff; 5000]] {
        fs::write(&path, content).unwrap();
        let error = Disk::open(&path, CAPACITY).await.unwrap_err();
        assert!(matches!(error, CacheError::Unavailable { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), content, "it is left as it was");
    }
    assert!(Disk::open(folder.path().join("no/such/folder"), CAPACITY).await.is_err());
}

/// Bits of the file flip on disk: the result is an error or nothing, never another value.
#[tokio::test]
async fn a_damaged_file_never_gives_a_wrong_value() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("cache");
    let texts: Vec<String> = (0..40).map(|n| format!("original {n} ").repeat(30)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let handles = {
        let originals = Originals::new(Arc::new(Disk::open(&path, CAPACITY).await.unwrap()));
        contextfit_kernel::OriginalStore::store_all(&originals, &texts).await.unwrap()
    };
    let whole = fs::read(&path).unwrap();
    let mut found = 0;
    for round in 0..60_usize {
        let mut bytes = whole.clone();
        let size = bytes.len();
        for n in 0..40 {
            bytes[(round * 7919 + n * 104_729) % size] ^= 1 << (n % 8);
        }
        fs::write(&path, &bytes).unwrap();
        let Ok(disk) = Disk::open(&path, CAPACITY).await else { continue };
        let originals = Originals::new(Arc::new(disk));
        for (text, handle) in texts.iter().zip(&handles) {
            if let Ok(Some(loaded)) = contextfit_kernel::OriginalStore::load(&originals, handle).await {
                assert_eq!(&loaded, text);
                found += 1;
            }
        }
    }
    assert!(found > 0, "nothing was read at all");
}
