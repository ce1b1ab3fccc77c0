//! A text as it is read: lines as a terminal shows them, runs of lines as one, and the lossless steps that lead there.

use std::{iter, ops::Range};

use contextfit_kernel::{
    Block, ByteRange, MeasuredBlock, Piece, Rewrite, Role, TextKind, TokenCounter, Tokens, Turn, Unit, Values,
};
use contextfit_text::{has_controls, is_json, kind_of, reads_as_repeated, rewritten, tally, text_kind};
use foldhash::HashSet;

use crate::{choice::Chooser, reading::sheet, rows::Rows, worth::PLAIN};

/// A part of a block with its rows rewritten without loss.
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

    /// The pieces to show in `room`. They are chosen among the rows of the text as read.
    pub(crate) fn fit(&self, focus: &[f64], room: Tokens, counter: &dyn TokenCounter) -> Vec<Piece> {
        let (read, ends) = self.read();
        let measured = MeasuredBlock::new(&read, tally(counter, &read.text, &ends), Tokens::ZERO);
        let rows = Rows::lines(&measured, ByteRange::whole(&read.text));
        let sheet = sheet(&rows, text_kind(&read.text), &self.focus(focus));
        let source = (self.block.block().text.as_str(), self.range);
        let pieces = Chooser::new(&rows, &sheet).fit_as(source, room, counter, |runs| self.pieces(runs));
        // If the source itself was chosen, its shortest form is shown.
        if pieces == [Piece::Source(self.range)] { self.whole() } else { pieces }
    }

    /// The score of each unit of the source without a query; in a run shown once, 1 for all units but the first.
    pub(crate) fn unit_worths(&self) -> Vec<f32> {
        let (read, ends) = self.read();
        let units = ends.iter().map(|&end| Unit { end, tokens_through: Tokens::ZERO, splits: false });
        let measured = MeasuredBlock::new(&read, units.collect(), Tokens::ZERO);
        let rows = Rows::lines(&measured, ByteRange::whole(&read.text));
        let sheet = sheet(&rows, text_kind(&read.text), &[]);
        let mut worths = Vec::new();
        for n in 0..self.steps.len() {
            let units = self.units(n);
            let first = sheet.worth_by_itself(n);
            let rest = if self.steps.get(n).is_some_and(Step::is_run) { PLAIN } else { first };
            worths.extend(units.enumerate().map(|(nth, _)| if nth == 0 { first } else { rest }));
        }
        worths
    }

    /// The text as read, and the ends of its rows. A last row without visible text is dropped.
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

    /// The focus of each row: the highest of its units.
    fn focus(&self, focus: &[f64]) -> Vec<f64> {
        let first = self.block.units_before(self.range.start());
        let highest = |n: usize| {
            let units = self.units(n);
            let of_row = focus.get(units.start - first..(units.end - first).min(focus.len()));
            of_row.unwrap_or_default().iter().copied().fold(0.0, f64::max)
        };
        if focus.is_empty() { Vec::new() } else { (0..self.steps.len()).map(highest).collect() }
    }

    /// The pieces that show `runs` of rows, with a marker in every gap.
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

/// The marker for a gap of whole lines.
fn lines_marker(gap: &str) -> String {
    let lines = gap.lines().count();
    let feed = if gap.ends_with('\n') { "\n" } else { "" };
    format!("[... {lines} line{}]{feed}", if lines == 1 { "" } else { "s" })
}

/// Rewrites the part `range` of `block` with nothing left out, and returns its pieces for
/// [`Action::Cut`](contextfit_kernel::Action::Cut). JSON is written without blanks. In other texts, lines with escape
/// sequences are written as a terminal shows them, and runs of identical lines once with their number. Anything that
/// cannot be rewritten remains source.
///
/// `range` lies between unit borders of the block: all of its text, or one of its parts. Every rewritten piece is the
/// result of [`rewritten`](contextfit_text::rewritten) for its range. The text is never longer in bytes. Linear.
#[must_use]
pub fn lossless(block: &MeasuredBlock<'_>, range: ByteRange) -> Vec<Piece> {
    let text = range.of(&block.block().text).unwrap_or_default();
    if text.is_empty() {
        return Vec::new();
    }
    rewritten_pieces(block, range, is_json(text))
}

/// The pieces of [`lossless`] for a text that is not empty. `is_json` is whether all of it is JSON.
pub(crate) fn rewritten_pieces(block: &MeasuredBlock<'_>, range: ByteRange, is_json: bool) -> Vec<Piece> {
    match is_json {
        true => vec![piece(&block.block().text, range, Some(Rewrite::JsonBlanks))],
        false => Rendition::of(block, range).whole(),
    }
}

/// The piece for `range` of `source` after `rewrite`, or plain source if that changes nothing.
pub(crate) fn piece(source: &str, range: ByteRange, rewrite: Option<Rewrite>) -> Piece {
    let made = rewrite
        .zip(range.of(source))
        .and_then(|(rewrite, source)| Some((rewrite, rewritten(rewrite, source)?)));
    match made {
        Some((rewrite, text)) => Piece::Rewritten { range, text, rewrite },
        None => Piece::Source(range),
    }
}

