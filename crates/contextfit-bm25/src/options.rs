//! What can be chosen about sentence selection.

use contextfit_text::Tongue;
use serde::{Deserialize, Serialize};

/// The weights and limits of sentence selection. All weights are next to 1.0, the weight of a sentence's own BM25 score;
/// 0.0 turns a part off. Negative weights and those that are not numbers count as 0.0, those above a million as a million.
///
/// The usual values were chosen on questions of SQuAD, Natural Questions, HotpotQA, 2WikiMultihopQA and MuSiQue (ADR 0010);
/// results change little around them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct SentenceOptions {
    /// BM25's term saturation, for sentences and passages.
    pub k1: f64,
    /// BM25's length normalisation, from 0.0 to 1.0.
    pub b: f64,
    /// How often a word of the heading (title, path, symbols) counts as a word of each sentence.
    pub heading: f64,
    /// The passage's own score, added to each of its sentences.
    pub passage: f64,
    /// The better neighbour's score.
    pub neighbour: f64,
    /// Query words that stand side by side in the sentence as they do in the query.
    pub phrase: f64,
    /// The passage's score once more for its first sentence, which mostly says what it is about.
    pub lead: f64,
    /// The score of the best sentence elsewhere that names the passage's title: questions in two steps.
    pub mention: f64,
    /// The score of the best sentences for those that share a rare name with them.
    pub shared_name: f64,
    /// How much of its score a sentence loses whose words, pair by pair, stand in the result already.
    pub repetition: f64,
    /// The retriever's score, scaled to the best sentence's.
    pub retrieval: f64,
    /// Terms taken from the best sentences and added to the query (pseudo-relevance feedback): how many; 0 for none.
    pub feedback: usize,
    /// Sentences that score less than this share of the best one are left out even where there is room, from 0.0 to 1.0.
    pub min_relevance: f64,
    /// What to keep where no word of the query occurs.
    pub unmatched: Unmatched,
    /// The language of the words, by its ISO 639-1 tag (`en`); `none` for no stemming and no stop words. Told from the
    /// texts where it is absent or unknown.
    pub language: Option<String>,
}

/// What is kept of a request that shares no word with its query, or has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
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
            heading: 1.5,
            passage: 1.4,
            neighbour: 0.35,
            phrase: 0.7,
            lead: 0.4,
            mention: 0.7,
            shared_name: 0.25,
            repetition: 0.5,
            retrieval: 0.3,
            feedback: 0,
            min_relevance: 0.3,
            unmatched: Unmatched::Position,
            language: None,
        }
    }
}

impl SentenceOptions {
    /// The language of a request of these texts; `None` for none.
    pub(crate) fn tongue<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> Option<Tongue> {
        match self.language.as_deref() {
            Some("none") => None,
            named => Some(named.and_then(Tongue::tagged).unwrap_or_else(|| Tongue::of_texts(texts))),
        }
    }
}

/// A count as a float.
#[expect(clippy::cast_precision_loss, reason = "counts of texts and words stay far below 2^53")]
pub(crate) const fn exact(n: usize) -> f64 {
    n as f64
}

/// A weight that can be reckoned with: scores stay finite.
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
        let tongue = |language: Option<&str>| {
            let options =
                SentenceOptions { language: language.map(Into::into), ..SentenceOptions::default() };
            options.tongue(["Die Brücke wurde nicht gebaut, und das ist auch gut so."])
        };
        assert_eq!(tongue(None), Some(Tongue::German));
        assert_eq!(tongue(Some("en")), Some(Tongue::English));
        assert_eq!(tongue(Some("none")), None);
        assert_eq!(tongue(Some("tlh")), Some(Tongue::German), "unknown: told from the texts");
    }
}
