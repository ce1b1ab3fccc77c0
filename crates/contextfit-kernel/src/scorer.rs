//! Relevance of texts to a query.

use std::{iter, ops::Range, sync::Arc};

/// Scores how relevant texts are to a query.
///
/// Implementations must be pure and deterministic, and return one finite, non-negative score per text, in order. Higher
/// is more relevant, and zero is not relevant. Scores are comparable within one call, but not between calls.
pub trait Scorer: Send + Sync {
    /// Returns the scores of `texts`, in order. Linear in the length of the texts.
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64>;

    /// Returns, for each of `questions`, the [`score`](Self::score)s of its texts. Texts are made of `parts`, which
    /// must not end inside a word. Override this if parts that several texts share need not be read again.
    fn score_parts(&self, parts: &[&str], questions: &[Question<'_>]) -> Vec<Vec<f64>> {
        let scores = questions.iter().map(|question| {
            let texts = question.texts.iter().map(|text| text.of(parts).copied().collect());
            let texts: Vec<String> = texts.collect();
            self.score(question.query, &texts.iter().map(String::as_str).collect::<Vec<_>>())
        });
        scores.collect()
    }
}

/// A query and the texts to score against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question<'a> {
    /// The query.
    pub query: &'a str,
    /// The texts to score.
    pub texts: &'a [PartedText],
}

/// A text as consecutive runs of parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartedText(pub Vec<Range<usize>>);

impl PartedText {
    /// The elements of `parts` that the text consists of, in order. A run beyond the end of `parts` yields nothing.
    pub fn of<'p, T>(&self, parts: &'p [T]) -> impl Iterator<Item = &'p T> {
        self.0.iter().flat_map(|run| parts.get(run.clone()).unwrap_or_default())
    }
}

impl From<Range<usize>> for PartedText {
    /// A text of a single run.
    fn from(run: Range<usize>) -> Self {
        Self(iter::once(run).collect())
    }
}

impl<T: Scorer + ?Sized> Scorer for Arc<T> {
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        (**self).score(query, texts)
    }

    fn score_parts(&self, parts: &[&str], questions: &[Question<'_>]) -> Vec<Vec<f64>> {
        (**self).score_parts(parts, questions)
    }
}
