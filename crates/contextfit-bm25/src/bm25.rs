//! The Okapi BM25 ranking function.

use contextfit_kernel::Scorer;
use contextfit_text::{Analyzer, Lexicon, Term, Tongue};

use crate::{
    options::weight,
    query::{Query, analyzer_for},
};

/// BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond"), with the inverse
/// document frequency `ln(1 + (N - n + 0.5) / (n + 0.5))`, which is never negative.
///
/// Words are compared as [`Analyzer`] folds them, in the language that query and texts are most likely in. Linear in the
/// length of query and texts.
///
/// ```
/// use contextfit_bm25::Bm25;
/// use contextfit_kernel::Scorer;
///
/// let scores = Bm25::default().score("token budgets", &["fn enforce_budget()", "fn main()"]);
/// assert!(scores[0] > scores[1]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bm25 {
    k1: f64,
    b: f64,
}

impl Default for Bm25 {
    /// k1 = 1.2, b = 0.75: the usual values for texts of the length of passages.
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75 }
    }
}

impl Bm25 {
    /// BM25 with term saturation `k1` and length normalisation `b`. Values outside `0..` and `0..=1` are brought inside,
    /// what is not a number counts as zero.
    #[must_use]
    pub fn new(k1: f64, b: f64) -> Self {
        Self { k1: weight(k1), b: weight(b).min(1.0) }
    }

    /// What a term that occurs `count` times in a text `length` times the average adds, next to its weight.
    pub(crate) fn saturated(self, count: f64, length: f64) -> f64 {
        if count <= 0.0 {
            return 0.0;
        }
        count * (self.k1 + 1.0) / (count + self.k1 * (1.0 - self.b + self.b * length))
    }
}

/// The inverse document frequency of a term that occurs in `having` of `all` texts: never negative.
pub(crate) fn inverse_document_frequency(having: usize, all: usize) -> f64 {
    let (having, all) = (exact(having), exact(all));
    (1.0 + (all - having + 0.5).max(0.0) / (having + 0.5)).ln()
}

/// A count as a float.
#[expect(clippy::cast_precision_loss, reason = "counts of texts and words stay far below 2^53")]
pub(crate) const fn exact(n: usize) -> f64 {
    n as f64
}

/// Texts as their terms.
struct Read {
    lexicon: Lexicon,
    terms: Vec<Term>,
    /// Where the terms of each text end.
    ends: Vec<usize>,
}

impl Read {
    fn new(texts: &[&str], analyzer: Analyzer) -> Self {
        let mut lexicon = Lexicon::new(analyzer);
        let mut terms = Vec::new();
        let read = |text: &&str| {
            lexicon.read(text, &mut terms);
            terms.len()
        };
        let ends = texts.iter().map(read).collect();
        Self { lexicon, terms, ends }
    }
}

impl Scorer for Bm25 {
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        self.score_each(&[query], texts).pop().unwrap_or_default()
    }

    /// Texts are read once for all queries that are in the same language.
    fn score_each(&self, queries: &[&str], texts: &[&str]) -> Vec<Vec<f64>> {
        let mut read: Option<Read> = None;
        let scores = queries.iter().map(|query| {
            let tongue = Tongue::of_texts([*query].into_iter().chain(texts.iter().copied()));
            let analyzer = analyzer_for(query, tongue);
            let known = read.take().filter(|read| read.lexicon.analyzer() == analyzer);
            let read = read.insert(known.unwrap_or_else(|| Read::new(texts, analyzer)));
            let query = Query::new(query, &mut read.lexicon, &read.terms);
            self.scores(&query, read)
        });
        scores.collect()
    }
}

impl Bm25 {
    /// The scores of texts that have been read.
    fn scores(self, query: &Query, Read { terms, ends, .. }: &Read) -> Vec<f64> {
        let average = (exact(terms.len()) / exact(ends.len().max(1))).max(1.0);
        let mut having = vec![0; query.len()];
        let mut found: Vec<(usize, f64)> = Vec::new();
        // For each term of the query where it was found last.
        let mut at = vec![0; query.len()];
        let mut start = 0;
        let mut lengths = Vec::with_capacity(ends.len());
        for &end in ends.iter() {
            let text = terms.get(start..end).unwrap_or_default();
            let first = found.len();
            for place in text.iter().filter_map(|&term| query.place(term)) {
                let Some(at) = at.get_mut(place) else { continue };
                match found.get_mut(*at).filter(|(known, _)| *at >= first && *known == place) {
                    Some((_, count)) => *count += 1.0,
                    None => {
                        *at = found.len();
                        found.push((place, 1.0));
                    }
                }
            }
            for (place, _) in found.iter().skip(first) {
                having.get_mut(*place).into_iter().for_each(|texts| *texts += 1);
            }
            lengths.push((found.len(), exact(text.len()) / average));
            start = end;
        }
        let idf: Vec<f64> = having.iter().map(|&n| inverse_document_frequency(n, ends.len())).collect();
        let mut first = 0;
        let score = |(last, length): (usize, f64)| {
            let terms = found.get(first..last).unwrap_or_default();
            first = last;
            let term = |&(place, count): &(usize, f64)| {
                idf.get(place).unwrap_or(&0.0) * self.saturated(count, length)
            };
            terms.iter().map(term).sum()
        };
        lengths.into_iter().map(score).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(query: &str, texts: &[&str], best: usize) {
        let scores = Bm25::default().score(query, texts);
        let found = scores.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(n, _)| n);
        assert_eq!(found, Some(best), "{scores:?}");
    }

    #[test]
    fn best_text() {
        check(
            "which budgets are enforced",
            &["the where is", "fn enforceBudget() // enforced", "a budget"],
            1,
        );
        check("neural networks", &["Networks.", "neural NETWORKS.", "network"], 1);
        check("rare common", &["common common common", "rare", "common", "common"], 1);
        check("предел бюджета", &["совсем другое", "пределы бюджетов"], 1);
        check("to be or not to be", &["what is the question", "be that as it may, to be is to do"], 1);
        check("預算在哪裡檢查", &["完全不同的文字", "這裡檢查預算"], 1);
        check("recieve budgets", &["he gave nothing", "to receive a thing", "some other"], 1);
    }

    #[test]
    fn nothing_in_common() {
        assert_eq!(Bm25::default().score("zebra", &["a", "b", ""]), [0.0, 0.0, 0.0]);
        assert_eq!(Bm25::default().score("", &["a"]), [0.0]);
        assert!(Bm25::default().score("x", &[]).is_empty());
    }

    #[test]
    fn frequency_is_never_negative() {
        for (having, all) in [(0, 0), (1, 1), (5, 5), (3, 10), (10, 3)] {
            assert!(inverse_document_frequency(having, all) >= 0.0, "{having} of {all}");
        }
    }

    proptest! {
        #[test]
        fn finite_and_never_negative(query in ".{0,40}", texts in prop::collection::vec(".{0,80}", 0..10)) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let scores = Bm25::default().score(&query, &texts);
            prop_assert_eq!(scores.len(), texts.len());
            prop_assert!(scores.iter().all(|score| score.is_finite() && *score >= 0.0));
        }
    }
}
