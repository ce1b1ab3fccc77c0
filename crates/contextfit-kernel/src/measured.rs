//! A context whose blocks have been counted, unit by unit.

use crate::{Action, Block, ByteRange, Context, Piece, TokenCounter, Tokens};

/// The smallest part of a block that is kept or cut as a whole: a line, or a sentence of a line with several.
///
/// The units of a block lie side by side: the first starts at byte 0, each next where the one before ends, and the
/// last ends with the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    /// One past the unit's last byte.
    pub end: usize,
    /// Tokens from the start of the block's text through this unit.
    pub tokens_through: Tokens,
    /// Whether the counter splits at `end`, so that what stands behind it never changes the tokens before.
    pub splits: bool,
}

/// A block and what it costs.
#[derive(Debug, Clone)]
pub struct MeasuredBlock<'a> {
    block: &'a Block,
    units: Vec<Unit>,
    framing: Tokens,
    fence: Option<(String, String)>,
    language: Option<&'static str>,
    /// The sentences and lines that were divided.
    parts: Vec<ByteRange>,
}

impl<'a> MeasuredBlock<'a> {
    /// A block with its `units`, and the tokens of header and separator around it at levels 2 and 3 (`framing`). The
    /// units must cover the text side by side, as [`Unit`] says; debug builds assert it.
    #[must_use]
    pub fn new(block: &'a Block, units: Vec<Unit>, framing: Tokens) -> Self {
        debug_assert!(units.is_sorted_by(|a, b| a.end < b.end), "units of {:?} overlap", block.id);
        debug_assert_eq!(
            units.last().map_or(0, |unit| unit.end),
            block.text.len(),
            "units of {:?}",
            block.id
        );
        Self { block, units, framing, fence: None, language: None, parts: Vec::new() }
    }

    /// The same, its text found to be in the language called `name`, so that nobody has to find out again.
    #[must_use]
    pub const fn in_language(mut self, name: &'static str) -> Self {
        self.language = Some(name);
        self
    }

    /// The same, its text shown between the lines `open` and `close` at levels 2 and 3, which takes `tokens` more: a text
    /// that could be taken for other blocks.
    #[must_use]
    pub fn fenced(mut self, open: String, close: String, tokens: Tokens) -> Self {
        self.fence = Some((open, close));
        self.framing += tokens;
        self
    }

    /// The lines around its text, where it has some.
    #[must_use]
    pub fn fence(&self) -> Option<(&str, &str)> {
        self.fence.as_ref().map(|(open, close)| (open.as_str(), close.as_str()))
    }

    /// The same, the sentences and lines at `ranges`, ascending, having been divided: units in them are parts of one.
    #[must_use]
    pub fn with_parts(mut self, ranges: Vec<ByteRange>) -> Self {
        self.parts = ranges;
        self
    }

    /// Whether a cut at byte `at` lands within a sentence or a line that was divided. Logarithmic in the number of these.
    #[must_use]
    pub fn divides_at(&self, at: usize) -> bool {
        let next = self.parts.partition_point(|range| range.end() <= at);
        self.parts.get(next).is_some_and(|range| range.start() < at)
    }

    /// Whether unit `n` is a part of a sentence or a line that was divided.
    #[must_use]
    pub fn is_part(&self, n: usize) -> bool {
        let range = self.range(n, n + 1);
        self.divides_at(range.start()) || self.divides_at(range.end())
    }

