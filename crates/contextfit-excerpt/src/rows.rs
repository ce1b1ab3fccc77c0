//! Rows: the lines or the sentences of a text.

use std::ops::Range;

use contextfit_kernel::{ByteRange, MeasuredBlock};
use contextfit_text::gap_marker;

/// A line longer than this, in bytes, is divided into its units if it has several.
const LONG: usize = 160;

/// The rows of a part of a block, each of one or more units.
pub(crate) struct Rows<'a, 'b> {
    pub(crate) block: &'b MeasuredBlock<'a>,
    /// The first unit.
    start: usize,
    /// One past the last unit of each row, relative to the first.
    ends: Vec<u32>,
    /// Whether the rows are whole lines.
    lines: bool,
    /// What nearly all rows begin with: the number of a process.
    lead: &'a str,
}

impl<'a, 'b> Rows<'a, 'b> {
    /// One row per unit.
    pub(crate) fn units(block: &'b MeasuredBlock<'a>, range: ByteRange) -> Self {
        Self::new(block, range, false, |_| true)
    }

    /// One row per line; a unit of several lines is one row, and a long line of several units has one row per unit.
    pub(crate) fn lines(block: &'b MeasuredBlock<'a>, range: ByteRange) -> Self {
        let text = block.block().text.as_bytes();
        let mut start = 0;
        Self::new(block, range, true, |end| {
            let ends = end.checked_sub(1).and_then(|at| text.get(at)) == Some(&b'\n') || end - start > LONG;
            start = if ends { end } else { start };
            ends
        })
    }

    /// One row per unit, each a line or a part of one.
    pub(crate) fn parts(block: &'b MeasuredBlock<'a>, range: ByteRange) -> Self {
        Self::new(block, range, true, |_| true)
    }

    fn new(
        block: &'b MeasuredBlock<'a>,
        range: ByteRange,
        lines: bool,
        mut ends_row: impl FnMut(usize) -> bool,
    ) -> Self {
        let (start, to) = (block.units_before(range.start()), block.units_before(range.end()));
        let units = block.units().get(start..to).unwrap_or_default();
        let mut ends: Vec<u32> = Vec::new();
        for (unit, n) in units.iter().zip(1_u32..) {
            if ends_row(unit.end) || n as usize == units.len() {
                ends.push(n);
            }
        }
        let mut rows = Self { block, start, ends, lines, lead: "" };
        rows.lead = rows.common_lead();
        rows
    }

    /// A first word without letters, or in front of a bar, that four out of five rows begin with: `==6625== `,
    /// `web-1  | `.
    fn common_lead(&self) -> &'a str {
        let first = if self.len() > 2 { self.text(0) } else { "" };
        let Some((word, rest)) = first.split_once(' ').filter(|(word, _)| !word.is_empty()) else {
            return "";
        };
        let barred = rest.trim_start_matches(' ').strip_prefix("| ");
        if barred.is_none() && word.contains(char::is_alphabetic) {
            return "";
        }
        let end = barred.map_or(word.len() + 1, |behind| first.len() - behind.len());
        let lead = first.get(..end).unwrap_or_default();
        let having = self.texts().filter(|text| text.starts_with(lead.trim_end())).count();
        if having * 5 >= self.len() * 4 { lead } else { "" }
    }

    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether row `n` continues the line of the row before it.
    pub(crate) fn continues(&self, n: usize) -> bool {
        self.lines && n > 0 && !self.text(n - 1).ends_with('\n')
    }

    /// The first unit of row `n`, relative to the start of the part.
    pub(crate) fn first_unit(&self, n: usize) -> usize {
        n.checked_sub(1)
            .and_then(|before| self.ends.get(before.min(self.len().saturating_sub(1))))
            .map_or(0, |&end| end as usize)
    }

    /// The text of row `n`, including its line feed.
    pub(crate) fn text(&self, n: usize) -> &'a str {
        self.block.text(self.start + self.first_unit(n), self.start + self.first_unit(n + 1))
    }

    /// The text of row `n` without what nearly all rows begin with.
    pub(crate) fn body(&self, n: usize) -> &'a str {
        let text = self.text(n);
        text.strip_prefix(self.lead).or_else(|| text.strip_prefix(self.lead.trim_end())).unwrap_or(text)
    }

    /// The same for all rows.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &'a str> + '_ {
        (0..self.len()).map(|n| self.body(n))
    }

    /// The texts of all rows.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &'a str> + '_ {
        (0..self.len()).map(|n| self.text(n))
    }

    /// The tokens of rows `from..to`.
    pub(crate) fn tokens(&self, from: usize, to: usize) -> usize {
        self.block.tokens_between(self.start + self.first_unit(from), self.start + self.first_unit(to)).get()
    }

    /// The bytes of `rows`.
    pub(crate) fn range(&self, rows: &Range<usize>) -> ByteRange {
        self.block.range(self.start + self.first_unit(rows.start), self.start + self.first_unit(rows.end))
    }

    /// The bytes of all rows.
    pub(crate) fn whole(&self) -> ByteRange {
        self.range(&(0..self.len()))
    }

    /// The marker for `gap`, with the number of missing lines or sentences.
    pub(crate) fn marker(&self, gap: &Range<usize>) -> String {
        let (from, to) = (self.start + self.first_unit(gap.start), self.start + self.first_unit(gap.end));
        let is_whole = |unit: usize| unit == 0 || self.block.text(unit - 1, unit).ends_with('\n');
        let ends = self.block.start_of(to) == self.block.block().text.len();
        if !self.lines || !is_whole(from) || !(is_whole(to) || ends) {
            return gap_marker(self.block, None, from, to);
        }
        lines_marker(self.block.text(from, to))
    }

    /// A marker at least as long as any other.
    pub(crate) fn longest_marker(&self) -> String {
        format!("[... {} {}]\n", self.len().max(10), if self.lines { "lines" } else { "sentences" })
    }
}

/// The marker for a gap of whole lines.
pub(crate) fn lines_marker(gap: &str) -> String {
    let lines = gap.lines().count();
    let feed = if gap.ends_with('\n') { "\n" } else { "" };
    format!("[... {lines} line{}]{feed}", if lines == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::{Block, Passage, Tokens, Unit};

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        let block = Block::passage("a", Passage::default(), text);
        let mut end = 0;
        let units = text.split_inclusive('\n').map(|line| {
            end += line.len();
            Unit { end, tokens_through: Tokens::new(end), splits: false }
        });
        let measured = MeasuredBlock::new(&block, units.collect(), Tokens::ZERO);
        assert_eq!(Rows::lines(&measured, ByteRange::whole(text)).lead, expect, "{text}");
    }

    #[test]
    fn what_lines_begin_with() {
        check("==6== a\n==6==\n==6==    at b\n", "==6== ");
        check("web-1  | a\nweb-1  | b\nweb-1  | c\n", "web-1  | ");
        for text in
            ["alpha\nalso\nany\n", "/a/b\n/a/c\n/d\n", "\n\n\n", "ok a\nok b\nok c\n", "1 a\n2 b\n3 c\n", ""]
        {
            check(text, "");
        }
    }
}
