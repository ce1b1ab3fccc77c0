//! Prose: the sentences closest to the focus, then the first ones.

use contextfit_text::{CodeFence, is_underline};

use crate::{
    rows::Rows,
    signals::is_drawn,
    worth::{END, MESSAGE, PLAIN, Sheet},
};

/// Scores sentences: the first ones of the whole and of each section say most, and headings more than the text below
/// them. Fenced code is there for what is said about it.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
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
        // What a long first paragraph says is worth its length.
        let length = (rows.tokens(n, n + 1) as f32 / MESSAGE).clamp(1.0, 4.0);
        let length = if n == 0 { length } else { 1.0 };
        sheet.raise(n, if is_fence || is_fenced { PLAIN } else { (first + more * PLAIN) * length });
        if is_fence {
            // Neither the start nor the end of code says anything without a line of it.
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
