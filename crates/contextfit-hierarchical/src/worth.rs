//! The value of a memory and of its levels.

use std::collections::{BTreeSet, HashSet};

use contextfit_kernel::{Importance, Level, MemoryRecord, Scorer, Values};
use contextfit_text::{Analyzer, Lexicon, NaturalLanguage, is_in_order, relevance_in_order, words};

/// The weights of the value formula. Without a query
///
/// > value(memory, level) = importance × (base + r·relevance + c·confidence + t·recency) × share of the level
///
/// where relevance (the memory's own), confidence and recency are from 0 to 1. If a memory lacks one of these, it
/// counts as 0.5 if other memories of the batch have it, otherwise as 0. A memory that is replaced or repeats another
/// keeps the share `older` of its value, and the one that replaces it has at least its relevance.
///
/// With a query, relevance decides. Its fourth power counts, so that one memory that answers outweighs many that touch
/// on the topic. The value of the formula, as a share of its maximum, breaks ties (it adds at most a fifth). A
/// millionth of its square ranks memories that are not relevant at all. Relevance is the memory's own, or else the
/// score of a [`Scorer`], as a share of the best score in the batch. If the memories are a log, all of one type with
/// [neighbours on the same subject](contextfit_text::is_in_order), relevance spreads to neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// The values of low, normal, high and critical importance.
    pub importance: [f64; 4],
    /// The base value of every memory.
    pub base: f64,
    /// The weight of relevance without a query, `r`.
    pub relevance: f64,
    /// The weight of confidence, `c`.
    pub confidence: f64,
    /// The weight of recency, `t`.
    pub recency: f64,
    /// The shares of levels 0 to 3 without a query.
    pub levels: [f64; 4],
    /// The shares of levels 0 to 3 with a query.
    pub asked: [f64; 4],
    /// The share of its value, from 0 to 1, that a memory keeps if another replaces it or if it repeats another.
    pub older: f64,
}

impl Default for Weights {
    /// Each importance has twice the value of the one below. Relevance outweighs confidence, which outweighs recency. A
    /// line has 40 % of the full value, the extract 80 %. With a query, a line has 20 %, the extract 50 % and a name
    /// nothing.
    fn default() -> Self {
        Self {
            importance: [1.0, 2.0, 4.0, 8.0],
            base: 0.2,
            relevance: 1.0,
            confidence: 0.3,
            recency: 0.2,
            levels: [0.05, 0.4, 0.8, 1.0],
            asked: [0.0, 0.2, 0.5, 1.0],
            older: 0.01,
        }
    }
}

/// The maximum share that a memory's standing adds to its relevance.
const TIES: f64 = 0.2;

/// The value of a memory of the highest standing that does not answer: that of an answer with a relevance of 3 %.
const OFF_TOPIC_VALUE: f64 = 1e-6;

impl Weights {
    /// The value of an importance.
    #[must_use]
    pub fn of(&self, importance: Importance) -> f64 {
        let n = match importance {
            Importance::Low => 0,
            Importance::Normal => 1,
            Importance::High => 2,
            Importance::Critical => 3,
        };
        of_four(&self.importance, n)
    }

    /// The value of each of `memories`. `relevant` is their relevance to the query, the result of [`relevance`]. Linear
    /// in the number of memories.
    pub(crate) fn worth(&self, memories: &[MemoryRecord], relevant: Option<&[f64]>) -> Worth {
        let own = |memory: &MemoryRecord| share(memory.relevance).filter(|_| relevant.is_none());
        let parts = [
            (self.relevance, memories.iter().map(own).collect()),
            (self.confidence, memories.iter().map(|memory| share(memory.confidence)).collect()),
            (self.recency, memories.iter().map(|memory| share(memory.recency)).collect()),
        ];
        let mut worth = vec![self.base; memories.len()];
        for (weight, values) in parts {
            let values: Vec<Option<f64>> = values;
            if values.iter().any(Option::is_some) {
                worth
                    .iter_mut()
                    .zip(values)
                    .for_each(|(worth, value)| *worth += weight * value.unwrap_or(0.5));
            }
        }
        let worth = worth.iter().zip(memories).map(|(worth, memory)| worth * self.of(memory.importance));
        Worth::new(*self, worth.collect(), relevant)
    }
}

/// The values of memories, by index.
pub(crate) struct Worth {
    values: Vec<f64>,
    /// The shares of levels 0 to 3.
    shares: [f64; 4],
}