    /// The block itself.
    #[must_use]
    pub const fn block(&self) -> &'a Block {
        self.block
    }

    /// The language of its text, as far as whoever measured it has found out.
    #[must_use]
    pub const fn language(&self) -> Option<&'static str> {
        self.language
    }

    /// Its units, in order.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Tokens of header, separator and fence around the block at levels 2 and 3.
    #[must_use]
    pub const fn framing(&self) -> Tokens {
        self.framing
    }

    /// Tokens of the whole text, exactly.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        self.tokens_through(self.units.len())
    }

    /// Tokens of the text through its first `n` units, as part of the whole text. Constant time.
    #[must_use]
    pub fn tokens_through(&self, n: usize) -> Tokens {
        n.checked_sub(1)
            .and_then(|last| self.units.get(last.min(self.units.len().saturating_sub(1))))
            .map_or(Tokens::ZERO, |unit| unit.tokens_through)
    }

    /// Tokens of units `from..to` as part of the whole text: what they cost alone may differ by a token or two at
    /// the seams. Constant time.
    #[must_use]
    pub fn tokens_between(&self, from: usize, to: usize) -> Tokens {
        self.tokens_through(to).saturating_sub(self.tokens_through(from))
    }

    /// The byte that unit `n` starts at; the length of the text for `n` past the last. Constant time.
    #[must_use]
    pub fn start_of(&self, n: usize) -> usize {
        n.checked_sub(1)
            .map_or(0, |before| self.units.get(before).map_or(self.block.text.len(), |unit| unit.end))
    }

    /// The bytes of units `from..to`; empty when `to` is not past `from`.
    #[must_use]
    pub fn range(&self, from: usize, to: usize) -> ByteRange {
        let start = self.start_of(from);
        ByteRange::new(start, self.start_of(to).max(start)).unwrap_or(ByteRange::whole(""))
    }

    /// The text of units `from..to`.
    #[must_use]
    pub fn text(&self, from: usize, to: usize) -> &'a str {
        self.range(from, to).of(&self.block.text).unwrap_or_default()
    }

    /// What the block adds to the whole text under `action`, header and separator included: exact but for the seams
    /// between its parts, each of which may cost or save a token. Linear in the number of pieces; texts that are not
    /// source are counted.
    #[must_use]
    pub fn cost(&self, action: &Action, counter: &dyn TokenCounter) -> Tokens {
        match action {
            Action::Keep => self.framing + self.tokens(),
            Action::Cut { pieces } => {
                let cost = |piece: &Piece| match piece {
                    Piece::Source(range) => {
                        self.tokens_between(self.units_before(range.start()), self.units_before(range.end()))
                    }
                    Piece::Marker(text) | Piece::Rewritten { text, .. } => counter.count(text),
                };
                self.framing + pieces.iter().map(cost).sum()
            }
            Action::Render { text, .. } if text.is_empty() => Tokens::ZERO,
            // A line feed parts it from its neighbour.
            Action::Render { text, .. } => counter.count(text) + Tokens::new(1),
            Action::Record { entries } | Action::Summarize { fallback: entries, .. } => {
                entries.iter().map(|entry| counter.count(&entry.text(self.block)) + Tokens::new(1)).sum()
            }
            Action::Drop => Tokens::ZERO,
        }
    }

    /// How many units end at or before byte `at`, the line feed that ends the last of them aside. Logarithmic time.
    #[must_use]
    pub fn units_before(&self, at: usize) -> usize {
        let whole = self.units.partition_point(|unit| unit.end <= at);
        whole + usize::from(self.is_before_feed(at, whole))
    }

    /// Whether nothing but its line feed is left of unit `n` behind byte `at`, which is in it.
    fn is_before_feed(&self, at: usize, n: usize) -> bool {
        let behind = || self.block.text.get(at..self.start_of(n + 1));
        at > self.start_of(n) && matches!(behind(), Some("\n" | "\r\n"))
    }

    /// Whether `at` is a place where a unit starts or ends. Logarithmic time.
    #[must_use]
    pub fn is_unit_boundary(&self, at: usize) -> bool {
        at == 0 || self.units.binary_search_by_key(&at, |unit| unit.end).is_ok()
    }

    /// Whether what is shown may end at `at`: a unit ends there, or all that it has behind it is its line feed.
    /// Logarithmic time.
    #[must_use]
    pub fn is_unit_end(&self, at: usize) -> bool {
        self.is_unit_boundary(at)
            || self.is_before_feed(at, self.units.partition_point(|unit| unit.end <= at))
    }
}

/// A context with every block counted once; what a [`Strategy`](crate::Strategy) plans on.
#[derive(Clone)]
pub struct Measured<'a> {
    /// The context.
    pub context: &'a Context,
    /// The counter that counted it; strategies count the texts they make up with it.
    pub counter: &'a dyn TokenCounter,
    /// The blocks of the context, in the same order.
    pub blocks: Vec<MeasuredBlock<'a>>,
    /// Tokens of the whole context as one text, headers and separators included, exactly.
    pub tokens: Tokens,
    /// Tokens of the line that says how many blocks are left out, at its longest.
    pub omission: Tokens,
    /// In a conversation the tokens of a record without its entries; zero elsewhere.
    pub record: Tokens,
}

impl std::fmt::Debug for Measured<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Measured")
            .field("counter", &self.counter.name())
            .field("blocks", &self.blocks.len())
            .field("tokens", &self.tokens)
            .finish_non_exhaustive()
    }
}
