//! Blocks: the pieces of content an application offers to the model.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Hold, Level, Tokens, Turn, one_line, quoted};

/// One piece of a context: a retrieved passage, a turn of a conversation, a memory.
///
/// Blocks are identified by their position in the context. Ids are for display and need not be unique.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Block {
    /// The application's name for the block.
    pub id: String,
    /// The kind of content, with the metadata of that kind.
    pub kind: BlockKind,
    /// The text. Ranges in plans and results are byte ranges of it.
    pub text: String,
    /// How firmly the block is held. A member of a group is held as firmly as its group:
    /// [`Context::holds`](crate::Context::holds).
    pub hold: Hold,
    /// The group of the block, such as that of a tool call and its results. The blocks of a group are either all shown,
    /// each at its own level, or all dropped. In a conversation, either all of them are messages or none is; blocks
    /// that are not messages are dropped or quoted in a record.
    pub group: Option<String>,
    /// The level of `text`. Below [`Level::Extract`] the header is part of the text or of the fence.
    pub level: Level,
    /// The lines before and after the text, unless the block is shown by a description: for a text that could be mistaken
    /// for several blocks, and for the words of a model, which are at level 1. The pipeline sets them in the blocks of a
    /// result. The line after the text may be absent: it is then empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fence: Option<(String, String)>,
}

impl Block {
    /// Creates a block at full level, free, in no group.
    #[must_use]
    pub fn new(id: impl Into<String>, kind: BlockKind, text: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            kind,
            text: text.into(),
            hold: Hold::Free,
            group: None,
            level: Level::Full,
            fence: None,
        }
    }

    /// Creates a block for a passage. `passage` can be a path, as in `Block::passage("1", "src/main.rs", text)`, or
    /// `Passage::default()` for text without metadata.
    #[must_use]
    pub fn passage(id: impl Into<String>, passage: impl Into<Passage>, text: impl Into<String>) -> Self {
        let passage = passage.into();
        Self::new(id, BlockKind::Passage(passage), text)
    }

    /// Pins the block: it is shown unchanged.
    #[must_use]
    pub fn with_pinned(mut self) -> Self {
        self.hold = Hold::Pinned;
        self
    }

    /// Requires the block to be shown: it may be cut, but is never dropped or replaced.
    #[must_use]
    pub fn with_shown(mut self) -> Self {
        self.hold = Hold::Shown;
        self
    }

    /// Whether the block itself is pinned. A block that is not pinned is still kept unchanged if its group contains a
    /// pinned block.
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        self.hold == Hold::Pinned
    }

    /// Adds the block to `group`.
    #[must_use]
    pub fn with_group(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }

    /// Returns the block with the text and level at which it is shown. Below [`Level::Extract`] the text of a turn is
    /// no longer divided into parts.
    #[must_use]
    pub fn shown_as(&self, text: String, level: Level) -> Self {
        let Self { id, kind, text: _, hold, group, level: _, fence: _ } = self;
        let mut kind = kind.clone();
        if let BlockKind::Turn(turn) = &mut kind
            && !level.shows_source()
        {
            turn.parts.clear();
            turn.attachments.clear();
        }
        Self { id: id.clone(), kind, text, hold: *hold, group: group.clone(), level, fence: None }
    }

    /// Creates a block for a message of a conversation, with the message's text.
    #[must_use]
    pub fn turn(id: impl Into<String>, turn: Turn, text: impl Into<String>) -> Self {
        Self::new(id, BlockKind::Turn(turn), text)
    }

    /// The turn's metadata, if the block is a turn.
    #[must_use]
    pub const fn as_turn(&self) -> Option<&Turn> {
        match &self.kind {
            BlockKind::Turn(turn) => Some(turn),
            _ => None,
        }
    }

    /// The passage's metadata, if the block is a passage.
    #[must_use]
    pub const fn as_passage(&self) -> Option<&Passage> {
        match &self.kind {
            BlockKind::Passage(passage) => Some(passage),
            _ => None,
        }
    }

    /// The line of the source file at which a full passage starts; 1 if that is unknown. `None` for other kinds of
    /// block and for shortened passages.
    #[must_use]
    pub fn first_line(&self) -> Option<usize> {
        let passage = self.as_passage().filter(|_| self.level == Level::Full)?;
        Some(passage.start_line.unwrap_or(1))
    }

    /// The lines that introduce the block's text at levels 2 and 3; empty for kinds without a header.
    #[must_use]
    pub fn header(&self) -> String {
        match &self.kind {
            BlockKind::Passage(passage) if self.level.shows_source() => passage.header(),
            _ => String::new(),
        }
    }
}

