//! What a text is.

/// What a text is, which determines where it may be cut and what matters in it. Decided once, when a context is
/// measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum TextKind {
    /// An array or an object, or one or several per line; a few other lines may stand around it.
    Json,
    /// A unified diff, with the text that a version control system writes around it.
    Diff,
    /// Commits, as `git log` prints them.
    History,
    /// A page in HTML, or other markup.
    Page,
    /// Source code, configuration or a script, with or without numbers before its lines.
    Code,
    /// Entries with a time or a level; test runs, compilers, stack traces.
    Log,
    /// Columns: in Markdown, separated by commas, tabs, semicolons or bars, or aligned by spaces.
    Table,
    /// One thing a line: lines found in files, names of files.
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
    /// Whether such text is printed by programs, rather than written by somebody, as pages and code are.
    #[must_use]
    pub const fn is_output(self) -> bool {
        !matches!(self, Self::Prose | Self::Code | Self::Page | Self::Other)
    }
}
