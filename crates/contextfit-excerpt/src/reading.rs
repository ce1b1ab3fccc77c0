//! The rows of a text and their scores, by the kind of text.

use contextfit_kernel::{ByteRange, MeasuredBlock, TextKind};
use contextfit_text::{CodeFence, Language, is_underline};

use crate::{
    diff,
    evidence::RowFeatures,
    headings::keep_headings,
    listing, log, page,
    rows::Rows,
    signals::{Signal, is_drawn, signal},
    table,
    worth::{END, ERROR, MESSAGE, PLAIN, Sheet, TOTAL, end},
};

/// Divides a text of `kind` into rows.
pub(crate) fn rows<'a, 'b>(block: &'b MeasuredBlock<'a>, range: ByteRange, kind: TextKind) -> Rows<'a, 'b> {
    match kind {
        TextKind::Prose => Rows::units(block, range),
        TextKind::Page if page::is_html(range.of(&block.block().text).unwrap_or_default()) => {
            Rows::joined(block, range, page::has_block_tag)
        }
        TextKind::Table => table::rows(block, range),
        TextKind::Code => Rows::lines(block, range).with_bodies(without_number),
        _ => Rows::lines(block, range),
    }
}

/// Scores the rows of a text of `kind`, which is not JSON with a tree.
pub(crate) fn sheet(rows: &Rows<'_, '_>, kind: TextKind, focus: &[f64]) -> Sheet {
    let spread = spread(kind); // ablate: excerpt.spread => 0.0
    let mut sheet = Sheet::new(rows, focus, spread);
    value(rows, kind, &mut sheet);
    sheet
}

/// The features of the rows of a text of `kind`.
pub(crate) fn features(rows: &Rows<'_, '_>, kind: TextKind, focus: &[f64]) -> Vec<RowFeatures> {
    let mut sheet = Sheet::new(rows, focus, spread(kind)).writing_down();
    value(rows, kind, &mut sheet);
    sheet.features(rows)
}

fn value(rows: &Rows<'_, '_>, kind: TextKind, sheet: &mut Sheet) {
    // An answer counts for more than the place that a row has in the whole.
    let is_map = !sheet.has_focus();
    match kind {
        TextKind::Prose if is_map => {
            value_prose(rows, sheet);
            keep_headings(rows, kind, sheet);
        }
        // Declarations count only in code with line numbers, which a request to read a file returns.
        TextKind::Code if is_map && is_numbered(rows) => value_code(rows, sheet),
        TextKind::Table => table::value(rows, sheet),
        TextKind::Listing if listing::are_found(rows) => listing::value(rows, sheet),
        TextKind::Diff => diff::value(rows, sheet),
        TextKind::History => diff::value_history(rows, sheet),
        _ => {
            log::value(rows, sheet);
            sheet.weigh();
            return keep_headings(rows, kind, sheet);
        }
    }
    sheet.weigh();
}

/// The share of a line's focus that its neighbours get: code is read in context, rows of a table are not.
const fn spread(kind: TextKind) -> f32 {
    match kind {
        TextKind::Code => 0.5,
        TextKind::Diff | TextKind::Page => 0.25,
        TextKind::Prose => 0.125,
        _ => 0.0,
    }
}

/// Scores sentences. The first ones of the text and of each section are the most informative, and headings score higher
/// than the text below them. Fenced code scores low, because the text around it describes it.
fn value_prose(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    // ablate: excerpt.prose => log::value(rows, sheet)
    let (mut fence, mut leads) = (None, false);
    for (n, text) in rows.texts().enumerate() {
        let first = PLAIN + (END - PLAIN) * 4.0 / (4.0 + n as f32);
        let before = fence;
        fence = CodeFence::after(before, text);
        let (is_fence, is_fenced) = (before != fence, fence.is_some());
        let is_heading = !is_fenced && (text.starts_with('#') || is_underlined(text));
        let more = if is_heading {
            2.0
        } else if leads && !is_fence {
            4.0
        } else {
            0.0
        };
        // A long first paragraph is worth its length.
        let length = (rows.tokens(n, n + 1) as f32 / MESSAGE).clamp(1.0, 4.0);
        let length = if n == 0 { length } else { 1.0 };
        sheet.raise(n, if is_fence || is_fenced { PLAIN } else { (first + more * PLAIN) * length });
        if is_fence {
            // The start or the end of a fence is useless without a line of the code.
            sheet.put_with(n, if is_fenced { n + 1 } else { n.saturating_sub(1) });
        }
        leads = is_heading || leads && text.trim_ascii().is_empty();
        if is_drawn(text) {
            sheet.set_hollow(n);
        }
    }
}

/// Whether `text` is a title with a line drawn below it.
fn is_underlined(text: &str) -> bool {
    let mut lines = text.lines();
    lines.next().is_some_and(|title| !is_drawn(title)) && lines.next().is_some_and(is_underline)
}

/// Whether most rows begin with their number.
fn is_numbered(rows: &Rows<'_, '_>) -> bool {
    // ablate: excerpt.numbered => false
    rows.texts().filter(|line| without_number(line).is_some()).count() * 2 > rows.len()
}

/// Scores the lines of a numbered listing: declarations first. Lines without a number (a file name, a prompt) score
/// higher than code, and errors among them highest.
fn value_code(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let code = Language::named("code");
    for (n, line) in rows.texts().enumerate() {
        let ends = end(n.min(rows.len() - n - 1));
        let bare = without_number(line);
        let body = bare.unwrap_or(line);
        if is_drawn(body) {
            sheet.set_hollow(n);
        } else if bare.is_none() {
            sheet.raise(n, if n == 0 || signal(line) == Signal::Error { ERROR } else { TOTAL });
        } else if code.is_some_and(|code| code.declares(body)) {
            let depth = body.len() - body.trim_ascii_start().len();
            // Inner declarations are less informative.
            sheet.raise(n, TOTAL * 4.0 / (4.0 + depth as f32 / 2.0));
        } else {
            let important = body.trim_ascii_start().starts_with(['@', '#']);
            sheet.raise(n, if important { ends.max(2.0 * PLAIN) } else { ends });
        }
    }
}

/// The text after the line number in listings: `12: text`, `12|text`, `  12<tab>text`.
fn without_number(line: &str) -> Option<&str> {
    let text = line.trim_ascii_start();
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - behind.len();
    let body = behind.strip_prefix([':', '\t', '|', '\u{2192}'])?;
    // A time of day begins like this too.
    let is_time = behind.starts_with(':') && body.bytes().take(2).filter(u8::is_ascii_digit).count() == 2;
    // So does the location of a finding: `12:5  warning`.
    let column = body.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_place = behind.starts_with(':') && column.len() < body.len() && column.starts_with("  ");
    let is_number = (1..=7).contains(&digits) && !is_place;
    (is_number && (!is_time || body.get(2..3) != Some(":"))).then_some(body)
}
