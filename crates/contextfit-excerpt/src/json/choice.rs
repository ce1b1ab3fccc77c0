//! The choice of values to keep, and the text of the result.

use std::ops::Range;

use contextfit_kernel::{ByteRange, Piece, Rewrite, TokenCounter, Tokens, Values};
use contextfit_packing::{Holder, Ledger, Need, Node as Place, Relation, Selection, With};
use contextfit_text::gap_marker;

use super::{
    tree::{NONE, Node, NodeForm, Tree},
    worth::{KEYS, LARGEST_RECORD_NODES, naming},
};
use crate::{
    choice::{ROW_OVERHEAD_TOKENS, fit},
    rendition::piece,
    worth::PLAIN,
};

/// The score of the key of a member of the outermost object that contains others.
const SHELL: f32 = PLAIN;

/// A part's average share of the markers, added to its own tokens: a gap in JSON costs two of those between lines.
const OVERHEAD_TOKENS: f32 = 2.0 * ROW_OVERHEAD_TOKENS;

/// A part of the tree that can be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum JsonPart {
    /// A value with everything in it.
    Whole(u32),
    /// The brackets of a value with a marker for its content.
    Shell(u32),
}

impl Tree<'_, '_> {
    /// The pieces that take at most `room`. They are valid JSON without blanks for any room.
    pub(crate) fn fit(&self, room: Tokens, counter: &dyn TokenCounter) -> Vec<Piece> {
        let order = self.order();
        let marker = counter.count("\"...\":\"12 more\",").get();
        let source = (self.block.block().text.as_str(), self.range);
        let ledger = self.ledger(marker);
        fit(source, room, counter, |room| self.pieces(&self.choose(&order, &ledger, room.get())))
    }

    /// Leaves, small records and keys that show the structure, by descending score per token.
    fn order(&self) -> Vec<JsonPart> {
        let worth = self.worth();
        let mut through: Vec<f64> = Vec::with_capacity(worth.len() + 1);
        through.push(0.0);
        through.extend(worth.iter().scan(0.0, |sum, worth| {
            *sum += f64::from(*worth);
            Some(*sum)
        }));
        let upto = |n: u32| through.at(n as usize);
        let density = |n: u32, node: &Node| {
            let tokens = self.block.tokens_between(node.from as usize, node.to as usize).get();
            (upto(n + node.size) - upto(n)) as f32 / (tokens as f32 + OVERHEAD_TOKENS)
        };
        let small = |node: &Node| {
            node.size <= LARGEST_RECORD_NODES && matches!(node.form, NodeForm::Object | NodeForm::Array)
        };
        let items = (0_u32..).zip(&self.nodes).skip(1);
        let values = items.clone().filter(|(_, node)| node.children == 0 || small(node));
        let mut order: Vec<(f32, JsonPart)> =
            values.map(|(n, node)| (density(n, node), JsonPart::Whole(n))).collect();
        // The members of the outermost object show what the data is. The keys of a large object are names, and useless
        // without their values.
        let is_frame =
            self.node(0).is_some_and(|root| root.form == NodeForm::Object && root.children <= KEYS);
        let shells = items.filter(|(_, node)| is_frame && node.parent == 0 && node.children > 0);
        order.extend(
            shells.map(|(n, node)| {
                (SHELL / (self.own_tokens(node) as f32 + OVERHEAD_TOKENS), JsonPart::Shell(n))
            }),
        );
        order.sort_unstable_by(|(a, left), (b, right)| b.total_cmp(a).then(left.cmp(right)));
        order.into_iter().map(|(_, item)| item).collect()
    }

    /// The nodes with their costs; a gap costs `marker`. A value that contains others is a holder, whose cost is its
    /// brackets.
    fn ledger(&self, marker: usize) -> (Ledger, Relation) {
        let mut ledger = Ledger::default();
        let mut relation = Vec::new();
        for (n, node) in (0_u32..).zip(&self.nodes).filter(|(_, node)| node.children > 0) {
            let inner = self.children(n).filter_map(|child| self.node(child));
            let cost = |node: &Node| if node.children > 0 { 0 } else { self.own_tokens(node) };
            let holder = Holder { opening: self.own_tokens(node), marker, ..Holder::default() };
            let holder = ledger.hold(holder, inner.map(|node| (cost(node), 0.0)));
            let row = node.row as usize;
            let needs =
                [(Place::Holder(holder), Need::All(row..row + 1)), (Place::Row(row), Need::Holder(holder))];
            // The outermost value is in no holder.
            relation.extend(needs.into_iter().filter(|_| n > 0));
            // A value says little without the name of its record.
            let rows = || self.children(n).filter_map(|child| self.node(child));
            let ranked = rows().filter(|child| child.children == 0);
            let ranked = ranked.filter_map(|child| Some((naming(self.opening(child))?, child)));
            let name = ranked.min_by_key(|(rank, _)| *rank).map(|(_, name)| name);
            if let Some(name) = name.filter(|_| node.form == NodeForm::Object).map(|name| name.row as usize) {
                let others = rows().map(|child| child.row as usize).filter(|row| *row != name);
                relation.extend(others.map(|row| (Place::Row(row), Need::All(name..name + 1))));
            }
        }
        (ledger, relation.into_iter().collect())
    }

