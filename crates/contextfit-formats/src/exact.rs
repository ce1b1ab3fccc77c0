//! Lines of a chunk to keep byte for byte, such as lines that will be edited.

use contextfit_kernel::{Block, BlockKind, Hold};
use serde::{Deserialize, Serialize};

/// The lines of a chunk to keep verbatim whatever the budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "`true`, or an array of line ranges [from, to], counting from 1, both inclusive"
)]
pub enum Exact {
    /// All lines, or none.
    Whole(bool),
    /// Ranges of lines, numbered as in the file: the first line of the text is the chunk's `startLine`, or 1.
    Lines(Vec<Lines>),
}

/// A range of lines in a file, from 1, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "(usize, usize)", into = "(usize, usize)")]
pub struct Lines {
    from: usize,
    to: usize,
}

impl Lines {
    /// Lines `from` to `to`, both inclusive; `None` if the range is empty or starts at 0.
    #[must_use]
    pub const fn new(from: usize, to: usize) -> Option<Self> {
        if from >= 1 && from <= to { Some(Self { from, to }) } else { None }
    }

    /// The last line.
    #[must_use]
    pub const fn last(self) -> usize {
        self.to
    }
}

impl TryFrom<(usize, usize)> for Lines {
    type Error = String;

    fn try_from((from, to): (usize, usize)) -> Result<Self, String> {
        Self::new(from, to)
            .ok_or_else(|| format!("expected lines from 1 in ascending order, found {from} to {to}"))
    }
}

impl From<Lines> for (usize, usize) {
    fn from(lines: Lines) -> Self {
        (lines.from, lines.to)
    }
}

impl Exact {
    /// `block` with these lines pinned: divided into one block, named `id:from-to`, for each run of lines that are all
    /// pinned or all not. Lines that the text does not have are ignored. Linear in the length of the text.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_kernel::{Block, Passage}; pub use ::contextfit_formats as formats; }
    /// use contextfit::{Block, Passage, formats::{Exact, Lines}};
    ///
    /// let block = Block::passage("a.txt", Passage::default(), "one\ntwo\nthree\n");
    /// let parts = Exact::Lines(Lines::new(2, 2).into_iter().collect()).pin(block);
    /// let parts: Vec<_> = parts.iter().map(|part| (part.id.as_str(), part.text.as_str(), part.is_pinned())).collect();
    /// assert_eq!(parts, [("a.txt:1-1", "one\n", false), ("a.txt:2-2", "two\n", true), ("a.txt:3-3", "three\n", false)]);
    /// ```
    #[must_use]
    pub fn pin(&self, block: Block) -> Vec<Block> {
        match self {
            Self::Whole(true) => vec![block.with_pinned()],
            Self::Whole(false) => vec![block],
            Self::Lines(lines) => part(block, lines),
        }
    }
}

/// `block` in parts, with `lines` pinned.
fn part(block: Block, lines: &[Lines]) -> Vec<Block> {
    let first = block.first_line().unwrap_or(1);
    let mut lines = lines.to_vec();
    lines.sort_unstable();
    let mut waiting = lines.iter().peekable();
    // The last line of all ranges that have started.
    let mut reach = 0;
    let mut parts: Vec<(usize, usize, bool, String)> = Vec::new();
    for (number, line) in (first..).zip(block.text.split_inclusive('\n')) {
        while let Some(run) = waiting.next_if(|run| run.from <= number) {
            reach = reach.max(run.to);
        }
        let exact = number <= reach;
        match parts.last_mut().filter(|part| part.2 == exact) {
            Some((_, to, _, text)) => {
                *to = number;
                text.push_str(line);
            }
            None => parts.push((number, number, exact, line.to_owned())),
        }
    }
    if !parts.iter().any(|part| part.2) {
        return vec![block];
    }
    // What the application adds around the block is added once: exact lines are always shown.
    let mut is_added = false;
    let block_of = |(from, to, exact, text): (usize, usize, bool, String)| {
        let mut part = block.shown_as(text, block.level);
        part.id = format!("{}:{from}-{to}", block.id);
        if exact {
            part.hold = Hold::Pinned;
        }
        if let BlockKind::Passage(passage) = &mut part.kind {
            (passage.start_line, passage.end_line) = (Some(from), Some(to));
            passage.overhead = passage.overhead.filter(|_| exact && !std::mem::replace(&mut is_added, true));
        }
        part
    };
    parts.into_iter().map(block_of).collect()
}
