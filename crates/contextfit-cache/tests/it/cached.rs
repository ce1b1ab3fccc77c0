//! Models with a cache in front.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use contextfit_cache::{Answer, Cached, CompressionCache, InMemory, Recipe, Space};
use contextfit_kernel::{EmbeddingProvider, LlmProvider, ProviderError};
use contextfit_testkit::{HashEmbedder, check_embedder};
use contextfit_text::Prices;
use tokio::sync::Barrier;

use crate::fixture::{CountingModel, SetClock, cached, check_one_call, request};

fn memory() -> CompressionCache {
    CompressionCache::new(Arc::new(InMemory::new(16 << 20)))
}

#[tokio::test]
async fn what_was_asked_is_not_asked_again() {
    let model = CountingModel::new("short");
    let cache = Arc::new(memory());
    let cached = cached(&model, &cache).with_prices(Prices::new(2_000_000, None, 10_000_000));
    for _ in 0..3 {
        assert_eq!(cached.complete(&request("text")).await.unwrap().text, "short");
    }
    cached.complete(&request("another text")).await.unwrap();
    assert_eq!(model.calls(), 2);
    let statistics = cache.statistics().await;
    let summary = &statistics.spaces[1];
    assert_eq!((summary.space, summary.hits, summary.misses), ("summary", 2, 2));
    assert_eq!(summary.tokens_saved, 2 * 1010);
    assert_eq!(summary.dollars_saved.to_string(), "$0.004200");
    assert_eq!(statistics.backends[0].entries, Some(2));
}

/// A cache that kept a failure would return it for ever.
#[tokio::test]
async fn errors_are_never_kept() {
    let model = CountingModel::failing("overloaded");
    let cached = cached(&model, &Arc::new(memory()));
    let error = cached.complete(&request("text")).await.unwrap_err();
    assert!(error.retryable && error.model == "counting", "{error:?}");
    assert_eq!(error.to_string(), "model counting failed: overloaded", "everyone gets the reason");
    *model.answer.lock().unwrap() = Ok("short".into());
    assert_eq!(cached.complete(&request("text")).await.unwrap().text, "short");
    assert_eq!(model.calls(), 2);
}

/// An empty answer must be an error, not an entry.
#[tokio::test]
async fn empty_answers_are_errors_and_never_kept() {
    for empty in ["", " \n\t"] {
        let model = CountingModel::new(empty);
        let cached = cached(&model, &Arc::new(memory()));
        assert!(cached.complete(&request("text")).await.is_err());
        *model.answer.lock().unwrap() = Ok("short".into());
        assert_eq!(cached.complete(&request("text")).await.unwrap().text, "short");
    }
}

/// All who wait for a failing call get its error; none of them calls again.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_failure_is_shared_too() {
    let model = CountingModel::failing("overloaded");
    let cached = cached(&model, &Arc::new(memory()));
    let barrier = Arc::new(Barrier::new(50));
    let tasks: Vec<_> = (0..50)
        .map(|_| {
            let (cached, barrier) = (cached.clone(), Arc::clone(&barrier));
            tokio::spawn(async move {
                barrier.wait().await;
                cached.complete(&request("text")).await.unwrap_err()
            })
        })
        .collect();
    for task in tasks {
        assert!(task.await.unwrap().retryable);
    }
    // Requests after the failure call again; that may be some, but not all.
    assert!(model.calls() < 50, "{}", model.calls());
}

/// If the task that made the call is cancelled, another one makes it.
#[tokio::test]
async fn a_cancelled_call_is_made_by_another() {
    let model = CountingModel::new("short");
    let cache = cached(&model, &Arc::new(memory()));
    let other = cache.clone();
    let first = tokio::spawn(async move { cache.complete(&request("text")).await });
    let second = tokio::spawn(async move { other.complete(&request("text")).await });
    while model.calls() == 0 {
        tokio::task::yield_now().await;
    }
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    assert_eq!(second.await.unwrap().unwrap().text, "short");
    assert_eq!(model.calls(), 2);
}

/// The key covers the model, the prompt and the parameters.
#[tokio::test]
async fn another_model_prompt_or_parameter_is_asked_anew() {
    let model = CountingModel::new("short");
    let cache = Arc::new(memory());
    let recipe = Recipe::new("test", "counting");
    let recipes = [
        recipe.clone(),
        recipe.clone().with_prompt_version("2"),
        recipe.clone().with_parameter("temperature", "0"),
        Recipe::new("test", "larger"),
        Recipe::new("elsewhere", "counting"),
    ];
    for (n, recipe) in recipes.into_iter().enumerate() {
        let cached = Cached::new(Arc::clone(&model), Arc::clone(&cache), recipe);
        cached.complete(&request("text")).await.unwrap();
        assert_eq!(model.calls(), n + 1);
    }
}

