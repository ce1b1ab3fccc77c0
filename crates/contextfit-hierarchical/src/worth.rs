//! What a memory is worth, and what its levels are worth of that.

use std::sync::Arc;

use contextfit_kernel::{Importance, Level, MemoryRecord, Scorer};

/// The weights of the value formula:
///
/// > value(memory, level) = importance × (base + r·relevance + c·confidence + t·recency) × share of the level
///
/// where relevance, confidence and recency are from 0 to 1. A part that is not known of a memory counts as a half where
/// other memories of the batch have it, and as nothing where none does. Two memories that say nearly the same lose
/// `redundancy` of the lesser one's value.
///
/// Relevance is the memory's own, else what a [`Scorer`] says of the query, as a share of the best score in the batch; of
/// several scorers the mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// What low, normal, high and critical importance are worth.
    pub importance: [f64; 4],
    /// What a memory is worth for itself, whatever else is known.
    pub base: f64,
    /// The weight of relevance, `r`.
    pub relevance: f64,
    /// The weight of confidence, `c`.
    pub confidence: f64,
    /// The weight of recency, `t`.
    pub recency: f64,
    /// The shares of levels 0 to 3.
    pub levels: [f64; 4],
    /// What the lesser one of two near-duplicates loses, from 0 to 1.
    pub redundancy: f64,
}

impl Default for Weights {
    /// Each importance twice the one below; relevance before confidence before recency; a line is worth four tenths of
    /// all, the extract eight tenths; of near-duplicates the lesser one keeps three tenths.
    fn default() -> Self {
        Self {
            importance: [1.0, 2.0, 4.0, 8.0],
            base: 0.2,
            relevance: 1.0,
            confidence: 0.3,
            recency: 0.2,
            levels: [0.05, 0.4, 0.8, 1.0],
            redundancy: 0.7,
        }
    }
}

impl Weights {
    /// What `level` is worth of a memory.
    #[must_use]
    pub fn share(&self, level: Level) -> f64 {
        of_four(&self.levels, u8::from(level).into())
    }

    /// What an importance is worth.
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

    /// What each of `memories` is worth whole. Linear in their length, and what the scorers take.
    #[must_use]
    pub fn worth(
        &self,
        memories: &[MemoryRecord],
        query: Option<&str>,
        scorers: &[Arc<dyn Scorer>],
    ) -> Vec<f64> {
        let scores = query.filter(|_| !scorers.is_empty()).map(|query| scores(memories, query, scorers));
        let scored = |n: usize| scores.as_ref().and_then(|scores| scores.get(n)).copied();
        let relevance = |(n, memory): (usize, &MemoryRecord)| share(memory.relevance).or_else(|| scored(n));
        let parts = [
            (self.relevance, memories.iter().enumerate().map(relevance).collect()),
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
        worth.iter().zip(memories).map(|(worth, memory)| worth * self.of(memory.importance)).collect()
    }
}

fn of_four(values: &[f64; 4], n: usize) -> f64 {
    values.get(n).copied().unwrap_or_default()
}

/// A figure from 0 to 1; `None` for what is none.
fn share(value: Option<f64>) -> Option<f64> {
    value.filter(|value| !value.is_nan()).map(|value| value.clamp(0.0, 1.0))
}

/// The mean of what `scorers` say of the memories' fields, each as shares of its best score.
#[expect(clippy::cast_precision_loss, reason = "nobody has 2^53 scorers")]
fn scores(memories: &[MemoryRecord], query: &str, scorers: &[Arc<dyn Scorer>]) -> Vec<f64> {
    let texts: Vec<String> = memories.iter().map(fields).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut mean = vec![0.0; texts.len()];
    for scorer in scorers {
        let scores = scorer.score(query, &texts);
        let best = scores.iter().copied().fold(0.0, f64::max) * scorers.len() as f64;
        if best > 0.0 {
            mean.iter_mut().zip(scores).for_each(|(mean, score)| *mean += score / best);
        }
    }
    mean
}

/// What of a memory is compared with a query.
fn fields(memory: &MemoryRecord) -> String {
    let mut parts: Vec<&str> = vec![&memory.summary, &memory.knowledge];
    parts.extend(memory.examples.iter().flat_map(|example| [&*example.explanation, &example.code]));
    parts.extend(memory.evidence.iter().map(|evidence| &*evidence.description));
    let names = [&memory.tags, &memory.linked_patterns, &memory.linked_constraints];
    let places = [&memory.linked_files, &memory.linked_functions, &memory.causal_chain];
    parts.extend(names.into_iter().chain(places).flatten().map(String::as_str));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(memories: &[MemoryRecord], expect: &[f64]) {
        let worth = Weights::default().worth(memories, None, &[]);
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
        assert!(worth.len() == expect.len() && worth.iter().zip(expect).all(near), "{worth:?}");
    }

    #[test]
    fn the_formula() {
        let memory = |importance, relevance, confidence| MemoryRecord {
            importance,
            relevance,
            confidence,
            ..MemoryRecord::default()
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

    /// Says of each text how often a character occurs in it.
    struct Times(char);

    impl Scorer for Times {
        fn score(&self, _: &str, texts: &[&str]) -> Vec<f64> {
            let times = |text: &&str| text.chars().filter(|c| *c == self.0).map(|_| 1.0).sum();
            texts.iter().map(times).collect()
        }
    }

    #[test]
    fn relevance_is_what_scorers_say_on_average() {
        #[track_caller]
        fn check(scorers: &[char], query: Option<&str>, expect: [f64; 2]) {
            let memory =
                |knowledge: &str| MemoryRecord { knowledge: knowledge.into(), ..MemoryRecord::default() };
            let scorers: Vec<Arc<dyn Scorer>> =
                scorers.iter().map(|&c| Arc::new(Times(c)) as Arc<dyn Scorer>).collect();
            let weights = Weights { base: 0.0, importance: [1.0; 4], ..Weights::default() };
            assert_eq!(weights.worth(&[memory("aab"), memory("ab")], query, &scorers), expect);
        }
        check(&[], Some("q"), [0.0, 0.0]);
        check(&['a'], None, [0.0, 0.0]);
        check(&['a'], Some("q"), [1.0, 0.5]);
        check(&['a', 'b'], Some("q"), [1.0, 0.75]);
        check(&['a', 'c'], Some("q"), [0.5, 0.25]);
    }
}