/// The kind of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum BlockKind {
    /// A retrieved chunk or a file.
    Passage(Passage),
    /// A turn of a conversation.
    Turn(Turn),
    /// A memory.
    Memory(Memory),
}

/// Metadata of a retrieved chunk or a file. Every field is optional.
///
/// ```
/// # use contextfit_kernel as contextfit;
/// use contextfit::Passage;
///
/// let passage = Passage::at("src/utils.ts").with_lines(10, 50).with_score(0.82);
/// assert_eq!(passage.header(), "File: src/utils.ts\nLines: 10-50\n\n");
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Passage {
    /// The title of the document.
    pub title: Option<String>,
    /// Its source: a path or a URL.
    pub path: Option<String>,
    /// Relevance according to the retriever, on any scale; higher is better.
    pub score: Option<f64>,
    /// The first line of the chunk in its file, from 1.
    pub start_line: Option<usize>,
    /// The last line of the chunk in its file, inclusive.
    pub end_line: Option<usize>,
    /// The language: code by its usual lower-case name (`typescript`), prose by its language tag (`en`).
    pub language: Option<String>,
    /// The symbols that enclose the chunk.
    pub symbols: Symbols,
    /// The number of the piece within its document, from 1, for pieces that have no other distinction.
    pub part: Option<usize>,
    /// The tokens that the application adds around the passage when it shows it, such as tags or metadata. They count
    /// against the budget and are not in the text; in a conversation they have no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overhead: Option<Tokens>,
    /// The lines that the reader wants first, such as those that changed: the first and the last of each run, numbered as
    /// [`start_line`](Self::start_line) is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<(usize, usize)>,
}

impl From<&str> for Passage {
    /// A passage from this path.
    fn from(path: &str) -> Self {
        Self::at(path)
    }
}

impl From<String> for Passage {
    /// A passage from this path.
    fn from(path: String) -> Self {
        Self::at(path)
    }
}

/// The named symbols that a chunk belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Symbols {
    /// The class, or whatever is closest to a class in the language.
    pub class: Option<String>,
    /// The function or method.
    pub function: Option<String>,
    /// The type.
    #[serde(rename = "type")]
    pub type_name: Option<String>,
    /// The section of a document.
    pub section: Option<String>,
}

impl Passage {
    /// The beginnings of the lines of a [header](Self::header) after the title.
    pub const FIELDS: [&str; 6] = ["File: ", "Lines: ", "Class: ", "Function: ", "Type: ", "Section: "];

    /// Whether a line could be mistaken for a field of a header, a separator, a marker or the start of another block.
    /// Invisible characters in the line are ignored.
    ///
    /// ```
    /// # use contextfit_kernel as contextfit;
    /// use contextfit::Passage;
    ///
    /// assert!(["File\u{200b}: a.rs", "---", "// ... 3 lines"].into_iter().all(Passage::reads_as_layout));
    /// assert!(!Passage::reads_as_layout("Profile: a"));
    /// ```
    #[must_use]
    pub fn reads_as_layout(line: &str) -> bool {
        // Hangul fillers count as letters.
        let is_unseen = |c: char| {
            !c.is_ascii_graphic() && !c.is_alphanumeric() || "\u{115f}\u{1160}\u{3164}\u{ffa0}".contains(c)
        };
        let visible = || {
            let all = line.chars().map(|c| match c {
                '［' => '[',
                '：' => ':',
                _ => c,
            });
            all.filter(|c| *c == ' ' || !is_unseen(*c)).collect()
        };
        let seen = if line.is_ascii() { Cow::Borrowed(line) } else { Cow::Owned(visible()) };
        let seen = seen.trim();
        // A number after dots, in a comment of any language.
        let counts = |(text, dots): (&str, &str)| {
            text.split_once(dots).is_some_and(|(_, rest)| rest.contains(char::is_numeric))
        };
        Self::begins_field(seen, &Self::FIELDS)
            || !seen.is_empty() && seen.chars().all(|c| c == '-')
            || seen.starts_with('[')
            || [(seen, "..."), (line, "…")].into_iter().any(counts)
    }

    /// Whether `line` begins with one of these [`FIELDS`](Self::FIELDS), perhaps in capitals and with blanks or none
    /// around the colon. `file: a` of YAML, `File::Path` and `file:///a` do not.
    #[must_use]
    pub fn begins_field(line: &str, fields: &[&str]) -> bool {
        let Some((name, value)) = line.split_once(':') else { return false };
        let is_name = |field: &&str| name.trim_end().eq_ignore_ascii_case(field.trim_end_matches([':', ' ']));
        name.starts_with(char::is_uppercase) && !value.starts_with([':', '/']) && fields.iter().any(is_name)
    }

