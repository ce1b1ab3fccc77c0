//! Outlines from a syntax tree, by the grammar of the language or of a similar one.

use contextfit_text::Language;
use tree_sitter::Tree;

use crate::{
    Outline,
    grammar::{Compiled, keep},
    grammars::grammar,
    limits::readable,
    lines::Lines,
    walk,
};

/// For a declared language, the one that is tried if the text is not in it.
const ALTERNATIVES: [(&str, &str); 2] = [("typescript", "tsx"), ("c", "cpp")];

/// The outline from the syntax tree. `None` if this build has no grammar for `language`, or if the grammar cannot read
/// half of the text.
pub(crate) fn outline(text: &str, language: &Language, lines: &Lines<'_>) -> Option<Outline> {
    let (grammar, tree) = read(text, language)?;
    let outline = walk::outline(grammar, &tree, text, lines, language);
    keep(tree);
    outline
}

/// The syntax tree of `text`, and the grammar that produced it: that of `language`, unless the alternative finds fewer
/// bytes of the text faulty.
pub(crate) fn read(text: &str, language: &Language) -> Option<(&'static Compiled, Tree)> {
    // ablate: outline.grammars => None
    let read = |name: &str| {
        let grammar = grammar(name).filter(|_| readable(name, text))?;
        Some((grammar, grammar.parse(text)?))
    };
    let first = read(language.name)?;
    let faulty = first.1.root_node().has_error();
    let other = ALTERNATIVES.iter().find(|(name, _)| faulty && *name == language.name);
    match other.and_then(|(_, other)| read(other)) {
        Some(other) if walk::faulty_bytes(&other.1) < walk::faulty_bytes(&first.1) => Some(other),
        _ => Some(first),
    }
}
