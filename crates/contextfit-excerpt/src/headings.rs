//! Headings: rows that others are indented under, and those of Markdown.

use crate::{
    rows::Rows,
    signals::{Signal, signal},
    worth::{FOCUS, Sheet},
};

/// Shows each row only under its headings, and gives it half of the focus on the nearest one, a quarter of that on the
/// next. A row that only names what is below it is shown only along with that: the first row below has its score. The
/// few rows under one heading share a quarter of their focus.
///
/// Rows are indented under each other as by spaces if they are `indented`; otherwise only Markdown has headings.
pub(crate) fn keep_headings(rows: &Rows<'_, '_>, indented: bool, sheet: &mut Sheet) {
    let mut above: Vec<Heading> = Vec::new();
    let mut after_blank = true;
    for (n, line) in rows.bodies().enumerate() {
        if line.trim_ascii().is_empty() {
            after_blank = true;
            continue;
        }
        let level = match heading_level(line).filter(|_| after_blank) {
            Some(level) => Level::Markdown(level),
            None if indented => Level::indent(line),
            None => Level::Text,
        };
        after_blank = false;
        while let Some(heading) = above.pop_if(|heading| !heading.level.is_over(&level)) {
            heading.draw_together(sheet);
        }
        let mut focus = sheet.focus(n);
        if let Some(heading) = above.last_mut() {
            sheet.put_under(n, Some(heading.row));
            sheet.lift(n, heading.focus * FOCUS / 2.0);
            focus = focus.max(heading.focus / 2.0);
            if heading.rows.is_empty() && is_mere(rows.body(heading.row)) {
                sheet.stand_for(heading.row, n);
            }
            if heading.rows.len() <= RECORD {
                heading.rows.push(n);
            }
        }
        if level != Level::Text {
            above.push(Heading { row: n, level, focus, rows: Vec::new() });
        }
    }
    above.iter().for_each(|heading| heading.draw_together(sheet));
}

/// A row that others may be under.
struct Heading {
    row: usize,
    level: Level,
    /// Its focus, or what it has of that on its own headings.
    focus: f32,
    /// The first rows right below it.
    rows: Vec<usize>,
}

/// At most this many rows under a heading are the parts of one thing, as in an element of XML.
const RECORD: usize = 12;

impl Heading {
    /// Gives the parts of one thing a quarter of the focus on the closest of them: beside a name stands its version.
    fn draw_together(&self, sheet: &mut Sheet) {
        let closest = self.rows.iter().map(|&n| sheet.focus(n)).fold(0.0, f32::max);
        if closest > 0.0 && self.rows.len() <= RECORD {
            self.rows.iter().for_each(|&n| sheet.lift(n, closest * FOCUS / 4.0));
        }
    }
}

/// How deep a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Markdown(usize),
    /// The columns of the first word, counted from 0.
    Indent {
        start: usize,
        end: usize,
    },
    Text,
}

impl Level {
    /// The level of a `line` by its indentation, whether by spaces, tabs, or the lines of a drawn tree.
    fn indent(line: &str) -> Self {
        let is_drawn = |c: char| c == ' ' || ('\u{2500}'..='\u{257f}').contains(&c) || c == '\u{a0}';
        let (mut start, mut rest) = (0, line);
        while let Some(c) = rest.chars().next().filter(|&c| c == '\t' || is_drawn(c)) {
            start = if c == '\t' { (start / TAB + 1) * TAB } else { start + 1 };
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
        let word = rest.split_whitespace().next().unwrap_or_default();
        Self::Indent { start, end: start + word.chars().count() }
    }

    /// Whether a later row of level `other` is under this one. First words that end in the same column are aligned to
    /// the right, as in `   Compiling` and `    Finished`.
    const fn is_over(&self, other: &Self) -> bool {
        match (*self, *other) {
            (Self::Markdown(level), Self::Markdown(other)) => level < other,
            (Self::Markdown(_), _) => true,
            (Self::Indent { start, end }, Self::Indent { start: other, end: other_end }) => {
                start < other && end != other_end
            }
            _ => false,
        }
    }
}

/// The columns between tab stops.
const TAB: usize = 8;

/// The level of a Markdown heading.
fn heading_level(line: &str) -> Option<usize> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    ((1..=6).contains(&level) && title.starts_with(' ')).then_some(level)
}

/// Whether `line` only names what is below it.
fn is_mere(line: &str) -> bool {
    let text = line.trim();
    let opens = text.ends_with([':', '{', '[', '(']);
    (opens || text.starts_with("# ") || text.starts_with("##") || !text.contains(char::is_whitespace))
        && signal(line) == Signal::Nothing
}
