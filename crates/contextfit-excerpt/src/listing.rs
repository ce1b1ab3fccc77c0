//! Search results: lines found in files.

use crate::{
    evidence::{Evidence, Feature},
    rows::Rows,
    signals::{Signal, is_drawn, signal},
    worth::Sheet,
};

/// Whether at least a quarter of the rows are lines found in files. The others may be mere names.
pub(crate) fn are_found(rows: &Rows<'_, '_>) -> bool {
    rows.texts().filter(|line| found_in(line).is_some()).count() * 4 >= rows.len()
}

/// Notes the features of lines found in files. An indented line explains the one above it.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let mut evidence = Evidence::of(rows);
    // The file found last, how many came before it, and the finding above.
    let (mut file, mut files, mut last) = (None, 0_u32, None);
    for (n, line) in rows.texts().enumerate() {
        if line.trim_ascii().is_empty() {
            evidence.blank();
            sheet.set_hollow(n);
            last = None;
            continue;
        }
        let found = found_in(line);
        let signal = match found {
            Some(_) if is_error(line) => Signal::Error,
            Some(_) => Signal::Nothing,
            None => signal(line),
        };
        files += u32::from(file.is_some() && found.is_some() && found != file);
        file = found.or(file);
        evidence.note(n, signal, sheet);
        if found.is_some() {
            sheet.note(n, Feature::LaterFile, (1.0 + files as f32 / FILES).ln());
        }
        let explained = last.filter(|_| found.is_none() && line.starts_with([' ', '\t']));
        sheet.put_under(n, explained);
        if found.is_none() && is_drawn(line) {
            sheet.set_hollow(n);
        }
        last = if found.is_some() { Some(n) } else { explained };
    }
}

/// The files among which a line is not yet a late one.
const FILES: f32 = 16.0;

/// Whether a compiler reports an error in `line`, after the location.
fn is_error(line: &str) -> bool {
    [": error", " - error", ": fatal error", " error: "].iter().any(|word| line.contains(word))
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
