//! The units of a JSON text: members with their keys, lines of long strings.

use contextfit_kernel::ByteRange;
use contextfit_text::{JsonKind, Shape, json_string_end, json_tokens, unit_ends};

/// A longer array of scalars, in bytes, is not quoted.
const LONG_ARRAY_BYTES: usize = 320;

/// A JSON unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonUnit {
    /// A member with its key, or all members of a small object; those of one object have the same number.
    Member(usize),
    /// A line of a string that has several.
    Line,
}

/// The units of `text`, which is JSON, in order. Values without a key are left out, and so is the text that opens and
/// closes objects. Linear.
pub(crate) fn json_units(text: &str) -> Vec<(ByteRange, JsonUnit)> {
    let mut units = Vec::new();
    // The open objects and arrays, numbered from 1 in the order of their starts; outside of all: 0.
    let (mut open, mut n) = (Vec::new(), 0);
    let mut start = 0;
    let mut in_string = false;
    // The start of the open array of scalars, if it has a key.
    let mut array: Option<usize> = None;
    for end in unit_ends(text, Shape::Json) {
        let unit = start..end;
        start = end;
        let Some(raw) = text.get(unit.clone()) else { continue };
        if in_string {
            let stop = json_string_end(raw);
            in_string = stop.is_none();
            // A part of a line belongs to the part before it.
            let begun = units.pop_if(|(range, kind): &mut (ByteRange, JsonUnit)| {
                *kind == JsonUnit::Line && range.end() == unit.start && !raw.starts_with("\\n")
            });
            let from = begun.map_or(unit.start, |(range, _)| range.start());
            units.extend(line(text, from, unit.start + stop.unwrap_or(raw.len())));
            continue;
        }
        let trimmed = raw.trim().trim_end_matches(',').trim_end();
        let begin = unit.start + raw.len() - raw.trim_start().len();
        let (outer, inner) = (open.last().copied().unwrap_or_default(), n + 1);
        let read = json_tokens(trimmed).inspect(|token| match token.text {
            "{" | "[" => {
                n += 1;
                open.push(n);
            }
            "}" | "]" => drop(open.pop()),
            _ => {}
        });
        let Some(last) = read.last() else { continue };
        if last.kind == JsonKind::CutText {
            in_string = true;
            array = None;
            units.extend(line(text, begin + last.at + 1, unit.end));
        } else if matches!(last.text, "{" | "[") {
            array = (last.text == "[" && is_keyed(trimmed)).then_some(begin);
        } else if trimmed.starts_with(['}', ']']) {
            let whole = array.take().and_then(|from| ByteRange::new(from, begin + 1));
            let short = whole.filter(|range| trimmed.starts_with(']') && range.len() <= LONG_ARRAY_BYTES);
            let object = open.last().copied().unwrap_or_default();
            units.extend(short.map(|range| (range, JsonUnit::Member(object))));
        } else if let Some(range) = member(trimmed, begin) {
            array = None;
            // A small object is a unit by itself.
            let object = if trimmed.starts_with('{') { inner } else { outer };
            units.push((range, JsonUnit::Member(object)));
        }
    }
    units
}

/// A line of a string, if it says anything: the text between two escaped line feeds.
fn line(text: &str, start: usize, end: usize) -> Option<(ByteRange, JsonUnit)> {
    let begin = start + if text.get(start..end)?.starts_with("\\n") { 2 } else { 0 };
    let rest = text.get(begin..end)?;
    let end = begin + rest.strip_suffix("\\r").unwrap_or(rest).len();
    let range = ByteRange::new(begin, end).filter(|_| rest.contains(char::is_alphanumeric))?;
    Some((range, JsonUnit::Line))
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
    let mut tokens = json_tokens(unit).map(|token| (token.kind, token.text));
    matches!((tokens.next(), tokens.next()), (Some((JsonKind::Text, _)), Some((_, ":"))))
}

#[cfg(test)]
mod tests {
    use JsonUnit::{Line, Member};

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[(&str, JsonUnit)]) {
        let units: Vec<_> =
            json_units(text).into_iter().map(|(range, unit)| (range.of(text).unwrap(), unit)).collect();
        assert_eq!(units, expect);
    }

    #[test]
    fn members_and_lines() {
        check(
            r#"{"id": 7, "name": "Mia", "tags": ["a", "b"], "home": {"city": "Rome"}}"#,
            &[
                (r#""id": 7"#, Member(1)),
                (r#""name": "Mia""#, Member(1)),
                (r#""tags": ["a", "b"]"#, Member(1)),
                (r#""home": {"city": "Rome"}"#, Member(1)),
            ],
        );
        check(
            "[\n  {\n    \"id\": 1\n  },\n  {\"id\": 2, \"n\": 3}\n]",
            &[("\"id\": 1", Member(2)), ("\"id\": 2, \"n\": 3", Member(3))],
        );
        check("[1, 2]", &[]);
        let long = format!(r#"{{"path": "a.rs", "text": "use x;\n{}\n\n  say(\"hi\");"}}"#, "y".repeat(200));
        check(
            &long,
            &[
                (r#""path": "a.rs""#, Member(1)),
                ("use x;", Line),
                (&"y".repeat(200), Line),
                (r#"  say(\"hi\");"#, Line),
            ],
        );
    }
}
