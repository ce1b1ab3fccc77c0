//! The steps in which a text is rewritten without loss, and the pieces they make.

use std::ops::Range;

use contextfit_kernel::{ByteRange, Piece, Rewrite, TextKind};
use contextfit_text::{has_controls, kind_of, reads_as_repeated, rewritten};
use foldhash::HashSet;

use crate::rows::Rows;

/// The piece that `rewrite` makes of `range` in `source`; plain source if it changes nothing.
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
    /// The rewriting applied to it.
    pub(crate) rewrite: Option<Rewrite>,
}

impl Step {
    /// Whether it is a run of identical rows.
    pub(crate) fn is_run(&self) -> bool {
        self.rewrite == Some(Rewrite::Repeats)
    }
}

/// Groups of up to this many rows are detected.
const GROUP: usize = 8;

/// A run of lines is shown once if that saves at least this many bytes: the note takes a few tokens.
const WORTHWHILE: usize = 16;

/// A word of this many letters carries meaning; units and times change as a progress bar moves on.
const SHORTEST_WORD_LETTERS: usize = 4;

/// Whether the final terminal display of `line`, which has no escape sequences, still has every word that was ever
/// shown: a progress bar, not a message overwritten by the next one. Linear.
fn keeps_words(line: &str) -> bool {
    // Colour sequences are never displayed.
    if line.contains('\u{1b}') || !line.trim_end().contains(['\r', '\u{8}']) {
        return true;
    }
    let words = |text: &str| -> HashSet<String> {
        let words = text.split(|c: char| !c.is_alphabetic());
        words
            .filter(|word| word.chars().nth(SHORTEST_WORD_LETTERS - 1).is_some())
            .map(str::to_owned)
            .collect()
    };
    let shown = rewritten(Rewrite::Terminal, line).unwrap_or_default();
    words(line).is_subset(&words(&shown))
}

/// Whether `line`, as a terminal shows it, could be taken for a run of lines shown once.
fn is_like_note(line: &str) -> bool {
    let shown = if has_controls(line) { rewritten(Rewrite::Terminal, line) } else { None };
    reads_as_repeated(shown.as_deref().unwrap_or(line))
}

/// Whether a run of lines in `text` may be shown once. A note is out of place in a patch or between lines of code.
fn takes_notes(kind: TextKind, text: &str) -> bool {
    !matches!(kind, TextKind::Diff | TextKind::Code) && !text.lines().any(is_like_note)
}

/// The steps that rewrite `rows`, in sequence: each a row, or a run of identical rows or groups.
pub(crate) fn steps(rows: &Rows<'_, '_>) -> Vec<Step> {
    let source = rows.block.block().text.as_str();
    let text = rows.whole().of(source).unwrap_or_default();
    // Old Mac texts end lines with carriage returns.
    let is_screen = text.contains(['\n', '\u{1b}', '\u{8}']);
    let is_noted = takes_notes(kind_of(rows.block, rows.whole()), text); // ablate: excerpt.repeats => false
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

/// The rows from `n` on that repeat one row, or else one group of rows; `n` alone if nothing repeats.
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

/// Whether `next` repeats `line`; it may lack its line feed.
fn is_again(line: &str, next: &str) -> bool {
    next == line || (!next.ends_with(['\n', '\r']) && line.strip_suffix('\n') == Some(next))
}

/// The bytes saved by showing a run of identical lines once.
fn saved_by_note(source: &str, run: ByteRange) -> usize {
    run.len() - piece(source, run, Some(Rewrite::Repeats)).text(source).len()
}
