//! The choice of values to keep, and the text of the result.

use std::ops::Range;

use contextfit_kernel::{ByteRange, Piece, Rewrite, TokenCounter, Tokens};

use super::{
    tree::{Form, NONE, Node, Tree},
    worth::{KEYS, RECORD},
};
use crate::{
    choice::{OVERHEAD, fit},
    steps::piece,
    worth::TOTAL,
};

/// The score of a container's key if it shows the structure of the data.
const SHELL: f32 = TOTAL;

/// What is done to the shown parts.
const BLANKS: Option<Rewrite> = Some(Rewrite::JsonBlanks);

/// Something that can be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    /// A value with everything in it.
    Whole(u32),
    /// The brackets of a value, with a marker for its content.
    Shell(u32),
}

impl Tree<'_, '_> {
    /// The pieces that take at most `room`: valid JSON without blanks, whatever the room.
    pub(crate) fn fit(&self, room: Tokens, counter: &dyn TokenCounter) -> Vec<Piece> {
        let order = self.order();
        let marker = counter.count("\"...\":\"12 more\",").get();
        let source = (self.block.block().text.as_str(), self.range);
        fit(source, room, counter, |room| self.pieces(&self.choose(&order, room.get(), marker)))
    }

    /// Leaves and whole small records, highest score per token first.
    fn order(&self) -> Vec<Item> {
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
        let items = (0_u32..).zip(&self.nodes).skip(1);
        let values = items.clone().filter(|(_, node)| node.children == 0 || small(node));
        let mut order: Vec<(f32, Item)> =
            values.map(|(n, node)| (density(n, node), Item::Whole(n))).collect();
        let shells = items.filter(|(n, node)| node.children > 0 && self.says_by_key(*n));
        order.extend(
            shells.map(|(n, node)| (SHELL / (self.own_tokens(node) as f32 + 2.0 * OVERHEAD), Item::Shell(n))),
        );
        order.sort_unstable_by(|(a, left), (b, right)| b.total_cmp(a).then(left.cmp(right)));
        order.into_iter().map(|(_, item)| item).collect()
    }

    /// Whether container `n` is a member of the outermost object, or of the first of an array of records there, so that
    /// its key shows the structure of the data.
    fn says_by_key(&self, n: u32) -> bool {
        let mut outer = self.node(n).map(|node| node.parent);
        // The keys of a long object are names, and say little without what they name.
        let is_told = |outer: &Node| outer.form == Form::Object && outer.children <= KEYS;
        if !outer.and_then(|outer| self.node(outer)).is_some_and(is_told) {
            return false;
        }
        // Go up through first elements, and through at most one member.
        let mut members = 0;
        while let Some((at, node)) = outer.and_then(|at| Some((at, self.node(at)?))) {
            let Some(parent) = self.node(node.parent) else { return at == 0 };
            match parent.form {
                Form::Array | Form::Lines if node.index == 0 => {}
                Form::Object if members == 0 => members += 1,
                _ => return false,
            }
            outer = Some(node.parent);
        }
        false
    }

    /// The nodes to keep in `room`; the outermost always is.
    fn choose(&self, order: &[Item], room: usize, marker: usize) -> Vec<bool> {
        let mut kept =
            Kept { tree: self, marker, kept: vec![false; self.nodes.len()], left: 0, new: Vec::new() };
        if let Some(root) = kept.kept.first_mut() {
            *root = true;
        }
        let shell = self.nodes.first().map_or(0, |root| self.own_tokens(root)) + marker;
        if let Some(left) = room.checked_sub(shell) {
            kept.left = left;
            // An item that did not fit at first may cost less than its marker once its neighbours are kept.
            for &item in order.iter().chain(order) {
                match item {
                    Item::Whole(n) => kept.take(n),
                    Item::Shell(n) => kept.take_shell(n),
                }
            }
        }
        kept.kept
    }

