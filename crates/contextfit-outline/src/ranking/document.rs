//! The input of the ranking.

use contextfit_kernel::ByteRange;

/// A file, or a chunk of one, and its units.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'a> {
    /// Its path; empty if unknown.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Its relevance according to a retriever, on any scale.
    pub score: Option<f64>,
    /// The parts that are shown or dropped on their own merits, in order; none contains another.
    pub units: Vec<DocumentUnit<'a>>,
}

/// The smallest part that is ranked: a function, a type, or a passage of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentUnit<'a> {
    /// Its range in the text, including its comment.
    pub range: ByteRange,
    /// Its kind.
    pub kind: UnitKind,
    /// Its name; empty if it has none.
    pub name: &'a str,
    /// The names of the parts that contain it, separated by spaces.
    pub holders: String,
    /// Whether it has lines that changed.
    pub is_changed: bool,
}

/// The kind of a [`DocumentUnit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnitKind {
    /// Something callable.
    Function,
    /// A type without functions in it.
    Type,
    /// Anything else: statements, fields, paragraphs.
    Passage,
}
