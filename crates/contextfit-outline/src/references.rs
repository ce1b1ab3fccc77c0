//! Who refers to which definition, over all blocks.

use std::collections::HashMap;

/// Names of fewer bytes are words more often than references.
const SHORTEST: usize = 4;

/// A name that more definitions than this have says nothing about which is meant.
const BEARERS: usize = 4;

/// How far relevance goes: so many references.
const STEPS: usize = 2;

/// What of its relevance a definition passes on, shared among all that it refers to.
const PASSED: f64 = 0.25;

/// Gives each definition what those that refer to it pass on: a few steps of a personalised page rank, in which relevance
/// is where the walk starts. `names` and `texts` belong to `relevance`. Linear in the texts.
pub(crate) fn spread(relevance: &mut [f64], names: &[&str], texts: &[&str]) {
    let mut bearers: HashMap<&str, Vec<usize>> = HashMap::new();
    for (n, name) in names.iter().enumerate().filter(|(_, name)| name.len() >= SHORTEST) {
        bearers.entry(name).or_default().push(n);
    }
    bearers.retain(|_, bearers| bearers.len() <= BEARERS);
    let references: Vec<Vec<usize>> = texts
        .iter()
        .enumerate()
        .map(|(from, text)| {
            let words =
                text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.len() >= SHORTEST);
            let mut to: Vec<usize> = words.filter_map(|word| bearers.get(word)).flatten().copied().collect();
            to.sort_unstable();
            to.dedup();
            to.retain(|&to| to != from);
            to
        })
        .collect();
    let start = relevance.to_vec();
    for _ in 0..STEPS {
        let mut next = start.clone();
        for (from, to) in relevance.iter().zip(&references) {
            let share = PASSED * from / float(to.len());
            for &to in to {
                if let Some(next) = next.get_mut(to) {
                    *next += share;
                }
            }
        }
        relevance.copy_from_slice(&next);
    }
}

/// A number of references, one at least.
#[expect(clippy::cast_precision_loss, reason = "numbers of references stay far below 2^53")]
fn float(n: usize) -> f64 {
    n.max(1) as f64
}
