//! Outlines: what of a text can be left out, as a tree.

use std::{mem, ops::Range};

use contextfit_kernel::ByteRange;
use contextfit_text::Language;
use tree_sitter::Tree;

use crate::{
    faults,
    grammar::{Compiled, keep},
    grammars::grammar,
    indentation,
    inside::with_code_inside,
    limits::readable,
    lines::Lines,
    walk,
};

/// What an [`Item`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// Something callable: a function, a method, a macro.
    Function,
    /// A type, or what holds definitions: a class, a module, an implementation, a section.
    Type,
    /// What brings in names.
    Import,
    /// A comment about the item that it belongs to, a docstring, or a comment that stands by itself.
    Comment,
    /// A statement, a field, a constant: anything else.
    Other,
}

impl ItemKind {
    /// Whether items of this kind define something.
    #[must_use]
    pub const fn defines(self) -> bool {
        matches!(self, Self::Function | Self::Type)
    }
}

/// Some whole lines that can be left out together, and with them everything inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// The item that it is part of, by its place in [`Outline::items`]; it is shown only where that is.
    pub parent: Option<usize>,
    /// Its lines, line feeds included.
    pub range: ByteRange,
    /// What a definition is called.
    pub name: Option<ByteRange>,
    /// Whether it must be shown where its parent is, for the text to parse.
    pub required: bool,
}

/// Lines of which one must stand where what they are in is shown: the body of a function in a language without brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Body {
    /// The item that it is part of, by its place in [`Outline::items`].
    pub parent: Option<usize>,
    /// Its lines, from the first statement to the last.
    pub range: ByteRange,
    /// A statement that does nothing: what stands for the body when nothing of it is shown.
    pub placeholder: &'static str,
}

/// Lines in another language than the text around them: a fence in Markdown, a script in HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inside {
    /// The lines.
    pub range: ByteRange,
    /// Their language.
    pub language: &'static Language,
}

/// The items of a text: those that are part of another after it, neighbours in the order of the text.
///
/// What an item shows of itself are its lines without those of its parts: a signature, `} else {`, the closing
/// bracket. A text from which items have been left out, a comment in the place of each gap, still parses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// The items.
    pub items: Vec<Item>,
    /// The bodies that must not be empty, by their ends.
    pub bodies: Vec<Body>,
    /// What is in another language, in order.
    pub inside: Vec<Inside>,
}

impl Outline {
    /// The outline of `text` in `language`: by its syntax tree where this build has the grammar and can read the text,
    /// else by indentation and the words that declare. Linear in the text; no recursion.
    ///
    /// ```
    /// use contextfit_outline::{ItemKind, Outline};
    /// use contextfit_text::Language;
    ///
    /// let text = "fn one() {\n    two()\n}\n";
    /// let outline = Outline::of(text, Language::named("rust").ok_or("no language")?);
    /// let kinds: Vec<ItemKind> = outline.items.iter().map(|item| item.kind).collect();
    /// assert_eq!(kinds, [ItemKind::Function, ItemKind::Other]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of(text: &str, language: &Language) -> Self {
        let lines = Lines::new(text);
        let outline =
            parsed(text, language, &lines).unwrap_or_else(|| indentation::outline(&lines, language));
        with_code_inside(outline, text, language)
    }

    /// The outline by the syntax tree alone; `None` where this build has no grammar for `language`, or it cannot read
    /// half of the text.
    #[must_use]
    pub fn parsed(text: &str, language: &Language) -> Option<Self> {
        parsed(text, language, &Lines::new(text))
    }
}

/// For no item and for each the items in it, side by side, and where they are. Linear.
pub(crate) fn inner(items: &[Item]) -> (Vec<usize>, impl Iterator<Item = Range<usize>> + use<>) {
    let slot = |item: &Item| item.parent.map_or(0, |parent| parent + 1);
    // First how many each has, then where they start, then where they end.
    let mut ends = vec![0; items.len() + 1];
    for item in items {
        ends.get_mut(slot(item)).into_iter().for_each(|count| *count += 1);
    }
    let mut all = 0;
    for end in &mut ends {
        all += mem::replace(end, all);
    }
    let mut inner = vec![0; all];
    for (n, item) in items.iter().enumerate() {
        let Some(end) = ends.get_mut(slot(item)) else { continue };
        inner.get_mut(*end).into_iter().for_each(|place| *place = n);
        *end += 1;
    }
    let mut start = 0;
    (inner, ends.into_iter().map(move |end| mem::replace(&mut start, end)..end))
}

/// Languages that a text may be in when it is not in the one that it is said to be in.
const ALTERNATIVES: [(&str, &str); 2] = [("typescript", "tsx"), ("c", "cpp")];

fn parsed(text: &str, language: &Language, lines: &Lines<'_>) -> Option<Outline> {
    let (grammar, tree) = read(text, language)?;
    let outline = walk::outline(grammar, &tree, text, lines, language);
    keep(tree);
    outline
}

/// The syntax tree of `text`, and the grammar that read it: where that of `language` finds faults, the one that finds
/// less of the text faulty.
pub(crate) fn read(text: &str, language: &Language) -> Option<(&'static Compiled, Tree)> {
    let read = |name: &str| {
        let grammar = grammar(name).filter(|_| readable(name, text))?;
        Some((grammar, grammar.parse(text)?))
    };
    let first = read(language.name)?;
    let faulty = first.1.root_node().has_error();
    let other = ALTERNATIVES.iter().find(|(name, _)| faulty && *name == language.name);
    match other.and_then(|(_, other)| read(other)) {
        Some(other) if faults::bytes(&other.1) < faults::bytes(&first.1) => Some(other),
        _ => Some(first),
    }
}
