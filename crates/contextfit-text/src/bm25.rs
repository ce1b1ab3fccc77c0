//! The Okapi BM25 ranking function.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use crate::{Analyzer, Lexicon, NaturalLanguage, Term, float};
use contextfit_kernel::{PartedText, Question, Scorer, Values};

use crate::query::{Query, analyzer_for};

/// BM25 (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond"), with the inverse
/// document frequency `ln(1 + (N - n + 0.5) / (n + 0.5))`, which is never negative.
///
/// Words are compared as [`Analyzer`] folds them, in the most likely language of query and texts. Linear in the length
/// of query and texts.
///
/// ```
/// # mod contextfit { pub use ::contextfit_kernel::Scorer; pub use ::contextfit_text as text; }
/// use contextfit::{Scorer, text::Bm25};
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
    /// The usual values for texts as long as passages: k1 = 1.2, b = 0.75.
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75 }
    }
}

impl Bm25 {
    /// BM25 with term saturation `k1` and length normalisation `b`. Values outside `0..` and `0..=1` are clamped;
    /// values that are not finite count as zero.
    #[must_use]
    pub fn new(k1: f64, b: f64) -> Self {
        let weight = |value: f64, most: f64| if value.is_finite() { value.clamp(0.0, most) } else { 0.0 };
        Self { k1: weight(k1, 1e6), b: weight(b, 1.0) }
    }

    /// The unweighted contribution of a term that occurs `count` times in a text `length` times as long as the average.
    #[must_use]
    pub fn saturated(self, count: f64, length: f64) -> f64 {
        if count <= 0.0 {
            return 0.0;
        }
        count * (self.k1 + 1.0) / (count + self.k1 * (1.0 - self.b + self.b * length))
    }
}

/// The inverse document frequency of a term that occurs in `having` of `all` texts; never negative.
#[must_use]
pub fn inverse_document_frequency(having: usize, all: usize) -> f64 {
    let (having, all) = (float(having), float(all));
    (1.0 + (all - having + 0.5).max(0.0) / (having + 0.5)).ln()
}

/// The terms of parts of texts, each part read on first use.
struct Read {
    lexicon: Lexicon,
    terms: Vec<Term>,
    /// For each part, the range of its terms in `terms`, once it has been read.
    places: Vec<Option<Range<usize>>>,
}

impl Read {
    fn new(parts: usize, analyzer: Analyzer) -> Self {
        Self { lexicon: Lexicon::new(analyzer), terms: Vec::new(), places: vec![None; parts] }
    }

    /// Reads those `parts` of `texts` that have not been read yet.
    fn read(&mut self, parts: &[&str], texts: &[PartedText]) {
        for run in texts.iter().flat_map(|text| &text.0) {
            let places = self.places.get_mut(run.clone()).unwrap_or_default();
            let unread = places.iter_mut().zip(parts.get(run.clone()).unwrap_or_default());
            for (place, part) in unread.filter(|(place, _)| place.is_none()) {
                let start = self.terms.len();
                self.lexicon.read(part, &mut self.terms);
                *place = Some(start..self.terms.len());
            }
        }
    }

    /// The terms of `query` that occur in `texts`.
    fn query(&mut self, query: &str, texts: &[PartedText]) -> Query {
        let Self { lexicon, terms, places } = self;
        let places = texts.iter().flat_map(|text| text.of(places)).flatten();
        Query::new(query, lexicon, places.filter_map(|place| terms.get(place.clone())))
    }

    /// The terms of `text`, part by part.
    fn terms<'r>(&'r self, text: &PartedText) -> impl Iterator<Item = &'r [Term]> {
        text.of(&self.places).flatten().filter_map(|place| self.terms.get(place.clone()))
    }
}

