//! Prose: the sentences closest to the focus, then the first ones.

use crate::{
    rows::Rows,
    worth::{END, PLAIN, Sheet},
};

/// Scores sentences: the first ones say most, and headings more than the text below them.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    for (n, text) in rows.texts().enumerate() {
        let first = PLAIN + (END - PLAIN) * 4.0 / (4.0 + n as f32);
        let opens = if text.starts_with('#') { 2.0 * PLAIN } else { 0.0 };
        sheet.raise(n, first + opens);
        if text.trim_ascii().is_empty() {
            sheet.set_hollow(n);
        }
    }
}
