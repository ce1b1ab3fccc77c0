//! Numbered listings of code: declarations, and lines close to the focus.

use contextfit_text::Language;

use crate::{
    rows::Rows,
    signals::{Signal, is_drawn, signal},
    worth::{ERROR, PLAIN, Sheet, TOTAL, end},
};

/// Whether most rows begin with their number.
pub(crate) fn is_numbered(rows: &Rows<'_, '_>) -> bool {
    rows.texts().filter(|line| without_number(line).is_some()).count() * 2 > rows.len()
}

/// Scores the lines of a numbered listing: declarations first. Lines without a number (the name of the file, a prompt)
/// score higher than code, and an error among them highest.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let code = Language::named("code");
    for (n, line) in rows.texts().enumerate() {
        let ends = end(n.min(rows.len() - n - 1));
        let bare = without_number(line);
        let body = bare.unwrap_or(line);
        if is_drawn(body) {
            sheet.set_hollow(n);
        } else if bare.is_none() {
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

/// The text after the number that `line` begins with, as listings print it: `12: text`, `12|text`, `  12<tab>text`.
fn without_number(line: &str) -> Option<&str> {
    let text = line.trim_ascii_start();
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - behind.len();
    let body = behind.strip_prefix([':', '\t', '|', '\u{2192}'])?;
    // A time of day begins like this too.
    let is_time = behind.starts_with(':') && body.bytes().take(2).filter(u8::is_ascii_digit).count() == 2;
    // So does the place of a finding: `12:5  warning`.
    let column = body.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_place = behind.starts_with(':') && column.len() < body.len() && column.starts_with("  ");
    let is_number = (1..=7).contains(&digits) && !is_place;
    (is_number && (!is_time || body.get(2..3) != Some(":"))).then_some(body)
}
