//! Rows: the lines or the sentences of a text.

use std::ops::Range;

use contextfit_kernel::{ByteRange, MeasuredBlock};
use contextfit_text::gap_marker;

use crate::signals::is_timed;

/// A line with more bytes than this is divided into its units.
const LONG_LINE_BYTES: usize = 160;

/// The rows of a part of a block. Each has one or more units.
pub(crate) struct Rows<'a, 'b> {
    pub(crate) block: &'b MeasuredBlock<'a>,
    /// The index of the first unit in the block.
    start: usize,
    /// One past the last unit of each row, relative to `start`.
    ends: Vec<u32>,
    /// Whether the rows are whole lines.
    lines: bool,
    /// The text of each row without the lead and the time that nearly all rows have; empty if they have neither.
    bodies: Vec<&'a str>,
}

impl<'a, 'b> Rows<'a, 'b> {
    /// One row per unit.
    pub(crate) fn units(block: &'b MeasuredBlock<'a>, range: ByteRange) -> Self {
        Self::new(block, range, false, |_| true)
    }

    /// One row per line. A unit of several lines is one row, and a long line has one row per unit.
    pub(crate) fn lines(block: &'b MeasuredBlock<'a>, range: ByteRange) -> Self {
        let text = block.block().text.as_bytes();
        let mut start = 0;
        Self::new(block, range, true, |end| {
            let ends = end.checked_sub(1).and_then(|at| text.get(at)) == Some(&b'\n')
                || end - start > LONG_LINE_BYTES;
            start = if ends { end } else { start };
            ends
        })
    }

    /// Rows of whole lines. One ends after line `n` if `ends[n]`, and after every line beyond the end of `ends`.
    pub(crate) fn lines_to(block: &'b MeasuredBlock<'a>, range: ByteRange, ends: &[bool]) -> Self {
        let text = block.block().text.as_str();
        let (mut before, mut line) = (range.start(), 0);
        Self::new(block, range, true, |end| {
            // A unit may be a part of a line, or several.
            line += text.get(before..end).map_or(0, |unit| unit.matches('\n').count());
            before = end;
            let at_end = text.get(..end).is_some_and(|before| before.ends_with('\n'));
            at_end && ends.get(line.saturating_sub(1)).copied().unwrap_or(true)
        })
    }

    /// One row per sequence of units up to one whose text `ends` it; a unit is a line, a part of one, or several lines.
    /// A row also ends when it exceeds [`LONGEST_ROW_BYTES`].
    pub(crate) fn joined(
        block: &'b MeasuredBlock<'a>,
        range: ByteRange,
        ends: impl Fn(&str) -> bool,
    ) -> Self {
        let text = block.block().text.as_str();
        let (mut start, mut before) = (range.start(), range.start());
        Self::new(block, range, true, |end| {
            let ends = ends(text.get(before..end).unwrap_or_default()) || end - start > LONGEST_ROW_BYTES;
            before = end;
            start = if ends { end } else { start };
            ends
        })
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
        let mut rows = Self { block, start, ends, lines, bodies: Vec::new() };
        rows.bodies = rows.read_bodies();
        rows
    }