/// A row, or a run of rows that are shown as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// One past its last byte in the block.
    pub(crate) end: usize,
    /// The rewrite that is applied to it.
    pub(crate) rewrite: Option<Rewrite>,
}

impl Step {
    /// Whether it is a run of identical rows or groups.
    fn is_run(&self) -> bool {
        self.rewrite == Some(Rewrite::Repeats)
    }
}

/// The maximum number of rows in a group whose repetition is detected.
const GROUP: usize = 8;

/// The minimum bytes that showing a run of lines once must save, because the note takes a few tokens.
const WORTHWHILE: usize = 16;

/// The minimum letters of a word that matters: shorter units and times change as a progress bar advances.
const SHORTEST_WORD_LETTERS: usize = 4;

/// Whether a person wrote the part `range` of `block`.
pub(crate) fn is_typed(block: &Block, range: ByteRange) -> bool {
    let turn = block.as_turn().filter(|turn| turn.role == Role::User);
    turn.and_then(|turn| turn.text_around(&block.text, range)).is_some_and(|(_, tool)| tool.is_none())
}

/// Whether the terminal's final display of `line` still has every word of at least `shortest` letters that was ever
/// shown. This is true of a progress bar, but not of a message that the next one overwrites. Linear.
fn keeps_words(line: &str, shortest: usize) -> bool {
    // Colour sequences are never displayed.
    if line.contains('\u{1b}') || !line.trim_end().contains(['\r', '\u{8}']) {
        return true;
    }
    let words = |text: &str| -> HashSet<String> {
        let words = text.split(|c: char| !c.is_alphabetic());
        words.filter(|word| word.chars().nth(shortest - 1).is_some()).map(str::to_owned).collect()
    };
    let shown = rewritten(Rewrite::Terminal, line).unwrap_or_default();
    words(line).is_subset(&words(&shown))
}

/// Whether `line`, as a terminal shows it, could be mistaken for a run of lines shown once.
fn is_like_note(line: &str) -> bool {
    let shown = if has_controls(line) { rewritten(Rewrite::Terminal, line) } else { None };
    reads_as_repeated(shown.as_deref().unwrap_or(line))
}

/// Whether runs of lines in `text` may be shown once. A note is out of place in a patch or between lines of code.
fn takes_notes(kind: TextKind, text: &str) -> bool {
    !matches!(kind, TextKind::Diff | TextKind::Code) && !text.lines().any(is_like_note)
}

/// The steps that rewrite `rows`, in order. Each is a row, or a run of identical rows or groups.
pub(crate) fn steps(rows: &Rows<'_, '_>) -> Vec<Step> {
    let source = rows.block.block().text.as_str();
    let text = rows.whole().of(source).unwrap_or_default();
    // Without any of these, carriage returns end lines, as in old Mac texts.
    let is_screen = text.contains(['\n', '\u{1b}', '\u{8}']);
    let is_noted = takes_notes(kind_of(rows.block, rows.whole()), text); // ablate: excerpt.repeats => false
    // Of what a person wrote, every word matters.
    let shortest = if is_typed(rows.block.block(), rows.whole()) { 1 } else { SHORTEST_WORD_LETTERS };
    let is_shown = |line: &str| is_screen && has_controls(line) && keeps_words(line, shortest);
    let terminals: Vec<Option<Rewrite>> =
        rows.texts().map(|line| is_shown(line).then_some(Rewrite::Terminal)).collect();
    let mut steps = Vec::with_capacity(rows.len());
    let mut n = 0;
    while n < rows.len() {
        let run = longest_run(rows, n);
        let is_plain = run.clone().all(|n| terminals.at(n).is_none());
        let is_run = run.len() > 1 || rows.text(n).trim_end().contains('\n');
        if is_noted && is_plain && is_run && saved_by_note(source, rows.range(&run)) >= WORTHWHILE {
            steps.push(Step { end: rows.range(&run).end(), rewrite: Some(Rewrite::Repeats) });
        } else {
            let step = |n| Step { end: rows.range(&(n..n + 1)).end(), rewrite: terminals.at(n) };
            steps.extend(run.clone().map(step));
        }
        n = run.end;
    }
    steps
}

/// The rows from `n` on that repeat one row or one group of rows. Only row `n` if nothing repeats.
fn longest_run(rows: &Rows<'_, '_>, n: usize) -> Range<usize> {
    let again = |period: usize| {
        let is_again = |at: &usize| is_again(rows.text(at - period), rows.text(*at));
        (n + period..rows.len()).take_while(is_again).count()
    };
    let run = |period: usize| n..n + period * (1 + again(period) / period);
    (1..=GROUP)
        .map(|period| (period, run(period)))
        .find(|(period, run)| run.len() > *period)
        .map_or(n..n + 1, |(_, run)| run)
}

/// Whether `next` repeats `line`, with or without its line feed.
fn is_again(line: &str, next: &str) -> bool {
    next == line || (!next.ends_with(['\n', '\r']) && line.strip_suffix('\n') == Some(next))
}

/// The number of bytes saved by showing a run of identical lines once.
fn saved_by_note(source: &str, run: ByteRange) -> usize {
    run.len() - piece(source, run, Some(Rewrite::Repeats)).text(source).len()
}
