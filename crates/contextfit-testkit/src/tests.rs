//! The fakes pass the suites: a suite that rejects the simplest implementation is itself wrong.

use std::sync::Arc;

use contextfit_kernel::EmbeddingProvider;

use crate::{DropAll, HashEmbedder, PairCounter, Stubborn, check_counter, check_embedder, check_strategy};

#[test]
fn the_pair_counter_counts() {
    check_counter(&PairCounter);
}

#[test]
fn a_strategy_that_drops_everything_is_valid() {
    check_strategy(Arc::new(DropAll));
}

/// The pipeline falls back when the strategy never shortens.
#[test]
fn a_strategy_that_never_shortens_is_harmless() {
    check_strategy(Arc::new(Stubborn));
}

#[tokio::test]
async fn the_hash_embedder_embeds() {
    for dimension in [1, 64] {
        check_embedder(&HashEmbedder { dimension }).await;
    }
}

#[tokio::test]
async fn the_hash_embedder_sees_shared_words() {
    let embedder = HashEmbedder { dimension: 64 };
    let texts = ["a red car", "the Red car!", "bananas are yellow", "..."];
    let vectors = embedder.embed_texts(&texts);
    assert_eq!(vectors, embedder.embed(&texts).await.unwrap());
    let cosine = |n: usize| vectors[0].iter().zip(&vectors[n]).map(|(l, r)| l * r).sum::<f32>();
    assert!(cosine(1) > 0.6 && cosine(2).abs() < 0.5, "{} {}", cosine(1), cosine(2));
    assert_eq!(vectors[3], [0.0; 64]);
}
