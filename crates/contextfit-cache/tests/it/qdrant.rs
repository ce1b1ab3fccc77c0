//! Qdrant without a server: the official client against a stand-in that speaks the published API. These tests do not
//! run against a real server.

mod server;

use std::sync::Arc;

use contextfit_cache::{
    Backend, CacheEntry, Cached, CompressionCache, Digest, InMemory, Key, Originals, Qdrant, Recipe,
};
use contextfit_kernel::{Chunk, ChunkCompressor, LlmProvider, OriginalStore};
use contextfit_testkit::{check_cache, check_store};
use tonic::Status;

use self::server::Standin;
use crate::fixture::{CountingModel, SetClock, cached, check_one_call, check_shared, request};

const COLLECTION: &str = "contextfit-cache";

fn start() -> (Standin, Qdrant) {
    let standin = Standin::default();
    let address = standin.start();
    (standin, Qdrant::new(&format!("http://{address}"), None).unwrap())
}

impl Standin {
    fn n_points(&self) -> usize {
        self.0.lock().unwrap().collections[COLLECTION].len()
    }
}

#[tokio::test]
async fn it_keeps_the_contract() {
    let (standin, qdrant) = start();
    check_cache(&qdrant).await;
    check_store(&Originals::new(Arc::new(qdrant.clone()))).await;
    assert_eq!(qdrant.stat().await.unwrap().entries, Some(standin.n_points() as u64));
    assert_eq!(standin.0.lock().unwrap().indexes, [(COLLECTION.to_owned(), "source".to_owned())]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_at_once_make_one_call() {
    check_one_call(CompressionCache::new(Arc::new(start().1))).await;
}

/// `both`, as in KB Labs Mind: memory in front of Qdrant.
#[tokio::test]
async fn another_machine_makes_no_calls() {
    let (_, qdrant) = start();
    let machine = || {
        CompressionCache::new(Arc::new(qdrant.clone().with_collection("shared")))
            .with_front(Arc::new(InMemory::new(1 << 20)))
    };
    check_shared(machine(), machine()).await;
}

/// What changed must be requested anew, what did not must not, and answers made from an older state go when the index
/// is updated.
#[tokio::test]
async fn an_updated_index_invalidates_by_content() {
    let (standin, qdrant) = start();
    let cache = Arc::new(CompressionCache::new(Arc::new(qdrant.clone())));
    let model = CountingModel::new("text");
    let compress = async |id: &str, text: &str| {
        let cached = Cached::new(model.clone(), cache.clone(), Recipe::new("test", "counting"));
        assert_eq!(cached.compress(&[Chunk { id, text, path: None }]).await[0].text, "text");
        model.calls()
    };
    assert_eq!(compress("chunk 1", "old text").await, 1);
    assert_eq!(compress("chunk 2", "other text").await, 2);
    assert_eq!(compress("chunk 1", "old text").await, 2, "reused across queries");
    assert_eq!(compress("chunk 1", "new text").await, 3, "another text is another request");
    assert_eq!(standin.n_points(), 3);

    qdrant.update("chunk 1", Some(&Digest::of(b"new text"))).await.unwrap();
    assert_eq!(standin.n_points(), 2, "the old state is gone");
    assert_eq!(compress("chunk 1", "new text").await, 3);
    assert_eq!(compress("chunk 2", "other text").await, 3, "others stay");
    qdrant.update("chunk 1", None).await.unwrap();
    assert_eq!(standin.n_points(), 1);
}

#[tokio::test]
async fn what_is_over_can_be_swept() {
    let (standin, qdrant) = start();
    let clock = SetClock::new();
    let qdrant = qdrant.with_clock(clock.clock());
    let expires = Some(clock.now() + std::time::Duration::from_secs(10));
    qdrant.put(CacheEntry { expires, ..CacheEntry::new(Key::of_original(b"1"), *b"1") }).await.unwrap();
    qdrant.put(CacheEntry::new(Key::of_original(b"2"), *b"2")).await.unwrap();
    qdrant.sweep().await.unwrap();
    assert_eq!(standin.n_points(), 2);
    clock.forward(10);
    qdrant.sweep().await.unwrap();
    assert_eq!(standin.n_points(), 1);
}

/// Whatever the server answers, the model is called and the answer returned.
#[tokio::test]
async fn errors_of_the_server_are_misses() {
    let failures = [
        Status::unavailable("no leader"),
        Status::deadline_exceeded("Timeout expired"),
        Status::resource_exhausted("too many requests"),
        Status::unauthenticated("Invalid api-key"),
        Status::internal("Service internal error"),
        Status::invalid_argument("Wrong input"),
    ];
    for failure in failures {
        let (standin, qdrant) = start();
        standin.0.lock().unwrap().failure = Some(failure.clone());
        let error = qdrant.get(Key::of_original(b"key")).await.unwrap_err();
        assert_eq!(error.to_string(), "the qdrant cache is unavailable");
        let model = CountingModel::new("short");
        let cached = cached(&model, &Arc::new(CompressionCache::new(Arc::new(qdrant.clone()))));
        assert_eq!(cached.complete(&request("text")).await.unwrap().text, "short");
        assert!(
            Originals::new(Arc::new(qdrant.clone())).store("text").await.is_err(),
            "no handle: {failure}"
        );
        standin.0.lock().unwrap().failure = None;
        assert_eq!(qdrant.get(Key::of_original(b"key")).await.unwrap(), None, "it is used again");
    }
}

#[tokio::test]
async fn a_collection_that_was_dropped_is_an_error() {
    let (standin, qdrant) = start();
    qdrant.put(CacheEntry::new(Key::of_original(b"1"), *b"1")).await.unwrap();
    standin.0.lock().unwrap().collections.clear();
    assert!(qdrant.get(Key::of_original(b"1")).await.is_err());
}

#[tokio::test]
async fn points_of_another_make_are_nothing() {
    let (standin, qdrant) = start();
    let key = Key::of_original(b"1");
    for field in ["key", "value"] {
        for wrong in [None, Some("wrong")] {
            qdrant.put(CacheEntry::new(key, *b"1")).await.unwrap();
            {
                let mut state = standin.0.lock().unwrap();
                let payload = state.collections.get_mut(COLLECTION).unwrap().values_mut().next().unwrap();
                match wrong {
                    Some(wrong) => drop(payload.insert(field.into(), (wrong.to_owned() + "!").into())),
                    None => drop(payload.remove(field)),
                }
            }
            assert_eq!(qdrant.get(key).await.unwrap(), None, "{field} {wrong:?}");
        }
    }
}

#[tokio::test]
async fn nobody_there_is_a_miss() {
    let qdrant = Qdrant::new("http://127.0.0.1:9", Some("a key")).unwrap();
    assert!(qdrant.get(Key::of_original(b"key")).await.is_err());
    assert!(!format!("{qdrant:?}").contains("a key"));
    assert!(Qdrant::new("no address", None).is_err());
}
