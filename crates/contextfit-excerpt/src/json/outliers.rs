//! Values that differ where the others of their key repeat: the one service that is down.

use std::hash::BuildHasher;

use foldhash::{HashMap, fast::FixedState};

use super::tree::{Node, Tree};

/// Fewer values of a key do not show what is usual.
const MIN_VALUES_OF_KEY: usize = 8;

/// A key counts as repetitive if at most one in this many of its values is distinct.
const DIFFERENT: usize = 6;

/// A rare value makes up at most one in this many.
const RARE_ONE_IN: usize = 20;

/// A rare value occurs at most once for this many occurrences of an average value.
const RARE_BELOW_AVERAGE: usize = 4;

/// The statistics of the values of one key.
#[derive(Default)]
struct Key {
    values: usize,
    different: usize,
}

/// For each node, whether it is a member with a rare value, or a small undivided object with one. Linear.
pub(super) fn outliers(tree: &Tree<'_, '_>) -> Vec<bool> {
    // ablate: excerpt.rare-values => vec![false; tree.nodes.len()]
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
            key.values >= MIN_VALUES_OF_KEY
                && key.different * DIFFERENT <= key.values
                && (count == 1 || count * RARE_ONE_IN.max(key.different * RARE_BELOW_AVERAGE) <= key.values)
        })
    };
    members.iter().map(|members| members.iter().any(is_rare)).collect()
}

/// The members in `text`, which is a member or a small object. Commas or brackets inside strings split a value into
/// pieces, but these repeat no key.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(['{', '}', ',']).map(str::trim).filter(|part| part.starts_with('"'))
}
