//! The facts about a grammar that determine which lines of a text can be left out.

use contextfit_kernel::Values;
use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    iter::successors,
    num::NonZeroU16,
    ops::ControlFlow,
};

use tree_sitter::{Language, Node, ParseOptions, ParseState, Parser, Tree};

/// The parser steps allowed per byte of text, and the steps allowed in any case. If a grammar needs more, it cannot
/// read the text in linear time.
const PARSER_STEPS: (usize, usize) = (8, 100_000);

/// The number of parser steps between two calls of the progress callback.
const STEPS_A_CALL: usize = 100;

/// The bytes that the parser is given at once, and how often it may be given as many bytes as the text has. A scanner of
/// a grammar can read on to the end of the text in each step.
const READ_BYTES: usize = 128;
const MAX_READINGS: usize = 64;

/// The maximum bytes of a text whose tree is kept.
const LONGEST_KEPT_BYTES: usize = 1 << 16;

thread_local! {
    /// The parser, and a tree that is no longer needed. Its thousands of small allocations are best freed just before
    /// similar ones are requested: any large request in between makes the allocator merge them.
    static PARSER: RefCell<(Parser, Option<Tree>)> = RefCell::default();
}

/// A grammar as data: the meaning of its node kinds. Kinds are separated by spaces.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Grammar {
    /// Kinds whose children can be left out individually, even all of them.
    pub(crate) lists: &'static str,
    /// Like `lists`, but one child must be kept.
    pub(crate) never_empty: &'static str,
    /// Like `lists`, but one child must be kept if the list is directly inside another of its kind.
    pub(crate) never_empty_nested: &'static str,
    /// Like `lists`, but if any child is kept, the last one must be.
    pub(crate) keep_last: &'static str,
    /// Kinds that define something callable.
    pub(crate) functions: &'static str,
    /// Kinds that define a type or contain definitions.
    pub(crate) types: &'static str,
    /// Kinds that assign a value to a name. They define something if the kind of the value is among `values`.
    pub(crate) assignments: &'static str,
    /// Kinds of values that are functions or classes.
    pub(crate) values: &'static str,
    /// The only kinds that may contain a definition on one line.
    pub(crate) wrappers: &'static str,
    /// Kinds of imports.
    pub(crate) imports: &'static str,
    /// Kinds of comments.
    pub(crate) comments: &'static str,
    /// Kinds that belong to the definition after them: attributes, decorators.
    pub(crate) prefixes: &'static str,
    /// Kinds in which nothing can be left out, however many lines they have.
    pub(crate) leaves: &'static str,
    /// Kinds that are kept whenever their parent is.
    pub(crate) fixed: &'static str,
    /// Kinds that belong to the node before them.
    pub(crate) trailing: &'static str,
    /// Kinds of cases, which no statement can replace if one of them must be kept.
    pub(crate) cases: &'static str,
    /// A no-op statement that replaces the children of `never_empty` if none of them is kept; if it is empty, one child
    /// must be kept.
    pub(crate) placeholder: &'static str,
}

/// The meaning of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Role {
    #[default]
    Other,
    Function,
    Type,
    Assignment,
    Wrapper,
    Import,
    Comment,
    Prefix,
    Leaf,
    Fixed,
    Trailing,
    Case,
    /// A comma or a semicolon.
    Separator,
}

/// The children that a list must keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Keeps {
    #[default]
    Nothing,
    One,
    /// One child if the list is directly inside another of its kind, otherwise none.
    OneNested,
    Last,
}

/// A grammar, with its node kinds by number.
#[derive(Debug)]
pub(crate) struct Compiled {
    language: Language,
    /// A no-op statement.
    pub(crate) placeholder: &'static str,
    roles: Vec<Role>,
    lists: Vec<Option<Keeps>>,
    values: Vec<bool>,
    /// The fields that hold a name, and those that hold a value.
    name_fields: Vec<NonZeroU16>,
    value_fields: Vec<NonZeroU16>,
}

/// The fields that hold a name, followed repeatedly because one may be inside another.
const NAMES: [&str; 7] = ["name", "declarator", "left", "property", "key", "type", "heading_content"];

/// The fields that hold an assigned value.
const VALUES: [&str; 2] = ["value", "right"];

