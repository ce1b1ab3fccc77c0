//! Relevance.

use std::sync::Arc;

/// Says how relevant texts are to a query.
///
/// Pure and deterministic. Implementers owe one finite, non-negative score for each text, in order; higher is more
/// relevant, zero is not relevant at all. Scores of one call compare with each other, not with those of another.
pub trait Scorer: Send + Sync {
    /// The scores of `texts`, in order. Linear in the length of the texts.
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64>;

    /// For each of `queries` what [`score`](Self::score) says of `texts`. To be overridden where texts need not be read
    /// anew for each.
    fn score_each(&self, queries: &[&str], texts: &[&str]) -> Vec<Vec<f64>> {
        queries.iter().map(|query| self.score(query, texts)).collect()
    }
}

impl<T: Scorer + ?Sized> Scorer for Arc<T> {
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        (**self).score(query, texts)
    }

    fn score_each(&self, queries: &[&str], texts: &[&str]) -> Vec<Vec<f64>> {
        (**self).score_each(queries, texts)
    }
}