    /// The nodes to keep in `room`. The outermost is always kept.
    fn choose<'l>(
        &self,
        order: &[JsonPart],
        (ledger, relation): &'l (Ledger, Relation),
        room: usize,
    ) -> Selection<'l> {
        let mut kept = Selection::new(ledger, relation, room);
        if !kept.take([Place::Holder(0)], With::All, 0) {
            return kept;
        }
        // An item that did not fit at first may cost less than its marker once its neighbours are kept.
        for item in order.iter().chain(order) {
            let (n, is_whole) = match *item {
                JsonPart::Whole(n) => (n, true),
                JsonPart::Shell(n) => (n, false),
            };
            let Some(node) = self.node(n) else { continue };
            // At best, the item closes a gap and saves its marker.
            let most = kept.left() + ledger.longest_marker();
            if is_whole && self.least(node, &kept, ledger.longest_marker()) > most {
                continue;
            }
            let nodes =
                self.nodes.iter().skip(n as usize).take(if is_whole { node.size as usize } else { 1 });
            let nodes = nodes.filter(|node| node.children == 0 || !is_whole);
            kept.take(nodes.map(|node| Place::Row(node.row as usize)), With::All, 0);
        }
        kept
    }

    /// The minimum tokens of the whole `node` with the enclosing nodes that are not kept; zero if part of it is kept.
    fn least(&self, node: &Node, kept: &Selection<'_>, marker: usize) -> usize {
        let is_new = |node: &&Node| node.row != NONE && !kept.is_taken(node.row as usize);
        let whole = self.block.tokens_between(node.from as usize, node.to as usize).get();
        let above = std::iter::successors(Some(node), |node| self.node(node.parent)).take_while(is_new);
        let own = |node: &Node| self.own_tokens(node) + if node.children > 1 { marker } else { 0 };
        above.enumerate().map(|(n, node)| if n == 0 { whole } else { own(node) }).sum()
    }

    /// The pieces of the kept nodes.
    fn pieces(&self, kept: &Selection<'_>) -> Vec<Piece> {
        let mut writing = Writing { tree: self, kept, pieces: Vec::new(), run: None };
        writing.node(0);
        writing.settle(self.rewrite);
        writing.pieces
    }
}

/// The number of whitespace-separated words in `text`.
fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The pieces under construction.
struct Writing<'t, 'a, 'b> {
    tree: &'t Tree<'a, 'b>,
    kept: &'t Selection<'t>,
    pieces: Vec<Piece>,
    /// Consecutive units of source that are not in `pieces` yet.
    run: Option<ByteRange>,
}

impl Writing<'_, '_, '_> {
    /// Writes a node and the kept parts of it. The recursion is at most a hundred levels deep.
    fn node(&mut self, n: u32) {
        let Some(node) = self.tree.node(n).copied() else { return };
        if node.form == NodeForm::Leaf {
            return self.source(node.from..node.to);
        }
        if node.form == NodeForm::Text {
            self.settle(self.tree.rewrite);
        }
        if node.form != NodeForm::Lines {
            self.source(node.from..node.from + 1);
        }
        let (mut gaps, mut gap): (usize, Option<(Node, Node, usize)>) = (0, None);
        for child in self.tree.children(n) {
            let Some(inner) = self.tree.node(child).copied() else { continue };
            if !self.kept.is_taken(inner.row as usize) {
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
        if node.form != NodeForm::Lines {
            self.source(node.to - 1..node.to);
        }
        if node.form == NodeForm::Text {
            // Blanks inside a string belong to it.
            self.settle(None);
        }
    }

    /// Writes the marker for the `nth` gap in its container. The last marker gets no comma.
    fn marker(&mut self, form: NodeForm, (first, last, count): (Node, Node, usize), nth: usize, ends: bool) {
        self.settle(self.tree.rewrite.filter(|_| form != NodeForm::Text));
        let feeds = self.tree.block.text(last.to as usize - 1, last.to as usize).ends_with('\n');
        let among_lines = form == NodeForm::Lines && self.tree.rewrite.is_none();
        let feed = if form == NodeForm::Lines && feeds && !among_lines { "\n" } else { "" };
        let comma = if ends { "" } else { "," };
        let marker = match form {
            NodeForm::Object if nth == 1 => format!("\"...\":\"{count} more\"{comma}"),
            // A key may appear only once in an object.
            NodeForm::Object => format!("\"... ({nth})\":\"{count} more\"{comma}"),
            NodeForm::Text => self.missing_text(&first, &last),
            // Some of the lines are not JSON.
            NodeForm::Lines if among_lines => {
                gap_marker(self.tree.block, None, first.from as usize, last.to as usize)
            }
            NodeForm::Lines => format!("\"... {count} more\""),
            NodeForm::Array | NodeForm::Leaf => format!("\"... {count} more\"{comma}"),
        };
        self.pieces.push(Piece::Marker(marker + feed));
    }

    /// The marker for a part of a string: the number of missing lines, or of words if not only whole lines are missing.
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

    /// Adds units of source to the current run.
    fn source(&mut self, units: Range<u32>) {
        let range = self.tree.block.range(units.start as usize, units.end as usize);
        let from = self.run.map_or(range.start(), ByteRange::start);
        self.run = ByteRange::new(from, range.end()).or(Some(range));
    }

    /// Ends the current run of units, and applies `rewrite` to it.
    fn settle(&mut self, rewrite: Option<Rewrite>) {
        let source = &self.tree.block.block().text;
        self.pieces.extend(self.run.take().map(|run| piece(source, run, rewrite)));
    }
}
