//! Relevance.

use std::{iter, ops::Range, sync::Arc};

/// Says how relevant texts are to a query.
///
/// Pure and deterministic. Implementers owe one finite, non-negative score for each text, in order; higher is more
/// relevant, zero is not relevant at all. Scores of one call compare with each other, not with those of another.
pub trait Scorer: Send + Sync {
    /// The scores of `texts`, in order. Linear in the length of the texts.
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64>;

    /// For each of `questions` what [`score`](Self::score) says of its texts. They are made of `parts`, which must not end
    /// inside a word: to be overridden where parts that several texts share need not be read anew for each.
    fn score_parts(&self, parts: &[&str], questions: &[Question<'_>]) -> Vec<Vec<f64>> {
        let scores = questions.iter().map(|question| {
            let texts = question.texts.iter().map(|text| text.of(parts).copied().collect());
            let texts: Vec<String> = texts.collect();
            self.score(question.query, &texts.iter().map(String::as_str).collect::<Vec<_>>())
        });
        scores.collect()
    }
}

/// A query, and the texts that are scored by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Question<'a> {
    /// What is asked.
    pub query: &'a str,
    /// What is scored.
    pub texts: &'a [PartedText],
}

/// A text as runs of parts, one behind the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartedText(pub Vec<Range<usize>>);

impl PartedText {
    /// What there is in `parts` for each part of the text, in order; nothing for a run that goes beyond the last of them.
    pub fn of<'p, T>(&self, parts: &'p [T]) -> impl Iterator<Item = &'p T> {
        self.0.iter().flat_map(|run| parts.get(run.clone()).unwrap_or_default())
    }
}

impl From<Range<usize>> for PartedText {
    /// The text of a single run.
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
