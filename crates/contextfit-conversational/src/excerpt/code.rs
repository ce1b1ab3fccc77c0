//! Code and numbered listings: declarations, and what is close to the focus.

use contextfit_text::Language;

use super::{
    kind::without_number,
    rows::Rows,
    signals::{Signal, signal},
    worth::{END, ERROR, NOTABLE, PLAIN, Sheet, TOTAL, end},
};

/// Values the lines of a source file. In a numbered listing, the lines without a number (the name of the file, a prompt) are
/// worth more than code; an error among them most.
pub(super) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let code = Language::named("code");
    let numbered = rows.texts().filter(|line| without_number(line).is_some()).count() * 2 > rows.len();
    for (n, line) in rows.texts().enumerate() {
        let ends = end(n.min(rows.len() - n - 1));
        let bare = without_number(line).filter(|_| numbered);
        let body = bare.unwrap_or(line);
        if body.trim_ascii().is_empty() {
            sheet.raise(n, PLAIN / 4.0);
        } else if numbered && bare.is_none() {
            sheet.raise(n, if signal(line) == Signal::Error { ERROR } else { TOTAL });
        } else if code.is_some_and(|code| code.declares(body)) {
            let depth = body.len() - body.trim_ascii_start().len();
            // The inner ones say less.
            sheet.raise(n, TOTAL * 4.0 / (4.0 + depth as f32 / 2.0));
        } else {
            let bracket = !body.bytes().any(|byte| byte.is_ascii_alphanumeric());
            let important = body.trim_ascii_start().starts_with(['@', '#']);
            let worth = if bracket { PLAIN / 2.0 } else { ends * NOTABLE / END / 2.0 };
            sheet.raise(n, if important { worth.max(PLAIN * 2.0) } else { worth.max(PLAIN / 2.0) });
        }
    }
}
