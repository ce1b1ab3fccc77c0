//! Chunks shortened by a model, with a cache in front.

use std::sync::Arc;

use contextfit_cache::{Answer, Cached, CompressionCache, InMemory, Recipe, Space};
use contextfit_kernel::{Chunk, ChunkCompressor, ChunkOutcome, KeptBecause};

use crate::fixture::CountingModel;

fn cached(model: &Arc<CountingModel>) -> Cached<CountingModel> {
    let cache = CompressionCache::new(Arc::new(InMemory::new(16 << 20)));
    Cached::new(Arc::clone(model), Arc::new(cache), Recipe::new("test", "counting"))
}

fn chunk<'a>(id: &'a str, text: &'a str) -> Chunk<'a> {
    Chunk { id, text, path: Some("a.md") }
}

/// The key is the chunk's text, not its id.
#[tokio::test]
async fn a_chunk_is_asked_once_whatever_it_stands_with() {
    let model = CountingModel::new("short");
    let cached = cached(&model);
    let [a, b, c] = [("a", "a short text"), ("b", "another short text"), ("c", "a text that is short")]
        .map(|(id, text)| chunk(id, text));
    for (chunks, calls) in [(vec![a, b], 2), (vec![c, b, a], 3), (vec![a, a, c], 3), (vec![], 3)] {
        let made = cached.compress(&chunks).await;
        assert_eq!(made.len(), chunks.len());
        assert!(made.iter().all(|made| made.text == "short"));
        assert_eq!(model.calls(), calls);
    }
    let renamed = Chunk { id: "other", ..a };
    cached.compress(&[renamed]).await;
    assert_eq!(model.calls(), 3, "the key is the text, not the id");
    cached.compress(&[Chunk { path: Some("a.rs"), ..a }]).await;
    assert_eq!(model.calls(), 4, "the path determines the language");
}

#[tokio::test]
async fn what_stayed_as_it_was_is_asked_again() {
    let model = CountingModel::new("");
    let cached = cached(&model);
    let long = chunk("a", "no short text");
    for calls in 1..3 {
        let made = cached.compress(&[long]).await;
        assert_eq!(made[0].text, "no short text");
        assert!(matches!(made[0].outcome, ChunkOutcome::Kept(KeptBecause::Empty)));
        assert_eq!(model.calls(), calls);
    }
    *model.answer.lock().unwrap() = Ok("short".into());
    for _ in 0..2 {
        let made = cached.compress(&[long]).await;
        let ChunkOutcome::Shortened { before, after } = made[0].outcome else { panic!("{made:?}") };
        assert_eq!((made[0].text.as_str(), before.get(), after.get()), ("short", 13, 5));
        assert_eq!(model.calls(), 3);
    }
}

/// A cache from before answers were judged, and a model that has improved since.
#[tokio::test]
async fn an_answer_that_cannot_stand_for_its_chunk_is_not_kept_and_not_read() {
    let cache = Arc::new(CompressionCache::new(Arc::new(InMemory::new(16 << 20))));
    let model = CountingModel::new("I'm sorry, I can't help with that.");
    let cached = Cached::new(Arc::clone(&model), Arc::clone(&cache), Recipe::new("test", "counting"));
    let long = chunk("a", "The cache keeps an entry for ten minutes. After that the entry is removed.");
    for calls in 1..3 {
        assert!(
            cached.compress(&[long]).await[0].text.starts_with("I'm sorry"),
            "whoever asked judges it too"
        );
        assert_eq!(model.calls(), calls, "it is not kept");
    }
    let key = Recipe::new("test", "counting").key(Space::Chunk, &[long.text, "a.md"]);
    cache.put(key, &Answer::text("I'm sorry, I can't help with that.")).await;
    *model.answer.lock().unwrap() = Ok("An entry is kept for ten minutes.".into());
    for _ in 0..2 {
        assert_eq!(cached.compress(&[long]).await[0].text, "An entry is kept for ten minutes.");
        assert_eq!(model.calls(), 3);
    }
    let statistics = cache.statistics().await;
    let chunks = &statistics.spaces[2];
    assert_eq!((chunks.hits, chunks.misses), (1, 3));
}

#[tokio::test]
async fn a_refreshing_cache_reads_nothing_and_keeps_what_is_made() {
    let shelf = Arc::new(InMemory::new(16 << 20));
    let with = |cache: CompressionCache, model: &Arc<CountingModel>| {
        Cached::new(Arc::clone(model), Arc::new(cache), Recipe::new("test", "counting"))
    };
    let (first, second) = (CountingModel::new("short"), CountingModel::new("a short one"));
    let text = chunk("a", "a short text, and one more");
    with(CompressionCache::new(shelf.clone()), &first).compress(&[text]).await;
    let made = with(CompressionCache::new(shelf.clone()).refreshing(), &second).compress(&[text]).await;
    assert_eq!((made[0].text.as_str(), second.calls()), ("a short one", 1));
    let made = with(CompressionCache::new(shelf), &first).compress(&[text]).await;
    assert_eq!((made[0].text.as_str(), first.calls()), ("a short one", 1));
}
