//! A text as it is read: lines as a terminal shows them, runs of identical lines as one.

use std::{iter, ops::Range};

use contextfit_kernel::{Block, ByteRange, MeasuredBlock, Piece, Role, TokenCounter, Tokens, Turn, Unit};
use contextfit_text::{tally, text_kind};

use crate::{
    choice::Chooser,
    reading::sheet,
    rows::{Rows, lines_marker},
    steps::{Step, piece, steps},
    worth::PLAIN,
};

/// A part of a block, its rows rewritten without loss.
pub(crate) struct Rendition<'a, 'b> {
    block: &'b MeasuredBlock<'a>,
    range: ByteRange,
    steps: Vec<Step>,
}

impl<'a, 'b> Rendition<'a, 'b> {
    /// Rewrites the lines of the part `range` of `block`.
    pub(crate) fn of(block: &'b MeasuredBlock<'a>, range: ByteRange) -> Self {
        Self { block, range, steps: steps(&Rows::lines(block, range)) }
    }

    /// The pieces that show all of it.
    pub(crate) fn whole(&self) -> Vec<Piece> {
        self.pieces(std::slice::from_ref(&(0..self.steps.len())))
    }

    /// The pieces to show in `room`; the rows are those of the text as read.
    pub(crate) fn fit(&self, focus: &[f64], room: Tokens, counter: &dyn TokenCounter) -> Vec<Piece> {
        let (read, ends) = self.read();
        let measured = MeasuredBlock::new(&read, tally(counter, &read.text, &ends), Tokens::ZERO);
        let rows = Rows::lines(&measured, ByteRange::whole(&read.text));
        let sheet = sheet(&rows, text_kind(&read.text), &self.focus(focus));
        let source = (self.block.block().text.as_str(), self.range);
        let pieces = Chooser::new(&rows, &sheet).fit_as(source, room, counter, |runs| self.pieces(runs));
        // The whole text in its shortest form, if the choice was to show its source.
        if pieces == [Piece::Source(self.range)] { self.whole() } else { pieces }
    }

    /// The score of each unit of the source without a focus; for lines that are shown once, only the first one scores.
    pub(crate) fn unit_worths(&self) -> Vec<f32> {
        let (read, ends) = self.read();
        let units = ends.iter().map(|&end| Unit { end, tokens_through: Tokens::ZERO, splits: false });
        let measured = MeasuredBlock::new(&read, units.collect(), Tokens::ZERO);
        let rows = Rows::lines(&measured, ByteRange::whole(&read.text));
        let sheet = sheet(&rows, text_kind(&read.text), &[]);
        let mut worths = Vec::new();
        for n in 0..self.steps.len() {
            let units = self.units(n);
            let rest = if self.steps.get(n).is_some_and(Step::is_run) { PLAIN } else { sheet.worth(n) };
            worths.extend(units.enumerate().map(|(nth, _)| if nth == 0 { sheet.worth(n) } else { rest }));
        }
        worths
    }

    /// The text as read, and where its rows end. A last row with nothing visible is dropped.
    fn read(&self) -> (Block, Vec<usize>) {
        let source = self.block.block().text.as_str();
        let (mut text, mut ends) = (String::with_capacity(self.range.len()), Vec::new());
        for (n, step) in self.steps.iter().enumerate() {
            text.push_str(piece(source, self.bytes(&(n..n + 1)), step.rewrite).text(source));
            if ends.last().copied().unwrap_or(0) < text.len() {
                ends.push(text.len());
            }
        }
        (Block::turn("", Turn::new(Role::Tool), text), ends)
    }

    /// The focus of each row, the highest of its units.
    fn focus(&self, focus: &[f64]) -> Vec<f64> {
        let first = self.block.units_before(self.range.start());
        let highest = |n: usize| {
            let units = self.units(n);
            let of_row = focus.get(units.start - first..(units.end - first).min(focus.len()));
            of_row.unwrap_or_default().iter().copied().fold(0.0, f64::max)
        };
        if focus.is_empty() { Vec::new() } else { (0..self.steps.len()).map(highest).collect() }
    }

    /// The pieces that show `runs` of rows, and a marker for every gap.
    fn pieces(&self, runs: &[Range<usize>]) -> Vec<Piece> {
        let source = self.block.block().text.as_str();
        let all = self.steps.len();
        let mut pieces = Vec::new();
        let mut end = 0;
        for run in runs.iter().cloned().chain(iter::once(all..all)) {
            if run.start > end {
                let gap = self.bytes(&(end..run.start)).of(source).unwrap_or_default();
                pieces.push(Piece::Marker(lines_marker(gap)));
            }
            let mut from = run.start;
            let steps = self.steps.get(run.clone()).unwrap_or_default();
            for alike in steps.chunk_by(|one, next| one.rewrite == next.rewrite && !one.is_run()) {
                let rows = from..from + alike.len();
                let rewrite = alike.first().and_then(|step| step.rewrite);
                pieces.push(piece(source, self.bytes(&rows), rewrite));
                from = rows.end;
            }
            end = run.end;
        }
        pieces
    }

    /// The bytes of `rows`.
    fn bytes(&self, rows: &Range<usize>) -> ByteRange {
        let before = |n: usize| n.checked_sub(1).and_then(|before| self.steps.get(before));
        let at = |n: usize| before(n).map_or(self.range.start(), |step| step.end);
        ByteRange::new(at(rows.start), at(rows.end)).unwrap_or(self.range)
    }

    /// The units of row `n`.
    fn units(&self, n: usize) -> Range<usize> {
        let bytes = self.bytes(&(n..n + 1));
        self.block.units_before(bytes.start())..self.block.units_before(bytes.end())
    }
}