impl Worth {
    /// The values of memories. `standing` is their values without a query. With a query, relevance dominates.
    pub(crate) fn new(weights: Weights, standing: Vec<f64>, relevant: Option<&[f64]>) -> Self {
        let Some(relevant) = relevant else {
            return Self { values: standing, shares: weights.levels };
        };
        let parts = weights.base + weights.confidence + weights.recency;
        let most = (weights.of(Importance::Critical) * parts).max(f64::MIN_POSITIVE);
        let value = |(standing, relevant): (f64, &f64)| {
            let share = standing / most;
            answer(*relevant, share) + rest(share)
        };
        Self { values: standing.into_iter().zip(relevant).map(value).collect(), shares: weights.asked }
    }

    /// The value of memory `n` at `level`.
    pub(crate) fn at(&self, n: usize, level: Level) -> f64 {
        self.values.at(n) * of_four(&self.shares, usize::from(u8::from(level)))
    }

    /// The value of memory `n` at level 3.
    pub(crate) fn whole(&self, n: usize) -> f64 {
        self.at(n, Level::Full)
    }

    /// Reduces the value of memory `n` to this `share` of it.
    pub(crate) fn keep(&mut self, n: usize, share: f64) {
        // ablate: hierarchical.older => ()
        self.values.change(n, |value| *value *= share);
    }
}

/// The value of a memory with this relevance. Its standing, as a share of the highest, breaks ties.
fn answer(relevant: f64, share: f64) -> f64 {
    // ablate: hierarchical.ties => relevant.powi(4)
    relevant.powi(4) * (1.0 + TIES * share)
}

/// The value of a memory even if it does not answer, from its standing as a share of the highest.
fn rest(share: f64) -> f64 {
    // ablate: hierarchical.rest => 0.0
    OFF_TOPIC_VALUE * share * share
}

