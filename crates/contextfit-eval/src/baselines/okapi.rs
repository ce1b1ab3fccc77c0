//! Okapi BM25 in its widespread form, and the best sentences by it within each block.

use std::collections::{BTreeSet, HashMap, HashSet};

use contextfit_kernel::{MeasuredBlock, Tokens};
use contextfit_text::float;

use crate::baselines::cuts::Cuts;

/// Term saturation and length normalisation; common values, because that decision gives none.
const K1: f64 = 1.5;
const B: f64 = 0.75;

/// The score of each of `texts` for `query`: the sum over the query's words, with repetitions, of
/// `idf * f * (k1 + 1) / (f + k1 * (1 - b + b * length / average))`, where f is the number of occurrences of the word
/// in the text and `idf = ln((N - n + 0.5) / (n + 0.5))` with n of the N texts containing it (Robertson, Walker, Jones,
/// Hancock-Beaulieu and Gatford 1994, "Okapi at TREC-3"). The idf of a word in more than half of the texts is negative.
///
/// Words are separated by white space and lowercased. Linear in the length of the texts.
pub(crate) fn okapi(query: &str, texts: &[&str]) -> Vec<f64> {
    let query = words(query);
    let asked: HashSet<&str> = query.iter().map(String::as_str).collect();
    let counted: Vec<(HashMap<String, u32>, f64)> = texts.iter().map(|text| count(text, &asked)).collect();
    let average = counted.iter().map(|(_, length)| length).sum::<f64>() / float(texts.len());
    let mut having: HashMap<&str, f64> = HashMap::new();
    for word in counted.iter().flat_map(|(counts, _)| counts.keys()) {
        *having.entry(word).or_default() += 1.0;
    }
    let score = |(counts, length): &(HashMap<String, u32>, f64)| {
        let norm = K1 * (1.0 - B + B * length / average);
        let term = |word: &String| {
            let (f, n) = (f64::from(*counts.get(word)?), having.get(word.as_str())?);
            let idf = ((float(texts.len()) - n + 0.5) / (n + 0.5)).ln();
            Some(idf * f * (K1 + 1.0) / (f + norm))
        };
        query.iter().filter_map(term).sum()
    };
    counted.iter().map(score).collect()
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_lowercase).collect()
}

/// The occurrences of each query word in `text`, and its number of words.
fn count(text: &str, asked: &HashSet<&str>) -> (HashMap<String, u32>, f64) {
    let words = words(text);
    let length = float(words.len());
    let mut counts = HashMap::new();
    for word in words.into_iter().filter(|word| asked.contains(word.as_str())) {
        *counts.entry(word).or_insert(0) += 1;
    }
    (counts, length)
}

/// Keeps units by their score within their block, best first, until one does not fit.
pub(super) fn okapi_sentences(cuts: &mut Cuts<'_, '_>) {
    let mut chosen: Vec<Chosen> = cuts
        .open()
        .into_iter()
        .map(|(n, block)| Chosen { n, block, marker: cuts.marker_cost(block), units: BTreeSet::new() })
        .collect();
    let mut candidates = Vec::new();
    for (place, Chosen { block, .. }) in chosen.iter().enumerate() {
        let sentences: Vec<&str> = (0..block.units().len()).map(|unit| block.text(unit, unit + 1)).collect();
        let scores = okapi(cuts.query(), &sentences).into_iter().zip(0..);
        candidates.extend(scores.map(|(score, unit)| (score, place, unit)));
    }
    // A stable sort keeps ties in the order of the source.
    candidates.sort_by(|(score, ..), (other, ..)| other.total_cmp(score));
    for (_, place, unit) in candidates {
        let Some(block) = chosen.get_mut(place) else { continue };
        let Some(left) = (cuts.left + block.saved()).checked_sub(block.cost(unit)) else { break };
        cuts.left = left;
        block.units.insert(unit);
    }
    for Chosen { n, units, .. } in chosen.into_iter().filter(|block| !block.units.is_empty()) {
        cuts.keep(n, units);
    }
}

/// A block and its chosen units.
struct Chosen<'a, 'b> {
    n: usize,
    block: &'b MeasuredBlock<'a>,
    /// The cost of a marker.
    marker: Tokens,
    units: BTreeSet<usize>,
}

impl Chosen<'_, '_> {
    /// The cost of `unit` and the markers next to it, plus the header for the first unit of its block.
    fn cost(&self, unit: usize) -> Tokens {
        let header = if self.units.is_empty() { self.block.framing() } else { Tokens::ZERO };
        let markers = Tokens::new(self.marker.get().saturating_mul(self.gaps(unit)));
        header + self.block.tokens_between(unit, unit + 1) + markers
    }

    /// The cost of the marker that the next unit replaces.
    fn saved(&self) -> Tokens {
        if self.units.is_empty() { Tokens::ZERO } else { self.marker }
    }

    /// The number of gaps next to `unit`.
    fn gaps(&self, unit: usize) -> usize {
        let missing = |other: Option<usize>| {
            other.is_some_and(|other| other < self.block.units().len() && !self.units.contains(&other))
        };
        usize::from(missing(unit.checked_sub(1))) + usize::from(missing(Some(unit + 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, texts: &[&str], expect: &[f64]) {
        let scores = okapi(query, texts);
        assert_eq!(scores.len(), expect.len());
        for (score, expect) in scores.iter().zip(expect) {
            assert!((score - expect).abs() < 1e-4, "{scores:?}");
        }
    }

    #[test]
    fn by_the_formula() {
        // ln(2.5 / 1.5) * 2.5 / (1 + 1.5): all texts have the same length.
        check("Cat", &["the cat", "the dog", "the cow"], &[0.5108, 0.0, 0.0]);
        // A word in every text counts against it: ln(0.5 / 3.5).
        check("the the", &["the cat", "the dog", "the cow"], &[-3.8918; 3]);
        // Words are compared whole, with their punctuation.
        check("cat", &["the cat.", "the dog"], &[0.0, 0.0]);
        check("cat", &[], &[]);
        check("", &["the cat"], &[0.0]);
        check("cat", &["", " "], &[0.0, 0.0]);
    }
}
