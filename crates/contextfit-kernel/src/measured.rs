//! A context with token counts for every unit of every block.

use crate::{Action, Block, ByteRange, Context, Entry, Piece, TextKind, TokenCounter, Tokens};

/// The smallest part of a block that is kept or cut as a whole: a line, or a sentence of a line that has several.
///
/// The units of a block are contiguous: the first starts at byte 0, each one starts where the previous one ends, and
/// the last ends with the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    /// End of the unit in bytes, exclusive.
    pub end: usize,
    /// Tokens from the start of the block's text through this unit.
    pub tokens_through: Tokens,
    /// Whether the counter splits at `end`: the text after it then does not change the token count of the text before
    /// it.
    pub splits: bool,
}

/// A block with the token counts of its units.
#[derive(Debug, Clone)]
pub struct MeasuredBlock<'a> {
    block: &'a Block,
    units: Vec<Unit>,
    framing: Tokens,
    /// The tokens that the application adds around the block at any level; at levels 2 and 3 part of the framing.
    overhead: Tokens,
    fence: Option<(String, String)>,
    language: Option<&'static str>,
    /// The kinds of the text or of its parts.
    kinds: Vec<(ByteRange, TextKind)>,
    /// Sentences and lines that were divided further.
    parts: Vec<ByteRange>,
}

impl<'a> MeasuredBlock<'a> {
    /// Creates a measured block from its `units` and its `framing`, which is the tokens of header and separator at
    /// levels 2 and 3. The units must cover the text contiguously, as described for [`Unit`]; debug builds assert this.
    #[must_use]
    pub fn new(block: &'a Block, units: Vec<Unit>, framing: Tokens) -> Self {
        debug_assert!(units.is_sorted_by(|a, b| a.end < b.end), "units of {:?} overlap", block.id);
        debug_assert_eq!(
            units.last().map_or(0, |unit| unit.end),
            block.text.len(),
            "units of {:?}",
            block.id
        );
        Self {
            block,
            units,
            framing,
            overhead: Tokens::ZERO,
            fence: None,
            language: None,
            kinds: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Sets the detected language of the text, so that it is detected only once.
    #[must_use]
    pub const fn in_language(mut self, name: &'static str) -> Self {
        self.language = Some(name);
        self
    }

    /// Sets the kind of the text, or of each of its parts, as ascending ranges with their kinds.
    #[must_use]
    pub fn with_kinds(mut self, kinds: Vec<(ByteRange, TextKind)>) -> Self {
        self.kinds = kinds;
        self
    }

    /// The kind of the text in `range`; `None` unless a kind was set for exactly this range. Logarithmic in the number
    /// of parts.
    #[must_use]
    pub fn kind(&self, range: ByteRange) -> Option<TextKind> {
        let at = self.kinds.binary_search_by_key(&range.start(), |(part, _)| part.start()).ok()?;
        self.kinds.get(at).filter(|(part, _)| *part == range).map(|(_, kind)| *kind)
    }

    /// Encloses the text between the lines `open` and `close`, as [`Block::fence`] says; they take `tokens` tokens.
    #[must_use]
    pub fn fenced(mut self, open: String, close: String, tokens: Tokens) -> Self {
        self.fence = Some((open, close));
        self.framing += tokens;
        self
    }

    /// The lines before and after the text, if it is enclosed.
    #[must_use]
    pub fn fence(&self) -> Option<(&str, &str)> {
        self.fence.as_ref().map(|(open, close)| (open.as_str(), close.as_str()))
    }

    /// Sets the `ranges` of sentences and lines that were divided further, in ascending order. The units inside a range
    /// are parts of one sentence or line.
    #[must_use]
    pub fn with_parts(mut self, ranges: Vec<ByteRange>) -> Self {
        self.parts = ranges;
        self
    }

    /// Whether a cut at byte `at` is inside a sentence or line that was divided. Logarithmic in the number of divided
    /// sentences and lines.
    #[must_use]
    pub fn divides_at(&self, at: usize) -> bool {
        let next = self.parts.partition_point(|range| range.end() <= at);
        self.parts.get(next).is_some_and(|range| range.start() < at)
    }

    /// Whether unit `n` is part of a sentence or line that was divided.
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

    /// The language of the text, if known.
    #[must_use]
    pub const fn language(&self) -> Option<&'static str> {
        self.language
    }

    /// Its units, in order.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Adds the tokens that the application adds around the block, whatever is shown of it.
    #[must_use]
    pub fn with_overhead(mut self, overhead: Tokens) -> Self {
        self.overhead += overhead;
        self.framing += overhead;
        self
    }

    /// The tokens that the application adds around the block. They are not in the text.
    #[must_use]
    pub const fn overhead(&self) -> Tokens {
        self.overhead
    }

    /// Tokens of header, separator, fence and overhead around the block at levels 2 and 3.
    #[must_use]
    pub const fn framing(&self) -> Tokens {
        self.framing
    }

    /// Tokens of the whole text, exactly.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        self.tokens_through(self.units.len())
    }

