//! Putting a text together and counting it at the same time, without counting again what was counted before.

use contextfit_kernel::{MeasuredBlock, TokenCounter, Tokens};

/// How far from the end of a run of units a place is looked for where the counter splits, in bytes.
const CLOSE: usize = 24;

/// A text under construction, with the tokens of as much of it as is certain.
///
/// Source units come with their tokens. These hold in the new text from the first to the last place where the counter
/// splits; only what lies between two such stretches (a marker, a header, the lines at the edges of a cut) is counted.
/// The result is exactly what counting the whole text would give; a counter that never splits makes it just that.
pub(crate) struct Assembly<'c> {
    counter: &'c dyn TokenCounter,
    text: String,
    /// `text[..settled]` has `counted` tokens, and the counter splits at `settled`.
    settled: usize,
    counted: Tokens,
    /// Tokens of the whole text so far, if the counter splits at its end.
    at_end: Option<Tokens>,
}

impl<'c> Assembly<'c> {
    pub(crate) fn new(counter: &'c dyn TokenCounter, capacity: usize) -> Self {
        Self {
            counter,
            text: String::with_capacity(capacity),
            settled: 0,
            counted: Tokens::ZERO,
            at_end: None,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Appends text of unknown count: a header, a separator, a marker.
    pub(crate) fn push(&mut self, text: &str) {
        if !text.is_empty() {
            self.append(text);
        }
    }

    /// Appends units `from..to` of `block`.
    pub(crate) fn push_units(&mut self, block: &MeasuredBlock<'_>, from: usize, to: usize) {
        let base = self.append(block.text(from, to));
        let place = |n: usize| base + block.start_of(n) - block.start_of(from);
        // Figures are those of the block's own text: they hold between two places that split there and here.
        let split_there = |n: usize| n == 0 || block.units().get(n - 1).is_some_and(|unit| unit.splits);
        let splits = |n: usize| split_there(n) && self.counter.splits_at(&self.text, place(n));

        let starts = split_there(from) && (self.settled == base || splits(from));
        let first = if starts { Some(from) } else { (from + 1..to).find(|&n| splits(n)) };
        let Some(first) = first else { return };
        // The very end depends on what will follow.
        let last = (first + 1..to).rev().find(|&n| splits(n)).unwrap_or(first);
        self.settle(place(first));
        self.counted += block.tokens_between(first, last);
        self.settled = place(last);
        if to == block.units().len() || split_there(to) {
            let tokens = self.counted + block.tokens_between(last, to);
            self.settle_close_to_end(tokens);
            self.at_end = Some(tokens);
        }
    }

    /// Settles as much as possible of a text of `tokens` tokens that may not split at its end: whatever follows, only a
    /// few bytes are then counted again, and not the whole last unit.
    fn settle_close_to_end(&mut self, tokens: Tokens) {
        let open = self.text.get(self.settled..).unwrap_or_default();
        let far = open.len().saturating_sub(CLOSE).max(1);
        let Some(near) = (far..open.len()).rev().find(|&at| self.counter.splits_at(open, at)) else { return };
        let tail = open.get(near..).unwrap_or_default();
        self.counted = tokens.saturating_sub(self.counter.count(tail));
        self.settled += near;
    }

    /// The text and its tokens.
    pub(crate) fn finish(mut self) -> (String, Tokens) {
        match self.at_end {
            Some(tokens) => self.counted = tokens,
            None => self.settle(self.text.len()),
        }
        (self.text, self.counted)
    }

    /// Appends `text` and returns where it starts; what stood before is settled if the counter splits there.
    fn append(&mut self, text: &str) -> usize {
        let base = self.text.len();
        self.text.push_str(text);
        if let Some(tokens) = self.at_end.take()
            && self.counter.splits_at(&self.text, base)
        {
            self.settled = base;
            self.counted = tokens;
        }
        base
    }

    /// Counts what lies between the settled part and `at`, where the counter splits or the text ends.
    fn settle(&mut self, at: usize) {
        if let Some(open) = self.text.get(self.settled..at).filter(|open| !open.is_empty()) {
            self.counted += self.counter.count(open);
            self.settled = at;
        }
    }
}
