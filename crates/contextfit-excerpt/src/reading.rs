//! The rows of a text and their scores, as its kind determines.

use contextfit_kernel::{ByteRange, MeasuredBlock};

use crate::{
    Kind, code, diff, explain,
    headings::keep_headings,
    history, listing, log, page, prose,
    rows::Rows,
    sections::keep_titles,
    session, table,
    templates::Templates,
    worth::{Sheet, TOTAL},
};

/// The rows of a text of `kind`.
pub(crate) fn rows<'a, 'b>(block: &'b MeasuredBlock<'a>, range: ByteRange, kind: Kind) -> Rows<'a, 'b> {
    match kind {
        Kind::Prose => Rows::units(block, range),
        Kind::Manual => Rows::joined(block, range, prose::ends_paragraph),
        Kind::Page => Rows::joined(block, range, |text, _| page::has_block_tag(text)),
        Kind::Table => table::rows(block, range),
        _ => Rows::lines(block, range),
    }
}

/// The scores of the rows of a text of `kind` that is not JSON with a tree.
pub(crate) fn sheet(rows: &Rows<'_, '_>, kind: Kind, focus: &[f64]) -> Sheet {
    let mut sheet = Sheet::new(rows, focus, kind.spread());
    match kind {
        Kind::Table if table::has_several(rows) => text_sheet(rows, Kind::Other, &mut sheet),
        Kind::Log | Kind::Other => text_sheet(rows, kind, &mut sheet),
        Kind::Json => log::value(rows, &Templates::of(rows), &mut sheet),
        Kind::Table => {
            table::value(rows, &mut sheet);
            keep_starts(rows, &mut sheet);
            keep_titles(rows, &mut sheet);
        }
        Kind::Listing => {
            listing::value(rows, &mut sheet);
            keep_starts(rows, &mut sheet);
        }
        Kind::Prose | Kind::Manual => {
            prose::value(rows, &mut sheet);
            keep_headings(rows, kind, &mut sheet);
            sheet.draw_down(rows);
        }
        Kind::Code => {
            code::value(rows, &mut sheet);
            if sheet.has_focus() {
                keep_headings(rows, kind, &mut sheet);
                sheet.draw_down(rows);
            }
        }
        Kind::Session => session::value(rows, focus, &mut sheet),
        Kind::Explain => explain::value(rows, &mut sheet),
        Kind::Diff => diff::value(rows, &mut sheet),
        Kind::History => history::value(rows, &mut sheet),
        Kind::Page => {
            page::value(rows, &mut sheet);
            sheet.draw_down(rows);
        }
    }
    sheet
}

/// The scores of the lines of a log, or of a text without a kind of its own.
fn text_sheet(rows: &Rows<'_, '_>, kind: Kind, sheet: &mut Sheet) {
    let templates = Templates::of(rows);
    log::value(rows, &templates, sheet);
    if kind == Kind::Log {
        keep_starts(rows, sheet);
    }
    table::value_tables(rows, sheet);
    keep_headings(rows, kind, sheet);
    keep_titles(rows, sheet);
    sheet.draw_down(rows);
    log::fade_repeated(rows, &templates, sheet);
}

/// Shows the parts of a long line only together with its start, which says what they are about. The end of a line that
/// matters says why.
fn keep_starts(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let mut start = 0;
    for n in 0..rows.len() {
        if !rows.continues(n) {
            start = n;
            continue;
        }
        sheet.put_with(n, start);
        let is_end = n + 1 == rows.len() || !rows.continues(n + 1);
        if is_end && sheet.worth(start) > TOTAL {
            sheet.raise(n, TOTAL);
        }
    }
}
