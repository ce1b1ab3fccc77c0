//! Okapi BM25 in its widespread form.

use contextfit_text::float;

use std::collections::{HashMap, HashSet};

/// Term saturation and length normalisation; common values, as ADR-002 gives none.
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