    /// Itself, with what `body` leaves of each row as its text, if it finds something in four out of five rows.
    pub(crate) fn with_bodies(mut self, body: impl Fn(&'a str) -> Option<&'a str>) -> Self {
        if self.are_most(|text| body(text).is_some()) {
            self.bodies = self.texts().map(|text| body(text).unwrap_or(text)).collect();
        }
        self
    }

    /// The texts without the [lead](Self::common_lead) or the margin that four out of five rows have, and without a
    /// time after it. Empty if they have neither. Linear.
    fn read_bodies(&self) -> Vec<&'a str> {
        let lead = self.common_lead();
        let have_margins = lead.is_empty() && self.are_most(|text| without_margin(text).len() < text.len());
        let without = |text: &'a str| match have_margins {
            true => without_margin(text),
            false => text.strip_prefix(lead).or_else(|| text.strip_prefix(lead.trim_end())).unwrap_or(text),
        };
        let are_stamped = self.are_most(|text| stamp(without(text)) > 0);
        if lead.is_empty() && !are_stamped && !have_margins {
            return Vec::new();
        }
        let body = |text| {
            let text = without(text);
            text.get(if are_stamped { stamp(text) } else { 0 }..).unwrap_or(text)
        };
        self.texts().map(body).collect()
    }

    /// The lead of four out of five rows: fields that end in a tab, a first word without letters, or a first word
    /// before a bar (`==6625== `, `web-1  | `). Empty if they have none.
    fn common_lead(&self) -> &'a str {
        let first = if self.len() > 2 { self.text(0) } else { "" };
        let Some((word, rest)) = first.split_once(' ').filter(|(word, _)| !word.is_empty()) else {
            return "";
        };
        let barred = rest.trim_start_matches(' ').strip_prefix("| ");
        let end = match barred {
            Some(behind) => first.len() - behind.len(),
            None if word.contains(char::is_alphabetic) => first.rfind('\t').map_or(0, |at| at + 1),
            None => word.len() + 1,
        };
        let lead = first.get(..end).unwrap_or_default();
        if end > 0 && self.are_most(|text| text.starts_with(lead.trim_end())) { lead } else { "" }
    }

    /// Whether `holds` is true of four out of five rows.
    fn are_most(&self, holds: impl Fn(&'a str) -> bool) -> bool {
        let holding = self.texts().filter(|text| holds(text)).count();
        holding > 2 && holding * 5 >= self.len() * 4
    }

    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// The first unit of row `n`, relative to the start of the part.
    pub(crate) fn first_unit(&self, n: usize) -> usize {
        n.checked_sub(1)
            .and_then(|before| self.ends.get(before.min(self.len().saturating_sub(1))))
            .map_or(0, |&end| end as usize)
    }

    /// The units of row `n`, by their index in the block.
    pub(crate) fn units_of(&self, n: usize) -> Range<usize> {
        self.start + self.first_unit(n)..self.start + self.first_unit(n + 1)
    }

    /// The row of the unit with this index in the block.
    pub(crate) fn row_of(&self, unit: usize) -> Option<usize> {
        let unit = unit.checked_sub(self.start)?;
        let row = self.ends.partition_point(|&end| end as usize <= unit);
        (row < self.len()).then_some(row)
    }

    /// The text of row `n`, including its line feed.
    pub(crate) fn text(&self, n: usize) -> &'a str {
        let units = self.units_of(n);
        self.block.text(units.start, units.end)
    }

    /// The text of row `n` without the lead that nearly all rows share, and without its time.
    pub(crate) fn body(&self, n: usize) -> &'a str {
        self.bodies.get(n).copied().unwrap_or_else(|| self.text(n))
    }

    /// The bodies of all rows.
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
        gap_marker(self.block, None, from, to)
    }

    /// A marker at least as long as any other.
    pub(crate) fn longest_marker(&self) -> String {
        format!("[... {} {}]\n", self.len().max(10), if self.lines { "lines" } else { "sentences" })
    }
}

/// The text after a margin, `  | ` or `  + `, which Python draws next to exception groups.
fn without_margin(text: &str) -> &str {
    let line = text.trim_start_matches(' ');
    line.strip_prefix("| ").or_else(|| line.strip_prefix("+ ")).unwrap_or(text)
}

/// The length of the time that `text` begins with and of the blank after it: `2026-11-24T10:41:07.123Z `.
fn stamp(text: &str) -> usize {
    let word = text.split([' ', '\t', '\n']).next().unwrap_or_default();
    let is_time = word.is_ascii() && word.get(10..11) == Some("T") && is_timed(word);
    if is_time { text.len().min(word.len() + 1) } else { 0 }
}

/// A row with more bytes than this is divided.
const LONGEST_ROW_BYTES: usize = 1024;

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
        assert_eq!(Rows::lines(&measured, ByteRange::whole(text)).common_lead(), expect, "{text}");
    }

    #[test]
    fn what_lines_begin_with() {
        check("==6== a\n==6==\n==6==    at b\n", "==6== ");
        check("web-1  | a\nweb-1  | b\nweb-1  | c\n", "web-1  | ");
        check("build\tRun a\t1 x\nbuild\tRun a\t2 y\nbuild\tRun a\t2   z\n", "build\tRun a\t");
        for text in
            ["alpha\nalso\nany\n", "/a/b\n/a/c\n/d\n", "\n\n\n", "ok a\nok b\nok c\n", "1 a\n2 b\n3 c\n", ""]
        {
            check(text, "");
        }
    }
}
