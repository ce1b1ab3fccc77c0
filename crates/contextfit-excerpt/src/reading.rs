//! The rows of a text and their scores, as its kind determines.

use contextfit_kernel::{ByteRange, MeasuredBlock};

use crate::{
    Kind, code, diff,
    headings::keep_headings,
    history, listing, log, page, prose,
    rows::Rows,
    sections::keep_titles,
    table,
    worth::{Sheet, TOTAL},
};

/// The rows of a text of `kind`.
pub(crate) fn rows<'a, 'b>(block: &'b MeasuredBlock<'a>, range: ByteRange, kind: Kind) -> Rows<'a, 'b> {
    match kind {
        Kind::Prose => Rows::units(block, range),
        Kind::Page => Rows::parts(block, range),
        _ => Rows::lines(block, range),
    }
}

/// The scores of the rows of a text of `kind` that is not JSON with a tree.
pub(crate) fn sheet(rows: &Rows<'_, '_>, kind: Kind, focus: &[f64]) -> Sheet {
    let mut sheet = Sheet::new(rows, focus, kind.spread());
    let kind = if kind == Kind::Table && table::has_several(rows) { Kind::Other } else { kind };
    match kind {
        Kind::Table => table::value(rows, &mut sheet),
        Kind::Diff => diff::value(rows, &mut sheet),
        Kind::History => history::value(rows, &mut sheet),
        Kind::Page => page::value(rows, &mut sheet),
        Kind::Code => code::value(rows, &mut sheet),
        Kind::Listing => listing::value(rows, &mut sheet),
        Kind::Prose => prose::value(rows, &mut sheet),
        Kind::Json | Kind::Log | Kind::Other => log::value(rows, &mut sheet),
    }
    if matches!(kind, Kind::Table | Kind::Log | Kind::Listing) {
        keep_starts(rows, &mut sheet);
    }
    if matches!(kind, Kind::Log | Kind::Other) {
        table::value_tables(rows, &mut sheet);
    }
    if matches!(kind, Kind::Log | Kind::Other | Kind::Prose) || kind == Kind::Code && sheet.has_focus() {
        keep_headings(rows, kind, &mut sheet);
    }
    if matches!(kind, Kind::Log | Kind::Other | Kind::Table) {
        keep_titles(rows, &mut sheet);
    }
    if matches!(kind, Kind::Log | Kind::Other | Kind::Prose | Kind::Code) {
        sheet.draw_down(|n| rows.text(n).trim_start().starts_with("- "));
    }
    if matches!(kind, Kind::Log | Kind::Other) {
        log::fade_repeated(rows, &mut sheet);
    }
    sheet
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
