//! What values are worth: by what they say, what stands beside them, and where they are.

use std::{collections::hash_map::Entry, hash::BuildHasher};

use foldhash::{HashMap, HashMapExt, fast::FixedState};

use super::{
    outliers::outliers,
    tree::{Form, Node, Tree},
};
use crate::{
    signals::{Signal, signal},
    worth::{EDGE, END, ERROR, FOCUS, NOTABLE, PLAIN, TOTAL},
};

/// A value with at most so many in it is a record: it is taken as a whole where it can be.
pub(super) const RECORD: u32 = 24;

/// A member of more bytes is a text that may speak of errors.
const LINE: usize = 200;

/// Values that are remembered as having been there before.
const SEEN: usize = 1 << 16;

impl Tree<'_, '_> {
    /// What each leaf is worth: the members of an object alike but for telling ones, of an array the first element most,
    /// since it shows what all of them are like.
    pub(super) fn worth(&self) -> Vec<f32> {
        let mut seen: HashMap<u64, u32> = HashMap::new();
        let mut rung = |(node, is_outlier): (&Node, bool)| {
            let (rung, alarm) = self.rung(node, self.node(node.parent));
            let alarm = if is_outlier { alarm.max(NOTABLE) } else { alarm };
            let alike = 1.0 + self.before(node, &mut seen) as f32;
            (rung / alike, alarm / alike)
        };
        let (rungs, alarms): (Vec<f32>, Vec<f32>) =
            self.nodes.iter().zip(outliers(self)).map(&mut rung).unzip();
        let near = self.nearness(&alarms);
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

    /// The rung of the ladder that a leaf stands on by itself: errors, then names that occur nowhere else (codes, numbers of
    /// orders, dates), then other values, then those that say that there is none. What is an error is said apart: the members
    /// beside it share in it.
    fn rung(&self, node: &Node, parent: Option<&Node>) -> (f32, f32) {
        if node.children > 0 {
            return (0.0, 0.0);
        }
        let text = self.opening(node);
        let form = parent.map(|parent| parent.form);
        if form == Some(Form::Text) {
            return match signal(text.trim_start_matches("\\n")) {
                Signal::Error => (EDGE, ERROR),
                Signal::Total => (EDGE, TOTAL),
                _ => (EDGE, 0.0),
            };
        }
        let (key, value) = text.split_once(':').filter(|_| form == Some(Form::Object)).unwrap_or(("", text));
        let value = value.trim_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let key = key.trim().trim_matches('"');
        if value.starts_with(['{', '[']) && value.len() > 2 {
            // A small value that was not divided is as much as there is in it.
            let parts = value.split(',').map(|part| part.split_once(':').map_or(part, |(_, part)| part));
            return (parts.map(plain_rung).sum(), 0.0);
        }
        if matches!(value, "null" | "\"\"" | "[]" | "{}" | "false" | "0") {
            (PLAIN, 0.0)
        } else if key.eq_ignore_ascii_case("error") || text.len() < LINE && signal(text) == Signal::Error {
            (EDGE, ERROR)
        } else if key.ends_with("id") {
            (END, 0.0)
        } else {
            (plain_rung(value), 0.0)
        }
    }

    /// How many leaves with the text of this one came before.
    fn before(&self, node: &Node, seen: &mut HashMap<u64, u32>) -> u32 {
        if node.children > 0 {
            return 0;
        }
        let full = seen.len() >= SEEN;
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

    /// What the focus and errors add to each leaf: to itself all, to what names the object that it is in all as well, half of it to
    /// the other members of that object, a quarter to those of the objects in it.
    fn nearness(&self, alarms: &[f32]) -> Vec<f32> {
        let own = |n: usize, node: &Node| {
            let is_line = self.node(node.parent).is_some_and(|parent| parent.form == Form::Text);
            let focus = self.focus.get(n).copied().unwrap_or(0.0) * if is_line { 0.5 } else { 1.0 };
            alarms.get(n).copied().unwrap_or(0.0) + FOCUS * focus
        };
        let mut record: Vec<f32> = self.nodes.iter().enumerate().map(|(n, node)| own(n, node)).collect();
        let mut names: Vec<Option<usize>> = vec![None; self.nodes.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            let is_member = node.children == 0
                && self.node(node.parent).is_some_and(|parent| parent.form == Form::Object);
            if !is_member {
                continue;
            }
            let here = own(n, node);
            record.get_mut(node.parent as usize).into_iter().for_each(|record| *record = record.max(here));
            if let Some(name) =
                names.get_mut(node.parent as usize).filter(|_| names_its_object(self.opening(node)))
            {
                name.get_or_insert(n);
            }
        }
        // Of a container: what it hands down.
        let mut near: Vec<f32> = Vec::with_capacity(self.nodes.len());
        for (n, node) in self.nodes.iter().enumerate() {
            let above = near.get(node.parent as usize).copied().unwrap_or(0.0);
            let here = record.get(n).copied().unwrap_or(0.0);
            let is_name = names.get(node.parent as usize).copied().flatten() == Some(n);
            let whole = record.get(node.parent as usize).copied().filter(|_| is_name).unwrap_or(0.0);
            // What a long list or a large object is called says little of each value in it.
            let part = if node.children <= RECORD { 2.0 } else { 8.0 };
            near.push(if node.children == 0 { here.max(above).max(whole) } else { here.max(above) / part });
        }
        near
    }
}

/// Whether `member` says which of many an object is.
pub(super) fn names_its_object(member: &str) -> bool {
    let key = member.trim_start().strip_prefix('"').and_then(|member| member.split_once('"'));
    key.is_some_and(|(key, _)| {
        let key = key.to_ascii_lowercase();
        ["name", "id", "key", "title", "path", "label"].iter().any(|end| key.ends_with(end))
    })
}

/// The rung of a value by itself.
fn plain_rung(value: &str) -> f32 {
    if is_name(value.trim_matches([' ', '{', '}', '[', ']'])) { END } else { EDGE }
}

/// Whether `value` is a code, a date, a name made by a machine: one word with digits in it beside other signs, or in
/// capitals.
fn is_name(value: &str) -> bool {
    let word = value.trim_matches('"');
    let (digits, other) =
        (word.bytes().any(|b| b.is_ascii_digit()), word.bytes().any(|b| !b.is_ascii_digit()));
    let capitals = || word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    word.len() <= 64 && word.len() < value.len() && !word.contains(' ') && (digits && other || capitals())
}

/// What the place of `node` in `parent` makes of its worth.
fn place(parent: &Node, node: &Node) -> f32 {
    let (index, from_end) = (node.index as f32, (parent.children - node.index - 1) as f32);
    match parent.form {
        Form::Object | Form::Leaf => 1.0,
        _ if node.index == 0 => 1.0,
        Form::Text => 2.0 / (2.0 + index.min(from_end)),
        Form::Array if node.children == 0 => 2.0 / (2.0 + index.min(2.0 * from_end)),
        Form::Array | Form::Lines => (0.6 * 8.0 / (8.0 + index)).max(0.4 * 2.0 / (2.0 + from_end)),
    }
}
