//! The originals behind markers.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use contextfit_cache::{Backend, CacheEntry, CacheError, Key, Originals};
use contextfit_kernel::{OriginalStore, StoreError};
use contextfit_testkit::check_store;

use crate::fixture::{SetClock, Shelf};

/// The source of the error, as a cache error.
#[track_caller]
fn cause(error: &StoreError) -> &CacheError {
    error.source.downcast_ref().expect("a cache error")
}

#[tokio::test]
async fn the_simplest_back_end_keeps_the_contract() {
    check_store(&Originals::new(Arc::new(Shelf::default()))).await;
}

#[tokio::test]
async fn a_handle_is_the_digest_of_the_text() {
    let originals = Originals::new(Arc::new(Shelf::default()));
    let handle = originals.store("abc").await.unwrap();
    assert_eq!(handle, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#[tokio::test]
async fn a_damaged_original_is_an_error() {
    let shelf = Arc::new(Shelf::default());
    let originals = Originals::new(shelf.clone());
    let handle = originals.store("a long text").await.unwrap();
    shelf.damage();
    let error = originals.load(&handle).await.unwrap_err();
    assert!(matches!(cause(&error), CacheError::Damaged { .. }), "{error}");
    originals.store("a long text").await.unwrap();
    assert_eq!(originals.load(&handle).await.unwrap().as_deref(), Some("a long text"), "stored again");
}

#[tokio::test]
async fn a_store_that_is_down_gives_no_handle() {
    let shelf = Arc::new(Shelf::default());
    shelf.is_down.store(true, Ordering::SeqCst);
    let error = Originals::new(shelf).store("a long text").await.unwrap_err();
    assert!(matches!(cause(&error), CacheError::Unavailable { .. }), "{error}");
}

/// On a back end with room for `room` originals of a thousand bytes each.
async fn check_held(backend: Arc<dyn Backend>, clock: &SetClock, room: usize) {
    let age = Duration::from_secs(1000);
    let session = |_| Originals::new(backend.clone()).with_time_to_live(age).with_clock(clock.clock());
    let (first, second) = (session(1), session(2));
    let text = |n: usize| format!("{n:0>1000}");
    let mut handles = Vec::new();
    for n in 0..room {
        handles.push(first.store(&text(n)).await.unwrap());
    }
    // Answers that come and go do not push them out; there is no room for another original.
    for n in 0..20_u8 {
        let _ = backend
            .put(CacheEntry::new(
                Key { space: contextfit_cache::Space::Chunk, ..Key::of_original(&[n]) },
                [n; 900],
            ))
            .await;
    }
    let error = second.store(&text(room)).await.unwrap_err();
    assert!(matches!(cause(&error), CacheError::Full { .. }), "{error}");
    for (n, handle) in handles.iter().enumerate() {
        assert_eq!(first.load(handle).await.unwrap(), Some(text(n)));
    }
    // One of them is no longer named by a marker; the others are renewed.
    first.release(&handles[0]);
    clock.forward(600);
    first.renew().await.unwrap();
    clock.forward(600);
    second.store(&text(room)).await.expect("the released original made room");
    assert!(second.store(&text(room + 1)).await.is_err(), "room for one only");
    assert_eq!(first.load(&handles[0]).await.unwrap(), None);
    for (n, handle) in handles.iter().enumerate().skip(1) {
        assert_eq!(first.load(handle).await.unwrap(), Some(text(n)));
    }
}

#[cfg(feature = "memory")]
#[tokio::test]
async fn memory_holds_what_a_marker_names() {
    let clock = SetClock::new();
    let memory = contextfit_cache::InMemory::new(4 * 1100).with_clock(clock.clock());
    check_held(Arc::new(memory), &clock, 4).await;
}

#[cfg(feature = "disk")]
#[tokio::test]
async fn disk_holds_what_a_marker_names() {
    let clock = SetClock::new();
    let folder = tempfile::tempdir().unwrap();
    let disk = contextfit_cache::Disk::open(folder.path().join("originals"), 4 * 1150).await.unwrap();
    check_held(Arc::new(disk.with_clock(clock.clock())), &clock, 4).await;
}

/// A shorter time in another session does not end a longer one.
#[cfg(feature = "disk")]
#[tokio::test]
async fn the_longest_time_counts() {
    let clock = SetClock::new();
    let folder = tempfile::tempdir().unwrap();
    let disk = contextfit_cache::Disk::open(folder.path().join("originals"), 2500).await.unwrap();
    let disk = Arc::new(disk.with_clock(clock.clock()));
    let session = |seconds| {
        let age = Duration::from_secs(seconds);
        Originals::new(disk.clone()).with_time_to_live(age).with_clock(clock.clock())
    };
    let text = "a".repeat(1500);
    let handle = session(1000).store(&text).await.unwrap();
    session(10).store(&text).await.unwrap();
    clock.forward(20);
    assert!(session(10).store(&"b".repeat(1500)).await.is_err());
    assert_eq!(session(10).load(&handle).await.unwrap(), Some(text));
}