impl Grammar {
    /// The grammar of `language`, with its kinds by number. Kinds that this version of it lacks are ignored.
    pub(crate) fn compile(&self, language: Language) -> Compiled {
        let count = language.node_kind_count();
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for id in 0..count {
            let number = u16::try_from(id).unwrap_or(u16::MAX);
            // An anonymous token may have the same name as a kind.
            let name = language
                .node_kind_for_id(number)
                .filter(|name| language.node_kind_is_named(number) || matches!(*name, "," | ";"));
            if let Some(name) = name {
                by_name.entry(name).or_default().push(id);
            }
        }
        let ids = |kinds: &str| -> Vec<usize> {
            kinds.split_whitespace().filter_map(|kind| by_name.get(kind)).flatten().copied().collect()
        };
        let mut compiled = Compiled {
            roles: vec![Role::Other; count],
            lists: vec![None; count],
            values: vec![false; count],
            name_fields: NAMES.iter().filter_map(|name| language.field_id_for_name(name)).collect(),
            value_fields: VALUES.iter().filter_map(|name| language.field_id_for_name(name)).collect(),
            language: language.clone(),
            placeholder: self.placeholder,
        };
        let roles = [
            (self.functions, Role::Function),
            (self.types, Role::Type),
            (self.assignments, Role::Assignment),
            (self.wrappers, Role::Wrapper),
            (self.imports, Role::Import),
            (self.comments, Role::Comment),
            (self.prefixes, Role::Prefix),
            (self.leaves, Role::Leaf),
            (self.fixed, Role::Fixed),
            (self.trailing, Role::Trailing),
            (self.cases, Role::Case),
            (", ;", Role::Separator),
        ];
        for (kinds, role) in roles {
            ids(kinds).into_iter().for_each(|id| compiled.roles.set(id, role));
        }
        let lists = [
            (self.lists, Keeps::Nothing),
            (self.never_empty, Keeps::One),
            (self.never_empty_nested, Keeps::OneNested),
            (self.keep_last, Keeps::Last),
        ];
        for (kinds, keeps) in lists {
            ids(kinds).into_iter().for_each(|id| compiled.lists.set(id, Some(keeps)));
        }
        ids(self.values).into_iter().for_each(|id| compiled.values.set(id, true));
        compiled
    }
}

impl Compiled {
    /// The meaning of nodes of the kind numbered `kind`.
    pub(crate) fn role(&self, kind: u16) -> Role {
        self.roles.at(usize::from(kind))
    }

    /// The children that nodes of this kind must keep; `None` if no child can be left out.
    pub(crate) fn list(&self, kind: u16) -> Option<Keeps> {
        self.lists.at(usize::from(kind))
    }

    /// Whether `node` assigns a function or a class to a name.
    pub(crate) fn assigns(&self, node: Node<'_>) -> bool {
        let value = self.value_fields.iter().find_map(|&field| node.child_by_field_id(field.get()));
        value.is_some_and(|value| self.values.at(usize::from(value.kind_id())))
    }

    /// The node that names `node`, or `node` itself if there is none.
    pub(crate) fn name<'t>(&self, node: Node<'t>) -> Node<'t> {
        let inner =
            |node: &Node<'t>| self.name_fields.iter().find_map(|&field| node.child_by_field_id(field.get()));
        // Declarators are nested in one another; no readable name is deeper than this.
        successors(inner(&node), inner).take(16).last().unwrap_or(node)
    }

    /// The syntax tree of `text`; `None` if parsing takes more steps than its length allows. Linear in the text.
    pub(crate) fn parse(&self, text: &str) -> Option<Tree> {
        PARSER.with_borrow_mut(|(parser, kept)| {
            *kept = None;
            parser.set_language(&self.language).ok()?;
            let mut calls = (text.len().saturating_mul(PARSER_STEPS.0) + PARSER_STEPS.1) / STEPS_A_CALL;
            let reads = Cell::new(MAX_READINGS * (text.len() / READ_BYTES + 1));
            let mut progress = |_: &ParseState| match calls.checked_sub(1) {
                Some(left) if reads.get() > 0 => {
                    calls = left;
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Break(()),
            };
            let options = ParseOptions::new().progress_callback(&mut progress);
            let bytes = text.as_bytes();
            let mut read = |at: usize, _| {
                reads.set(reads.get().saturating_sub(1));
                let end = if reads.get() > 0 { bytes.len().min(at + READ_BYTES) } else { 0 };
                bytes.get(at..end).unwrap_or_default()
            };
            let tree = parser.parse_with_options(&mut read, None, Some(options));
            let tree = tree.filter(|_| reads.get() > 0);
            if tree.is_none() {
                // Without this, the parser would resume where it stopped.
                parser.reset();
            }
            tree
        })
    }
}

/// Keeps a tree that is no longer needed until the next text is parsed, unless its text is too long.
pub(crate) fn keep(tree: Tree) {
    if tree.root_node().end_byte() <= LONGEST_KEPT_BYTES {
        PARSER.with_borrow_mut(|(_, kept)| *kept = Some(tree));
    }
}