    /// A passage from `path`, a path or a URL.
    #[must_use]
    pub fn at(path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..Self::default() }
    }

    /// Sets the first and the last line of the chunk in its file, from 1, inclusive.
    #[must_use]
    pub const fn with_lines(mut self, first: usize, last: usize) -> Self {
        self.start_line = Some(first);
        self.end_line = Some(last);
        self
    }

    /// The header of a passage at levels 2 and 3, in the format of KB Labs Mind: the title on its own line; then
    /// `File:`, `Lines:`, `Class:`, `Function:`, `Type:` and `Section:`, as far as they are known; then a blank line.
    /// Empty if nothing is known. Every value is on one line ([`one_line`]). The number of the part follows the path,
    /// or the title if there is no path.
    ///
    /// ```
    /// # use contextfit_kernel as contextfit;
    /// use contextfit::Passage;
    ///
    /// let passage = Passage::at("docs/guide.md").with_title("Guide");
    /// assert_eq!(passage.header(), "Guide\nFile: docs/guide.md\n\n");
    /// assert_eq!(Passage::at("guide (part 2)").header(), "File: \"guide (part 2)\"\n\n");
    /// ```
    #[must_use]
    pub fn header(&self) -> String {
        let Self { title, path, symbols, .. } = self;
        let part = self.part.map(|part| format!(" (part {part})")).unwrap_or_default();
        let lines = self.lines();
        let values = [path, &lines, &symbols.class, &symbols.function, &symbols.type_name, &symbols.section];
        let mut header = String::with_capacity(128);
        if let Some(title) = title {
            let part = if path.is_some() { "" } else { part.as_str() };
            header.extend([&one_title(title), part, "\n"]);
        }
        let titled = header.len();
        let parts = std::iter::once(part.as_str()).chain(std::iter::repeat(""));
        for ((name, value), part) in Self::FIELDS.into_iter().zip(values).zip(parts) {
            if let Some(value) = value {
                header.extend([name, &one_line(value), part, "\n"]);
            }
        }
        if header.len() > titled {
            header.push('\n');
        }
        header
    }

    /// The lines as `first-last`, or `first` if the last is unknown; `None` if the first is unknown.
    #[must_use]
    pub fn lines(&self) -> Option<String> {
        match (self.start_line, self.end_line) {
            (Some(start), Some(end)) => Some([&start.to_string(), "-", &end.to_string()].concat()),
            (Some(start), None) => Some(start.to_string()),
            _ => None,
        }
    }
}

crate::setters! {
    Passage {
        with_title(title: impl Into<String> => some), with_score(score: impl Into<Option<f64>>),
        with_language(language: impl Into<String> => some), with_symbols(symbols: Symbols),
        with_part(part: usize), with_overhead(overhead: impl Into<Option<Tokens>>),
        with_changed(changed: impl Into<Vec<(usize, usize)>>),
    }
}

/// The title on one line, quoted if it [reads as layout](Passage::reads_as_layout).
fn one_title(title: &str) -> Cow<'_, str> {
    if Passage::reads_as_layout(title) { quoted(title).into() } else { one_line(title) }
}

/// Metadata of a memory, in the format of Cortex.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// The type of memory, as the application names it.
    #[serde(rename = "type")]
    pub memory_type: String,
    /// How much it matters.
    pub importance: Importance,
    /// Confidence, from 0 to 1.
    pub confidence: f64,
}

/// How important a memory is, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Importance {
    /// Nice to have.
    Low,
    /// The usual.
    #[default]
    Normal,
    /// Important.
    High,
    /// Must appear.
    Critical,
}

crate::names!(
    Importance, "importance": Low => "low", Normal => "normal", High => "high", Critical => "critical",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_that_pass_for_something_else_are_quoted() {
        let check =
            |title: &str, expect: bool| assert_eq!(one_title(title).starts_with('"'), expect, "{title}");
        for sign in ["//", "#", "--", ";", "%", "<!--", "/*", "{ /*", "// ... gap-0", "\u{200b}//"] {
            check(&format!("{sign} ... 4 lines: foo"), true);
        }
        check("[…900 lines]", true);
        check("… 3 lines", true);
        check("\u{200b}File: x", true);
        check("\u{3164}[x] a.rs", true);
        check("---\u{200b}", true);
        check("File\u{200b}: src/main.rs", true);
        check("［900 lines］", true);
        check("Profile: x", false);
        check("1. Wait... and see", false);
        check("Überblick – 预算 (2025)", false);
    }
}
