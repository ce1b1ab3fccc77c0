//! The rows of a text and their scores, as its kind determines.

use contextfit_kernel::{ByteRange, MeasuredBlock};

use crate::{
    Kind, code, diff, headings::keep_headings, history, listing, log, page, prose, rows::Rows, table,
    templates::Templates, worth::Sheet,
};

/// The rows of a text of `kind`.
pub(crate) fn rows<'a, 'b>(block: &'b MeasuredBlock<'a>, range: ByteRange, kind: Kind) -> Rows<'a, 'b> {
    match kind {
        Kind::Prose => Rows::units(block, range),
        Kind::Page => Rows::joined(block, range, page::has_block_tag),
        Kind::Table => table::rows(block, range),
        _ => Rows::lines(block, range),
    }
}

/// The scores of the rows of a text of `kind` that is not JSON with a tree.
pub(crate) fn sheet(rows: &Rows<'_, '_>, kind: Kind, focus: &[f64]) -> Sheet {
    let spread = kind.spread(); // ablate: excerpt.spread => 0.0
    let mut sheet = Sheet::new(rows, focus, spread);
    match kind {
        Kind::Log | Kind::Other => {
            let templates = Templates::of(rows);
            log::value(rows, &templates, &mut sheet);
            keep_headings(rows, kind, &mut sheet);
            log::fade_repeated(rows, &templates, &mut sheet);
        }
        Kind::Prose => {
            prose::value(rows, &mut sheet);
            keep_headings(rows, kind, &mut sheet);
        }
        Kind::Code => {
            code::value(rows, &mut sheet);
            if sheet.has_focus() {
                keep_headings(rows, kind, &mut sheet);
            }
        }
        Kind::Json => log::value(rows, &Templates::of(rows), &mut sheet),
        Kind::Table => table::value(rows, &mut sheet),
        Kind::Listing => listing::value(rows, &mut sheet),
        Kind::Diff => diff::value(rows, &mut sheet),
        Kind::History => history::value(rows, &mut sheet),
        Kind::Page => page::value(rows, &mut sheet),
    }
    sheet
}
