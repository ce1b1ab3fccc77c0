//! Listings of files and results of searches: the first and the last of each group.

use crate::{
    kind::grouped_by,
    rows::Rows,
    signals::{Signal, is_drawn, signal},
    worth::{EDGE, END, ERROR, PLAIN, Sheet, TOTAL},
};

/// Values lines that name a file. Those of one file, or of one directory where they name nothing else, are a group; lines
/// that name none (how many there are, a heading) are worth more.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let mut start = 0;
    let mut group = None;
    let mut groups = 0;
    for n in 0..=rows.len() {
        let line = if n < rows.len() { rows.text(n) } else { "" };
        let now = if n < rows.len() { grouped_by(line) } else { None };
        if n == rows.len() || now != group || now.is_none() {
            if group.is_some() {
                value_group(start, n, groups, sheet);
                groups += 1;
            }
            (start, group) = (n, now);
        }
        if now.is_none() && n < rows.len() {
            sheet.raise(n, if signal(line) == Signal::Error { ERROR } else { TOTAL });
            if is_drawn(line) {
                sheet.set_hollow(n);
            }
        }
    }
}

/// The first of a group stands for it; the more groups come before, the less.
fn value_group(from: usize, to: usize, before: usize, sheet: &mut Sheet) {
    let fresh = 16.0 / (16.0 + before as f32);
    for n in from..to {
        let (first, last) = ((n - from) as f32, (to - n - 1) as f32);
        let worth = if n == from {
            END
        } else if n + 1 == to {
            EDGE
        } else {
            PLAIN + EDGE / (2.0 + first.min(last))
        };
        sheet.raise(n, PLAIN / 2.0 + worth * fresh);
    }
}
