//! Turns that repeat what others said.

use contextfit_kernel::{Hold, Measured, Role};
use foldhash::{HashMap, HashMapExt};

use crate::{
    exchange::exchanges,
    reading::Reading,
    vectors::{TurnVectors, is_speech, lexical},
};

/// A turn is compared with this many later turns, nearest first; equal texts are found at any distance.
const COMPARED_TURNS: usize = 64;

/// Turns that say the same: exchanges by index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cluster {
    /// The newest, which represents them all.
    pub(crate) newest: usize,
    /// The others, from newest to oldest.
    pub(crate) others: Vec<usize>,
}

/// A speaker: role and name.
type Speaker<'a> = (&'static str, Option<&'a str>);

/// A turn that may repeat another.
struct Said<'a> {
    exchange: usize,
    role: Role,
    name: Option<&'a str>,
    text: &'a str,
    /// Whether it holds a standing rule, so that only the same text replaces it.
    instructs: bool,
    /// The names in it: a turn with other names does not say the same.
    names: &'a [u32],
    may_go: bool,
}

/// The clusters of turns with at least `similarity` to the newest turn of each. Only messages of the assistant or a
/// person are compared, each with those of the same speaker; tool calls and their results never are. A turn with a rule
/// of `min_strength` matches only the same words, and a turn with a name that the newest lacks matches nothing. Linear
/// in the length of the conversation.
pub(crate) fn clusters(
    reading: &Reading<'_>,
    vectors: Option<&TurnVectors>,
    similarity: f64,
    min_strength: f64,
) -> Vec<Cluster> {
    let said = said(reading.input, reading, min_strength);
    let texts: Vec<&str> = said.iter().map(|said| said.text).collect();
    let own = lexical(&texts);
    let vector = |n: usize| {
        let text = texts.get(n).copied().unwrap_or_default();
        let asked = vectors.and_then(|vectors| vectors.of(text));
        asked.or_else(|| own.get(n).filter(|_| vectors.is_none()).map(Vec::as_slice)).unwrap_or_default()
    };
    let mut clusters: Vec<Cluster> = Vec::new();
    // For each speaker, the turns that begin clusters, with their clusters.
    let mut leaders: HashMap<Speaker<'_>, Vec<(usize, usize)>> = HashMap::new();
    let mut same: HashMap<(Speaker<'_>, String), usize> = HashMap::new();
    for (n, turn) in said.iter().enumerate().rev() {
        let speaker: Speaker<'_> = (turn.role.name(), turn.name);
        let text = in_one_line(turn.text);
        let key = (speaker, text);
        let leaders = leaders.entry(speaker).or_default();
        let near = || {
            let near = leaders.iter().rev().take(COMPARED_TURNS).filter(|(leader, _)| {
                said.get(*leader).is_some_and(|leader| {
                    !leader.instructs && turn.names.iter().all(|name| leader.names.contains(name))
                })
            });
            let scored = near.map(|&(leader, cluster)| (cosine(vector(leader), vector(n)), cluster));
            let best = scored.filter(|(score, _)| *score >= similarity).max_by(|a, b| a.0.total_cmp(&b.0));
            best.map(|(_, cluster)| cluster)
        };
        let found = same.get(&key).copied().or_else(|| if turn.instructs { None } else { near() });
        match found.filter(|_| turn.may_go).and_then(|cluster| clusters.get_mut(cluster)) {
            Some(cluster) => cluster.others.push(turn.exchange),
            None => {
                same.entry(key).or_insert(clusters.len());
                leaders.push((n, clusters.len()));
                clusters.push(Cluster { newest: turn.exchange, others: Vec::new() });
            }
        }
    }
    clusters.retain(|cluster| !cluster.others.is_empty());
    clusters
}

/// The turns that can be compared, in order.
fn said<'a>(input: &Measured<'a>, reading: &'a Reading<'_>, min_strength: f64) -> Vec<Said<'a>> {
    let mut instructs = vec![false; input.blocks.len()];
    let rules =
        reading.units.all.iter().zip(&reading.rules).filter(|(_, strength)| **strength >= min_strength);
    for (unit, _) in rules {
        instructs.get_mut(reading.block_of(unit)).into_iter().for_each(|instructs| *instructs = true);
    }
    let exchanges = exchanges(input);
    let turn = |(n, exchange): (usize, &crate::exchange::Exchange)| {
        let [at] = exchange.members.as_slice() else { return None };
        let block = input.blocks.get(*at)?.block();
        let spoken = is_speech(block) && block.group.is_none() && !reading.said.is_printed(*at);
        let turn = block.as_turn().filter(|_| spoken)?;
        Some(Said {
            exchange: n,
            role: turn.role,
            name: turn.name.as_deref(),
            text: &block.text,
            instructs: instructs.get(*at) == Some(&true),
            names: reading.names_of.get(*at).map(Vec::as_slice).unwrap_or_default(),
            may_go: exchange.hold == Hold::Free,
        })
    };
    exchanges.iter().enumerate().filter_map(turn).collect()
}

/// The cosine of two vectors of unit length; zero if their dimensions differ.
fn cosine(a: &[f32], b: &[f32]) -> f64 {
    if a.len() != b.len() {
        return 0.0;
    }
    let dot: f64 = a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
    dot.clamp(0.0, 1.0)
}

/// The text in one line, with every run of whitespace as one space.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
