//! The units of a JSON text: members with their keys, lines of long strings.

use contextfit_kernel::ByteRange;
use contextfit_text::{Shape, unit_ends};

/// A longer array of scalars, in bytes, is not quoted.
const LONG_ARRAY: usize = 320;

/// The kind of a JSON unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonUnit {
    /// A member with its key, or members of one object; those of the same object share this number.
    Member(usize),
    /// A line of a string that has several.
    Line,
}

/// The members and string lines of `text`, which is JSON, in order. Values without a key are left out, and so is the
/// text that opens and closes objects. Linear.
pub(crate) fn json_units(text: &str) -> Vec<(ByteRange, JsonUnit)> {
    let mut units = Vec::new();
    let mut start = 0;
    let mut object = 0;
    let mut in_string = false;
    // The start of the open array of scalars, if it has a key.
    let mut array: Option<usize> = None;
    for end in unit_ends(text, Shape::Json) {
        let unit = start..end;
        start = end;
        let Some(raw) = text.get(unit.clone()) else { continue };
        let trimmed = raw.trim().trim_end_matches(',').trim_end();
        let begin = unit.start + raw.len() - raw.trim_start().len();
        if in_string {
            let stop = string_end(raw);
            in_string = stop.is_none();
            // A part of a line belongs to the part before it.
            let begun = units.pop_if(|(range, kind): &mut (ByteRange, JsonUnit)| {
                *kind == JsonUnit::Line && range.end() == unit.start && !raw.starts_with("\\n")
            });
            let from = begun.map_or(unit.start, |(range, _)| range.start());
            push_line(text, from, unit.start + stop.unwrap_or(raw.len()), &mut units);
        } else if let Some(open) = opens_string(trimmed) {
            in_string = true;
            array = None;
            push_line(text, begin + open, unit.end, &mut units);
        } else if trimmed.ends_with(['{', '[']) {
            object += 1;
            array = (trimmed.ends_with('[') && is_keyed(trimmed)).then_some(begin);
        } else if trimmed.starts_with(['}', ']']) {
            object += 1;
            let whole = array.take().and_then(|from| ByteRange::new(from, begin + 1));
            let short =
                whole.filter(|range| trimmed.starts_with(']') && range.end() - range.start() <= LONG_ARRAY);
            units.extend(short.map(|range| (range, JsonUnit::Member(object))));
        } else if let Some(range) = member(trimmed, begin) {
            array = None;
            // An object within one unit shares its number with no other unit.
            object += usize::from(trimmed.starts_with('{'));
            units.push((range, JsonUnit::Member(object)));
            object += usize::from(trimmed.starts_with('{'));
        }
    }
    units
}

/// A line of a string: the text between two escaped line feeds.
fn push_line(text: &str, start: usize, end: usize, units: &mut Vec<(ByteRange, JsonUnit)>) {
    let Some(line) = text.get(start..end) else { return };
    let begin = start + if line.starts_with("\\n") { 2 } else { 0 };
    let rest = text.get(begin..end).unwrap_or_default();
    let end = begin + rest.strip_suffix("\\r").unwrap_or(rest).len();
    if rest.contains(char::is_alphanumeric) {
        units.extend(ByteRange::new(begin, end).map(|range| (range, JsonUnit::Line)));
    }
}

/// The bytes of a member with its key, or of the members of a small object without its brackets.
fn member(unit: &str, begin: usize) -> Option<ByteRange> {
    let inner = unit.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
    let shown = inner.map_or(unit, str::trim);
    let begin = begin + unit.find(shown)?;
    (is_keyed(shown) && shown.contains(char::is_alphanumeric))
        .then(|| ByteRange::new(begin, begin + shown.len()))
        .flatten()
}

/// Whether `unit` begins with a key.
fn is_keyed(unit: &str) -> bool {
    let Some(inside) = unit.strip_prefix('"') else { return false };
    string_end(inside)
        .is_some_and(|end| inside.get(end + 1..).is_some_and(|rest| rest.trim_start().starts_with(':')))
}

/// The start of the string that `unit` opens and does not close: the byte after its quote.
fn opens_string(unit: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let open = at + unit.get(at..)?.find('"')? + 1;
        match string_end(unit.get(open..)?) {
            Some(end) => at = open + end + 1,
            None => return Some(open),
        }
    }
}

/// The position of the quote that ends the string in which `text` begins.
fn string_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[(&str, Option<usize>)]) {
        let units: Vec<(&str, Option<usize>)> = json_units(text)
            .iter()
            .map(|(range, unit)| {
                let object = match unit {
                    JsonUnit::Member(object) => Some(*object),
                    JsonUnit::Line => None,
                };
                (range.of(text).unwrap(), object)
            })
            .collect();
        assert_eq!(units, expect);
    }

    #[test]
    fn members_and_lines() {
        check(
            r#"{"id": 7, "name": "Mia", "tags": ["a", "b"], "home": {"city": "Rome"}}"#,
            &[
                (r#""id": 7"#, Some(1)),
                (r#""name": "Mia""#, Some(1)),
                (r#""tags": ["a", "b"]"#, Some(1)),
                (r#""home": {"city": "Rome"}"#, Some(1)),
            ],
        );
        check(
            "[\n  {\n    \"id\": 1\n  },\n  {\"id\": 2, \"n\": 3}\n]",
            &[("\"id\": 1", Some(2)), ("\"id\": 2, \"n\": 3", Some(4))],
        );
        check("[1, 2]", &[]);
        let long = format!(r#"{{"path": "a.rs", "text": "use x;\n{}\n\n  say(\"hi\");"}}"#, "y".repeat(200));
        check(
            &long,
            &[
                (r#""path": "a.rs""#, Some(1)),
                ("use x;", None),
                (&"y".repeat(200), None),
                (r#"  say(\"hi\");"#, None),
            ],
        );
    }
}
