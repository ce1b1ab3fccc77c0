//! Makes an outline from a syntax tree.

use contextfit_kernel::{ByteRange, Values};
use contextfit_text::Language;
use tree_sitter::{Node, Tree};

use crate::{
    Body, ItemKind, Outline, OutlineItem,
    grammar::{Compiled, Keeps, Role},
    lines::Lines,
};

/// The maximum length of a name, in bytes; longer ones are ignored.
const LONGEST_NAME_BYTES: usize = 200;

/// The outline of `text` from its syntax tree, `tree`. `None` if more than half of the text is errors. Linear, without
/// recursion.
pub(crate) fn outline(
    grammar: &Compiled,
    tree: &Tree,
    text: &str,
    lines: &Lines<'_>,
    language: &Language,
) -> Option<Outline> {
    if tree.root_node().is_error() || faulty_bytes(tree) * 2 > text.len() {
        return None;
    }
    let items = Vec::with_capacity(lines.len());
    let mut walk = Walk { grammar, text, lines, language, items, bodies: Vec::new(), frames: Vec::new() };
    walk.run(tree);
    Some(closed(walk.items, walk.bodies, lines))
}

/// A list on the path from the root to the current node.
#[derive(Debug, Default)]
struct Frame {
    /// The number of its kind.
    kind: u16,
    keeps: Keeps,
    /// The item that contains the list.
    parent: Option<usize>,
    /// The item that contains the current node, or the one just before it.
    open: Option<Open>,
    /// The rows of comments that nothing follows yet.
    comments: Option<(usize, usize)>,
    /// The first and the last row of the attributes of the next item.
    prefix: Option<(usize, usize)>,
    /// The children that can be left out.
    items: Vec<usize>,
    /// Whether the last child cannot be left out.
    ends_fixed: bool,
    /// Whether any child cannot be left out.
    any_fixed: bool,
    /// The first row of the first child, apart from comments.
    first_row: Option<usize>,
    /// Whether the children are cases, which no statement can replace.
    is_cases: bool,
    /// Whether a child that is not itself an item determines the kind of the item that contains the list.
    wraps: bool,
}

/// A child of a list that the next one may join on the same line.
#[derive(Debug, Clone, Copy)]
struct Open {
    item: usize,
    end: usize,
    end_row: usize,
    /// Whether its lines contain nothing but the child.
    whole: bool,
}

struct Walk<'a, 't> {
    grammar: &'a Compiled,
    text: &'t str,
    lines: &'a Lines<'t>,
    language: &'a Language,
    items: Vec<Draft>,
    /// Their parents are indices of `items`.
    bodies: Vec<Body>,
    frames: Vec<Frame>,
}

