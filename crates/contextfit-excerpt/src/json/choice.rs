//! Which values are kept, and the text of what is left.

use std::{collections::hash_map::Entry, hash::BuildHasher, ops::Range};

use contextfit_kernel::{ByteRange, Piece, TokenCounter, Tokens};
use foldhash::{HashMap, HashMapExt, fast::FixedState};

use super::{
    outliers::outliers,
    tree::{Form, NONE, Node, Tree},
};
use crate::{
    choice::{OVERHEAD, fit},
    signals::{Signal, signal},
    worth::{EDGE, END, ERROR, FOCUS, NOTABLE, PLAIN, TOTAL},
};

/// A value with at most so many in it is taken as a whole where it can be.
const RECORD: u32 = 24;

/// A member of more bytes is a text that may speak of errors.
const LINE: usize = 200;

/// Values that are remembered as having been there before.
const SEEN: usize = 1 << 16;

impl Tree<'_, '_> {
    /// The pieces that take at most `room`: valid JSON, whatever the room.
    pub(crate) fn fit(&self, room: Tokens, counter: &dyn TokenCounter) -> Vec<Piece> {
        let order = self.order();
        let marker = counter.count("    \"...\": \"12 more\",\n").get();
        let source = (self.block.block().text.as_str(), self.range);
        fit(source, room, counter, |room| self.pieces(&self.choose(&order, room.get(), marker)))
    }

    /// Leaves, and small records as a whole, those that are worth most per token first.
    fn order(&self) -> Vec<u32> {
        let worth = self.worth();
        let mut through: Vec<f64> = Vec::with_capacity(worth.len() + 1);
        through.push(0.0);
        through.extend(worth.iter().scan(0.0, |sum, worth| {
            *sum += f64::from(*worth);
            Some(*sum)
        }));
        let upto = |n: u32| through.get(n as usize).copied().unwrap_or(0.0);
        let density = |n: u32, node: &Node| {
            let tokens = self.block.tokens_between(node.from as usize, node.to as usize).get();
            (upto(n + node.size) - upto(n)) as f32 / (tokens as f32 + OVERHEAD)
        };
        let small = |node: &Node| node.size <= RECORD && matches!(node.form, Form::Object | Form::Array);
        let items = (0_u32..).zip(&self.nodes).skip(1).filter(|(_, node)| node.children == 0 || small(node));
        let mut order: Vec<(f32, u32)> = items.map(|(n, node)| (density(n, node), n)).collect();
        order.sort_unstable_by(|(a, left), (b, right)| b.total_cmp(a).then(left.cmp(right)));
        order.into_iter().map(|(_, n)| n).collect()
    }

    /// What each leaf is worth: the members of an object alike but for telling ones, of an array the first element most,
    /// since it shows what all of them are like.
    fn worth(&self) -> Vec<f32> {
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

    /// What the focus and errors add to each leaf: to itself all, half of it to the members of the same object, a quarter to
    /// those of the objects in it.
    fn nearness(&self, alarms: &[f32]) -> Vec<f32> {
        let own = |n: usize| {
            alarms.get(n).copied().unwrap_or(0.0) + FOCUS * self.focus.get(n).copied().unwrap_or(0.0)
        };
        let mut record: Vec<f32> = (0..self.nodes.len()).map(own).collect();
        for (n, node) in self.nodes.iter().enumerate() {
            let shares = node.children == 0
                && self.node(node.parent).is_some_and(|parent| parent.form == Form::Object);
            if let Some(record) = record.get_mut(node.parent as usize).filter(|_| shares) {
                *record = record.max(own(n));
            }
        }
        // Of a container: what it hands down.
        let mut near: Vec<f32> = Vec::with_capacity(self.nodes.len());
        for (n, node) in self.nodes.iter().enumerate() {
            let above = near.get(node.parent as usize).copied().unwrap_or(0.0);
            let here = record.get(n).copied().unwrap_or(0.0);
            near.push(if node.children == 0 { own(n).max(above) } else { here.max(above) / 2.0 });
        }
        near
    }

    /// Which nodes are kept in `room`; the outermost always is.
    fn choose(&self, order: &[u32], room: usize, marker: usize) -> Vec<bool> {
        let mut kept =
            Kept { tree: self, marker, kept: vec![false; self.nodes.len()], left: 0, new: Vec::new() };
        if let Some(root) = kept.kept.first_mut() {
            *root = true;
        }
        let shell = self.nodes.first().map_or(0, |root| self.own_tokens(root)) + marker;
        if let Some(left) = room.checked_sub(shell) {
            kept.left = left;
            // What did not fit first may cost less than its marker once the values beside it are there.
            order.iter().chain(order).for_each(|&n| kept.take(n));
        }
        kept.kept
    }

    /// The pieces of what is kept.
    fn pieces(&self, kept: &[bool]) -> Vec<Piece> {
        let mut writing = Writing { tree: self, kept, pieces: Vec::new() };
        writing.node(0);
        writing.pieces
    }
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
        Form::Array | Form::Lines => (0.6 * 8.0 / (8.0 + index)).max(0.4 * 2.0 / (2.0 + from_end)),
    }
}