/// The relevance of each of `memories` to `query`, as a share of the best; `None` if there is no query or nothing
/// answers it.
pub(crate) fn relevance(
    memories: &[MemoryRecord],
    query: Option<&str>,
    scorer: Option<&dyn Scorer>,
) -> Option<Vec<f64>> {
    let query = query?;
    let texts: Vec<String> =
        memories.iter().map(|memory| parts(memory).collect::<Vec<_>>().join("\n")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let types: HashSet<&str> = memories.iter().map(|memory| memory.memory_type.as_str()).collect();
    let scores =
        scorer.map_or_else(|| vec![0.0; texts.len()], |scorer| scored(query, &texts, scorer, types.len()));
    let own = memories.iter().map(|memory| share(memory.relevance));
    let scores: Vec<f64> = own.zip(scores).map(|(own, score)| own.unwrap_or(score)).collect();
    scores.iter().any(|score| *score > 0.0).then_some(scores)
}

/// A term of at least this many bytes is a form of the same word as a longer term that begins with it.
const SHORTEST_STEM_BYTES: usize = 5;

/// The words of `query` that no memory contains in any form, in order, each once; stop words do not count.
pub(crate) fn unmatched(memories: &[MemoryRecord], query: &str) -> Vec<String> {
    let analyzer = Analyzer::new(Some(NaturalLanguage::of_texts([query])));
    let (mut lexicon, mut terms) = (Lexicon::new(analyzer), Vec::new());
    let mut rest = memories;
    let mut read = 64;
    loop {
        let (next, after) = rest.split_at_checked(read).unwrap_or((rest, &[]));
        for part in next.iter().flat_map(parts) {
            terms.clear();
            lexicon.read(part, &mut terms);
        }
        let mut known: BTreeSet<String> = lexicon.texts().map(str::to_owned).collect();
        let is_new = |word: &&str| {
            let Some(term) = analyzer.term(word) else { return false };
            // A noun derived from the verb is a form of it: `recovery`.
            let longer =
                known.range(term.as_ref().to_owned()..).next().filter(|_| term.len() >= SHORTEST_STEM_BYTES);
            longer.is_none_or(|longer| !longer.starts_with(term.as_ref())) && known.insert(term.into_owned())
        };
        let unmatched: Vec<String> = words(query).filter(is_new).map(str::to_owned).collect();
        // If the memories read so far have all the words, the others are not read.
        if unmatched.is_empty() || after.is_empty() {
            return unmatched;
        }
        (rest, read) = (after, 2 * read);
    }
}

/// The scores of `texts` by `scorer`, as shares of the best. In a log, where all are of one type and neighbours are on
/// the same subject, scores spread to neighbours.
pub(crate) fn scored(query: &str, texts: &[&str], scorer: &dyn Scorer, types: usize) -> Vec<f64> {
    let scores = if is_log(texts, types) {
        relevance_in_order(query, texts, scorer)
    } else {
        scorer.score(query, texts)
    };
    let best = scores.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    // Zero scores become 0.0, even if a sum gives -0.0.
    scores.into_iter().map(|score| score / best + 0.0).collect()
}

/// Whether `texts`, which are of this many types, are a log.
fn is_log(texts: &[&str], types: usize) -> bool {
    // ablate: hierarchical.in-order => false
    types == 1 && is_in_order(texts)
}

fn of_four(values: &[f64; 4], n: usize) -> f64 {
    values.at(n)
}

/// A value clamped to 0 to 1; `None` if it is not a number.
fn share(value: Option<f64>) -> Option<f64> {
    value.filter(|value| !value.is_nan()).map(|value| value.clamp(0.0, 1.0))
}

/// The texts of a memory that are compared with a query.
fn parts(memory: &MemoryRecord) -> impl Iterator<Item = &str> {
    let examples = memory.examples.iter().flat_map(|example| [&example.explanation, &example.code]);
    let evidence = memory.evidence.iter().map(|evidence| &evidence.description);
    let names = [&memory.tags, &memory.linked_patterns, &memory.linked_constraints];
    let places = [&memory.linked_files, &memory.linked_functions, &memory.causal_chain];
    let parts = [&memory.summary, &memory.knowledge].into_iter().chain(examples).chain(evidence);
    let parts = parts.chain(names.into_iter().chain(places).flatten()).map(String::as_str);
    parts.filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(memories: &[MemoryRecord], expect: &[f64]) {
        let worth = Weights::default().worth(memories, None);
        let worth: Vec<f64> = (0..memories.len()).map(|n| worth.whole(n)).collect();
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
        assert!(worth.len() == expect.len() && worth.iter().zip(expect).all(near), "{worth:?}");
    }

    #[test]
    fn the_formula() {
        let memory = |importance, relevance, confidence| {
            MemoryRecord::default()
                .with_importance(importance)
                .with_relevance(relevance)
                .with_confidence(confidence)
        };
        check(
            &[memory(Importance::Normal, None, None), memory(Importance::Critical, None, None)],
            &[0.4, 1.6],
        );
        check(
            &[memory(Importance::Low, Some(1.0), Some(0.5)), memory(Importance::High, None, Some(f64::NAN))],
            &[1.35, 3.4],
        );
        check(&[memory(Importance::Low, Some(7.0), None)], &[1.2]);
    }

    /// Scores each text by the number of times a character occurs in it.
    struct Times(char);

    impl Scorer for Times {
        fn score(&self, _: &str, texts: &[&str]) -> Vec<f64> {
            let times = |text: &&str| text.chars().filter(|c| *c == self.0).map(|_| 1.0).sum();
            texts.iter().map(times).collect()
        }
    }

    #[test]
    fn relevance_is_a_share_of_the_best_score() {
        #[track_caller]
        fn check(scorer: Option<char>, query: Option<&str>, own: Option<f64>, expect: Option<[f64; 2]>) {
            let memory = |knowledge: &str| MemoryRecord::default().with_knowledge(knowledge);
            let memories = [memory("aab").with_relevance(own), memory("ab")];
            let scorer = scorer.map(Times);
            let scorer = scorer.as_ref().map(|scorer| scorer as &dyn Scorer);
            assert_eq!(relevance(&memories, query, scorer), expect.map(Vec::from));
        }
        check(None, Some("q"), None, None);
        check(Some('a'), None, None, None);
        check(Some('c'), Some("q"), None, None);
        check(Some('a'), Some("q"), None, Some([1.0, 0.5]));
        check(Some('a'), Some("q"), Some(0.25), Some([0.25, 0.5]));
        check(None, Some("q"), Some(0.25), Some([0.25, 0.0]));
    }

    #[test]
    fn words_of_the_query_that_no_memory_has() {
        let memories = ["Services run in containers.", "Deploys wait."]
            .map(|knowledge| MemoryRecord::default().with_knowledge(knowledge));
        let check = |query, expect: &[&str]| assert_eq!(unmatched(&memories, query), expect);
        check("how do I deploy a container", &[]);
        check("the Kafka operator, a kafka service", &["Kafka", "operator"]);
        check("", &[]);
    }

    #[test]
    fn what_answers_is_worth_most_and_importance_breaks_ties() {
        let memory = |importance| MemoryRecord::default().with_importance(importance);
        let memories = [Importance::Critical, Importance::Low, Importance::High, Importance::Low].map(memory);
        let worth = Weights::default().worth(&memories, Some(&[0.0, 1.0, 0.9, 0.9]));
        let at = |level| [1, 2, 3, 0].map(|n| worth.at(n, level));
        assert!(at(Level::Full).is_sorted_by(|a, b| a > b), "{:?}", at(Level::Full));
        assert!(at(Level::Gist).is_sorted_by(|a, b| a > b) && at(Level::Gist)[3] > 0.0);
        assert_eq!(at(Level::Reference), [0.0; 4]);
    }
}
