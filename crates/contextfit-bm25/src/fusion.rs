//! Fusion of lexical and embedding scores.

use std::collections::HashMap;

use contextfit_kernel::{EmbeddingProvider, ProviderError, Scorer, Values, nearness};
use contextfit_text::scaled;

use crate::{corpus::Corpus, options::weight};

/// The weights with which embedding scores are added to lexical scores. All scores are scaled to 0..1 before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fusion {
    /// The weight of the sentence's score.
    pub sentence: f64,
    /// The weight of the score of its whole block.
    pub passage: f64,
}

impl Default for Fusion {
    /// 0.4 and 0.3, so that words take precedence (measured with static embeddings and with a network,
    /// docs/embeddings.md).
    fn default() -> Self {
        Self { sentence: 0.4, passage: 0.3 }
    }
}

/// The embedding scores of a request.
pub(crate) struct EmbeddingScores {
    /// The score of each sentence.
    pub(crate) sentences: Vec<f64>,
    /// The score of each block.
    pub(crate) passages: Vec<f64>,
}

impl Fusion {
    /// Combines `scores` with `embedded`. Linear.
    pub(crate) fn fuse(self, scores: &mut [f64], embedded: &EmbeddingScores, corpus: &Corpus) {
        let (lexical, near, around) =
            (scaled(scores), scaled(&embedded.sentences), scaled(&embedded.passages));
        let (sentence, passage) = (weight(self.sentence), weight(self.passage));
        for block in 0..corpus.n_blocks() {
            for n in corpus.sentences(block) {
                let by_embedding = sentence * near.at(n) + passage * around.at(block);
                scores.set(n, lexical.at(n) + by_embedding);
            }
        }
    }
}

/// The similarity of texts to one query according to an embedding model: a [`Scorer`] that looks up vectors which were
/// computed before.
///
/// Models are called asynchronously but strategies plan synchronously, so texts are embedded before planning.
#[derive(Debug, Clone, PartialEq)]
pub struct Similarity {
    query: String,
    asked: Vec<f32>,
    vectors: HashMap<String, Vec<f32>>,
}

impl Similarity {
    /// Embeds `query` and `texts` in one call and stores their vectors.
    ///
    /// # Errors
    /// Any error of the provider; a non-retryable [`ProviderError`] if it returns the wrong number of vectors.
    pub async fn embed(
        provider: &dyn EmbeddingProvider,
        query: &str,
        texts: &[String],
    ) -> Result<Self, ProviderError> {
        let all: Vec<&str> = [query].into_iter().chain(texts.iter().map(String::as_str)).collect();
        let mut vectors = provider.embed(&all).await?;
        if vectors.len() != all.len() {
            let found = format!("{} vectors for {} texts", vectors.len(), all.len());
            return Err(ProviderError::new(provider.model(), false, found));
        }
        let rest = vectors.split_off(1);
        let asked = vectors.pop().unwrap_or_default();
        Ok(Self { query: query.into(), asked, vectors: texts.iter().cloned().zip(rest).collect() })
    }
}

impl Scorer for Similarity {
    /// The [`nearness`] of each text; 0 for texts that were not embedded, and for any other query.
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        let known = |text: &&str| self.vectors.get(*text).map(Vec::as_slice).unwrap_or_default();
        let asked: &[f32] = if query == self.query { &self.asked } else { &[] };
        nearness(asked, &texts.iter().map(known).collect::<Vec<_>>())
    }
}
