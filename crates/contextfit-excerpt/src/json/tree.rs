//! The values of a JSON text and how they are nested, read from its units.

use contextfit_kernel::{ByteRange, MeasuredBlock, Rewrite};
use contextfit_text::{JsonKind, json_string_end, json_tokens};

/// The form of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeForm {
    /// One unit: a scalar, empty brackets, a small undivided value, a line of a string.
    Leaf,
    Array,
    Object,
    /// A long string. Its first and last lines open and close it.
    Text,
    /// Not in the text: a container for several values on separate lines.
    Lines,
}

/// A value: an element, a member with its key, a line of a long string.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) form: NodeForm,
    /// The unit that opens it, counted from the start of the block.
    pub(super) from: u32,
    /// One past the unit that closes it.
    pub(super) to: u32,
    pub(super) parent: u32,
    /// Its number among the rows of a selection. Siblings have consecutive numbers.
    pub(super) row: u32,
    /// The number of nodes in it, including itself; the distance to its next sibling.
    pub(super) size: u32,
    /// Its index among its siblings.
    pub(super) index: u32,
    pub(super) children: u32,
}

/// The index of no node.
pub(super) const NONE: u32 = u32::MAX;

/// The nodes of a text, parents before children.
pub(crate) struct Tree<'a, 'b> {
    pub(super) block: &'b MeasuredBlock<'a>,
    pub(super) range: ByteRange,
    pub(super) nodes: Vec<Node>,
    /// The rewrite of the shown parts: blanks are removed, unless lines other than JSON are among them.
    pub(super) rewrite: Option<Rewrite>,
    /// How close each node is to the focus, from 0 to 1; empty without a query.
    pub(super) focus: Vec<f32>,
}

impl<'a, 'b> Tree<'a, 'b> {
    /// The tree of `range`. Unless `is_json`, there are other lines around the JSON. `None` if its units do not end
    /// where values do. Linear.
    pub(crate) fn of(
        block: &'b MeasuredBlock<'a>,
        range: ByteRange,
        focus: &[f64],
        is_json: bool,
    ) -> Option<Self> {
        let rewrite = is_json.then_some(Rewrite::JsonBlanks);
        let (from, to) = (block.units_before(range.start()), block.units_before(range.end()));
        let mut growing = Growing { nodes: Vec::with_capacity(to - from + 1), open: Vec::new() };
        growing.open(NodeForm::Lines, u32::try_from(from).ok()?)?;
        for unit in from..to {
            growing.take(block.text(unit, unit + 1), u32::try_from(unit).ok()?)?;
        }
        growing.close(u32::try_from(to).ok()?)?;
        if !growing.open.is_empty() {
            return None;
        }
        let mut nodes = growing.nodes;
        // A single value needs no container.
        if nodes.first().is_some_and(|root| root.children == 1) {
            nodes.remove(0);
            nodes.iter_mut().for_each(|node| node.parent = node.parent.checked_sub(1).unwrap_or(NONE));
        }
        // The row of each node's first child.
        let (mut firsts, mut next): (Vec<u32>, u32) = (Vec::with_capacity(nodes.len()), 0);
        for node in &mut nodes {
            node.row = firsts.get(node.parent as usize).map_or(NONE, |first| first + node.index);
            firsts.push(next);
            next += node.children;
        }
        let divided = nodes.first().is_some_and(|root| root.form != NodeForm::Leaf);
        let mut tree = divided.then_some(Self { block, range, nodes, rewrite, focus: Vec::new() })?;
        tree.focus = tree.closeness(focus, from);
        Some(tree)
    }

    /// The node numbered `n`.
    pub(super) fn node(&self, n: u32) -> Option<&Node> {
        self.nodes.get(n as usize)
    }