    /// The pieces of the kept nodes.
    fn pieces(&self, kept: &[bool]) -> Vec<Piece> {
        let mut writing = Writing { tree: self, kept, pieces: Vec::new(), run: None };
        writing.node(0);
        writing.settle(BLANKS);
        writing.pieces
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
    /// Takes a value with everything in it and the values around it: all or none.
    fn take(&mut self, n: u32) {
        let Some(node) = self.tree.node(n) else { return };
        let tree = self.tree;
        if node.children == 0 && tree.own_tokens(node) > self.left + self.marker {
            return;
        }
        let (mut credit, mut debt) = (self.left, 0);
        self.new.clear();
        for leaf in (n..n + node.size).filter(|&n| tree.node(n).is_some_and(|node| node.children == 0)) {
            self.keep(leaf, &mut credit, &mut debt);
        }
        self.settle(credit, debt);
    }

    /// Takes the brackets of a value, and the values around it.
    fn take_shell(&mut self, n: u32) {
        let (mut credit, mut debt) = (self.left, 0);
        self.new.clear();
        self.keep(n, &mut credit, &mut debt);
        self.settle(credit, debt);
    }

    /// Pays for the nodes just taken, or gives them back.
    fn settle(&mut self, credit: usize, debt: usize) {
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

    /// Marks a value and the values around it as kept, and adds up their cost. A newly kept container includes a marker
    /// for its content; a value between two gaps costs one more marker, and one that closes a gap saves one.
    fn keep(&mut self, n: u32, credit: &mut usize, debt: &mut usize) {
        let mut n = n;
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

/// The number of whitespace-separated words in `text`.
fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The text under construction.
struct Writing<'t, 'a, 'b> {
    tree: &'t Tree<'a, 'b>,
    kept: &'t [bool],
    pieces: Vec<Piece>,
    /// Consecutive units of source that are not in the pieces yet.
    run: Option<ByteRange>,
}

impl Writing<'_, '_, '_> {
    /// Writes a node and the kept parts of it. Recursion is at most a hundred levels deep.
    fn node(&mut self, n: u32) {
        let Some(node) = self.tree.node(n).copied() else { return };
        if node.form == Form::Leaf {
            return self.source(node.from..node.to);
        }
        if node.form == Form::Text {
            self.settle(BLANKS);
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
        if node.form == Form::Text {
            // Blanks inside a string belong to it.
            self.settle(None);
        }
    }

    /// Writes the marker for the `nth` gap of its container; the last gap gets no comma.
    fn marker(&mut self, form: Form, (first, last, count): (Node, Node, usize), nth: usize, ends: bool) {
        self.settle(BLANKS.filter(|_| form != Form::Text));
        let feeds = self.tree.block.text(last.to as usize - 1, last.to as usize).ends_with('\n');
        let feed = if form == Form::Lines && feeds { "\n" } else { "" };
        let comma = if ends { "" } else { "," };
        let marker = match form {
            Form::Object if nth == 1 => format!("\"...\":\"{count} more\"{comma}"),
            // A key may appear only once in an object.
            Form::Object => format!("\"... ({nth})\":\"{count} more\"{comma}"),
            Form::Text => self.missing_text(&first, &last),
            Form::Lines => format!("\"... {count} more\""),
            Form::Array | Form::Leaf => format!("\"... {count} more\"{comma}"),
        };
        self.pieces.push(Piece::Marker(marker + feed));
    }

    /// The marker for a part of a string: the number of lines, or of words if no whole lines are missing.
    fn missing_text(&self, first: &Node, last: &Node) -> String {
        let block = self.tree.block;
        let gap = block.text(first.from as usize, last.to as usize);
        let behind = block.text(last.to as usize, last.to as usize + 1);
        let is_lines = gap.starts_with("\\n") && (behind.starts_with("\\n") || behind.starts_with('"'));
        let (feed, count, what) = match is_lines {
            true => ("\\n", gap.matches("\\n").count(), "line"),
            false if gap.starts_with("\\n") => ("\\n", words(gap), "word"),
            false => (" ", words(gap), "word"),
        };
        format!("{feed}[... {count} {what}{}]", if count == 1 { "" } else { "s" })
    }

    /// Writes units, joined to the preceding ones if nothing is missing between them.
    fn source(&mut self, units: Range<u32>) {
        let range = self.tree.block.range(units.start as usize, units.end as usize);
        let from = self.run.map_or(range.start(), ByteRange::start);
        self.run = ByteRange::new(from, range.end()).or(Some(range));
    }

    /// Ends the run of units, rewritten with `rewrite`.
    fn settle(&mut self, rewrite: Option<Rewrite>) {
        let source = &self.tree.block.block().text;
        self.pieces.extend(self.run.take().map(|run| piece(source, run, rewrite)));
    }
}
