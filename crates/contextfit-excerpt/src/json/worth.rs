//! The scores of values: by their content, their neighbours and their position.

use std::{collections::hash_map::Entry, hash::BuildHasher};

use foldhash::{HashMap, HashMapExt, fast::FixedState};

use super::{
    concerns::is_concern,
    outliers::outliers,
    tree::{Node, NodeForm, Tree},
};
use crate::{
    names::is_naming,
    signals::{Signal, signal},
    worth::{EDGE, END, ERROR, FOCUS, NOTABLE, PLAIN, TOTAL},
};

/// A value with at most this many nodes in it is a record, taken whole where possible.
pub(super) const LARGEST_RECORD_NODES: u32 = 24;

/// The keys of an object with more members are names, and its members are alike, as the elements of an array are.
pub(super) const KEYS: u32 = 24;

/// A longer member, in bytes, is a text that may merely mention errors.
const LONGEST_MEMBER_BYTES: usize = 200;

/// The share of the score of a nested object that the name of the object around it gets.
const WITHIN: f32 = 0.75;

/// At most this many distinct values are remembered as seen before.
const MAX_SEEN_VALUES: usize = 1 << 16;

impl Tree<'_, '_> {
    /// The score of each leaf: members of an object score alike except for telling ones; in an array the first element
    /// scores highest, since it shows what all of them are like.
    pub(super) fn worth(&self) -> Vec<f32> {
        let mut seen: HashMap<u64, u32> = HashMap::new();
        // A value that many records have says little, even if it is asked for.
        let mut rung = |(n, (node, is_outlier)): (usize, (&Node, bool))| {
            let (rung, alarm) = self.rung(node, self.node(node.parent));
            let alarm = if is_outlier { alarm.max(NOTABLE) } else { alarm };
            let is_line = self.node(node.parent).is_some_and(|parent| parent.form == NodeForm::Text);
            let focus = self.focus.get(n).copied().unwrap_or(0.0) * if is_line { 0.5 } else { 1.0 };
            let alike = 1.0 + self.before(node, &mut seen) as f32;
            (rung / alike, (alarm + FOCUS * focus) / alike)
        };
        let (rungs, own): (Vec<f32>, Vec<f32>) =
            self.nodes.iter().zip(outliers(self)).enumerate().map(&mut rung).unzip();
        let near = self.nearness(own);
        let mut shares: Vec<f32> = Vec::with_capacity(self.nodes.len());
        let mut worth = Vec::with_capacity(self.nodes.len());
        for (n, node) in self.nodes.iter().enumerate() {
            let above = shares.get(node.parent as usize).copied().unwrap_or(1.0);
            let parent = self.node(node.parent);
            let share = above * 0.9 * parent.map_or(1.0, |parent| place(parent, node));
            shares.push(share);
            let rung = rungs.get(n).copied().unwrap_or(0.0);
            let near = near.get(n).copied().unwrap_or(0.0);
            worth.push(if node.children > 0 { 0.0 } else { rung * share + near });
        }
        worth
    }

    /// The base score of a leaf: errors, then names that occur nowhere else (codes, order numbers, dates), then other
    /// values, then those that mean there is none. The score of an error is returned separately, because neighbouring
    /// members share in it.
    fn rung(&self, node: &Node, parent: Option<&Node>) -> (f32, f32) {
        if node.children > 0 {
            return (0.0, 0.0);
        }
        let text = self.opening(node);
        let form = parent.map(|parent| parent.form);
        if form == Some(NodeForm::Text) {
            return match signal(text.trim_start_matches("\\n")) {
                Signal::Error => (EDGE, ERROR),
                Signal::Total => (EDGE, TOTAL),
                _ => (EDGE, 0.0),
            };
        }
        let (key, value) =
            text.split_once(':').filter(|_| form == Some(NodeForm::Object)).unwrap_or(("", text));
        let value = value.trim_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let key = key.trim().trim_matches('"');
        let is_of_error = || parent.is_some_and(|parent| is_error(self.opening(parent)));
        if !key.is_empty() && is_reason(key) && is_of_error() {
            return (EDGE, ERROR);
        }
        if value.starts_with(['{', '[']) && value.len() > 2 {
            // A small undivided value is worth the sum of its parts.
            let parts = value.split(',').map(|part| part.split_once(':').map_or(part, |(_, part)| part));
            return (parts.map(plain_rung).sum(), 0.0);
        }
        if matches!(value, "null" | "\"\"" | "[]" | "{}" | "false" | "0") {
            (PLAIN, 0.0)
        } else if key.eq_ignore_ascii_case("error")
            || is_exit_code(key)
            || text.len() < LONGEST_MEMBER_BYTES && signal(text) == Signal::Error
        {
            (EDGE, ERROR)
        } else if text.len() < LONGEST_MEMBER_BYTES && is_concern(text) {
            (EDGE, NOTABLE)
        } else if key.ends_with("id") {
            (END, 0.0)
        } else {
            (plain_rung(value), 0.0)
        }
    }

