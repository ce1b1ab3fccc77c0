//! Back ends that fail, and bytes that are not what they were.

use std::sync::{Arc, atomic::Ordering};

use contextfit_cache::{Backend, CompressionCache, InMemory};
use contextfit_kernel::LlmProvider;

use crate::fixture::{CountingModel, SetClock, Shelf, cached, request};

#[tokio::test]
async fn a_damaged_value_is_a_miss_and_goes() {
    let shelf = Arc::new(Shelf::default());
    let cache = Arc::new(CompressionCache::new(shelf.clone()));
    let model = CountingModel::new("short");
    let cached = cached(&model, &cache);
    cached.complete(&request("text")).await.unwrap();
    shelf.damage();
    assert_eq!(cached.complete(&request("text")).await.unwrap().text, "short");
    assert_eq!(model.calls(), 2);
    cached.complete(&request("text")).await.unwrap();
    assert_eq!(model.calls(), 2, "its replacement is used");
    assert_eq!(cache.statistics().await.backends[0].damaged, 1);
}

/// Two values change places: each is intact, but neither is taken for the other.
#[tokio::test]
async fn a_value_under_another_key_is_found_out() {
    let shelf = Arc::new(Shelf::default());
    let model = CountingModel::new("of one");
    let cached = cached(&model, &Arc::new(CompressionCache::new(shelf.clone())));
    cached.complete(&request("one")).await.unwrap();
    *model.answer.lock().unwrap() = Ok("of the other".into());
    cached.complete(&request("other")).await.unwrap();
    {
        let mut entries = shelf.entries.lock().unwrap();
        let keys: Vec<_> = entries.keys().copied().collect();
        let (one, other) = (entries[&keys[0]].clone(), entries[&keys[1]].clone());
        entries.extend([(keys[0], other), (keys[1], one)]);
    }
    *model.answer.lock().unwrap() = Ok("anew".into());
    assert_eq!(cached.complete(&request("one")).await.unwrap().text, "anew");
}

#[tokio::test]
async fn a_back_end_that_is_down_is_left_alone_for_a_while() {
    let (shelf, clock) = (Arc::new(Shelf::default()), SetClock::new());
    let cache = Arc::new(CompressionCache::new(shelf.clone()).with_clock(clock.clock()));
    let model = CountingModel::new("short");
    let cached = cached(&model, &cache);
    shelf.is_down.store(true, Ordering::SeqCst);
    for n in 0..10 {
        assert_eq!(cached.complete(&request(&n.to_string())).await.unwrap().text, "short");
    }
    assert_eq!(shelf.calls.load(Ordering::SeqCst), 1, "asked once");
    assert_eq!(cache.statistics().await.backends[0].failures, 1);
    shelf.is_down.store(false, Ordering::SeqCst);
    clock.forward(5);
    cached.complete(&request("text")).await.unwrap();
    cached.complete(&request("text")).await.unwrap();
    assert_eq!(model.calls(), 11, "it is used again");
}

/// `both`, as in KB Labs Mind: the front serves while the back end behind is down, and is filled from it.
#[tokio::test]
async fn memory_in_front_serves_when_the_rest_is_down() {
    let shelf = Arc::new(Shelf::default());
    let model = CountingModel::new("short");
    let both = || CompressionCache::new(shelf.clone()).with_front(Arc::new(InMemory::new(1 << 20)));
    cached(&model, &Arc::new(both())).complete(&request("text")).await.unwrap();
    let second = Arc::new(both());
    let cached = cached(&model, &second);
    cached.complete(&request("text")).await.unwrap();
    assert_eq!(model.calls(), 1, "found behind");
    shelf.is_down.store(true, Ordering::SeqCst);
    cached.complete(&request("text")).await.unwrap();
    assert_eq!(model.calls(), 1, "found in front");
    let asked = shelf.calls.load(Ordering::SeqCst);
    cached.complete(&request("text")).await.unwrap();
    assert_eq!(shelf.calls.load(Ordering::SeqCst), asked, "the back end behind is not queried");
}

#[tokio::test]
async fn a_front_end_does_not_keep_what_is_over() {
    let (shelf, clock) = (Arc::new(Shelf::default()), SetClock::new());
    let memory: Arc<dyn Backend> = Arc::new(InMemory::new(1 << 20));
    let cache = CompressionCache::new(shelf)
        .with_front(memory)
        .with_time_to_live(std::time::Duration::from_secs(60))
        .with_clock(clock.clock());
    let model = CountingModel::new("short");
    let cached = cached(&model, &Arc::new(cache));
    cached.complete(&request("text")).await.unwrap();
    clock.forward(60);
    cached.complete(&request("text")).await.unwrap();
    assert_eq!(model.calls(), 2);
}
