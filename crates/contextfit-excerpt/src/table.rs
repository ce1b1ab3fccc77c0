//! Tables: the header with its rule, then the rows that stand out, the first and the last.

use std::ops::Range;

use contextfit_kernel::{ByteRange, MeasuredBlock};
use foldhash::{HashMap, HashSet};

use crate::{
    columns::{Division, SAMPLE_ROWS},
    delimited::Delimiter,
    numbers::{Numbers, number},
    rows::Rows,
    signals::{Signal, is_drawn, signal},
    templates::Templates,
    worth::{EDGE, END, ERROR, HEAD, PLAIN, Sheet, TOTAL},
};

/// The header is looked for in this many rows.
const HEADER_ROWS: usize = 12;

/// At most this many rows after the last blank one are no part of a table.
const TAIL: usize = 3;

/// The rows of a table: lines, or several where a quoted cell goes on.
pub(crate) fn rows<'a, 'b>(block: &'b MeasuredBlock<'a>, range: ByteRange) -> Rows<'a, 'b> {
    let text = range.of(&block.block().text).unwrap_or_default();
    let sample: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(SAMPLE_ROWS).collect();
    let Some(ends) = Delimiter::of(&sample).and_then(|delimiter| delimiter.row_ends(text)) else {
        return Rows::lines(block, range);
    };
    Rows::lines_to(block, range, &ends)
}

/// Scores the rows of a table. Without a rule below the header, the first row is the header, or the second if the first
/// is the `total 12` of `ls`.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let rule = (0..rows.len().min(HEADER_ROWS)).find(|&n| is_rule(rows.text(n)));
    let counts = |line: &str| {
        line.strip_prefix("total ").is_some_and(|rest| rest.trim().bytes().all(|b| b.is_ascii_digit()))
    };
    let mut head =
        rule.unwrap_or_else(|| usize::from((0..rows.len()).next().is_some_and(|n| counts(rows.text(n)))));
    let behind = head + 1;
    if rule.is_some() && head > 0 {
        sheet.put_with(head, head - 1);
    }
    let templates = Templates::of(rows);
    let odd = odd_cells(rows, behind..rows.len());
    // What comes after a blank line at the end is no row: `[ERROR] Found 15 errors`.
    let is_blank = |n: usize| rows.text(n).trim_ascii().is_empty();
    let last = (0..rows.len()).rev().find(|&n| !is_blank(n)).unwrap_or(0);
    let tail =
        (behind.max(last.saturating_sub(TAIL))..last).rev().find(|&n| is_blank(n)).unwrap_or(rows.len());
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
            sheet.raise(n, TOTAL);
        }
        if blank {
            sheet.set_hollow(n);
        }
        if n > tail {
            sheet.raise(n, if signal(line) == Signal::Nothing { END } else { TOTAL });
            continue;
        }
        sheet.put_under(n, Some(head));
        // A title between two rules begins another table.
        if n > behind + 1 && is_rule(line) && is_rule(rows.text(n - 2)) && !is_drawn(rows.text(n - 1)) {
            head = n;
            sheet.put_with(n, n - 1);
            [n - 2, n - 1, n].into_iter().for_each(|n| sheet.set_hollow(n));
        }
    }
}

/// The rows with a cell unlike the others of its column: the largest or smallest number, if that is an outlier, or a
/// rare value where others repeat. Linear.
fn odd_cells(rows: &Rows<'_, '_>, part: Range<usize>) -> HashSet<usize> {
    // ablate: excerpt.odd-cells => HashSet::default()
    let mut columns: Vec<Column<'_>> = Vec::new();
    let division = Division::of(&part.clone().take(SAMPLE_ROWS).map(|n| rows.text(n)).collect::<Vec<_>>());
    for n in part.clone() {
        for (at, (_, cell)) in division.cells(rows.text(n)).take(MAX_COLUMNS).enumerate() {
            if columns.len() == at {
                columns.push(Column::default());
            }
            if cell.is_empty() {
                continue;
            }
            columns.get_mut(at).into_iter().for_each(|column| column.add(n, cell));
        }
    }
    columns.iter().flat_map(|column| column.odd(part.len())).collect()
}

/// The cells of a column.
#[derive(Default)]
struct Column<'a> {
    numbers: Numbers,
    /// How often each value occurs, and where it did last; no more are counted once there are more than
    /// [`MAX_DISTINCT_VALUES`].
    values: HashMap<&'a str, (usize, usize)>,
    varies: bool,
}

impl<'a> Column<'a> {
    fn add(&mut self, n: usize, cell: &'a str) {
        number(cell).into_iter().for_each(|number| self.numbers.add(n, number));
        if !self.varies {
            let (count, last) = self.values.entry(cell).or_default();
            (*count, *last) = (*count + 1, n);
            self.varies = self.values.len() > MAX_DISTINCT_VALUES;
        }
    }

    /// The rows of its odd cells; the table has `all` rows.
    fn odd(&self, all: usize) -> Vec<usize> {
        let is_full = |count: usize| count * 5 >= all * 4;
        let numbers = Some(&self.numbers).filter(|numbers| is_full(numbers.count()));
        let mut odd: Vec<usize> = numbers.into_iter().flat_map(Numbers::outliers).collect();
        let filled: usize = self.values.values().map(|(count, _)| count).sum();
        let different = self.values.len();
        if different == 2 && filled == all && all >= SHARED_BY_ROWS {
            // The only one unlike all others.
            odd.extend(self.values.values().filter(|(count, _)| *count == 1).map(|(_, last)| *last));
        } else if !self.varies && is_full(filled) && different * REPEATED <= all {
            // Rarer than the others by far: among many distinct values, each is rare.
            let is_rare = |count: usize| count * REPEATED.max(different * RARE_BELOW_AVERAGE) <= all;
            odd.extend(self.values.values().filter(|(count, _)| is_rare(*count)).map(|(_, last)| *last));
        }
        odd
    }
}

/// Distinct values of a column that are counted.
const MAX_DISTINCT_VALUES: usize = 16;

/// In a column of values that repeat, each occurs this often on average; a rare one occurs at most once in as many
/// rows.
const REPEATED: usize = 16;

/// A value that only one row has is odd if at least this many others share another.
const SHARED_BY_ROWS: usize = 8;

/// A rare value occurs at most once for this many occurrences of an average value.
const RARE_BELOW_AVERAGE: usize = 4;

/// Columns that are examined.
const MAX_COLUMNS: usize = 32;

/// Whether `line` draws a rule and nothing else.
pub(crate) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3
        && line.bytes().all(|byte| matches!(byte, b'-' | b'=' | b'+' | b'|' | b':' | b' ' | b'_'))
        && line.contains(['-', '='])
}
