//! A retriever as in typical applications: BM25 over words, the best few, scores scaled so that the best is 1.

use std::collections::{BTreeSet, HashMap};

use crate::float::float;

/// The number of chunks to return.
const TOP: usize = 20;
/// The usual constants of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Finds the chunks that match a question.
#[derive(Debug)]
pub(crate) struct Retriever {
    /// For each text, the count of each word, and the number of words.
    texts: Vec<(HashMap<String, usize>, usize)>,
    /// The number of texts that contain each word.
    holding: HashMap<String, usize>,
}

impl Retriever {
    pub(crate) fn new<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let mut retriever = Self { texts: Vec::new(), holding: HashMap::new() };
        for text in texts {
            let mut counts: HashMap<String, usize> = HashMap::new();
            let mut length = 0;
            for word in words(text) {
                *counts.entry(word).or_default() += 1;
                length += 1;
            }
            for word in counts.keys() {
                *retriever.holding.entry(word.clone()).or_default() += 1;
            }
            retriever.texts.push((counts, length));
        }
        retriever
    }

    /// The indices of the best texts with their scores, best first; ties keep their order. Texts that share no word
    /// with the question are not included.
    pub(crate) fn find(&self, question: &str) -> Vec<(usize, f64)> {
        let terms: BTreeSet<String> = words(question).collect();
        let all = float(self.texts.len());
        let total: usize = self.texts.iter().map(|(_, length)| length).sum();
        let average = (float(total) / all.max(1.0)).max(1.0);
        let mut found: Vec<(usize, f64)> = self
            .texts
            .iter()
            .map(|(counts, length)| {
                let worth = |term: &String| {
                    let count = counts.get(term).copied().map_or(0.0, float);
                    let holding = self.holding.get(term).copied().map_or(0.0, float);
                    let rarity = (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln();
                    rarity * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * float(*length) / average))
                };
                terms.iter().map(worth).sum()
            })
            .enumerate()
            .filter(|(_, score)| *score > 0.0)
            .collect();
        found.sort_by(|(a, left), (b, right)| right.total_cmp(left).then(a.cmp(b)));
        found.truncate(TOP);
        let best = found.first().map_or(1.0, |(_, score)| *score);
        found.into_iter().map(|(place, score)| (place, score / best)).collect()
    }
}

/// The words of `text`, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_comes_first_and_scores_one() {
        let texts = ["nothing here", "the token budget", "budget; budget is enforced", "token"];
        let found = Retriever::new(texts.into_iter()).find("Where is the budget enforced?");
        assert_eq!(found.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(found.first().map(|(_, score)| *score), Some(1.0));
    }

    #[test]
    fn no_more_than_asked_for() {
        let texts = vec!["word"; 50];
        let found = Retriever::new(texts.into_iter()).find("word");
        assert_eq!(found.iter().map(|(place, _)| *place).collect::<Vec<_>>(), (0..20).collect::<Vec<_>>());
    }
}
