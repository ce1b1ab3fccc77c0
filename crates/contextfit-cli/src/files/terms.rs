//! Which files are worth a second look: how often each holds the words of the question.
//!
//! This only narrows a large tree down to candidates, in one quick pass that keeps no text; the strategy scores those
//! anew. So words are looked for as parts of words, which finds `enforced` by `enforce`.

use std::collections::BTreeSet;

use aho_corasick::AhoCorasick;
use contextfit_text::words;

/// Words that say nothing about a file, unless a question holds no others.
const COMMON: &[&str] = &[
    "the", "is", "are", "was", "where", "what", "which", "who", "when", "why", "how", "do", "does", "did",
    "can", "of", "to", "in", "on", "at", "by", "for", "from", "with", "and", "or", "not", "an", "it", "its",
    "this", "that", "there", "be", "has", "have",
];

/// How much a word in the path counts, in words of the text.
const IN_PATH: u32 = 3;

/// The words of a question.
pub(crate) struct Terms {
    automaton: Option<AhoCorasick>,
    n: usize,
}

impl Terms {
    pub(crate) fn new(query: Option<&str>) -> Self {
        let all: BTreeSet<String> = words(query.unwrap_or_default())
            .map(str::to_lowercase)
            .filter(|word| word.chars().count() > 1 || !word.is_ascii())
            .collect();
        let mut telling: BTreeSet<&str> =
            all.iter().map(String::as_str).filter(|word| !COMMON.contains(word)).map(stem).collect();
        if telling.is_empty() {
            telling = all.iter().map(String::as_str).collect();
        }
        // Building fails only for more patterns than there is memory for; then no file is better than another.
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(&telling).ok();
        Self { automaton: automaton.filter(|_| !telling.is_empty()), n: telling.len() }
    }

    /// How often each word occurs in a file.
    pub(crate) fn hits(&self, path: &str, text: &str) -> Vec<u32> {
        let mut hits = vec![0_u32; self.n];
        let Some(automaton) = &self.automaton else { return hits };
        for (place, weight) in [(path, IN_PATH), (text, 1)] {
            for found in automaton.find_overlapping_iter(place) {
                if let Some(n) = hits.get_mut(found.pattern().as_usize()) {
                    *n = n.saturating_add(weight);
                }
            }
        }
        hits
    }

    /// The worth of files by their `hits` and lengths (BM25), in the order given. Zero for a file without any.
    pub(crate) fn score<'a>(&self, files: impl Iterator<Item = (&'a [u32], usize)> + Clone) -> Vec<f64> {
        /// The usual constants: how soon more of a word stops to count, how much length counts against it.
        const K: f64 = 1.2;
        const B: f64 = 0.75;

        let mut holding = vec![0_usize; self.n];
        let (mut n, mut total) = (0_usize, 0_usize);
        for (hits, length) in files.clone() {
            n += 1;
            total += length;
            for (holding, hits) in holding.iter_mut().zip(hits) {
                *holding += usize::from(*hits > 0);
            }
        }
        let rarity: Vec<f64> =
            holding.iter().map(|&with| (1.0 + (exact(n - with) + 0.5) / (exact(with) + 0.5)).ln()).collect();
        let average = (exact(total) / exact(n.max(1))).max(1.0);
        files
            .map(|(hits, length)| {
                let long = K * (1.0 - B + B * exact(length) / average);
                let worth =
                    |(&hits, rarity): (&u32, &f64)| rarity * f64::from(hits) / (f64::from(hits) + long);
                hits.iter().zip(&rarity).map(worth).sum()
            })
            .collect()
    }
}

/// A word without the ending that it most likely has.
fn stem(word: &str) -> &str {
    ["ing", "ed", "es", "s"]
        .into_iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() > 3))
        .unwrap_or(word)
}

/// A count as a float.
#[expect(clippy::cast_precision_loss, reason = "counts of files and tokens stay far below 2^53")]
fn exact(n: usize) -> f64 {
    n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files in the order of their worth.
    #[track_caller]
    fn check(query: &str, files: &[(&str, &str)], best: &[usize]) {
        let terms = Terms::new(Some(query));
        let hits: Vec<_> = files.iter().map(|(path, text)| terms.hits(path, text)).collect();
        let scores = terms.score(hits.iter().map(|hits| (hits.as_slice(), 10)));
        let mut order: Vec<usize> = (0..files.len()).filter(|&n| scores[n] > 0.0).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        assert_eq!(order, best, "{query}: {scores:?}");
    }

    #[test]
    fn rare_words_count_more() {
        let files = [("a", "the token token token"), ("b", "token budget"), ("c", "token"), ("d", "nothing")];
        check("where is the token budget?", &files, &[1, 0, 2]);
        check("enforced budgets", &[("a", "to enforce"), ("budget.rs", "x"), ("c", "x")], &[1, 0]);
        check("", &files, &[]);
        check("the", &files, &[0]);
        check("预算", &[("a", "关于预算的说明"), ("b", "x")], &[0]);
    }
}
