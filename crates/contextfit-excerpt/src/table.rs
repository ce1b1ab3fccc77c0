//! Tables: the header with its rule, then the rows that stand out, the first and the last.

use foldhash::{HashMap, HashSet};

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
    let odd = odd_cells(rows, behind);
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
        if templates.is_odd(n) || templates.is_rare(n) || odd.contains(&n) {
            sheet.raise(n, NOTABLE);
        }
        if blank {
            sheet.set_hollow(n);
        }
        sheet.put_under(n, Some(head));
    }
}

/// The rows with a cell unlike the others of its column: the largest or smallest number, if that is an outlier, or a
/// rare value where others repeat. Linear.
fn odd_cells(rows: &Rows<'_, '_>, behind: usize) -> HashSet<usize> {
    let mut columns: Vec<Column<'_>> = Vec::new();
    for n in behind..rows.len() {
        let cells = rows.text(n).split([',', '\t', ';', '|', ' ']).filter(|cell| !cell.trim().is_empty());
        for (at, cell) in cells.take(COLUMNS).enumerate() {
            if columns.len() == at {
                columns.push(Column::default());
            }
            columns.get_mut(at).into_iter().for_each(|column| column.add(n, cell.trim()));
        }
    }
    let all = rows.len().saturating_sub(behind);
    columns.iter().flat_map(|column| column.odd(all)).collect()
}

/// The cells of a column.
#[derive(Default)]
struct Column<'a> {
    numbers: Numbers,
    /// How often each value occurs, and where it did last; no more are counted once there are more than [`VALUES`].
    values: HashMap<&'a str, (usize, usize)>,
    varies: bool,
}

impl<'a> Column<'a> {
    fn add(&mut self, n: usize, cell: &'a str) {
        let number = cell.trim_matches(['"', '%']).parse::<f64>().ok().filter(|number| number.is_finite());
        number.into_iter().for_each(|number| self.numbers.add(n, number));
        if !self.varies {
            let (count, last) = self.values.entry(cell).or_default();
            (*count, *last) = (*count + 1, n);
            self.varies = self.values.len() > VALUES;
        }
    }

    /// The rows of its odd cells; the table has `all` rows.
    fn odd(&self, all: usize) -> Vec<usize> {
        let is_full = |count: usize| count * 5 >= all * 4;
        let numbers = Some(&self.numbers).filter(|numbers| is_full(numbers.count()));
        let mut odd: Vec<usize> = numbers.into_iter().flat_map(Numbers::outliers).collect();
        let filled: usize = self.values.values().map(|(count, _)| count).sum();
        let different = self.values.len();
        if !self.varies && is_full(filled) && different * REPEATED <= all {
            // Rarer than the others by far: among many distinct values, each is rare.
            let is_rare = |count: usize| count * REPEATED.max(different * UNUSUAL) <= all;
            odd.extend(self.values.values().filter(|(count, _)| is_rare(*count)).map(|(_, last)| *last));
        }
        odd
    }
}

/// Distinct values of a column that are counted.
const VALUES: usize = 16;

/// In a column of values that repeat, each occurs this often on average; a rare one occurs at most once in as many rows.
const REPEATED: usize = 16;

/// A rare value occurs at most once for this many occurrences of an average value.
const UNUSUAL: usize = 4;

/// Columns that are examined.
const COLUMNS: usize = 32;

/// Whether `line` draws a rule and nothing else.
pub(crate) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3
        && line.bytes().all(|byte| matches!(byte, b'-' | b'=' | b'+' | b'|' | b':' | b' ' | b'_'))
        && line.contains(['-', '='])
}
