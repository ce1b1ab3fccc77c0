//! Values that differ where the others of their key repeat: the one service that is down.

use std::hash::BuildHasher;

use foldhash::{HashMap, HashSet, fast::FixedState};

use super::tree::{Node, Tree};
use crate::numbers::Numbers;

/// Fewer values of a key do not show what is usual.
const VALUES: usize = 8;

/// A key counts as repetitive if at most one in this many of its values is distinct.
const DIFFERENT: usize = 6;

/// A rare value makes up at most one in this many.
const RARE: usize = 20;

/// A rare value occurs at most once for this many occurrences of an average value.
const UNUSUAL: usize = 4;

/// One `true` stands out among at least this many `false` of its object.
const FALSE: usize = 3;

/// The members that alone are true in their objects. Linear.
fn alone(tree: &Tree<'_, '_>) -> HashSet<usize> {
    let mut flags: HashMap<u32, (Vec<usize>, usize)> = HashMap::default();
    for (n, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.children == 0) {
        let member = tree.opening(node).trim_end_matches([' ', ',', '\n', '\r']);
        let (trues, falses) = flags.entry(node.parent).or_default();
        if member.ends_with(": true") || member.ends_with(":true") {
            trues.push(n);
        }
        *falses += usize::from(member.ends_with("false"));
    }
    let single = flags.into_values().filter(|(trues, falses)| trues.len() == 1 && *falses >= FALSE);
    single.flat_map(|(trues, _)| trues).collect()
}

/// The statistics of the values of one key.
#[derive(Default)]
struct Key {
    values: usize,
    different: usize,
}

/// For each node, whether it is a member with a rare value or an outlying number, the only true one of an object, or a small undivided object with a
/// rare value. Linear.
pub(super) fn outliers(tree: &Tree<'_, '_>) -> Vec<bool> {
    let hash = |text: &str| FixedState::default().hash_one(text);
    let members = |node: &Node| {
        let text = if node.children == 0 { tree.opening(node) } else { "" };
        let member = |part| Some((hash(str::split_once(part, "\":")?.0), hash(part)));
        parts(text).filter_map(member).collect::<Vec<_>>()
    };
    let members: Vec<Vec<(u64, u64)>> = tree.nodes.iter().map(members).collect();
    let mut keys: HashMap<u64, Key> = HashMap::default();
    let mut values: HashMap<u64, usize> = HashMap::default();
    for (key, value) in members.iter().flatten() {
        let count = values.entry(*value).or_default();
        *count += 1;
        let key = keys.entry(*key).or_default();
        key.values += 1;
        key.different += usize::from(*count == 1);
    }
    let is_rare = |(key, value): &(u64, u64)| {
        let count = values.get(value).copied().unwrap_or_default();
        keys.get(key).is_some_and(|key| {
            // Rarer than the others by far: among many distinct values, each is rare.
            key.values >= VALUES
                && key.different * DIFFERENT <= key.values
                && (count == 1 || count * RARE.max(key.different * UNUSUAL) <= key.values)
        })
    };
    let (extremes, alone) = (extremes(tree), alone(tree));
    members
        .iter()
        .enumerate()
        .map(|(n, members)| extremes.contains(&n) || alone.contains(&n) || members.iter().any(is_rare))
        .collect()
}

/// The members in `text`, which is a member or a small object. Commas or brackets inside strings split a value into
/// pieces, but these repeat no key.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(['{', '}', ',']).map(str::trim).filter(|part| part.starts_with('"'))
}

/// The nodes that are members with the largest or smallest number of their key, if that is an outlier. Linear.
fn extremes(tree: &Tree<'_, '_>) -> HashSet<usize> {
    let mut keys: HashMap<&str, Numbers> = HashMap::default();
    for (n, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.children == 0) {
        for (key, value) in parts(tree.opening(node)).filter_map(|part| part.split_once("\":")) {
            let number = value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            number.into_iter().for_each(|number| keys.entry(key).or_default().add(n, number));
        }
    }
    keys.into_values().flat_map(|numbers| numbers.outliers()).collect()
}
