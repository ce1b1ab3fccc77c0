//! What lies in a cache: bytes that were not put there under this key are never an answer, and damage is not an error.

#![no_main]

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use contextfit_cache::{
    Answer, Backend, BackendStat, CacheEntry, CacheError, CompressionCache, Digest, Key, Originals,
};
use contextfit_kernel::OriginalStore;
use libfuzzer_sys::fuzz_target;

/// Finds the same bytes under every key.
#[derive(Default)]
struct Anything(Mutex<Option<Arc<[u8]>>>);

#[async_trait]
impl Backend for Anything {
    fn name(&self) -> &'static str {
        "anything"
    }

    async fn get_all(&self, keys: &[Key]) -> Result<Vec<Option<Arc<[u8]>>>, CacheError> {
        Ok(vec![self.0.lock().unwrap().clone(); keys.len()])
    }

    async fn put_all(&self, entries: &[CacheEntry]) -> Result<(), CacheError> {
        *self.0.lock().unwrap() = entries.last().map(|entry| Arc::clone(&entry.value));
        Ok(())
    }

    async fn remove(&self, _: Key) -> Result<(), CacheError> {
        *self.0.lock().unwrap() = None;
        Ok(())
    }

    async fn stat(&self) -> Result<BackendStat, CacheError> {
        Ok(BackendStat::default())
    }
}

fuzz_target!(|input: (u16, &[u8])| {
    let (at, bytes) = input;
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(check(at.into(), bytes));
});

async fn check(at: usize, bytes: &[u8]) {
    let backend = Arc::new(Anything::default());
    let cache = CompressionCache::new(backend.clone());
    let key = Key::of_original(bytes);
    *backend.0.lock().unwrap() = Some(bytes.into());
    assert_eq!(cache.get(key).await, None, "an answer that nobody gave");

    // One changed byte of what was put is noticed; unchanged, it comes back.
    let answer = Answer { body: bytes.to_vec(), ..Answer::text("") };
    cache.put(key, &answer).await;
    let Some(stored) = backend.0.lock().unwrap().clone() else { return assert!(bytes.is_empty()) };
    assert_eq!(cache.get(key).await, Some(answer));
    let mut damaged = stored.to_vec();
    let place = at % damaged.len();
    damaged[place] ^= 1 + (at >> 8) as u8 % 255;
    *backend.0.lock().unwrap() = Some(damaged.into());
    assert_eq!(cache.get(key).await, None, "byte {place} was changed");

    let text = String::from_utf8_lossy(bytes);
    let digest = text.parse::<Digest>();
    assert!(digest.is_ok_and(|digest| digest.to_string().eq_ignore_ascii_case(&text)) || digest.is_err());
    *backend.0.lock().unwrap() = Some(bytes.into());
    let other = Digest::of(&stored).to_string();
    assert!(
        !matches!(Originals::new(backend).load(&other).await, Ok(Some(_))),
        "another text than the handle names"
    );
}
