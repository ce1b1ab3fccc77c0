//! The construction of a text that is counted at the same time, from earlier counts.

use contextfit_kernel::{ByteRange, MeasuredBlock, Piece, TokenCounter, Tokens};

use crate::remembered::Remembered;

/// The distance from the end of a text within which a place is searched at which the counter splits, in bytes. Texts up
/// to this length recur and are cached.
const CLOSE: usize = 24;

/// The bytes before the end of the settled part that are kept if only the count is wanted. Counters look at fewer.
const KEPT: usize = 512;

/// A text under construction, with the token count of its settled part.
///
/// Parts are appended with their token counts. The count of a separate text can be added if the counter splits between
/// it and the text before it. The counts of source units are valid in the new text from the first to the last place
/// where the counter splits. Only the text between two such stretches, such as a marker after a bracket or the lines at
/// the edges of a cut, is counted. The result is exactly the count of the whole text; with a counter that never splits,
/// the whole text is counted.
pub(crate) struct Assembly<'c> {
    counter: &'c dyn TokenCounter,
    memory: &'c Remembered<'c>,
    text: String,
    /// `text[..settled]` has `counted` tokens, and the counter splits at `settled`.
    settled: usize,
    counted: Tokens,
    /// Tokens of the whole text so far, if known.
    at_end: Option<Tokens>,
    /// Whether only the count is wanted. Settled text is then dropped, which saves memory for long texts.
    forgets: bool,
}

impl<'c> Assembly<'c> {
    pub(crate) fn new(memory: &'c Remembered<'c>, capacity: usize) -> Self {
        Self {
            counter: memory.counter(),
            memory,
            text: String::with_capacity(capacity),
            settled: 0,
            counted: Tokens::ZERO,
            at_end: None,
            forgets: false,
        }
    }

    /// Starts a text of which only the count is wanted: [`finish`](Self::finish) returns only its end.
    pub(crate) fn counting(memory: &'c Remembered<'c>) -> Self {
        Self { forgets: true, ..Self::new(memory, 0) }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Appends a `text` that was counted before or is likely to recur, such as a marker or a separator.
    pub(crate) fn push(&mut self, text: &str) {
        let memory = self.memory;
        self.push_counted(text, || memory.count(text));
    }

    /// Appends `text`, which has `tokens` on its own.
    pub(crate) fn push_counted(&mut self, text: &str, tokens: impl FnOnce() -> Tokens) {
        self.forget();
        if !text.is_empty() && self.append(text) {
            self.at_end = Some(self.counted + tokens());
        }
    }

    /// Appends the units of `block` in `range`, which may end before the line feed of its last unit.
    pub(crate) fn push_source(&mut self, block: &MeasuredBlock<'_>, range: ByteRange) {
        self.forget();
        let base = self.text.len();
        let text = range.of(&block.block().text).unwrap_or_default();
        if text.is_empty() {
            return;
        }
        let (from, to) = (block.units_before(range.start()), block.units_before(range.end()));
        // The counts are those of the block's own text. They are valid between two places where the counter splits in
        // both texts.
        let split_there = |n: usize| n == 0 || block.units().get(n - 1).is_some_and(|unit| unit.splits);
        let starts = self.append(text) && split_there(from);
        let place = |n: usize| base + block.start_of(n) - block.start_of(from);
        let splits = |n: usize| split_there(n) && self.counter.splits_at(&self.text, place(n));

        let first = if starts { Some(from) } else { (from + 1..to).find(|&n| splits(n)) };
        let Some(first) = first else { return };
        // Whether the counter splits at the very end depends on the text that follows.
        let last = (first + 1..to).rev().find(|&n| splits(n)).unwrap_or(first);
        self.settle(place(first));
        self.counted += block.tokens_between(first, last);
        self.settled = place(last);
        if block.start_of(to) == range.end() && (to == block.units().len() || split_there(to)) {
            self.at_end = Some(self.counted + block.tokens_between(last, to));
        }
    }

    /// Appends a piece of the text that `block` is cut to.
    pub(crate) fn push_piece(&mut self, block: &MeasuredBlock<'_>, piece: &Piece) {
        match piece {
            Piece::Source(range) => self.push_source(block, *range),
            piece => self.push(piece.text(&block.block().text)),
        }
    }

    /// Returns the text and its tokens.
    pub(crate) fn finish(mut self) -> (String, Tokens) {
        match self.at_end {
            Some(tokens) => self.counted = tokens,
            None => self.settle(self.text.len()),
        }
        (self.text, self.counted)
    }

    /// Drops settled text if only the count is wanted, except for the part that a counter may look at.
    fn forget(&mut self) {
        if self.forgets && self.settled >= 2 * KEPT {
            let start = self.text.floor_char_boundary(self.settled - KEPT);
            self.text.drain(..start);
            self.settled -= start;
        }
    }

    /// Appends `text`, and settles as much as possible of the text before it. Returns whether all of that is settled,
    /// because the counter splits where `text` starts.
    fn append(&mut self, text: &str) -> bool {
        let base = self.text.len();
        self.text.push_str(text);
        let splits = base == 0 || self.counter.splits_at(&self.text, base);
        match self.at_end.take() {
            Some(tokens) if splits => (self.settled, self.counted) = (base, tokens),
            Some(tokens) => self.settle_close_to(base, tokens),
            None if splits => self.settle(base),
            None => {}
        }
        splits
    }

    /// Settles as much as possible of the text before `end`, which has `tokens` tokens, although the counter does not
    /// split there: only a few bytes are then counted again with the following text, instead of the whole last unit.
    fn settle_close_to(&mut self, end: usize, tokens: Tokens) {
        let open = self.text.get(self.settled..end).unwrap_or_default();
        let far = open.len().saturating_sub(CLOSE).max(1);
        let Some(near) = (far..open.len()).rev().find(|&at| self.counter.splits_at(open, at)) else { return };
        let tail = open.get(near..).unwrap_or_default();
        // The tail is usually a bracket or a full stop, and a line feed.
        self.counted = tokens.saturating_sub(self.memory.count(tail));
        self.settled += near;
    }

    /// Counts the text between the settled part and `at`, where the counter splits or the text ends.
    fn settle(&mut self, at: usize) {
        if let Some(open) = self.text.get(self.settled..at).filter(|open| !open.is_empty()) {
            // There are few different short texts, and they recur: a space and a line feed, a bracket and a marker.
            self.counted +=
                if open.len() <= CLOSE { self.memory.count(open) } else { self.counter.count(open) };
            self.settled = at;
        }
    }
}