    /// The number of earlier leaves with the same text.
    fn before(&self, node: &Node, seen: &mut HashMap<u64, u32>) -> u32 {
        if node.children > 0 {
            return 0;
        }
        let full = seen.len() >= MAX_SEEN_VALUES;
        match seen.entry(FixedState::default().hash_one(self.opening(node).trim_matches([' ', ',', '\n']))) {
            Entry::Occupied(mut entry) => {
                *entry.get_mut() += 1;
                *entry.get() - 1
            }
            Entry::Vacant(entry) => {
                if !full {
                    entry.insert(1);
                }
                0
            }
        }
    }

    /// The score that focus and errors add to each leaf: all of it to the leaf itself and to the member that names its
    /// object, half to the other members of that object, a quarter to those of nested objects.
    fn nearness(&self, own: Vec<f32>) -> Vec<f32> {
        let mut record = own;
        let mut names: Vec<Option<usize>> = vec![None; self.nodes.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            let is_member = node.children == 0
                && self.node(node.parent).is_some_and(|parent| parent.form == NodeForm::Object);
            if !is_member {
                continue;
            }
            let here = record.get(n).copied().unwrap_or(0.0);
            record.get_mut(node.parent as usize).into_iter().for_each(|record| *record = record.max(here));
            if let Some(name) =
                names.get_mut(node.parent as usize).filter(|_| names_its_object(self.opening(node)))
            {
                name.get_or_insert(n);
            }
        }
        // What names an object is worth most of what is telling in the objects within it.
        let mut inner = record.clone();
        for (n, node) in self.nodes.iter().enumerate().rev().filter(|(_, node)| node.children > 0) {
            let own = inner.get(n).copied().unwrap_or(0.0) * WITHIN;
            inner.get_mut(node.parent as usize).into_iter().for_each(|outer| *outer = outer.max(own));
        }
        // For a container: the score it passes down.
        let mut near: Vec<f32> = Vec::with_capacity(self.nodes.len());
        for (n, node) in self.nodes.iter().enumerate() {
            let above = near.get(node.parent as usize).copied().unwrap_or(0.0);
            let here = record.get(n).copied().unwrap_or(0.0);
            let is_name = names.get(node.parent as usize).copied().flatten() == Some(n);
            let whole = inner.get(node.parent as usize).copied().filter(|_| is_name).unwrap_or(0.0);
            // The name of a long list or a large object says little about each value in it.
            let part = if node.children <= LARGEST_RECORD_NODES { 2.0 } else { 8.0 };
            near.push(if node.children == 0 { here.max(above).max(whole) } else { here.max(above) / part });
        }
        near
    }
}

/// Whether `member` identifies its object among others.
pub(super) fn names_its_object(member: &str) -> bool {
    key(member).is_some_and(is_naming)
}

/// The key of `member`.
fn key(member: &str) -> Option<&str> {
    Some(member.trim_start().strip_prefix('"')?.split_once('"')?.0)
}

/// Whether an object that opens like this is an error: `"error": {`.
fn is_error(opening: &str) -> bool {
    let names = ["error", "exception", "failure"];
    key(opening).is_some_and(|key| names.iter().any(|name| key.eq_ignore_ascii_case(name)))
}

/// Whether the member of an error with this `key` says what happened.
fn is_reason(key: &str) -> bool {
    ["message", "msg", "detail", "details", "reason", "description", "code", "type", "status"]
        .iter()
        .any(|name| key.eq_ignore_ascii_case(name))
}

/// Whether `key` has the outcome of a process; other values than zero are failures.
fn is_exit_code(key: &str) -> bool {
    let key: String = key.chars().filter(char::is_ascii_alphabetic).collect();
    ["exitcode", "exitstatus", "returncode"].iter().any(|code| key.eq_ignore_ascii_case(code))
}

/// The base score of a value.
fn plain_rung(value: &str) -> f32 {
    if is_name(value.trim_matches([' ', '{', '}', '[', ']'])) { END } else { EDGE }
}

/// Whether `value` is a code, a date or a machine-made name: one word with digits and other characters, or in capitals.
fn is_name(value: &str) -> bool {
    let word = value.trim_matches('"');
    let (digits, other) =
        (word.bytes().any(|b| b.is_ascii_digit()), word.bytes().any(|b| !b.is_ascii_digit()));
    let capitals = || word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    word.len() <= 64 && word.len() < value.len() && !word.contains(' ') && (digits && other || capitals())
}

/// The factor for the position of `node` in `parent`.
fn place(parent: &Node, node: &Node) -> f32 {
    let (index, from_end) = (node.index as f32, (parent.children - node.index - 1) as f32);
    match parent.form {
        NodeForm::Object if parent.children <= KEYS || node.children == 0 => 1.0,
        NodeForm::Leaf => 1.0,
        _ if node.index == 0 => 1.0,
        NodeForm::Text => 2.0 / (2.0 + index.min(from_end)),
        NodeForm::Array if node.children == 0 => 2.0 / (2.0 + index.min(2.0 * from_end)),
        NodeForm::Array | NodeForm::Lines | NodeForm::Object => {
            (0.6 * 8.0 / (8.0 + index)).max(0.4 * 2.0 / (2.0 + from_end))
        }
    }
}