impl Scorer for Bm25 {
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        let whole: Vec<PartedText> = (0..texts.len()).map(|n| (n..n + 1).into()).collect();
        self.score_parts(texts, &[Question { query, texts: &whole }]).pop().unwrap_or_default()
    }

    /// All questions and texts are assumed to be in one language: that of the questions if it is clear from them,
    /// because names and signatures are too short to identify theirs, and code has words of many languages. Parts are
    /// read once, and a second time if a query has nothing but stop words.
    fn score_parts(&self, parts: &[&str], questions: &[Question<'_>]) -> Vec<Vec<f64>> {
        let queries = questions.iter().map(|question| question.query);
        let natural_language = NaturalLanguage::surely_of(queries.clone()).unwrap_or_else(|| {
            let texts = questions.iter().flat_map(|question| question.texts);
            NaturalLanguage::of_texts(
                queries.map(Cow::Borrowed).chain(texts.map(|text| beginning(text, parts))),
            )
        });
        let mut known: Vec<Read> = Vec::new();
        let mut analyzers: HashMap<&str, Analyzer> = HashMap::new();
        let scores = questions.iter().map(|Question { query, texts }| {
            let analyzer = *analyzers.entry(query).or_insert_with(|| analyzer_for(query, natural_language));
            let place = known.iter().position(|read| read.lexicon.analyzer() == analyzer);
            let place = place.unwrap_or_else(|| {
                known.push(Read::new(parts.len(), analyzer));
                known.len() - 1
            });
            known.get_mut(place).map_or_else(Vec::new, |read| {
                read.read(parts, texts);
                self.scores(query, texts, read)
            })
        });
        scores.collect()
    }
}

/// The number of bytes of each text that suffice to identify its language.
const LANGUAGE_SAMPLE_BYTES: usize = 512;

/// The beginning of a text.
fn beginning<'p>(text: &PartedText, parts: &[&'p str]) -> Cow<'p, str> {
    let mut beginning = Cow::Borrowed("");
    for part in text.of(parts) {
        let room = LANGUAGE_SAMPLE_BYTES.saturating_sub(beginning.len());
        beginning += part.get(..part.floor_char_boundary(room)).unwrap_or_default();
        if part.len() >= room {
            break;
        }
    }
    beginning
}

impl Bm25 {
    /// The scores of texts whose parts have been read.
    fn scores(self, query: &str, texts: &[PartedText], read: &mut Read) -> Vec<f64> {
        let query = read.query(query, texts);
        let mut having = vec![0; query.len()];
        let mut found: Vec<(usize, f64)> = Vec::new();
        // For each term of the query, the index in `found` where it was last counted.
        let mut at = vec![0; query.len()];
        let mut ends = Vec::with_capacity(texts.len());
        let mut all = 0;
        for text in texts {
            let first = found.len();
            let mut length = 0;
            for terms in read.terms(text) {
                length += terms.len();
                for place in terms.iter().filter_map(|&term| query.place(term)) {
                    let Some(at) = at.get_mut(place) else { continue };
                    match found.get_mut(*at).filter(|(known, _)| *at >= first && *known == place) {
                        Some((_, count)) => *count += 1.0,
                        None => {
                            *at = found.len();
                            found.push((place, 1.0));
                        }
                    }
                }
            }
            for (place, _) in found.iter().skip(first) {
                having.change(*place, |texts| *texts += 1);
            }
            ends.push((found.len(), length));
            all += length;
        }
        let average = (float(all) / float(texts.len().max(1))).max(1.0);
        let idf: Vec<f64> = having.iter().map(|&n| inverse_document_frequency(n, texts.len())).collect();
        let mut first = 0;
        let score = |(last, length): (usize, usize)| {
            let terms = found.get(first..last).unwrap_or_default();
            first = last;
            let length = float(length) / average;
            let term = |&(place, count): &(usize, f64)| {
                idf.get(place).unwrap_or(&0.0) * self.saturated(count, length)
            };
            terms.iter().map(term).sum()
        };
        ends.into_iter().map(score).collect()
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
