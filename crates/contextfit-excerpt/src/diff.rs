//! Diffs: the heads of files and hunks, then what changed.

use std::ops::Range;

use crate::{
    rows::Rows,
    signals::is_drawn,
    worth::{EDGE, FOCUS, HEAD, NOTABLE, PLAIN, Sheet, TOTAL, end},
};

/// Values the rows of a unified diff. A hunk that is close to the focus is worth as much in all of its lines.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let (mut file, mut hunk): (Option<usize>, Option<usize>) = (None, None);
    // Lines of the hunk that are to come, old and new.
    let mut left = (0_usize, 0_usize);
    for (n, line) in rows.texts().enumerate() {
        if let Some(lengths) = hunk_lengths(line) {
            if let Some(hunk) = hunk {
                draw_together(hunk..n, sheet);
            }
            sheet.raise(n, HEAD);
            sheet.put_under(n, file);
            (hunk, left) = (Some(n), lengths);
            continue;
        }
        if left != (0, 0) {
            let (old, new) = match line.as_bytes().first() {
                Some(b'-') => (1, 0),
                Some(b'+') => (0, 1),
                Some(b'\\') => (0, 0),
                _ => (1, 1),
            };
            left = (left.0.saturating_sub(old), left.1.saturating_sub(new));
            sheet.raise(n, if old == new { PLAIN } else { NOTABLE });
            if is_drawn(line) {
                sheet.set_hollow(n);
            }
            sheet.put_under(n, hunk);
            continue;
        }
        if let Some(hunk) = hunk.take() {
            draw_together(hunk..n, sheet);
        }
        let git = line.starts_with("diff ") || line.starts_with("Index: ");
        if git || line.starts_with("--- ") || line.starts_with("+++ ") {
            sheet.raise(n, HEAD);
            if !git {
                sheet.put_under(n, file);
            }
            file = if git || line.starts_with("--- ") && !follows_git(rows, n) { Some(n) } else { file };
        } else if line.starts_with("commit ") {
            sheet.raise(n, TOTAL);
            file = None;
        } else if line.starts_with("index ") || line.starts_with("similarity ") {
            sheet.raise(n, PLAIN);
        } else {
            sheet.raise(n, EDGE.max(end(n.min(rows.len() - n - 1))));
            if is_drawn(line) {
                sheet.set_hollow(n);
            }
        }
    }
    if let Some(hunk) = hunk {
        draw_together(hunk..rows.len(), sheet);
    }
}

/// Gives all lines of a hunk half of the focus of its closest one.
fn draw_together(hunk: Range<usize>, sheet: &mut Sheet) {
    let closest = hunk.clone().map(|n| sheet.focus(n)).fold(0.0, f32::max);
    if closest > 0.0 {
        for n in hunk {
            sheet.raise(n, closest * FOCUS / 2.0);
        }
    }
}

/// Whether row `n` belongs to a head that `diff` or `Index:` has begun.
fn follows_git(rows: &Rows<'_, '_>, n: usize) -> bool {
    (n.saturating_sub(6)..n)
        .rev()
        .map(|before| rows.text(before))
        .take_while(|line| !line.starts_with('+'))
        .any(|line| line.starts_with("diff ") || line.starts_with("Index: "))
}

/// The lengths, old and new, that the head of a hunk gives.
pub(crate) fn hunk_lengths(line: &str) -> Option<(usize, usize)> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let length = |range: &str| range.split_once(',').map_or(Some(1), |(_, length)| length.parse().ok());
    Some((length(old)?, length(new)?))
}
