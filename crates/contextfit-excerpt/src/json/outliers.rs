//! Values that differ where the others of their key say the same again and again: the one service that is down.

use std::hash::BuildHasher;

use foldhash::{HashMap, HashSet, fast::FixedState};

use super::tree::{Node, Tree};
use crate::numbers::Numbers;

/// A key with fewer values says nothing of what is usual.
const VALUES: usize = 8;

/// Values of a key that come again and again: one different value in so many at the most.
const DIFFERENT: usize = 8;

/// What is rare occurs once in so many at the most.
const RARE: usize = 20;

/// A value is rare among the others when it occurs once where each of them would occur so often.
const UNUSUAL: usize = 4;

/// What is known of the values of one key.
#[derive(Default)]
struct Key {
    values: usize,
    different: usize,
}

/// For each node whether it is a member with a rare value or a number that stands out, or a small object that was not divided and has a
/// rare value. Linear.
pub(super) fn outliers(tree: &Tree<'_, '_>) -> Vec<bool> {
    let hash = |text: &str| FixedState::default().hash_one(text);
    // Of a value with commas or brackets in a string only pieces are seen; they repeat no key.
    let members = |node: &Node| {
        let text = if node.children == 0 { tree.opening(node) } else { "" };
        let parts = text.split(['{', '}', ',']).map(str::trim).filter(|part| part.starts_with('"'));
        let member = |part| Some((hash(str::split_once(part, "\":")?.0), hash(part)));
        parts.filter_map(member).collect::<Vec<_>>()
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
            // Rarer than the others by far: of many values, each is rare.
            key.values >= VALUES
                && key.different * DIFFERENT <= key.values
                && count * RARE.max(key.different * UNUSUAL) <= key.values
        })
    };
    let extremes = extremes(tree);
    members
        .iter()
        .enumerate()
        .map(|(n, members)| extremes.contains(&n) || members.iter().any(is_rare))
        .collect()
}

/// The nodes that are a member with the largest or the smallest number of their key, where that stands out. Linear.
fn extremes(tree: &Tree<'_, '_>) -> HashSet<usize> {
    let mut keys: HashMap<&str, Numbers> = HashMap::default();
    for (n, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.children == 0) {
        let member = tree.opening(node).trim_matches(|c: char| c.is_whitespace() || c == ',');
        let member = member.split_once("\":").filter(|(key, _)| key.starts_with('"'));
        let number = member.and_then(|(key, value)| Some((key, value.trim().parse::<f64>().ok()?)));
        if let Some((key, number)) = number.filter(|(_, number)| number.is_finite()) {
            keys.entry(key).or_default().add(n, number);
        }
    }
    keys.into_values().flat_map(|numbers| numbers.outliers()).collect()
}
