//! The whole content for the model, and how its blocks join into one text.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::{Block, Hold, Record, TokenCounter, Tokens};

/// The content that an application offers to a model: blocks in order, and the question that they should help to
/// answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Context {
    /// The blocks; their order is kept.
    pub blocks: Vec<Block>,
    /// The question or task; `None` if there is none.
    pub query: Option<String>,
    /// How the blocks join.
    pub layout: Layout,
    /// The number of blocks that were left out earlier, by the caller or by the compression that produced this context.
    pub omitted: usize,
    /// The tokens of those blocks, as far as the caller counted them. They are part of
    /// [`CompressionMetrics::tokens_before`](crate::CompressionMetrics).
    #[serde(default)]
    pub omitted_tokens: Tokens,
}

impl Context {
    /// Creates a context of `blocks` with the default layout and no query.
    #[must_use]
    pub fn new(blocks: Vec<Block>) -> Self {
        Self { blocks, ..Self::default() }
    }

    /// Sets the query.
    #[must_use]
    pub fn with_query(mut self, query: impl Into<String>) -> Self {
        self.query = Some(query.into());
        self
    }

    /// Whether there is a query with at least one letter or digit.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.query.as_deref().is_some_and(|query| query.contains(char::is_alphanumeric))
    }

    /// Sets the layout.
    #[must_use]
    pub fn with_layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// Sets the number of blocks that were left out earlier.
    #[must_use]
    pub fn with_omitted(mut self, blocks: usize) -> Self {
        self.omitted = blocks;
        self
    }

    /// Sets the tokens of the blocks that were left out earlier.
    #[must_use]
    pub fn with_omitted_tokens(mut self, tokens: Tokens) -> Self {
        self.omitted_tokens = tokens;
        self
    }

    /// The sets of blocks that are shown together or not at all, as indices: the blocks of each group, and every other
    /// block on its own, in the order of their first blocks. Linear.
    ///
    /// ```
    /// # use contextfit_kernel as contextfit;
    /// use contextfit::{Block, Context, Passage};
    ///
    /// let block = |id: &str| Block::passage(id, Passage::default(), "text");
    /// let blocks = vec![block("call").with_group("g"), block("other"), block("result").with_group("g")];
    /// assert_eq!(Context::new(blocks).groups(), [vec![0, 2], vec![1]]);
    /// ```
    #[must_use]
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut known: HashMap<&str, usize> = HashMap::new();
        let mut groups: Vec<Vec<usize>> = Vec::with_capacity(self.blocks.len());
        for (n, block) in self.blocks.iter().enumerate() {
            let next = groups.len();
            let place = block.group.as_deref().map_or(next, |group| *known.entry(group).or_insert(next));
            match groups.get_mut(place) {
                Some(group) => group.push(n),
                None => groups.push(vec![n]),
            }
        }
        groups
    }

    /// The effective hold of each block: the firmest hold in its group, or its own hold if it has no group. If a group
    /// contains a pinned block, all its blocks are pinned; otherwise, if it contains a shown block, all are shown.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_kernel::{Block, Context, Passage}; pub use ::contextfit_kernel as kernel; }
    /// use contextfit::{Block, Context, Passage, kernel::Hold};
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
/// A block at level 2 or 3 has its [header](Block::header) above it, and a separator line between it and its
/// neighbours. Blocks at levels 0 and 1 take one line after another. If blocks were left out, the last line of the text
/// says how many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Layout {
    /// Whether blocks at levels 2 and 3 have headers.
    pub headers: bool,
    /// The separator line between blocks, without its line feed.
    pub separator: String,
    /// The noun for a block in the line that counts omitted blocks; `None` leaves out that line. Not used in a
    /// conversation, where records say how many turns were left out.
    pub omission: Option<Noun>,
    /// The framing of messages, which makes the layout that of a conversation: each block is a separate message, and
    /// headers and separators are not used.
    #[serde(default)]
    pub framing: Option<Framing>,
    /// Whether each line of a passage begins with its number in the source file ([`Layout::gutter`]).
    #[serde(default)]
    pub line_numbers: bool,
}

impl Default for Layout {
    /// Headers, `---` between blocks, omitted blocks counted as passages, and no line numbers.
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

    /// The line that says how many blocks were `omitted`; `None` if there are none or the layout does not count them.
    #[must_use]
    pub fn omission_marker(&self, omitted: usize) -> Option<String> {
        let noun = self.omission.as_ref().filter(|_| omitted > 0)?;
        Some(format!("[... {omitted} {}]", noun.of(omitted)))
    }

    /// The prefix of line `number` in a passage with line numbers: `12| `.
    #[must_use]
    pub fn gutter(number: usize) -> String {
        format!("{number}| ")
    }
}

crate::setters! {
    Layout {
        with_headers(headers: bool), with_separator(separator: impl Into<String>),
        with_omission(omission: impl Into<Option<Noun>>), with_framing(framing: impl Into<Option<Framing>>),
        with_line_numbers(line_numbers: bool),
    }
}

/// Token overhead of a conversation's messages, in addition to their texts.
///
/// A block at level 2 or 3 is a message. Consecutive blocks at levels 0 and 1 share one message, the [`Record`]: a
/// heading, then the entries of each block. If turns were left out and none is quoted, the record is only its heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Framing {
    /// Tokens of the request outside its messages, such as those of the tools that it offers and of the start of the
    /// answer.
    pub request: Tokens,
    /// Tokens that a record takes in addition to its text.
    pub record: Tokens,
}

impl Framing {
    /// Tokens of a message in addition to its text: 3 for the message and 1 for its role. Source: OpenAI cookbook, "How
    /// to count tokens with tiktoken".
    pub const MESSAGE: Tokens = Tokens::new(4);

    /// Tokens of the start of the answer. Same source.
    pub const ANSWER: Tokens = Tokens::new(3);

    /// Tokens of a tool call or a result in addition to names, arguments and texts. OpenAI does not publish this
    /// number; it is what the harmony format of its open models writes around a call.
    pub const CALL: Tokens = Tokens::new(9);

    /// The framing of a request without tools, as OpenAI counts it.
    #[must_use]
    pub const fn chat() -> Self {
        Self { request: Self::ANSWER, record: Self::MESSAGE }
    }

    /// An upper bound on the tokens of a record without entries, in a session of `turns` turns.
    #[must_use]
    pub fn bare_record(&self, turns: usize, counter: &dyn TokenCounter) -> Tokens {
        self.record + counter.count(&Record::heading(turns, turns, turns, true))
    }
}

/// A countable noun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noun {
    /// The form for one.
    pub one: String,
    /// The form for any other number.
    pub many: String,
}

impl Noun {
    /// Creates a noun from its two forms.
    #[must_use]
    pub fn new(one: impl Into<String>, many: impl Into<String>) -> Self {
        Self { one: one.into(), many: many.into() }
    }

    /// The form to use with `n`.
    #[must_use]
    pub fn of(&self, n: usize) -> &str {
        if n == 1 { &self.one } else { &self.many }
    }
}
