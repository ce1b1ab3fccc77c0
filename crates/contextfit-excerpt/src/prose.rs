//! Prose: the sentences closest to the focus, then the first ones.

use crate::{
    headings::indent,
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

/// Whether a paragraph of wrapped lines ends with `text`, which `behind` follows: up to a blank line, or one that is
/// indented otherwise.
pub(crate) fn ends_paragraph(text: &str, behind: &str) -> bool {
    let next = behind.lines().next().unwrap_or_default();
    let is_apart = || text.trim().is_empty() || next.trim().is_empty() || indent(text) != indent(next);
    text.ends_with('\n') && is_apart()
}
