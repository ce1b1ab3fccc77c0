//! What is ranked.

use contextfit_kernel::ByteRange;

/// A file, or a chunk of one, and its units.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'a> {
    /// Where it is; empty where that is not known.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Relevance as a retriever saw it, on any scale.
    pub score: Option<f64>,
    /// What of it is shown or not by its own worth, in order, none in another.
    pub units: Vec<Unit<'a>>,
}

/// What is ranked by itself: a function, a type, or a passage of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit<'a> {
    /// Where it is in the text, its comment included.
    pub range: ByteRange,
    /// What it is.
    pub kind: UnitKind,
    /// Its name; empty where it has none.
    pub name: &'a str,
    /// The names of what it is in.
    pub holders: String,
}

/// What a [`Unit`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnitKind {
    /// Something callable.
    Function,
    /// A type without functions in it.
    Type,
    /// Anything else: statements, fields, paragraphs.
    Passage,
}
