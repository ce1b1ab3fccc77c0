//! Code and numbered listings: declarations, and lines close to the focus.

use contextfit_text::Language;

use crate::{
    kind::without_number,
    rows::Rows,
    signals::{Signal, is_drawn, signal},
    worth::{EDGE, ERROR, PLAIN, Sheet, TOTAL, end},
};

/// Whether `lines` are of a makefile: rules with the recipes that tabs begin, and variables. Traces also have names
/// before lines with tabs.
pub(crate) fn is_makefile<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let (mut rules, mut varies, mut before) = (0, false, "");
    for line in lines {
        rules += usize::from(line.starts_with('\t') && makes(before));
        varies |= line.contains("$(") || line.contains("$@") || line.starts_with(".PHONY");
        before = line;
    }
    rules > 1 && varies
}

/// Whether `line` is a rule of a makefile: `all: main.o`.
fn makes(line: &str) -> bool {
    let Some((target, rest)) = line.split_once(':') else { return false };
    let is_name =
        |c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '-' | '_' | '%' | '$' | '(' | ')' | ' ');
    target.starts_with(|c: char| !c.is_whitespace())
        && target.chars().all(is_name)
        && !rest.starts_with(['=', '/', ':'])
}

/// Whether `line` gives a value to a variable of a makefile.
fn assigns(line: &str) -> bool {
    let name = line.split(['=', ':', '+', '?']).next().unwrap_or_default().trim_end();
    line.contains('=') && !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Scores the lines of a source file. In a numbered listing, lines without a number (the name of the file, a prompt)
/// score higher than code, and an error among them highest.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let code = Language::named("code");
    let numbered = rows.texts().filter(|line| without_number(line).is_some()).count() * 2 > rows.len();
    let is_makefile = is_makefile(rows.texts());
    for (n, line) in rows.texts().enumerate() {
        let ends = end(n.min(rows.len() - n - 1));
        let bare = without_number(line).filter(|_| numbered);
        let body = bare.unwrap_or(line);
        if is_drawn(body) {
            sheet.set_hollow(n);
        } else if numbered && bare.is_none() {
            sheet.raise(n, if n == 0 || signal(line) == Signal::Error { ERROR } else { TOTAL });
        } else if is_makefile && makes(body) {
            sheet.raise(n, TOTAL);
        } else if is_makefile && assigns(body) {
            sheet.raise(n, EDGE);
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
