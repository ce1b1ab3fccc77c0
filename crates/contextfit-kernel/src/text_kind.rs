//! The kinds of texts.

/// The kind of a text, which determines where it may be cut and which parts of it matter. It is decided once, when a
/// context is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum TextKind {
    /// JSON: an array or object, or one or several on each line, possibly with a few other lines around them.
    Json,
    /// A unified diff, with the text that version control systems write around it.
    Diff,
    /// Commits, as `git log` prints them.
    History,
    /// A page in HTML, or other markup.
    Page,
    /// Source code, configuration or a script, with or without line numbers.
    Code,
    /// Entries with a time or a level; test runs, compilers, stack traces.
    Log,
    /// Columns: in Markdown, separated by commas, tabs, semicolons or bars, or aligned by spaces.
    Table,
    /// One item per line, such as lines found in files, or names of files.
    Listing,
    /// Sentences for people.
    Prose,
    /// Anything else.
    Other,
}

crate::names!(
    TextKind, "kind of text": Json => "json", Diff => "diff", History => "history", Page => "html", Code => "code", Log => "log", Table => "table", Listing => "listing", Prose => "prose", Other => "text",
);

impl TextKind {
    /// Whether such a text is usually printed by a program. Pages, code and prose are written by people.
    #[must_use]
    pub const fn is_output(self) -> bool {
        !matches!(self, Self::Prose | Self::Code | Self::Page | Self::Other)
    }
}
