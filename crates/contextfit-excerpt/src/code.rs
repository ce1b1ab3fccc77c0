//! Numbered listings of code: declarations, and lines close to the focus.

use contextfit_text::Language;

use crate::{
    kind::without_number,
    rows::Rows,
    signals::{Signal, is_drawn, signal},
    worth::{ERROR, PLAIN, Sheet, TOTAL, end},
};

/// Scores the lines of a numbered listing: declarations first. If most have numbers, those without (the name of the
/// file, a prompt) score higher than code, and an error among them highest.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let code = Language::named("code");
    let numbered = rows.texts().filter(|line| without_number(line).is_some()).count() * 2 > rows.len();
    for (n, line) in rows.texts().enumerate() {
        let ends = end(n.min(rows.len() - n - 1));
        let bare = without_number(line).filter(|_| numbered);
        let body = bare.unwrap_or(line);
        if is_drawn(body) {
            sheet.set_hollow(n);
        } else if numbered && bare.is_none() {
            sheet.raise(n, if n == 0 || signal(line) == Signal::Error { ERROR } else { TOTAL });
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
