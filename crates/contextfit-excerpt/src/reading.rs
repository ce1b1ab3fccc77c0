//! The rows of a text and their scores, as its kind determines.

use contextfit_kernel::{ByteRange, MeasuredBlock};

use crate::{Kind, code, diff, history, listing, log, page, prose, rows::Rows, table, worth::Sheet};

/// The rows of a text of `kind`.
pub(crate) fn rows<'a, 'b>(block: &'b MeasuredBlock<'a>, range: ByteRange, kind: Kind) -> Rows<'a, 'b> {
    if kind == Kind::Prose { Rows::units(block, range) } else { Rows::lines(block, range) }
}

/// The scores of the rows of a text of `kind` that is not JSON with a tree.
pub(crate) fn sheet(rows: &Rows<'_, '_>, kind: Kind, focus: &[f64]) -> Sheet {
    let mut sheet = Sheet::new(rows, focus, kind.spread());
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
    sheet
}
