//! Blocks: what an application wants to tell the model, piece by piece.

use serde::{Deserialize, Serialize};

use crate::{Hold, Level, Turn, one_line};

/// One piece of a context: a retrieved passage, a turn of a conversation, a memory.
///
/// Ids need not be unique: a block is known by its place in the context, the id is what people are told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Block {
    /// What the application calls it.
    pub id: String,
    /// What it is, with the facts that come with its kind.
    pub kind: BlockKind,
    /// Its text: the source of all ranges that plans and answers speak of.
    pub text: String,
    /// What strategies may do to it; [`Context::holds`](crate::Context::holds) says what its group adds.
    pub hold: Hold,
    /// Blocks of one group (a tool call and its results) are shown together, each at its own level, or none of them is.
    pub group: Option<String>,
    /// The level that `text` already stands at; below [`Level::Extract`] the header is part of the text.
    pub level: Level,
}

impl Block {
    /// A block at full level, free, in no group.
    #[must_use]
    pub fn new(id: impl Into<String>, kind: BlockKind, text: impl Into<String>) -> Self {
        Self { id: id.into(), kind, text: text.into(), hold: Hold::Free, group: None, level: Level::Full }
    }

    /// A passage block; the shortest way to a block for retrieved text.
    #[must_use]
    pub fn passage(id: impl Into<String>, passage: Passage, text: impl Into<String>) -> Self {
        Self::new(id, BlockKind::Passage(passage), text)
    }

    /// The same block, pinned: never touched.
    #[must_use]
    pub fn with_pinned(mut self) -> Self {
        self.hold = Hold::Pinned;
        self
    }

    /// The same block, always shown: it may be cut, but is never dropped nor replaced.
    #[must_use]
    pub fn with_shown(mut self) -> Self {
        self.hold = Hold::Shown;
        self
    }

    /// Whether the block itself is pinned; one in a group with a pinned block is not touched either.
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        self.hold == Hold::Pinned
    }

    /// The same block as a member of `group`.
    #[must_use]
    pub fn with_group(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }

    /// The block as it is shown after a compression: with another text, at another level. Below [`Level::Extract`] the text of
    /// a turn has no parts any more.
    #[must_use]
    pub fn shown_as(&self, text: String, level: Level) -> Self {
        let Self { id, kind, text: _, hold, group, level: _ } = self;
        let mut kind = kind.clone();
        if let BlockKind::Turn(turn) = &mut kind
            && !level.shows_source()
        {
            turn.parts.clear();
        }
        Self { id: id.clone(), kind, text, hold: *hold, group: group.clone(), level }
    }

    /// A block for a message of a conversation; its text is the message's.
    #[must_use]
    pub fn turn(id: impl Into<String>, turn: Turn, text: impl Into<String>) -> Self {
        Self::new(id, BlockKind::Turn(turn), text)
    }

    /// The turn's facts, when the block is one.
    #[must_use]
    pub const fn as_turn(&self) -> Option<&Turn> {
        match &self.kind {
            BlockKind::Turn(turn) => Some(turn),
            _ => None,
        }
    }

    /// The passage's facts, when the block is one.
    #[must_use]
    pub const fn as_passage(&self) -> Option<&Passage> {
        match &self.kind {
            BlockKind::Passage(passage) => Some(passage),
            _ => None,
        }
    }

    /// The number of the text's first line in the file that it comes from, where it is a passage that still stands as it
    /// did there; 1 when it does not say.
    #[must_use]
    pub fn first_line(&self) -> Option<usize> {
        let passage = self.as_passage().filter(|_| self.level == Level::Full)?;
        Some(passage.start_line.unwrap_or(1))
    }

    /// The lines that introduce the block's text at levels 2 and 3; empty for kinds that need none.
    #[must_use]
    pub fn header(&self) -> String {
        match &self.kind {
            BlockKind::Passage(passage) if self.level.shows_source() => passage.header(),
            _ => String::new(),
        }
    }
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum BlockKind {
    /// A retrieved chunk or a file.
    Passage(Passage),
    /// A turn of a conversation.
    Turn(Turn),
    /// Something remembered.
    Memory(Memory),
}

/// What is known of a retrieved chunk or a file. Everything is optional.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Passage {
    /// The title of the document.
    pub title: Option<String>,
    /// Where it comes from: a path or an address.
    pub path: Option<String>,
    /// Relevance as the retriever saw it; any scale, higher is better.
    pub score: Option<f64>,
    /// The first line of the chunk in its file, from 1.
    pub start_line: Option<usize>,
    /// The last line of the chunk in its file, inclusive.
    pub end_line: Option<usize>,
    /// The language: of code by its usual lower-case name (`typescript`), of prose by its tag (`en`).
    pub language: Option<String>,
    /// The symbols that the chunk stands in.
    pub symbols: Symbols,
    /// Which of several pieces of its document it is, from 1, where nothing else tells them apart.
    pub part: Option<usize>,
}

/// The named things that a chunk belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Symbols {
    /// The class or the like.
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
    /// The full form's header (seed 001): the title on a line of its own; then `File:`, `Lines:`, `Class:`,
    /// `Function:`, `Type:` and `Section:` as far as they are known, and a blank line. Empty when nothing is known. A value never ends its line ([`one_line`]).
    /// The number of the piece, where it has one, stands after the path, or after the title where there is no path.
    ///
    /// ```
    /// use contextfit_kernel::Passage;
    ///
    /// let passage = Passage { path: Some("src/utils.ts".into()), start_line: Some(10), end_line: Some(50), ..Passage::default() };
    /// assert_eq!(passage.header(), "File: src/utils.ts\nLines: 10-50\n\n");
    /// ```
    #[must_use]
    pub fn header(&self) -> String {
        let Self { title, path, symbols, .. } = self;
        let part = self.part.map(|part| format!(" (part {part})")).unwrap_or_default();
        let path = path.as_ref().map(|path| [path, part.as_str()].concat());
        let lines = self.lines();
        let fields = [
            ("File: ", &path),
            ("Lines: ", &lines),
            ("Class: ", &symbols.class),
            ("Function: ", &symbols.function),
            ("Type: ", &symbols.type_name),
            ("Section: ", &symbols.section),
        ];
        let mut header = String::with_capacity(128);
        if let Some(title) = title {
            let part = if path.is_some() { "" } else { part.as_str() };
            header.extend([&one_line(title), part, "\n"]);
        }
        let titled = header.len();
        for (name, value) in fields {
            if let Some(value) = value {
                header.extend([name, &one_line(value), "\n"]);
            }
        }
        if header.len() > titled {
            header.push('\n');
        }
        header
    }

    /// The lines as `first-last`, as `first` when the last is not known; `None` when neither is.
    #[must_use]
    pub fn lines(&self) -> Option<String> {
        match (self.start_line, self.end_line) {
            (Some(start), Some(end)) => Some([&start.to_string(), "-", &end.to_string()].concat()),
            (Some(start), None) => Some(start.to_string()),
            _ => None,
        }
    }
}

/// What is known of a memory (seed 004).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Memory {
    /// The kind of memory, as the application names it.
    #[serde(rename = "type")]
    pub memory_type: String,
    /// How much it matters.
    pub importance: Importance,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
}

/// How much a memory matters, from the least to the most.
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
