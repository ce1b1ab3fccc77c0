//! Numbered listings of code: declarations, and lines close to the focus.

use contextfit_text::Language;

use crate::{
    kind::without_number,
    rows::Rows,
    signals::{Signal, is_drawn, signal},
    worth::{ERROR, PLAIN, Sheet, TOTAL, end},
};

/// Scores the lines of a numbered listing: declarations first. Lines without a number (the name of the file, a prompt)
/// score higher than code, and an error among them highest.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let code = Language::named("code");
    for (n, line) in rows.texts().enumerate() {
        let Some(body) = without_number(line) else {
            let is_first = n == 0 || signal(line) == Signal::Error;
            sheet.raise(n, if is_first { ERROR } else { TOTAL });
            if is_drawn(line) {
                sheet.set_hollow(n);
            }
            continue;
        };
        let ends = end(n.min(rows.len() - n - 1));
        if is_drawn(body) {
            sheet.set_hollow(n);
        } else if code.is_some_and(|code| code.declares(body)) {
            let depth = body.len() - body.trim_ascii_start().len();
            // Inner declarations say less.
            sheet.raise(n, TOTAL * 4.0 / (4.0 + depth as f32 / 2.0));
        } else {
            let important = body.trim_ascii_start().starts_with(['@', '#']);
            sheet.raise(n, if important { ends.max(2.0 * PLAIN) } else { ends });
        }
    }
}
