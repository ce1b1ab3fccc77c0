//! Headings: rows that others are indented under, and Markdown headings.

use std::cell::LazyCell;

use contextfit_kernel::TextKind;
use foldhash::{HashMap, HashMapExt};

use crate::{
    names::names,
    rows::Rows,
    signals::{Signal, signal},
    worth::{FOCUS, NOTABLE, Sheet},
};

/// Shows each row only with its headings: the rows it is indented under (except in prose) and Markdown headings. A row
/// that only names the rows below it passes its score to the first of them, except in code, where it is a declaration.
/// If there are only a few rows under a heading, they share a quarter of the focus on the closest of them.
pub(crate) fn keep_headings(rows: &Rows<'_, '_>, kind: TextKind, sheet: &mut Sheet) {
    // ablate: excerpt.headings => ()
    let mut above: Vec<Heading> = Vec::new();
    let mut after_blank = true;
    let alike = LazyCell::new(|| {
        let mut alike: HashMap<&str, usize> = HashMap::new();
        rows.bodies().for_each(|line| *alike.entry(line).or_default() += 1);
        alike
    });
    let is_alone = |line: &str| alike.get(line) == Some(&1);
    for (n, line) in rows.bodies().enumerate() {
        if line.trim_ascii().is_empty() {
            after_blank = true;
            continue;
        }
        let level = match heading_level(line).filter(|_| after_blank) {
            Some(level) => Level::Markdown(level),
            None if kind != TextKind::Prose => Level::indent(line),
            None => Level::Text,
        };
        after_blank = false;
        while let Some(heading) = above.pop_if(|heading| !heading.level.is_over(&level)) {
            heading.draw_together(sheet);
            heading.keep_name(n, rows, is_alone, sheet);
        }
        if let Some(heading) = above.last_mut() {
            sheet.put_under(n, Some(heading.row));
            if heading.rows.is_empty() && kind != TextKind::Code && is_mere(rows.body(heading.row)) {
                sheet.stand_for(heading.row, n);
            }
            if heading.rows.len() <= LONGEST_RECORD_ROWS {
                heading.rows.push(n);
            }
        }
        if level != Level::Text {
            above.push(Heading { row: n, level, rows: Vec::new() });
        }
    }
    while let Some(heading) = above.pop() {
        heading.draw_together(sheet);
        heading.keep_name(rows.len(), rows, is_alone, sheet);
    }
}

/// A row that others may be under.
struct Heading {
    row: usize,
    level: Level,
    /// The first rows directly below it.
    rows: Vec<usize>,
}

/// At most this many rows under a heading are parts of one record, such as an XML element.
const LONGEST_RECORD_ROWS: usize = 12;

/// A part of a text with more rows than this is not a record.
const LONGEST_SIBLING_ROWS: usize = 256;

impl Heading {
    /// Gives the rows of one record a quarter of the focus on the closest of them: the version is next to the name.
    fn draw_together(&self, sheet: &mut Sheet) {
        let focus = |n: &usize| sheet.focus(*n);
        let Some(closest) = self.rows.iter().copied().max_by(|a, b| focus(a).total_cmp(&focus(b))) else {
            return;
        };
        let worth = focus(&closest) * FOCUS / 4.0;
        if worth > 0.0 && self.rows.len() <= LONGEST_RECORD_ROWS {
            // Rows after a name say more about it than rows before it.
            let share = |n: usize| if n > closest { worth } else { worth / 2.0 };
            for n in self.rows.iter().copied().filter(|&n| n != closest) {
                sheet.lift(n, share(n));
                if worth > NOTABLE {
                    // A version without its name would mislead.
                    sheet.put_with(n, closest);
                }
            }
        }
    }

    /// Shows the rows of a record, up to row `end`, only with the row that names it. Records begin alike, so a row that
    /// `is_alone`, with no other like it, does not begin one.
    fn keep_name(&self, end: usize, rows: &Rows<'_, '_>, is_alone: impl Fn(&str) -> bool, sheet: &mut Sheet) {
        let title = rows.body(self.row);
        if self.rows.is_empty() || end - self.row > LONGEST_SIBLING_ROWS || names(title) || is_alone(title) {
            return;
        }
        if let Some(name) = (self.row + 1..end).find(|&n| names(rows.body(n))) {
            (self.row + 1..end).filter(|&n| n != name).for_each(|n| sheet.put_with(n, name));
        }
    }
}

/// The depth of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Markdown(usize),
    /// `start` is the column of the first word. `end` is the column where that word ends, if it has only letters and
    /// digits and the line does not end in an opening sign.
    Indent {
        start: usize,
        end: Option<usize>,
    },
    Text,
}

impl Level {
    /// The level of `line` by its indentation with spaces, tabs or the lines of a drawn tree.
    fn indent(line: &str) -> Self {
        let start = indent(line);
        let word = line.trim_start_matches(is_drawn).split_whitespace().next().unwrap_or_default();
        let is_plain = word.chars().all(char::is_alphanumeric) && !opens(line);
        Self::Indent { start, end: is_plain.then(|| start + word.chars().count()) }
    }

    /// Whether a later row of level `other` is under this one. It is not if both first words end in the same column,
    /// because such words are aligned to the right, as in `   Compiling` and `    Finished`.
    fn is_over(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Self::Markdown(level), Self::Markdown(other)) => level < other,
            (Self::Markdown(_), _) => true,
            (Self::Indent { start, end }, Self::Indent { start: other, end: other_end }) => {
                start < other && (end.is_none() || end != other_end)
            }
            _ => false,
        }
    }
}

/// The column of the first word of `line`, after spaces, tabs or the lines of a drawn tree.
fn indent(line: &str) -> usize {
    let before = line.chars().take_while(|&c| is_drawn(c));
    before.fold(0, |column, c| if c == '\t' { (column / TAB_COLUMNS + 1) * TAB_COLUMNS } else { column + 1 })
}

/// The columns between tab stops.
const TAB_COLUMNS: usize = 8;

/// Whether `c` may come before the first word of a line: a blank or a part of a drawn tree.
fn is_drawn(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{a0}' | '\u{2500}'..='\u{257f}')
}

/// The level of a Markdown heading, 1 to 6; `None` for other lines.
fn heading_level(line: &str) -> Option<usize> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    ((1..=6).contains(&level) && title.starts_with(' ')).then_some(level)
}

/// Whether `line` only names what is below it.
fn is_mere(line: &str) -> bool {
    let text = line.trim();
    (opens(line) || text.starts_with("# ") || text.starts_with("##") || !text.contains(char::is_whitespace))
        && signal(line) == Signal::Nothing
}

/// Whether `line` ends with a sign that opens something.
fn opens(line: &str) -> bool {
    line.trim_end().ends_with([':', '{', '[', '('])
}
