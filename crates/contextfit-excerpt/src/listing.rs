//! Search results: the first and the last line of each file, and rare findings.

use crate::{
    rows::Rows,
    signals::{Signal, is_drawn, signal},
    templates::Templates,
    worth::{EDGE, END, ERROR, MESSAGE, NOTABLE, PLAIN, Sheet, TOTAL},
};

/// Whether at least a quarter of the rows are lines found in files. The others may be mere names.
pub(crate) fn are_found(rows: &Rows<'_, '_>) -> bool {
    rows.texts().filter(|line| found_in(line).is_some()).count() * 4 >= rows.len()
}

/// Scores lines found in files. Those of one file form a group. Lines that name no file, such as a count or a heading,
/// score higher.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let templates = Templates::of(rows);
    let mut start = 0;
    let mut group = None;
    let mut groups = 0;
    let (mut last, mut errors) = (None, 0.0_f32);
    for n in 0..=rows.len() {
        let line = if n < rows.len() { rows.text(n) } else { "" };
        let now = found_in(line);
        if now != group || now.is_none() {
            if group.is_some() {
                value_group(start, n, groups, sheet);
                groups += 1;
            }
            (start, group) = (n, now);
        }
        if now.is_some() {
            // A repeated finding is worth less than a rare one.
            sheet.raise(n, NOTABLE * templates.rarity(n));
        }
        if now.is_some() && is_error(line) {
            errors += 1.0;
            let length = (rows.tokens(n, n + 1) as f32 / MESSAGE).clamp(1.0, 4.0);
            sheet.raise(n, ERROR * length / errors);
        }
        let explained = last.filter(|_| now.is_none() && line.starts_with([' ', '\t']));
        if explained.is_some() {
            // An indented line explains the finding above it.
            sheet.raise(n, EDGE / 2.0);
            sheet.put_under(n, explained);
        } else if now.is_none() && n < rows.len() {
            let worth = match signal(line) {
                Signal::Error => ERROR,
                Signal::Total => TOTAL,
                _ => NOTABLE,
            };
            sheet.raise(n, worth);
        }
        if now.is_none() && n < rows.len() && is_drawn(line) {
            sheet.set_hollow(n);
        }
        last = if now.is_some() { Some(n) } else { explained };
    }
}

/// Whether a compiler reports an error in `line`, after the location.
fn is_error(line: &str) -> bool {
    [": error", " - error", ": fatal error", " error: "].iter().any(|word| line.contains(word))
}

/// Scores the findings `from..to` of one file; the first represents them. Later groups score lower.
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

/// The file in which `line` was found: the text before a number between two colons or two dashes, or before a line and
/// a column in brackets.
fn found_in(line: &str) -> Option<&str> {
    // ablate: excerpt.found => None
    let end = line.find(|c: char| c.is_whitespace() || c == ':').unwrap_or(line.len());
    let numbered = |at: usize, sign: char| {
        let rest = line.get(at..)?.strip_prefix(sign)?;
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        (behind.len() < rest.len() && (behind.starts_with(sign) || behind.is_empty())).then_some(at)
    };
    let dashes = || line.get(..end)?.match_indices('-').find_map(|(at, _)| numbered(at, '-'));
    let at = numbered(end, ':').or_else(dashes).or_else(|| in_brackets(line.get(..end)?))?;
    line.get(..at).filter(|path| path.contains(['/', '.', '\\']) && !path.starts_with("http"))
}

/// The end of the path in `src/a.ts(3,14)`, the form of Microsoft's compilers.
fn in_brackets(place: &str) -> Option<usize> {
    let (path, numbers) = place.strip_suffix(')')?.rsplit_once('(')?;
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    numbers.split(',').all(is_number).then_some(path.len())
}
