//! The rows of a text and their scores, as its kind determines.

use contextfit_kernel::{ByteRange, MeasuredBlock, TextKind};

use crate::{
    code, diff, headings::keep_headings, history, listing, log, page, prose, rows::Rows, table,
    templates::Templates, worth::Sheet,
};

/// The rows of a text of `kind`.
pub(crate) fn rows<'a, 'b>(block: &'b MeasuredBlock<'a>, range: ByteRange, kind: TextKind) -> Rows<'a, 'b> {
    match kind {
        TextKind::Prose => Rows::units(block, range),
        TextKind::Page if page::is_html(range.of(&block.block().text).unwrap_or_default()) => {
            Rows::joined(block, range, page::has_block_tag)
        }
        TextKind::Table => table::rows(block, range),
        _ => Rows::lines(block, range),
    }
}

/// The scores of the rows of a text of `kind` that is not JSON with a tree.
pub(crate) fn sheet(rows: &Rows<'_, '_>, kind: TextKind, focus: &[f64]) -> Sheet {
    // Code is read for its declarations only where its lines are numbered: somebody asked for them.
    let kind = if kind == TextKind::Code && !code::is_numbered(rows) { TextKind::Other } else { kind };
    let spread = spread(kind); // ablate: excerpt.spread => 0.0
    let mut sheet = Sheet::new(rows, focus, spread);
    match kind {
        TextKind::Prose => {
            prose::value(rows, &mut sheet);
            keep_headings(rows, kind, &mut sheet);
        }
        TextKind::Code => {
            code::value(rows, &mut sheet);
            if sheet.has_focus() {
                keep_headings(rows, kind, &mut sheet);
            }
        }
        TextKind::Table => table::value(rows, &mut sheet),
        TextKind::Listing if listing::are_found(rows) => listing::value(rows, &mut sheet),
        TextKind::Diff => diff::value(rows, &mut sheet),
        TextKind::History => history::value(rows, &mut sheet),
        TextKind::Page if rows.texts().next().is_some_and(page::is_html) => page::value(rows, &mut sheet),
        _ => {
            let templates = Templates::of(rows);
            log::value(rows, &templates, &mut sheet);
            keep_headings(rows, kind, &mut sheet);
            log::fade_repeated(rows, &templates, &mut sheet);
        }
    }
    sheet
}

/// The share of a line's focus that its neighbours get: code is read in context, rows of a table are not.
const fn spread(kind: TextKind) -> f32 {
    match kind {
        TextKind::Code => 0.5,
        TextKind::Prose => 0.125,
        TextKind::Json | TextKind::History | TextKind::Table | TextKind::Listing => 0.0,
        _ => 0.25,
    }
}