    /// The tokens of the first `n` units, counted as part of the whole text. Constant time.
    #[must_use]
    pub fn tokens_through(&self, n: usize) -> Tokens {
        n.checked_sub(1)
            .and_then(|last| self.units.get(last.min(self.units.len().saturating_sub(1))))
            .map_or(Tokens::ZERO, |unit| unit.tokens_through)
    }

    /// The tokens of units `from..to`, counted as part of the whole text. On their own they may take a token or two
    /// more or less at the seams. Constant time.
    #[must_use]
    pub fn tokens_between(&self, from: usize, to: usize) -> Tokens {
        self.tokens_through(to).saturating_sub(self.tokens_through(from))
    }

    /// The byte at which unit `n` starts; the length of the text if `n` is past the last unit. Constant time.
    #[must_use]
    pub fn start_of(&self, n: usize) -> usize {
        n.checked_sub(1)
            .map_or(0, |before| self.units.get(before).map_or(self.block.text.len(), |unit| unit.end))
    }

    /// The byte range of units `from..to`; empty if `to` is not past `from`.
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

    /// The tokens that the block adds to the whole text under `action`, including header and separator. Exact except at
    /// the seams between its parts, each of which may add or save a token. Linear in the number of pieces and in the
    /// length of text that is not from the source, which is counted.
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
            Action::Render { text, .. } if text.is_empty() => self.overhead,
            // One token for the line feed before its neighbour.
            Action::Render { text, .. } => self.overhead + counter.count(text) + Tokens::new(1),
            Action::Record { entries } => {
                let texts = Entry::texts(entries, self.block);
                texts.iter().map(|text| counter.count(text) + Tokens::new(1)).sum()
            }
            Action::Summarize { .. } | Action::Drop => Tokens::ZERO,
        }
    }

    /// The number of units that end at or before byte `at`. The line feeds that end the last of them may be after `at`.
    /// Logarithmic time.
    #[must_use]
    pub fn units_before(&self, at: usize) -> usize {
        let whole = self.units.partition_point(|unit| unit.end <= at);
        whole + usize::from(self.is_before_feed(at, whole))
    }

    /// Whether `at` is inside unit `n`, with only line feeds between it and the end of the unit.
    fn is_before_feed(&self, at: usize, n: usize) -> bool {
        let is_feeds = |rest: &str| {
            rest.starts_with(['\n', '\r'])
                && rest.ends_with('\n')
                && rest.bytes().all(|byte| matches!(byte, b'\n' | b'\r'))
        };
        let is_line = || self.block.text.get(..at).is_some_and(|text| !text.ends_with(['\n', '\r']));
        at > self.start_of(n)
            && self.block.text.get(at..self.start_of(n + 1)).is_some_and(is_feeds)
            && is_line()
    }

    /// Whether a unit starts or ends at `at`. Logarithmic time.
    #[must_use]
    pub fn is_unit_boundary(&self, at: usize) -> bool {
        at == 0 || self.units.binary_search_by_key(&at, |unit| unit.end).is_ok()
    }

    /// Whether shown text may end at `at`: a unit ends there, or only its line feeds follow. Logarithmic time.
    #[must_use]
    pub fn is_unit_end(&self, at: usize) -> bool {
        self.is_unit_boundary(at)
            || self.is_before_feed(at, self.units.partition_point(|unit| unit.end <= at))
    }
}

/// A context whose blocks have each been counted once: the input of a [`Strategy`](crate::Strategy).
#[derive(Clone)]
#[non_exhaustive]
pub struct Measured<'a> {
    /// The context.
    pub context: &'a Context,
    /// The counter. Strategies count generated text with it.
    pub counter: &'a dyn TokenCounter,
    /// The blocks of the context, in the same order.
    pub blocks: Vec<MeasuredBlock<'a>>,
    /// Tokens of the whole context as one text, including headers and separators; exact.
    pub tokens: Tokens,
    /// The maximum tokens of the line that counts the omitted blocks.
    pub omission: Tokens,
    /// In a conversation, the tokens of a record without its entries; zero otherwise.
    pub record: Tokens,
}

impl<'a> Measured<'a> {
    /// Creates the input of a strategy from the measured `blocks` of `context`, with `tokens` for all of it, and nothing
    /// for the omission line and the record.
    #[must_use]
    pub const fn new(
        context: &'a Context,
        counter: &'a dyn TokenCounter,
        blocks: Vec<MeasuredBlock<'a>>,
        tokens: Tokens,
    ) -> Self {
        Self { context, counter, blocks, tokens, omission: Tokens::ZERO, record: Tokens::ZERO }
    }
}

crate::setters! { Measured<'a> where 'a { with_omission(omission: Tokens), with_record(record: Tokens) } }

impl std::fmt::Debug for Measured<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Measured")
            .field("counter", &self.counter.name())
            .field("blocks", &self.blocks.len())
            .field("tokens", &self.tokens)
            .finish_non_exhaustive()
    }
}
