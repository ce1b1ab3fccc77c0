//! A text written shorter, nothing left out.

use std::ops::Range;

use contextfit_kernel::{ByteRange, MeasuredBlock, Piece, Rewrite};
use contextfit_text::{has_controls, is_json, rewritten};
use foldhash::HashSet;

use crate::{Kind, folders, rendition::Rendition, rows::Rows};

/// The part `range` of `block` with nothing left out, as a [`Piece`] list for [`Action::Cut`](contextfit_kernel::Action::Cut):
/// JSON without blanks and its like records as tables, of other texts the lines that hold escape sequences as a terminal shows them, runs of identical lines once,
/// with their number, and lines that begin with the same folder under its name. Source where nothing can be rewritten.
///
/// `range` lies between unit borders of the block: all of its text, or one of its parts. Every piece is what
/// [`rewritten`] makes of its range. Never longer in bytes. Linear.
#[must_use]
pub fn lossless(block: &MeasuredBlock<'_>, range: ByteRange) -> Vec<Piece> {
    let text = range.of(&block.block().text).unwrap_or_default();
    if text.is_empty() {
        return Vec::new();
    }
    if is_json(text) {
        let source = &block.block().text;
        let pieces = JSON.map(|rewrite| piece(source, range, Some(rewrite)));
        return pieces.into_iter().min_by_key(|piece| piece.text(source).len()).into_iter().collect();
    }
    folders::said_once(block, Rendition::of(block, range).whole())
}

/// What can be done to JSON, from what is read most easily to what is shortest.
pub(crate) const JSON: [Rewrite; 2] = [Rewrite::JsonBlanks, Rewrite::JsonRecords];

/// The piece of `source` that `rewrite` makes of `range`; source where it changes nothing.
pub(crate) fn piece(source: &str, range: ByteRange, rewrite: Option<Rewrite>) -> Piece {
    let made = rewrite
        .zip(range.of(source))
        .and_then(|(rewrite, source)| Some((rewrite, rewritten(rewrite, source)?)));
    match made {
        Some((rewrite, text)) => Piece::Rewritten { range, text, rewrite },
        None => Piece::Source(range),
    }
}

/// A run of rows that are shown together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    /// One past its last byte.
    pub(crate) end: usize,
    /// What is done to it.
    pub(crate) rewrite: Option<Rewrite>,
}

impl Step {
    /// Whether it is a run of identical rows.
    pub(crate) fn is_run(&self) -> bool {
        self.rewrite == Some(Rewrite::Repeats)
    }
}

/// Groups of so many rows are looked for.
const GROUP: usize = 8;

/// A run of lines is shown once where that takes so many bytes less: the note takes a few tokens.
const WORTHWHILE: usize = 16;

/// A word of so many letters says something; units and times change as a bar moves on.
const WORD: usize = 4;

/// Whether a terminal shows at last every word that it ever shows of `line`, which has no escape sequences: a bar that moves on, and no
/// message that the next one overwrites. Linear.
fn keeps_words(line: &str) -> bool {
    // What colours a line is never shown.
    if line.contains('\u{1b}') || !line.trim_end().contains(['\r', '\u{8}']) {
        return true;
    }
    let words = |text: &str| -> HashSet<String> {
        let words = text.split(|c: char| !c.is_alphabetic());
        words.filter(|word| word.chars().nth(WORD - 1).is_some()).map(str::to_owned).collect()
    };
    let shown = rewritten(Rewrite::Terminal, line).unwrap_or_default();
    words(line).is_subset(&words(&shown))
}

/// The steps that rewrite `rows`, one after the other: each a row, or a run of identical ones or of identical groups.
pub(crate) fn steps(rows: &Rows<'_, '_>) -> Vec<Step> {
    let source = rows.block.block().text.as_str();
    let text = rows.whole().of(source).unwrap_or_default();
    // Macs once ended lines by carriage returns.
    let is_screen = text.contains(['\n', '\u{1b}', '\u{8}']);
    // A note has no place in a patch or between lines of code.
    let is_noted = !matches!(Kind::of(text), Kind::Diff | Kind::Code);
    let terminals: Vec<Option<Rewrite>> = rows
        .texts()
        .map(|line| (is_screen && has_controls(line) && keeps_words(line)).then_some(Rewrite::Terminal))
        .collect();
    let terminal = |n: usize| terminals.get(n).copied().flatten();
    let mut steps = Vec::with_capacity(rows.len());
    let mut n = 0;
    while n < rows.len() {
        let run = longest_run(rows, n);
        let is_plain = run.clone().all(|n| terminal(n).is_none());
        let is_run = run.len() > 1 || rows.text(n).trim_end().contains('\n');
        if is_noted && is_plain && is_run && saved_by_note(source, rows.range(&run)) >= WORTHWHILE {
            steps.push(Step { end: rows.range(&run).end(), rewrite: Some(Rewrite::Repeats) });
        } else {
            let step = |n| Step { end: rows.range(&(n..n + 1)).end(), rewrite: terminal(n) };
            steps.extend(run.clone().map(step));
        }
        n = run.end;
    }
    steps
}

/// The rows from `n` on that are the same row again and again, or else the same group of rows; `n` alone where nothing stands again.
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

/// Whether `next` is `line` once more; it may lack its line feed.
fn is_again(line: &str, next: &str) -> bool {
    next == line || (!next.ends_with(['\n', '\r']) && line.strip_suffix('\n') == Some(next))
}

/// Bytes that a run of identical lines takes less as one.
fn saved_by_note(source: &str, run: ByteRange) -> usize {
    run.len() - piece(source, run, Some(Rewrite::Repeats)).text(source).len()
}
