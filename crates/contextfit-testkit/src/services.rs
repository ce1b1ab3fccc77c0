//! The suites for what answers from outside: embedding models, language models, stores of originals.

use std::{
    pin::{Pin, pin},
    task::{Context, Waker},
};

use contextfit_kernel::{CompletionRequest, EmbeddingProvider, LlmProvider, OriginalStore, Tokens};
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, TestRunner},
};

use crate::inputs::awkward_texts;

/// How far a number may differ when a text is embedded alone: models that pad their batches sum in a different order.
const TOLERANCE: f32 = 1e-5;

/// Checks the contract of `embedder` on awkward and arbitrary texts: one vector per text, in order, all of one
/// dimension, finite, the same every time, and the same alone as in a batch.
///
/// # Panics
/// If the contract is violated.
pub async fn check_embedder(embedder: &dyn EmbeddingProvider) {
    assert!(!embedder.model().is_empty(), "a cache needs the model's name");
    let none = embedder.embed(&[]).await.expect("embedding no texts is not an error");
    assert!(none.is_empty(), "no texts, no vectors");
    check_texts(embedder, &awkward_texts()).await;
    // The runner's own loop cannot await.
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let texts = proptest::collection::vec("(?s).{0,120}", 1..8);
    for _ in 0..32 {
        let texts = texts.new_tree(&mut runner).expect("the strategy rejects nothing").current();
        check_texts(embedder, &texts).await;
    }
}

async fn check_texts(embedder: &dyn EmbeddingProvider, texts: &[String]) {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = embed(embedder, &texts).await;
    assert_eq!(vectors, embed(embedder, &texts).await, "embedded twice: {texts:?}");
    let dimension = vectors[0].len();
    assert!(dimension > 0, "a vector has a dimension");
    for (text, vector) in texts.iter().zip(&vectors) {
        assert_eq!(vector.len(), dimension, "the dimension of {text:?}");
        assert!(vector.iter().all(|x| x.is_finite()), "{text:?} has {vector:?}");
        let alone = embed(embedder, &[text]).await;
        assert!(is_close(&alone[0], vector), "{text:?}: {:?} alone, {vector:?} in a batch", alone[0]);
    }
    let reversed: Vec<&str> = texts.iter().rev().copied().collect();
    for (left, right) in embed(embedder, &reversed).await.iter().rev().zip(&vectors) {
        assert!(is_close(left, right), "the vectors are not in the order of the texts: {texts:?}");
    }
}

async fn embed(embedder: &dyn EmbeddingProvider, texts: &[&str]) -> Vec<Vec<f32>> {
    let vectors = embedder.embed(texts).await.unwrap_or_else(|error| panic!("{error}: {texts:?}"));
    assert_eq!(vectors.len(), texts.len(), "one vector for each text");
    vectors
}

/// Whether each pair of numbers is within the tolerance, relative to the longest vector.
fn is_close(left: &[f32], right: &[f32]) -> bool {
    let longest = left.iter().chain(right).fold(0.0_f32, |longest, x| longest.max(x.abs()));
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| (left - right).abs() <= TOLERANCE * longest)
}

/// Checks the contract of `llm` on awkward texts: it has a name, every request gets an answer or an error that names
/// the model, an empty answer is never a success, reported figures are consistent, and dropping a call does no harm.
///
/// The content of answers is up to the model; only an empty text is wrong.
///
/// # Panics
/// If the contract is violated.
pub async fn check_llm(llm: &dyn LlmProvider) {
    assert!(!llm.model().is_empty(), "a cache needs the model's name");
    assert_eq!(llm.model(), llm.model(), "the name stays the same");
    for text in awkward_texts() {
        check_request(llm, &CompletionRequest::new("Shorten the text.", text, Tokens::new(64))).await;
    }
    check_request(llm, &CompletionRequest::new("", "Say something.", Tokens::new(1))).await;
    let request = CompletionRequest::new("Answer with one word.", "Are you there?", Tokens::new(16));
    // A call that has started and is dropped, as by a timeout.
    poll_once(pin!(llm.complete(&request)));
    check_request(llm, &request).await;
}

async fn check_request(llm: &dyn LlmProvider, request: &CompletionRequest) {
    match llm.complete(request).await {
        Ok(answer) => {
            assert!(!answer.text.trim().is_empty(), "an empty answer is an error: {request:?}");
            let (read, cached) = (answer.tokens_in, answer.tokens_cached);
            assert!(cached.is_none_or(|cached| read.is_none_or(|read| cached <= read)), "{answer:?}");
        }
        Err(error) => {
            assert_eq!(error.model, llm.model(), "the error names the model: {error:?}");
            assert!(!error.source.to_string().is_empty(), "the error has a message: {error:?}");
        }
    }
}

/// Starts a call and polls it once.
fn poll_once<F: Future>(call: Pin<&mut F>) {
    let _ = call.poll(&mut Context::from_waker(Waker::noop()));
}

/// Checks the contract of `store`, which must have room for a few megabytes: exact texts, one handle per text.
///
/// # Panics
/// If the contract is violated.
pub async fn check_store(store: &dyn OriginalStore) {
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let arbitrary = (0..32).map(|_| "(?s).{0,200}".new_tree(&mut runner).unwrap().current());
    let mut texts: Vec<String> = awkward_texts().into_iter().chain(arbitrary).collect();
    texts.sort();
    texts.dedup();
    let borrowed: Vec<&str> = texts.iter().map(String::as_str).collect();
    let handles = store.store_all(&borrowed).await.expect("texts are stored");
    assert_eq!(handles.len(), texts.len(), "one handle per text");
    for (text, handle) in texts.iter().zip(&handles) {
        let loaded = store.load(handle).await.unwrap_or_else(|error| panic!("{error}: {text:?}"));
        assert_eq!(loaded.as_ref(), Some(text), "exact bytes");
        assert_eq!(&store.store(text).await.unwrap(), handle, "the same handle: {text:?}");
    }
    let mut distinct = handles.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), handles.len(), "different texts have different handles");
    for wrong in
        ["", "no handle", "漢字", &handles[0][..handles[0].len() / 2], &handles[0].replace(|_| true, "0")]
    {
        // An error or nothing; any text would be the wrong one.
        assert!(!matches!(store.load(wrong).await, Ok(Some(_))), "{wrong:?} has a text");
    }
}