/// The nodes kept so far.
struct Kept<'t, 'a, 'b> {
    tree: &'t Tree<'a, 'b>,
    marker: usize,
    kept: Vec<bool>,
    left: usize,
    new: Vec<u32>,
}

impl Kept<'_, '_, '_> {
    /// Takes a value with all that is in it and the values around it, all or none.
    fn take(&mut self, n: u32) {
        let Some(node) = self.tree.node(n) else { return };
        let tree = self.tree;
        if node.children == 0 && tree.own_tokens(node) > self.left + self.marker {
            return;
        }
        let (mut credit, mut debt) = (self.left, 0);
        self.new.clear();
        for leaf in (n..n + node.size).filter(|&n| tree.node(n).is_some_and(|node| node.children == 0)) {
            self.take_leaf(leaf, &mut credit, &mut debt);
        }
        match credit.checked_sub(debt) {
            Some(left) => self.left = left,
            None => {
                for n in self.new.drain(..) {
                    if let Some(kept) = self.kept.get_mut(n as usize) {
                        *kept = false;
                    }
                }
            }
        }
    }

    /// Marks a leaf and the values around it as kept, and reckons what that takes. A value that is new holds a marker for
    /// what is in it; one between two gaps needs a marker more, one that closes a gap gives a marker back.
    fn take_leaf(&mut self, leaf: u32, credit: &mut usize, debt: &mut usize) {
        let mut n = leaf;
        while let Some(node) = self.tree.node(n).filter(|_| !self.is_kept(n)) {
            let last = self.tree.node(node.parent).is_none_or(|parent| node.index + 1 == parent.children);
            let before = node.before == NONE || self.is_kept(node.before);
            let behind = last || self.is_kept(n + node.size);
            let markers = usize::from(!before && !behind) + usize::from(node.children > 0);
            *credit += if before && behind { self.marker } else { 0 };
            *debt += self.tree.own_tokens(node) + markers * self.marker;
            if let Some(kept) = self.kept.get_mut(n as usize) {
                *kept = true;
                self.new.push(n);
            }
            n = node.parent;
        }
    }

    fn is_kept(&self, n: u32) -> bool {
        self.kept.get(n as usize).copied().unwrap_or(true)
    }
}

/// The text that is being put together.
struct Writing<'t, 'a, 'b> {
    tree: &'t Tree<'a, 'b>,
    kept: &'t [bool],
    pieces: Vec<Piece>,
}

impl Writing<'_, '_, '_> {
    /// Writes a node and what is kept of it. Values stand in one another a hundred deep at most.
    fn node(&mut self, n: u32) {
        let Some(node) = self.tree.node(n).copied() else { return };
        if node.form == Form::Leaf {
            return self.source(node.from..node.to);
        }
        if node.form != Form::Lines {
            self.source(node.from..node.from + 1);
        }
        let (mut gaps, mut gap): (usize, Option<(Node, Node, usize)>) = (0, None);
        for child in self.tree.children(n) {
            let Some(inner) = self.tree.node(child).copied() else { continue };
            if !self.kept.get(child as usize).copied().unwrap_or(false) {
                gap = Some(gap.map_or((inner, inner, 1), |(first, _, count)| (first, inner, count + 1)));
                continue;
            }
            if let Some(gap) = gap.take() {
                gaps += 1;
                self.marker(node.form, gap, gaps, false);
            }
            self.node(child);
        }
        if let Some(gap) = gap {
            self.marker(node.form, gap, gaps + 1, true);
        }
        if node.form != Form::Lines {
            self.source(node.to - 1..node.to);
        }
    }

    /// Writes what stands for a gap, the so-manieth in its object; behind the last, there is no comma.
    fn marker(&mut self, form: Form, (first, last, count): (Node, Node, usize), nth: usize, ends: bool) {
        let (opening, closing) =
            (self.tree.opening(&first), self.tree.block.text(last.to as usize - 1, last.to as usize));
        let space = opening.len() - opening.trim_ascii_start().len();
        let indent = opening.get(..space).and_then(|space| space.rsplit('\n').next()).unwrap_or_default();
        let feed = if closing.ends_with('\n') { "\n" } else { "" };
        let comma = if ends { "" } else { "," };
        let marker = match form {
            Form::Object if nth == 1 => format!("{indent}\"...\": \"{count} more\"{comma}{feed}"),
            // A key stands once in an object.
            Form::Object => format!("{indent}\"... ({nth})\": \"{count} more\"{comma}{feed}"),
            Form::Text => format!("\\n[... {count} line{}]", if count == 1 { "" } else { "s" }),
            Form::Lines => format!("\"... {count} more\"{feed}"),
            Form::Array | Form::Leaf => format!("{indent}\"... {count} more\"{comma}{feed}"),
        };
        self.pieces.push(Piece::Marker(marker));
    }

    /// Writes units, joined to what stands before them where nothing is missing.
    fn source(&mut self, units: Range<u32>) {
        let range = self.tree.block.range(units.start as usize, units.end as usize);
        match self.pieces.last_mut() {
            Some(Piece::Source(before)) if before.end() == range.start() => {
                *before = ByteRange::new(before.start(), range.end()).unwrap_or(range);
            }
            _ => self.pieces.push(Piece::Source(range)),
        }
    }
}
