//! The suite for back ends of caches.

use std::sync::Arc;

use contextfit_cache::{Backend, CacheEntry, Key, Recipe, Space};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, TestRunner},
};

/// The largest value tried: a long document.
const LARGE: usize = 1 << 20;

/// Checks the contract of `backend`, which must be empty and have room for a few megabytes: a get returns what was put,
/// byte for byte, in the order of the keys, with spaces kept apart, until it is replaced or removed.
///
/// # Panics
/// If the contract is violated.
pub async fn check_cache(backend: &dyn Backend) {
    assert!(!backend.name().is_empty(), "statistics need a name");
    nothing_is_there(backend).await;
    bytes_are_kept(backend).await;
    batches_keep_their_order(backend).await;
    spaces_are_apart(backend).await;
    held_entries_are_kept(backend).await;
    backend.stat().await.expect("an available back end reports how full it is");
}

async fn nothing_is_there(backend: &dyn Backend) {
    assert_eq!(backend.get(key(Space::Summary, "never put")).await.unwrap(), None);
    assert_eq!(backend.get_all(&[]).await.unwrap(), []);
    backend.put_all(&[]).await.expect("putting nothing is not an error");
    backend.remove(key(Space::Summary, "never put")).await.expect("removing nothing is not an error");
}

async fn bytes_are_kept(backend: &dyn Backend) {
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let arbitrary = proptest::collection::vec(proptest::num::u8::ANY, 0..300);
    let arbitrary = (0..16).map(|_| arbitrary.new_tree(&mut runner).unwrap().current());
    let large: Vec<u8> = (0..LARGE).map(|at| (at * 31 % 251) as u8).collect();
    for value in [vec![], vec![0], vec![0xff; 3], "漢字\0\r\n".into(), large].into_iter().chain(arbitrary) {
        let key = key(Space::Chunk, "bytes");
        backend.put(CacheEntry::new(key, value.clone())).await.unwrap();
        assert_eq!(backend.get(key).await.unwrap().as_deref(), Some(&*value), "{} bytes", value.len());
    }
    backend.remove(key(Space::Chunk, "bytes")).await.unwrap();
    assert_eq!(backend.get(key(Space::Chunk, "bytes")).await.unwrap(), None, "removed");
}

async fn batches_keep_their_order(backend: &dyn Backend) {
    let keys: Vec<Key> = (0..20).map(|n| key(Space::Embedding, &n.to_string())).collect();
    let even = keys.iter().enumerate().filter(|(n, _)| n.is_multiple_of(2));
    let entries: Vec<CacheEntry> = even.map(|(n, key)| CacheEntry::new(*key, [n as u8; 5])).collect();
    backend.put_all(&entries).await.unwrap();
    let expect = |n: usize| n.is_multiple_of(2).then(|| Arc::from([n as u8; 5]));
    let found = backend.get_all(&keys).await.unwrap();
    assert_eq!(found, (0..20).map(expect).collect::<Vec<_>>());
    let twice = [keys[3], keys[2], keys[2], keys[0]];
    assert_eq!(backend.get_all(&twice).await.unwrap(), [expect(3), expect(2), expect(2), expect(0)]);
}

async fn spaces_are_apart(backend: &dyn Backend) {
    let digest = key(Space::Chunk, "one digest").digest;
    let keys = Space::CACHED.map(|space| Key { space, digest });
    for key in keys {
        backend.put(CacheEntry::new(key, key.space.name().as_bytes())).await.unwrap();
    }
    backend.remove(keys[1]).await.unwrap();
    let found = backend.get_all(&keys).await.unwrap();
    let names = found.iter().map(|value| value.as_deref().map(|value| str::from_utf8(value).unwrap()));
    assert_eq!(names.collect::<Vec<_>>(), [Some("embedding"), None, Some("chunk")]);
}

async fn held_entries_are_kept(backend: &dyn Backend) {
    let entry = |text: &str| CacheEntry {
        held: true,
        ..CacheEntry::new(Key::of_original(text.as_bytes()), text.as_bytes())
    };
    let entries = ["one", "two"].map(entry);
    backend.put_all(&entries).await.unwrap();
    backend.put_all(&entries).await.expect("holding twice is not an error");
    for entry in &entries {
        assert_eq!(backend.get(entry.key).await.unwrap().as_ref(), Some(&entry.value));
    }
    backend.remove(entries[0].key).await.unwrap();
    assert_eq!(backend.get(entries[0].key).await.unwrap(), None, "a held entry can be removed");
}

fn key(space: Space, text: &str) -> Key {
    Recipe::new("testkit", "cache").key(space, &[text])
}
