//! A context whose blocks have been counted, unit by unit.

use crate::{Block, ByteRange, Context, TokenCounter, Tokens};

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
}

impl<'a> MeasuredBlock<'a> {
    /// A block with its `units`, and the tokens of header and separator around it at levels 2 and 3 (`framing`, an
    /// upper bound). `None` when the units do not cover the text exactly, in ascending order, at character borders.
    #[must_use]
    pub fn new(block: &'a Block, units: Vec<Unit>, framing: Tokens) -> Option<Self> {
        let mut start = 0;
        for unit in &units {
            if unit.end <= start || !block.text.is_char_boundary(unit.end) {
                return None;
            }
            start = unit.end;
        }
        (start == block.text.len()).then_some(Self { block, units, framing })
    }

    /// The block itself.
    #[must_use]
    pub const fn block(&self) -> &'a Block {
        self.block
    }

    /// Its units, in order.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Tokens of header and separator around the block at levels 2 and 3: an upper bound.
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

    /// How many units end at or before byte `at`. Logarithmic time.
    #[must_use]
    pub fn units_before(&self, at: usize) -> usize {
        self.units.partition_point(|unit| unit.end <= at)
    }

    /// Whether `at` is a place where a unit starts or ends. Logarithmic time.
    #[must_use]
    pub fn is_unit_boundary(&self, at: usize) -> bool {
        at == 0 || self.units.binary_search_by_key(&at, |unit| unit.end).is_ok()
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
    /// Tokens of the line that says how many blocks are left out, at its longest: an upper bound.
    pub omission: Tokens,
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
