//! The options of sentence selection.

use std::ops::RangeInclusive;

use contextfit_text::NaturalLanguage;
use serde::{Deserialize, Serialize};

/// The weights and limits of sentence selection. All weights are relative to 1.0, the weight of a sentence's own BM25
/// score; 0.0 turns a part off. Negative and NaN weights count as 0.0, weights above a million as a million.
///
/// The defaults were chosen on questions from SQuAD, Natural Questions, HotpotQA, 2WikiMultihopQA and MuSiQue (ADR
/// 0010); results change little around them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[non_exhaustive]
pub struct SentenceOptions {
    /// BM25's term saturation, for sentences and passages. Default: 2.0.
    pub k1: f64,
    /// BM25's length normalisation, from 0.0 to 1.0. Default: 0.85.
    pub b: f64,
    /// How often a word of the heading (title, path, symbols) counts as a word of each sentence. Default: 1.5.
    pub heading: f64,
    /// The passage's own score, added to each of its sentences. Default: 1.4.
    pub passage: f64,
    /// The score of the better of the two neighbouring sentences. Default: 0.35.
    pub neighbour: f64,
    /// Query words that are adjacent in the sentence as they are in the query. Default: 0.7.
    pub phrase: f64,
    /// The passage's score, added again for its first sentence, which usually says what the passage is about. Default:
    /// 0.4.
    pub lead: f64,
    /// The score of the best sentence elsewhere that names the passage's title, for two-step questions. Default: 0.7.
    pub mention: f64,
    /// The score of the best sentences, for sentences that share a rare name with them. Default: 0.25.
    pub shared_name: f64,
    /// The share of its score that a sentence loses if its word pairs are already in the result. Default: 0.5.
    pub repetition: f64,
    /// The retriever's score, scaled to the best sentence's score. Default: 0.3.
    pub retrieval: f64,
    /// Number of terms taken from the best sentences and added to the query (pseudo-relevance feedback); 0 for none.
    /// Default: 0.
    pub feedback: usize,
    /// Sentences that score less than this share of the best one are left out even if there is room, from 0.0 to 1.0.
    /// Default: 0.3.
    pub min_relevance: f64,
    /// The units to keep if no word of the query occurs.
    pub unmatched: Unmatched,
    /// The language of the words, as an ISO 639-1 tag (`en`); `none` for no stemming and no stop words. Detected from
    /// the texts if missing or unknown.
    pub language: Option<String>,
}

contextfit_kernel::setters! {
    SentenceOptions {
        with_k1(k1: f64), with_b(b: f64), with_heading(heading: f64), with_passage(passage: f64),
        with_neighbour(neighbour: f64), with_phrase(phrase: f64), with_lead(lead: f64), with_mention(mention: f64),
        with_shared_name(shared_name: f64), with_repetition(repetition: f64), with_retrieval(retrieval: f64),
        with_feedback(feedback: usize), with_min_relevance(min_relevance: f64),
        with_unmatched(unmatched: Unmatched), with_language(language: impl Into<String> => some),
    }
}

/// The units to keep of a request that shares no word with its query, or has no query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Unmatched {
    /// The first sentences of every block, then the second ones, and so on.
    #[default]
    Position,
    /// Nothing.
    Nothing,
}

impl Default for SentenceOptions {
    fn default() -> Self {
        Self {
            k1: 2.0,
            b: 0.85,
            heading: 1.5,      // ablate: bm25.heading => 0.0
            passage: 1.4,      // ablate: bm25.passage => 0.0
            neighbour: 0.35,   // ablate: bm25.neighbour => 0.0
            phrase: 0.7,       // ablate: bm25.phrase => 0.0
            lead: 0.4,         // ablate: bm25.lead => 0.0
            mention: 0.7,      // ablate: bm25.mention => 0.0
            shared_name: 0.25, // ablate: bm25.shared-name => 0.0
            repetition: 0.5,   // ablate: bm25.repetition => 0.0
            retrieval: 0.3,
            feedback: 0,
            min_relevance: 0.3,
            unmatched: Unmatched::Position,
            language: None,
        }
    }
}

impl SentenceOptions {
    /// The useful range of each weight, by its name in a configuration. A number outside counts as the nearest inside,
    /// which is hardly what its author meant.
    pub const RANGES: [(&str, RangeInclusive<f64>); 12] = [
        ("k1", WEIGHT),
        ("b", SHARE),
        ("heading", WEIGHT),
        ("passage", WEIGHT),
        ("neighbour", WEIGHT),
        ("phrase", WEIGHT),
        ("lead", WEIGHT),
        ("mention", WEIGHT),
        ("sharedName", WEIGHT),
        ("repetition", SHARE),
        ("retrieval", WEIGHT),
        ("minRelevance", SHARE),
    ];

    /// The language of a request with these `texts`; `None` for no stemming and no stop words.
    pub(crate) fn natural_language<'a>(
        &self,
        texts: impl IntoIterator<Item = &'a str>,
    ) -> Option<NaturalLanguage> {
        match self.language.as_deref() {
            Some("none") => None,
            named => Some(
                named.and_then(NaturalLanguage::tagged).unwrap_or_else(|| NaturalLanguage::of_texts(texts)),
            ),
        }
    }
}

const WEIGHT: RangeInclusive<f64> = 0.0..=f64::INFINITY;
const SHARE: RangeInclusive<f64> = 0.0..=1.0;

/// A usable weight: from 0 to a million, so that scores stay finite, and 0 for values that are not finite.
pub(crate) fn weight(value: f64) -> f64 {
    if value.is_finite() { value.clamp(0.0, 1e6) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights() {
        for (given, counts) in [
            (0.4, 0.4),
            (-1.0, 0.0),
            (-0.0, 0.0),
            (f64::NAN, 0.0),
            (f64::INFINITY, 0.0),
            (f64::NEG_INFINITY, 0.0),
            (f64::MAX, 1e6),
        ] {
            assert!((weight(given) - counts).abs() < 1e-12, "{given} counts {}", weight(given));
        }
    }

    #[test]
    fn languages() {
        let natural_language = |language: Option<&str>| {
            let options =
                SentenceOptions { language: language.map(Into::into), ..SentenceOptions::default() };
            options.natural_language(["Die Brücke wurde nicht gebaut, und das ist auch gut so."])
        };
        assert_eq!(natural_language(None), Some(NaturalLanguage::German));
        assert_eq!(natural_language(Some("en")), Some(NaturalLanguage::English));
        assert_eq!(natural_language(Some("none")), None);
        assert_eq!(
            natural_language(Some("tlh")),
            Some(NaturalLanguage::German),
            "unknown: detected from the texts"
        );
    }
}