    /// The children of node `n`, in order.
    pub(super) fn children(&self, n: u32) -> impl Iterator<Item = u32> + '_ {
        let end = n + self.node(n).map_or(1, |node| node.size);
        std::iter::successors(Some(n + 1), |&child| {
            Some(child + self.node(child).map_or(1, |node| node.size))
        })
        .take_while(move |&child| child < end)
    }

    /// The text of the unit that opens `node`.
    pub(super) fn opening(&self, node: &Node) -> &'a str {
        self.block.text(node.from as usize, node.from as usize + 1)
    }

    /// The tokens of `node` without its content.
    pub(super) fn own_tokens(&self, node: &Node) -> usize {
        let (from, to) = (node.from as usize, node.to as usize);
        match node.form {
            NodeForm::Lines => 0,
            NodeForm::Leaf => self.block.tokens_between(from, to).get(),
            _ => (self.block.tokens_between(from, from + 1) + self.block.tokens_between(to - 1, to)).get(),
        }
    }
}

/// A tree under construction.
struct Growing {
    nodes: Vec<Node>,
    /// The open nodes.
    open: Vec<u32>,
}

impl Growing {
    /// Reads the next unit.
    fn take(&mut self, text: &str, unit: u32) -> Option<()> {
        let innermost = *self.open.last()?;
        if self.nodes.get(innermost as usize)?.form == NodeForm::Text {
            return match json_string_end(text) {
                None => self.leaf(unit),
                Some(end) => is_end(text.get(end + 1..)?).then(|| self.close(unit + 1))?,
            };
        }
        match ends_in(text)? {
            Ends::Closed => self.close(unit + 1),
            Ends::Complete => self.leaf(unit),
            Ends::Open(form) => self.open(form, unit),
        }
    }

    fn leaf(&mut self, unit: u32) -> Option<()> {
        self.open(NodeForm::Leaf, unit)?;
        self.close(unit + 1)
    }

    fn open(&mut self, form: NodeForm, unit: u32) -> Option<()> {
        let n = u32::try_from(self.nodes.len()).ok()?;
        let mut node =
            Node { form, from: unit, to: unit, parent: NONE, row: NONE, size: 1, index: 0, children: 0 };
        if let Some(&parent) = self.open.last() {
            node.parent = parent;
            let parent = self.nodes.get_mut(parent as usize)?;
            node.index = parent.children;
            parent.children += 1;
        }
        self.nodes.push(node);
        self.open.push(n);
        Some(())
    }

    fn close(&mut self, to: u32) -> Option<()> {
        let n = self.open.pop()?;
        let all = u32::try_from(self.nodes.len()).ok()?;
        let node = self.nodes.get_mut(n as usize)?;
        (node.to, node.size) = (to, all - n);
        Some(())
    }
}

/// The effect of a unit on the tree.
enum Ends {
    /// It is one value, or one key and its value.
    Complete,
    /// It begins a value that continues in later units.
    Open(NodeForm),
    /// It ends a value that began earlier.
    Closed,
}

/// The effect of the unit `text`, which does not start within a string; `None` if it has more than one.
fn ends_in(text: &str) -> Option<Ends> {
    if let Some(rest) = text.trim_start().strip_prefix(['}', ']']) {
        return is_end(rest).then_some(Ends::Closed);
    }
    let mut tokens = json_tokens(text).peekable();
    tokens.peek()?;
    let mut open = 0_usize;
    while let Some(token) = tokens.next() {
        let is_last = tokens.peek().is_none();
        let opens = match token.text {
            _ if token.kind == JsonKind::CutText => NodeForm::Text,
            "{" if is_last => NodeForm::Object,
            "[" if is_last => NodeForm::Array,
            // Another value follows the comma.
            "," if open == 0 && !is_last => return None,
            sign => {
                open += usize::from(matches!(sign, "{" | "["));
                open = open.checked_sub(usize::from(matches!(sign, "}" | "]")))?;
                continue;
            }
        };
        return (open == 0).then_some(Ends::Open(opens));
    }
    (open == 0).then_some(Ends::Complete)
}

/// Whether at most a comma is left.
fn is_end(rest: &str) -> bool {
    matches!(rest.trim_ascii(), "" | ",")
}
