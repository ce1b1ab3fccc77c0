//! Outlines: the items of a text that can be left out, as a tree.

use std::{mem, ops::Range};

use contextfit_kernel::{ByteRange, Values};

/// The kind of an [`OutlineItem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// Something callable: a function, a method, a macro.
    Function,
    /// A type or a container of definitions: a class, a module, an implementation, a section.
    Type,
    /// An import.
    Import,
    /// A comment about its parent item, or a standalone comment.
    Comment,
    /// Anything else: a statement, a field, a constant.
    Other,
}

impl ItemKind {
    /// Whether items of this kind define something.
    #[must_use]
    pub const fn defines(self) -> bool {
        matches!(self, Self::Function | Self::Type)
    }
}

/// Whole lines that can be left out together, along with everything inside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlineItem {
    /// The kind of item.
    pub kind: ItemKind,
    /// The parent's index in [`Outline::items`]; an item is shown only if its parent is.
    pub parent: Option<usize>,
    /// The item's lines, including line feeds.
    pub range: ByteRange,
    /// The name of a definition.
    pub name: Option<ByteRange>,
    /// Whether it must be shown whenever its parent is, because the text would not parse without it.
    pub required: bool,
}

/// Lines of which at least one must be shown if their parent is: the body of a function in a language without brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Body {
    /// The parent's index in [`Outline::items`].
    pub parent: Option<usize>,
    /// The lines, from the first statement to the last.
    pub range: ByteRange,
    /// A no-op statement that replaces the body if none of it is shown.
    pub placeholder: &'static str,
}

/// The items of a text, with parents before their children and siblings in text order.
///
/// An item's own lines are those that are not part of its children: a signature, `} else {`, the closing bracket. A
/// text still parses without some of its items, with a comment in place of each gap.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// The items.
    pub items: Vec<OutlineItem>,
    /// The bodies that must not be empty, in order of their ends.
    pub bodies: Vec<Body>,
}

/// The children of each item, one group after another from the top level, and the range of each group. Linear.
pub(crate) fn inner(items: &[OutlineItem]) -> (Vec<usize>, impl Iterator<Item = Range<usize>> + use<>) {
    let slot = |item: &OutlineItem| item.parent.map_or(0, |parent| parent + 1);
    // First the number of children of each item, then their start, then their end.
    let mut ends = vec![0; items.len() + 1];
    for item in items {
        ends.change(slot(item), |count| *count += 1);
    }
    let mut all = 0;
    for end in &mut ends {
        all += mem::replace(end, all);
    }
    let mut inner = vec![0; all];
    for (n, item) in items.iter().enumerate() {
        let Some(end) = ends.get_mut(slot(item)) else { continue };
        inner.set(*end, n);
        *end += 1;
    }
    let mut start = 0;
    (inner, ends.into_iter().map(move |end| mem::replace(&mut start, end)..end))
}
