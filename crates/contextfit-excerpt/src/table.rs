//! Tables: the head with its rule, then the first and the last rows.

use crate::{
    rows::Rows,
    worth::{EDGE, HEAD, PLAIN, Sheet},
};

/// Rows that a head is looked for in.
const HEADS: usize = 12;

/// Values the rows of a table. Where no line draws a rule below the head, the first row is the head; behind `total 12` of
/// `ls`, there is none.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let rule = (0..rows.len().min(HEADS)).find(|&n| is_rule(rows.text(n)));
    let counts = |line: &str| {
        line.strip_prefix("total ").is_some_and(|rest| rest.trim().bytes().all(|b| b.is_ascii_digit()))
    };
    let head =
        rule.unwrap_or_else(|| usize::from((0..rows.len()).next().is_some_and(|n| counts(rows.text(n)))));
    let behind = head + 1;
    for (n, line) in rows.texts().enumerate() {
        if n < behind {
            // A long preamble is no head.
            sheet.raise(n, if n + 2 >= head { HEAD } else { EDGE });
            continue;
        }
        let near = (n - behind).min(rows.len() - n - 1) as f32;
        let blank = line.trim_ascii().is_empty();
        sheet.raise(n, PLAIN + (EDGE - PLAIN) * 4.0 / (4.0 + near));
        if blank {
            sheet.set_hollow(n);
        }
        sheet.put_under(n, Some(head));
    }
}

/// Whether `line` draws a line, and nothing else.
pub(crate) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3
        && line.bytes().all(|byte| matches!(byte, b'-' | b'=' | b'+' | b'|' | b':' | b' ' | b'_'))
        && line.contains(['-', '='])
}
