//! The whole of what is to be told, and how its blocks join into one text.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::{Block, Framing, Hold};

/// What an application wants to tell the model: blocks in order, and the question they should help to answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Context {
    /// The blocks; their order is kept.
    pub blocks: Vec<Block>,
    /// The question or task, for strategies that look at it.
    pub query: Option<String>,
    /// How the blocks join.
    pub layout: Layout,
    /// How many blocks were left out before: by the caller, or by the compression that made this context.
    pub omitted: usize,
}

impl Context {
    /// A context of `blocks` with the usual layout and no query.
    #[must_use]
    pub fn new(blocks: Vec<Block>) -> Self {
        Self { blocks, ..Self::default() }
    }

    /// The same context with a query.
    #[must_use]
    pub fn with_query(mut self, query: impl Into<String>) -> Self {
        self.query = Some(query.into());
        self
    }

    /// Whether the query asks anything: it has a letter or a digit.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.query.as_deref().is_some_and(|query| query.contains(char::is_alphanumeric))
    }

    /// The same context with another layout.
    #[must_use]
    pub fn with_layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// The same context, saying that `blocks` blocks were left out before.
    #[must_use]
    pub fn with_omitted(mut self, blocks: usize) -> Self {
        self.omitted = blocks;
        self
    }

    /// For each block how it is held: as the firmest held block of its group, or by itself where it is in none. A group
    /// with a pinned block is pinned as a whole; one with a shown block is shown as a whole.
    ///
    /// ```
    /// use contextfit_kernel::{Block, Context, Hold, Passage};
    ///
    /// let block = |id: &str| Block::passage(id, Passage::default(), "text");
    /// let blocks = vec![block("call").with_group("g"), block("result").with_group("g").with_shown(), block("other")];
    /// assert_eq!(Context::new(blocks).holds(), [Hold::Shown, Hold::Shown, Hold::Free]);
    /// ```
    #[must_use]
    pub fn holds(&self) -> Vec<Hold> {
        let mut groups: HashMap<&str, Hold> = HashMap::new();
        for block in &self.blocks {
            if let Some(group) = block.group.as_deref() {
                let hold = groups.entry(group).or_default();
                *hold = block.hold.max(*hold);
            }
        }
        let by_group = |block: &Block| groups.get(block.group.as_deref()?).copied();
        self.blocks.iter().map(|block| by_group(block).unwrap_or(block.hold)).collect()
    }
}

/// How blocks join into one text.
///
/// A block shown at level 2 or 3 stands under its [header](Block::header) and apart from its neighbours by the
/// separator on a line of its own; blocks at level 0 and 1 follow one another line by line. When blocks were left
/// out, the text ends with a line that says how many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// Whether blocks at levels 2 and 3 stand under their headers.
    pub headers: bool,
    /// The line between blocks, without its line feed.
    pub separator: String,
    /// What one block is called in the line that counts those left out; `None` leaves that line away. Not used in a
    /// conversation: there records say how many turns are left out.
    pub omission: Option<Noun>,
    /// Set for a conversation: then the blocks are messages of their own, and neither headers nor the separator are
    /// used. See [`Framing`].
    #[serde(default)]
    pub framing: Option<Framing>,
    /// Whether each line of a passage is shown behind its number in the file that it comes from ([`Layout::gutter`]).
    #[serde(default)]
    pub line_numbers: bool,
}

impl Default for Layout {
    /// Headers, `---` between blocks, left-out blocks counted as passages, and no line numbers.
    fn default() -> Self {
        let omission = Some(Noun::new("passage", "passages"));
        Self { headers: true, separator: "---".into(), omission, framing: None, line_numbers: false }
    }
}

impl Layout {
    /// The layout of a conversation.
    #[must_use]
    pub const fn conversation(framing: Framing) -> Self {
        Self {
            headers: false,
            separator: String::new(),
            omission: None,
            framing: Some(framing),
            line_numbers: false,
        }
    }

    /// The line that stands for `omitted` blocks; `None` when there are none or the layout does not count them.
    #[must_use]
    pub fn omission_marker(&self, omitted: usize) -> Option<String> {
        let noun = self.omission.as_ref().filter(|_| omitted > 0)?;
        Some(format!("[... {omitted} {}]", noun.of(omitted)))
    }

    /// What stands before line `number` of a passage when lines are numbered: `12| `.
    #[must_use]
    pub fn gutter(number: usize) -> String {
        format!("{number}| ")
    }
}

/// A countable noun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noun {
    /// For one.
    pub one: String,
    /// For any other number.
    pub many: String,
}

impl Noun {
    /// A noun by its two forms.
    #[must_use]
    pub fn new(one: impl Into<String>, many: impl Into<String>) -> Self {
        Self { one: one.into(), many: many.into() }
    }

    /// The form that goes with `n`.
    #[must_use]
    pub fn of(&self, n: usize) -> &str {
        if n == 1 { &self.one } else { &self.many }
    }
}
