//! Chunks that a model makes shorter, behind a cache.

use std::sync::Arc;

use contextfit_cache::{Cached, CompressionCache, Memory, Recipe};
use contextfit_kernel::{Chunk, ChunkCompressor, ChunkOutcome, KeptBecause};

use crate::fixture::CountingModel;

fn cached(model: &Arc<CountingModel>) -> Cached<CountingModel> {
    let cache = CompressionCache::new(Arc::new(Memory::new(16 << 20)));
    Cached::new(Arc::clone(model), Arc::new(cache), Recipe::new("test", "counting"))
}

fn chunk<'a>(id: &'a str, text: &'a str) -> Chunk<'a> {
    Chunk { id, text, path: Some("a.md") }
}

/// The original of seeds 000 and 001 was keyed by the chunk's id, and never hit.
#[tokio::test]
async fn a_chunk_is_asked_once_whatever_it_stands_with() {
    let model = CountingModel::new("short");
    let cached = cached(&model);
    let [a, b, c] = ["a", "b", "c"].map(|id| chunk(id, id));
    for (chunks, calls) in [(vec![a, b], 2), (vec![c, b, a], 3), (vec![a, a, c], 3), (vec![], 3)] {
        let made = cached.compress(&chunks).await;
        assert_eq!(made.len(), chunks.len());
        assert!(made.iter().all(|made| made.text == "short"));
        assert_eq!(model.calls(), calls);
    }
    let renamed = Chunk { id: "other", ..a };
    cached.compress(&[renamed]).await;
    assert_eq!(model.calls(), 3, "the text counts, not the id");
    cached.compress(&[Chunk { path: Some("a.rs"), ..a }]).await;
    assert_eq!(model.calls(), 4, "the path tells the language");
}

#[tokio::test]
async fn what_stayed_as_it_was_is_asked_again() {
    let model = CountingModel::new("");
    let cached = cached(&model);
    let long = chunk("a", "a long text");
    for calls in 1..3 {
        let made = cached.compress(&[long]).await;
        assert_eq!(made[0].text, "a long text");
        assert!(matches!(made[0].outcome, ChunkOutcome::Kept(KeptBecause::Empty)));
        assert_eq!(model.calls(), calls);
    }
    *model.answer.lock().unwrap() = Ok("short".into());
    for _ in 0..2 {
        let made = cached.compress(&[long]).await;
        let ChunkOutcome::Shortened { before, after } = made[0].outcome else { panic!("{made:?}") };
        assert_eq!((made[0].text.as_str(), before.get(), after.get()), ("short", 11, 5));
        assert_eq!(model.calls(), 3);
    }
}
