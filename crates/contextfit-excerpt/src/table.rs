//! Tables: the header with its rule, then the rows that stand out, the first and the last.

use foldhash::HashSet;

use crate::{
    numbers::Numbers,
    rows::Rows,
    signals::{Signal, signal},
    templates::Templates,
    worth::{EDGE, END, ERROR, HEAD, NOTABLE, PLAIN, Sheet},
};

/// The header is looked for in this many rows.
const HEADS: usize = 12;

/// Scores the rows of a table. Without a rule below the header, the first row is the header, or the second if the first
/// is the `total 12` of `ls`.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let rule = (0..rows.len().min(HEADS)).find(|&n| is_rule(rows.text(n)));
    let counts = |line: &str| {
        line.strip_prefix("total ").is_some_and(|rest| rest.trim().bytes().all(|b| b.is_ascii_digit()))
    };
    let head =
        rule.unwrap_or_else(|| usize::from((0..rows.len()).next().is_some_and(|n| counts(rows.text(n)))));
    let behind = head + 1;
    if rule.is_some() && head > 0 {
        sheet.put_with(head, head - 1);
    }
    let templates = Templates::of(rows);
    let extremes = extremes(rows, behind);
    let mut errors = 0.0;
    for (n, line) in rows.texts().enumerate() {
        if n < behind {
            // A long preamble is not a header.
            sheet.raise(n, if n + 2 >= head { HEAD } else { EDGE });
            continue;
        }
        let near = (n - behind).min(rows.len() - n - 1) as f32;
        let blank = line.trim_ascii().is_empty();
        sheet.raise(n, PLAIN + (EDGE - PLAIN) * 4.0 / (4.0 + near));
        if n == behind || n + 1 == rows.len() {
            sheet.raise(n, END);
        }
        if signal(line) == Signal::Error {
            errors += 1.0;
            sheet.raise(n, ERROR / errors);
        }
        if templates.is_odd(n) || extremes.contains(&n) {
            sheet.raise(n, NOTABLE);
        }
        if blank {
            sheet.set_hollow(n);
        }
        sheet.put_under(n, Some(head));
    }
}

/// The rows with the largest or smallest number of a column, if that is an outlier. Linear.
fn extremes(rows: &Rows<'_, '_>, behind: usize) -> HashSet<usize> {
    let mut columns: Vec<Numbers> = Vec::new();
    for n in behind..rows.len() {
        let cells = rows.text(n).split([',', '\t', ';', '|', ' ']).filter(|cell| !cell.trim().is_empty());
        for (at, cell) in cells.take(COLUMNS).enumerate() {
            if columns.len() == at {
                columns.push(Numbers::default());
            }
            let number =
                cell.trim().trim_matches('"').parse::<f64>().ok().filter(|number| number.is_finite());
            number
                .into_iter()
                .for_each(|number| columns.get_mut(at).into_iter().for_each(|column| column.add(n, number)));
        }
    }
    let all = rows.len().saturating_sub(behind);
    let numbers = columns.into_iter().filter(|column| column.count() * 5 >= all * 4);
    numbers.flat_map(|column| column.outliers()).collect()
}

/// Columns that are examined.
const COLUMNS: usize = 32;

/// Whether `line` draws a rule and nothing else.
pub(crate) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3
        && line.bytes().all(|byte| matches!(byte, b'-' | b'=' | b'+' | b'|' | b':' | b' ' | b'_'))
        && line.contains(['-', '='])
}
