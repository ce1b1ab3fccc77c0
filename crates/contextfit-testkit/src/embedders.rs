//! The suite for embedding models.

use contextfit_kernel::EmbeddingProvider;
use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::{Config, TestRunner},
};

use crate::awkward_texts;

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