#[tokio::test]
async fn answers_grow_old() {
    let clock = SetClock::new();
    let cache = memory().with_time_to_live(std::time::Duration::from_secs(60)).with_clock(clock.clock());
    let model = CountingModel::new("short");
    let cached = cached(&model, &Arc::new(cache));
    for (forward, calls) in [(0, 1), (59, 1), (1, 2), (59, 2)] {
        clock.forward(forward);
        cached.complete(&request("text")).await.unwrap();
        assert_eq!(model.calls(), calls);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn layers_make_one_call_too() {
    let far = Arc::new(InMemory::new(1 << 20));
    check_one_call(CompressionCache::new(far).with_front(Arc::new(InMemory::new(1 << 20)))).await;
}

/// An embedding model that records its inputs.
struct Noting(Mutex<Vec<Vec<String>>>, AtomicUsize);

#[async_trait]
impl EmbeddingProvider for Noting {
    fn model(&self) -> &str {
        "noting"
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ProviderError> {
        self.0.lock().unwrap().push(texts.iter().map(|&text| text.to_owned()).collect());
        tokio::task::yield_now().await;
        let drop = self.1.load(Ordering::SeqCst);
        let embedder = HashEmbedder { dimension: 8 };
        Ok(embedder.embed_texts(texts).into_iter().skip(drop).collect())
    }
}

fn noting(drop: usize) -> (Arc<Noting>, Cached<Noting>) {
    let model = Arc::new(Noting(Mutex::default(), AtomicUsize::new(drop)));
    let cached = Cached::new(Arc::clone(&model), Arc::new(memory()), Recipe::new("test", "noting"));
    (model, cached)
}

#[tokio::test]
async fn of_a_batch_only_the_misses_are_asked_for() {
    let (model, cached) = noting(0);
    cached.embed(&["b", "d"]).await.unwrap();
    let texts = ["a", "b", "c", "a", "d"];
    let vectors = cached.embed(&texts).await.unwrap();
    assert_eq!(vectors, HashEmbedder { dimension: 8 }.embed_texts(&texts), "order is kept");
    assert_eq!(*model.0.lock().unwrap(), [vec!["b", "d"], vec!["a", "c"]]);
}

#[tokio::test]
async fn an_answer_of_the_wrong_number_is_an_error() {
    let (model, cached) = noting(1);
    assert!(cached.embed(&["a", "b"]).await.is_err());
    model.1.store(0, Ordering::SeqCst);
    assert_eq!(cached.embed(&["a", "b"]).await.unwrap().len(), 2);
}

/// Overlapping batches: no text is requested twice, and none waits for itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn overlapping_batches_share_their_calls() {
    let (model, cached) = noting(0);
    let barrier = Arc::new(Barrier::new(100));
    let tasks: Vec<_> = (0..100_usize)
        .map(|start| {
            let (cached, barrier) = (cached.clone(), Arc::clone(&barrier));
            tokio::spawn(async move {
                let texts: Vec<String> = (0..10).map(|n| format!("text {}", (start + n * 7) % 40)).collect();
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                barrier.wait().await;
                let vectors = cached.embed(&texts).await.unwrap();
                assert_eq!(vectors, HashEmbedder { dimension: 8 }.embed_texts(&texts));
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(model.0.lock().unwrap().concat().len(), 40);
}

#[tokio::test]
async fn a_cached_embedder_keeps_the_contract() {
    let model = Arc::new(HashEmbedder { dimension: 16 });
    check_embedder(&Cached::new(model, Arc::new(memory()), Recipe::new("test", "hash"))).await;
}

#[tokio::test]
async fn answers_can_be_put_and_removed() {
    let cache = memory();
    let key = Recipe::new("test", "counting").key(Space::Chunk, &["text"]);
    cache.put(key, &Answer::text("")).await;
    assert_eq!(cache.get(key).await, None, "an empty answer is not kept");
    cache.put(key, &Answer::text("short")).await;
    assert_eq!(cache.get(key).await, Some(Answer::text("short")));
    cache.remove(key).await;
    assert_eq!(cache.get(key).await, None);
}
