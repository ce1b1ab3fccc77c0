//! Fusion of lexical and embedding scores.

use std::collections::HashMap;

use contextfit_kernel::{EmbeddingProvider, ProviderError, Scorer, Values, nearness};
use contextfit_text::float;

use crate::{corpus::Corpus, options::weight};

/// The method by which embedding scores are combined with lexical scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fusion {
    /// Scales all scores to 0..1 and adds the embedding scores of the sentence and of its whole block, each with a
    /// weight.
    Weighted {
        /// The weight of the sentence's score.
        sentence: f64,
        /// The weight of the block's score.
        passage: f64,
    },
    /// Reciprocal rank fusion (Cormack, Clarke and Buettcher 2009): the sum of `1 / (k + rank)` over the sentence's two
    /// ranks, which start at 1.
    ReciprocalRank {
        /// The constant that flattens the advantage of the first ranks; 60 in the paper.
        k: f64,
    },
}

impl Default for Fusion {
    /// Weighted with 0.4 and 0.3, so that words take precedence (measured with static embeddings and with a network,
    /// docs/embeddings.md).
    fn default() -> Self {
        Self::Weighted { sentence: 0.4, passage: 0.3 }
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
    /// Combines `scores` with `embedded`. Linear, or O(n log n) with ranks.
    pub(crate) fn fuse(self, scores: &mut [f64], embedded: &EmbeddingScores, corpus: &Corpus) {
        match self {
            Self::Weighted { sentence, passage } => {
                let (lexical, near, around) =
                    (scaled(scores), scaled(&embedded.sentences), scaled(&embedded.passages));
                let of = |scores: &[f64], n: usize| scores.at(n);
                for block in 0..corpus.n_blocks() {
                    for n in corpus.sentences(block) {
                        let by_embedding =
                            weight(sentence) * of(&near, n) + weight(passage) * of(&around, block);
                        let fused = of(&lexical, n) + by_embedding;
                        scores.set(n, fused);
                    }
                }
            }
            Self::ReciprocalRank { k } => {
                let ranks = ranks(scores).into_iter().zip(ranks(&embedded.sentences));
                for ((score, embedded), (own, other)) in scores.iter_mut().zip(&embedded.sentences).zip(ranks)
                {
                    // Every sentence has a rank, even if neither score finds it relevant.
                    let found = *score > 0.0 || *embedded > 0.0;
                    *score = if found { 1.0 / (weight(k) + own) + 1.0 / (weight(k) + other) } else { 0.0 };
                }
            }
        }
    }
}

/// `scores` scaled to 0..1. If all are equal, they become 0. Non-finite values count as the lowest.
pub(crate) fn scaled(scores: &[f64]) -> Vec<f64> {
    let finite = || scores.iter().copied().filter(|score| score.is_finite());
    let (low, high) = finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), s| (l.min(s), h.max(s)));
    // The scores are halved first, because the difference of two finite scores may not be finite.
    let range = high / 2.0 - low / 2.0;
    let scale = |&score: &f64| match score.is_finite() && range > 0.0 {
        true => (score / 2.0 - low / 2.0) / range,
        false => 0.0,
    };
    scores.iter().map(scale).collect()
}

/// The rank of each score, 1 for the highest. Of equal scores, the earlier one ranks first.
fn ranks(scores: &[f64]) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = scores.iter().copied().enumerate().collect();
    order.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
    let mut ranks = vec![0.0; scores.len()];
    for (rank, (place, _)) in order.into_iter().enumerate() {
        ranks.set(place, float(rank + 1));
    }
    ranks
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_to_the_request() {
        for (scores, expect) in [
            (vec![], vec![]),
            (vec![3.0], vec![0.0]),
            (vec![2.0, 2.0], vec![0.0, 0.0]),
            (vec![1.0, 3.0, 2.0], vec![0.0, 1.0, 0.5]),
            (vec![-1.0, f64::NAN, 1.0, f64::INFINITY], vec![0.0, 0.0, 1.0, 0.0]),
            (vec![f64::MIN, 0.0, f64::MAX], vec![0.0, 0.5, 1.0]),
            (vec![f64::NAN], vec![0.0]),
        ] {
            assert_eq!(scaled(&scores), expect, "{scores:?}");
        }
    }

    #[test]
    fn ranked_from_the_highest() {
        assert_eq!(ranks(&[0.1, 0.9, 0.5]), [3.0, 1.0, 2.0]);
        assert_eq!(ranks(&[0.5, 0.5, 0.5]), [1.0, 2.0, 3.0]);
        assert!(ranks(&[]).is_empty());
    }
}