impl Walk<'_, '_> {
    fn run(&mut self, tree: &Tree) {
        let mut cursor = tree.walk();
        self.enter_list(cursor.node().kind_id(), Keeps::Nothing);
        // For each node from the root to the cursor, whether it is a list.
        let mut is_list = vec![true];
        if !cursor.goto_first_child() {
            return self.leave_list();
        }
        loop {
            let node = cursor.node();
            let kind = node.kind_id();
            let (role, list, rows) = (self.grammar.role(kind), self.grammar.list(kind), rows(node));
            if is_list.last() == Some(&true) {
                self.child(node, role, rows);
            }
            self.define(node, role);
            if holds_items(node, role, list.is_some(), rows) && cursor.goto_first_child() {
                let is_nested =
                    is_list.last() == Some(&true) && self.frames.last().is_some_and(|it| it.kind == kind);
                is_list.push(list.is_some());
                match list {
                    Some(Keeps::OneNested) if is_nested => self.enter_list(kind, Keeps::One),
                    Some(keeps) => self.enter_list(kind, keeps),
                    None => {}
                }
                continue;
            }
            while !cursor.goto_next_sibling() {
                if is_list.pop() == Some(true) {
                    self.leave_list();
                }
                if is_list.is_empty() || !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    fn enter_list(&mut self, kind: u16, keeps: Keeps) {
        let parent = self.inside();
        let wraps = self.grammar.role(kind) == Role::Wrapper;
        self.frames.push(Frame { kind, keeps, parent, wraps, ..Frame::default() });
    }

    fn leave_list(&mut self) {
        self.close();
        self.flush_comments();
        let Some(frame) = self.frames.pop() else { return };
        let (first, last) = (frame.items.first().copied(), frame.items.last().copied());
        let required = match frame.keeps {
            Keeps::Nothing | Keeps::OneNested => None,
            Keeps::Last => last.filter(|_| !frame.ends_fixed),
            Keeps::One if frame.any_fixed => None,
            Keeps::One if self.grammar.placeholder.is_empty() || frame.is_cases => self.shorter(first, last),
            Keeps::One => {
                let to = last.and_then(|n| self.items.get(n)).map(|item| item.to);
                let start = |row| self.lines.start(row);
                let range =
                    frame.first_row.zip(to).and_then(|(from, to)| ByteRange::new(start(from), start(to)));
                let (parent, placeholder) = (frame.parent, self.grammar.placeholder);
                self.bodies.extend(range.map(|range| Body { parent, range, placeholder }));
                None
            }
        };
        if let Some(item) = required.and_then(|n| self.items.get_mut(n)) {
            item.required = true;
        }
    }

    /// The one of the two items with fewer rows.
    fn shorter(&self, first: Option<usize>, last: Option<usize>) -> Option<usize> {
        let rows = |n: usize| self.items.get(n).map_or(0, |item| item.to - item.from);
        match (first, last) {
            (Some(first), Some(last)) if rows(last) < rows(first) => Some(last),
            (first, _) => first,
        }
    }

    /// The item that contains the current node.
    fn inside(&self) -> Option<usize> {
        let frame = self.frames.last()?;
        frame.open.map(|open| open.item).or(frame.parent)
    }

    /// Handles a child of the innermost list.
    fn child(&mut self, node: Node<'_>, role: Role, (row, end_row): (usize, usize)) {
        let Some(frame) = self.frames.last_mut() else { return };
        if let Some(open) = &mut frame.open {
            let joins = match role {
                Role::Separator | Role::Trailing => true,
                _ => node.is_named() && row == open.end_row,
            };
            if joins {
                open.end = open.end.max(node.end_byte());
                open.end_row = open.end_row.max(end_row);
                return;
            }
        }
        if role == Role::Separator {
            return self.separator();
        }
        if !node.is_named() {
            // A child before a token of the list, such as the colon after a label, does not have its lines to itself.
            if let Some(open) = frame.open.as_mut().filter(|open| row == open.end_row) {
                open.whole = false;
            }
            return;
        }
        self.close();
        match role {
            Role::Comment => self.comment(node, row, end_row),
            Role::Prefix => self.prefix(node, row, end_row),
            Role::Fixed => self.fixed(),
            role => {
                self.open(node, role, row, end_row);
                if let Some(frame) = self.frames.last_mut() {
                    frame.is_cases |= role == Role::Case;
                }
            }
        }
    }

    /// Keeps a comment on separate lines for the next item. One before something on the same line is part of that.
    fn comment(&mut self, node: Node<'_>, row: usize, end_row: usize) {
        if !self.lines.starts(row, node.start_byte()) {
            return;
        }
        let behind = self.lines.behind(end_row, node.end_byte().min(self.lines.start(end_row + 1)));
        let Some(frame) = self.frames.last_mut() else { return };
        // After attributes, a comment cannot be shown without the item that both describe.
        if !behind.is_empty() || frame.prefix.is_some_and(|(_, to)| to + 1 == row) {
            return self.prefix(node, row, end_row);
        }
        match &mut frame.comments {
            Some((_, to)) if *to == row => *to = end_row + 1,
            _ => {
                self.flush_comments();
                if let Some(frame) = self.frames.last_mut() {
                    frame.comments = Some((row, end_row + 1));
                }
            }
        }
    }

    fn prefix(&mut self, node: Node<'_>, row: usize, end_row: usize) {
        let starts = self.lines.starts(row, node.start_byte());
        let Some(frame) = self.frames.last_mut() else { return };
        frame.prefix = match frame.prefix {
            Some((from, to)) if to == row || to + 1 == row => Some((from, end_row)),
            _ => starts.then_some((row, end_row)),
        };
    }

    fn fixed(&mut self) {
        self.flush_comments();
        if let Some(frame) = self.frames.last_mut() {
            frame.prefix = None;
            frame.ends_fixed = true;
            frame.any_fixed = true;
        }
    }

    /// Handles a separator that is below its item because of a comment: the item is then fixed, and the comment belongs
    /// to nothing else.
    fn separator(&mut self) {
        self.flush_comments();
        let Some(frame) = self.frames.last_mut() else { return };
        frame.prefix = None;
        if !frame.ends_fixed
            && let Some(item) = frame.items.pop().and_then(|item| self.items.get_mut(item))
        {
            item.to = item.from;
            frame.ends_fixed = true;
            frame.any_fixed = true;
        }
    }

    /// Opens a child that may turn out to cover whole lines.
    fn open(&mut self, node: Node<'_>, role: Role, row: usize, end_row: usize) {
        let starts = self.lines.starts(row, node.start_byte());
        let Some(frame) = self.frames.last_mut() else { return };
        let from = match frame.prefix.take() {
            Some((from, to)) if to == row || to + 1 == row => from,
            _ if starts => row,
            _ => return self.fixed(),
        };
        let parent = frame.parent;
        frame.first_row.get_or_insert(row);
        let comments = frame.comments.take_if(|(_, to)| *to == from);
        self.flush_comments();
        let kind = match role {
            Role::Import => ItemKind::Import,
            _ => ItemKind::Other,
        };
        let item = self.items.len();
        let start = comments.map_or(from, |(start, _)| start);
        self.items.push(Draft { kind, parent, from: start, to: start, name: None, required: false });
        if let Some((from, to)) = comments {
            let kind = ItemKind::Comment;
            self.items.push(Draft { kind, parent: Some(item), from, to, name: None, required: false });
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.open = Some(Open { item, end: node.end_byte(), end_row, whole: true });
        }
    }

    /// Completes the open child, which is an item if nothing else is on its last line.
    fn close(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(open) = frame.open.take() else { return };
        let behind = self.lines.behind(open.end_row, open.end.min(self.lines.start(open.end_row + 1)));
        let comment = self.language.comment_open;
        let commented =
            !comment.is_empty() && self.language.comment_close.is_empty() && behind.starts_with(comment);
        let ends = open.whole && (behind.is_empty() || commented);
        frame.ends_fixed = !ends;
        frame.any_fixed |= !ends;
        if ends && let Some(item) = self.items.get_mut(open.item) {
            item.to = open.end_row + 1;
            frame.items.push(open.item);
        }
    }

    /// Turns comments that nothing followed into separate items.
    fn flush_comments(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some((from, to)) = frame.comments.take() else { return };
        let (kind, parent) = (ItemKind::Comment, frame.parent);
        self.items.push(Draft { kind, parent, from, to, name: None, required: false });
    }

    /// Makes the current item a definition, if `node` is the first in it to define something.
    fn define(&mut self, node: Node<'_>, role: Role) {
        let kind = match role {
            Role::Function => ItemKind::Function,
            Role::Type => ItemKind::Type,
            Role::Assignment if self.grammar.assigns(node) => ItemKind::Function,
            _ => return,
        };
        let place = |frame: &Frame| frame.open.map(|open| open.item).or(frame.parent.filter(|_| frame.wraps));
        let item = self.frames.last().and_then(place).and_then(|place| self.items.get_mut(place));
        if let Some(item) = item.filter(|item| item.name.is_none() && !item.kind.defines()) {
            item.kind = kind;
            item.name = name(self.grammar.name(node), self.text);
        }
    }
}

/// Whether `node` may contain items, or the definition that an item is for. A leaf or a node on one line does not. A
/// node next to an error is a guess that would change if some of the text were removed, except for lists and
/// definitions, which are still recognised.
fn holds_items(node: Node<'_>, role: Role, is_list: bool, (row, end_row): (usize, usize)) -> bool {
    let defines = matches!(role, Role::Function | Role::Type);
    (row < end_row || is_list || role == Role::Wrapper)
        && role != Role::Leaf
        && !node.is_error()
        && (is_list || defines || !stand_in(node))
}

/// The first and the last row of a node. A node that includes its line feed ends before it.
fn rows(node: Node<'_>) -> (usize, usize) {
    let (start, end) = (node.start_position(), node.end_position());
    let end_row = if end.column == 0 && end.row > start.row { end.row - 1 } else { end.row };
    (start.row, end_row)
}

/// The range of a name; `None` if it is too long or has several lines.
fn name(node: Node<'_>, text: &str) -> Option<ByteRange> {
    let range = ByteRange::new(node.start_byte(), node.end_byte())
        .filter(|range| range.len() <= LONGEST_NAME_BYTES)?;
    range.of(text).is_some_and(|name| !name.contains('\n')).then_some(range)
}

/// An item under construction, in rows instead of bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draft {
    pub(crate) kind: ItemKind,
    pub(crate) parent: Option<usize>,
    pub(crate) from: usize,
    /// The row after the last one; equal to `from` until the item covers whole lines.
    pub(crate) to: usize,
    pub(crate) name: Option<ByteRange>,
    pub(crate) required: bool,
}

/// The outline of `drafts`. One that does not cover whole lines is left out, and its parts go to its parent. Linear.
fn closed(drafts: Vec<Draft>, mut bodies: Vec<Body>, lines: &Lines<'_>) -> Outline {
    let mut places: Vec<Option<usize>> = Vec::with_capacity(drafts.len());
    let mut items: Vec<OutlineItem> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let parent = draft.parent.and_then(|parent| places.at(parent));
        if draft.from == draft.to {
            places.push(parent);
            continue;
        }
        places.push(Some(items.len()));
        let range = ByteRange::new(lines.start(draft.from), lines.start(draft.to));
        let Draft { kind, name, required, .. } = draft;
        items.extend(range.map(|range| OutlineItem { kind, parent, range, name, required }));
    }
    for body in &mut bodies {
        body.parent = body.parent.and_then(|parent| places.at(parent));
    }
    Outline { items, bodies }
}

/// The number of bytes of a text that its grammar cannot read. Linear, without recursion.
pub(crate) fn faulty_bytes(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut bytes = 0;
    loop {
        let node = cursor.node();
        if node.is_error() {
            bytes += node.byte_range().len();
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        bytes += usize::from(node.is_missing());
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return bytes;
            }
        }
    }
}

/// Whether a direct child of `node` is an error. Linear in its children.
pub(crate) fn stand_in(node: Node<'_>) -> bool {
    node.has_error() && node.children(&mut node.walk()).any(|child| child.is_error() || child.is_missing())
}
