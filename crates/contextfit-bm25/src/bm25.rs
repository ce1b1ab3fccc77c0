//! The Okapi BM25 ranking function.

use std::collections::HashMap;

use contextfit_kernel::Scorer;
use contextfit_text::words;

/// Words that say nothing about what a text is about.
const STOP_WORDS: [&str; 48] = [
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "did", "do", "does", "for",
    "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its", "of", "on", "or",
    "that", "the", "their", "then", "there", "this", "to", "was", "were", "what", "when", "where", "which",
    "who", "why", "will", "with", "you",
];

/// BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond"), with the inverse
/// document frequency `ln(1 + (N - n + 0.5) / (n + 0.5))`, which is never negative.
///
/// Words are compared in lower case and without the endings of English plurals; identifiers count as the words they are
/// made of. Linear in the length of query and texts.
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
    /// k1 = 1.2, b = 0.75.
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75 }
    }
}

impl Bm25 {
    /// BM25 with term saturation `k1` and length normalisation `b`. Values outside `0..` and `0..=1` are brought inside.
    #[must_use]
    pub fn new(k1: f64, b: f64) -> Self {
        Self { k1: k1.max(0.0), b: b.clamp(0.0, 1.0) }
    }
}

impl Scorer for Bm25 {
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        let terms = query_terms(query);
        let counted: Vec<TermCounts> = texts.iter().map(|text| TermCounts::of(text, &terms)).collect();
        let total: f64 = counted.iter().map(|text| f64::from(text.length)).sum();
        let average = (total / exact(texts.len().max(1))).max(1.0);
        let idf: Vec<f64> = (0..terms.len())
            .map(|term| {
                let having = exact(counted.iter().filter(|text| text.count(term) > 0).count());
                (1.0 + (exact(texts.len()) - having + 0.5) / (having + 0.5)).ln()
            })
            .collect();
        let score = |text: &TermCounts| {
            let norm = self.k1 * (1.0 - self.b + self.b * f64::from(text.length) / average);
            let term = |(n, idf): (usize, &f64)| match f64::from(text.count(n)) {
                0.0 => 0.0,
                count => idf * count * (self.k1 + 1.0) / (count + norm),
            };
            idf.iter().enumerate().map(term).sum()
        };
        counted.iter().map(score).collect()
    }
}

/// How often each query term occurs in a text.
#[derive(Debug, Default)]
struct TermCounts {
    /// Pairs of term and count, for terms that occur; few queries have many terms.
    counts: Vec<(usize, u32)>,
    /// Words of the text.
    length: u32,
}

impl TermCounts {
    fn of(text: &str, terms: &HashMap<String, usize>) -> Self {
        let mut found = Self::default();
        let mut folded = String::new();
        for word in words(text) {
            found.length = found.length.saturating_add(1);
            fold(word, &mut folded);
            let Some(&term) = terms.get(folded.as_str()) else { continue };
            match found.counts.iter_mut().find(|(known, _)| *known == term) {
                Some((_, count)) => *count = count.saturating_add(1),
                None => found.counts.push((term, 1)),
            }
        }
        found
    }

    fn count(&self, term: usize) -> u32 {
        self.counts.iter().find(|(known, _)| *known == term).map_or(0, |(_, count)| *count)
    }
}

/// The terms of a query, each once, numbered; stop words left out, unless there is nothing else.
fn query_terms(query: &str) -> HashMap<String, usize> {
    let folded: Vec<String> = words(query)
        .map(|word| {
            let mut folded = String::new();
            fold(word, &mut folded);
            folded
        })
        .collect();
    let telling = |word: &&String| !STOP_WORDS.contains(&word.as_str());
    let any = folded.iter().any(|word| telling(&word));
    let mut terms = HashMap::new();
    for word in folded.iter().filter(|word| !any || telling(word)) {
        let next = terms.len();
        terms.entry(word.clone()).or_insert(next);
    }
    terms
}

/// `word` in lower case, without the ending of an English plural.
fn fold(word: &str, folded: &mut String) {
    folded.clear();
    folded.extend(word.chars().flat_map(char::to_lowercase));
    let plural =
        folded.len() > 3 && folded.ends_with('s') && !folded.ends_with("ss") && !folded.ends_with("us");
    if plural {
        folded.pop();
    }
}

/// A count as a float.
#[expect(clippy::cast_precision_loss, reason = "counts of texts stay far below 2^53")]
fn exact(n: usize) -> f64 {
    n as f64
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
        check("предел бюджета", &["совсем другое", "предел бюджета"], 1);
    }

    #[test]
    fn nothing_in_common() {
        assert_eq!(Bm25::default().score("zebra", &["a", "b", ""]), [0.0, 0.0, 0.0]);
        assert_eq!(Bm25::default().score("", &["a"]), [0.0]);
        assert!(Bm25::default().score("x", &[]).is_empty());
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
