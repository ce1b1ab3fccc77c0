//! The units of a JSON text: members with their keys, lines of long strings.

use std::collections::{BTreeMap, BTreeSet};

use contextfit_kernel::ByteRange;
use contextfit_text::{Shape, unit_ends};

/// A longer array of scalars, in bytes, is not quoted.
const LONG_ARRAY: usize = 320;

/// How many keys of an object are tried as the one that names it.
const MOST_KEYS: usize = 8;

/// A member with its text longer than this, in bytes, does not name its object.
const LONG_NAME: usize = 160;

/// The kind of a JSON unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonUnit {
    /// A member with its key, or all members of a small object.
    Member,
    /// A line of a string that has several.
    Line,
}

/// A JSON text: what can be quoted of it, and which object that belongs to.
#[derive(Debug, Default)]
pub(crate) struct Json {
    /// The units in order: each a range, its kind, and its object or array as an index into `containers`.
    pub(crate) units: Vec<(ByteRange, JsonUnit, usize)>,
    /// The objects and arrays in the order of their starts, after one for the text itself: the container around each,
    /// and whether it is an array.
    containers: Vec<(usize, bool)>,
}

impl Json {
    /// The object that is an element of an array, and in which container `at` is; `None` if there is none.
    fn record(&self, mut at: usize) -> Option<usize> {
        loop {
            let &(parent, is_array) = self.containers.get(at)?;
            if at == 0 {
                return None;
            }
            let in_array = self.containers.get(parent).is_some_and(|(_, is_array)| *is_array);
            if in_array && !is_array {
                return Some(at);
            }
            at = parent;
        }
    }

    /// For each unit, the record that it is part of, as the index of the unit that names the record: the first member
    /// of the object whose value differs among all objects of its array, or else its first short member. `None` for
    /// units that are in no object of an array, or whose object has no such member. Nearly linear.
    pub(crate) fn names(&self, text: &str) -> Vec<Option<usize>> {
        let records: Vec<Option<usize>> =
            self.units.iter().map(|(_, _, object)| self.record(*object)).collect();
        // The short members of each record itself, by array: `None` for the place of a member in several objects.
        let mut arrays: BTreeMap<usize, BTreeMap<usize, Vec<usize>>> = BTreeMap::new();
        for (n, ((range, kind, object), record)) in self.units.iter().zip(&records).enumerate() {
            let own = record.filter(|record| record == object && *kind == JsonUnit::Member);
            if let Some(record) = own.filter(|_| range.len() <= LONG_NAME)
                && let Some((array, _)) = self.containers.get(record)
            {
                arrays.entry(*array).or_default().entry(record).or_default().push(n);
            }
        }
        let member = |n: &usize| self.units.get(*n)?.0.of(text)?.split_once(':');
        let mut named: BTreeMap<usize, usize> = BTreeMap::new();
        for objects in arrays.values() {
            let first = objects.values().next().into_iter().flatten();
            let keys = first.filter_map(|n| Some(member(n)?.0));
            let of_key = |key: &str, members: &[usize]| {
                members.iter().copied().find(|n| member(n).is_some_and(|(own, _)| own == key))
            };
            let all_of =
                |key: &str| objects.values().map(|members| of_key(key, members)).collect::<Option<Vec<_>>>();
            let differ = |members: &Vec<usize>| {
                let values: BTreeSet<&str> = members.iter().filter_map(|n| Some(member(n)?.1)).collect();
                values.len() == members.len()
            };
            let names = keys.take(MOST_KEYS).filter_map(all_of).find(differ);
            let firsts = || objects.values().filter_map(|members| members.first().copied()).collect();
            named.extend(objects.keys().copied().zip(names.unwrap_or_else(firsts)));
        }
        records.into_iter().map(|record| named.get(&record?).copied()).collect()
    }
}

/// Reads `text`, which is JSON. Values without a key are left out, and so is the text that opens and closes objects.
/// Linear.
pub(crate) fn json(text: &str) -> Json {
    let mut json = Json { units: Vec::new(), containers: vec![(0, false)] };
    let mut open = vec![0];
    let mut start = 0;
    let mut in_string = false;
    // The start of the open array of scalars, if it has a key.
    let mut array: Option<usize> = None;
    for end in unit_ends(text, Shape::Json) {
        let unit = start..end;
        start = end;
        let Some(raw) = text.get(unit.clone()) else { continue };
        let trimmed = raw.trim().trim_end_matches(',').trim_end();
        let begin = unit.start + raw.len() - raw.trim_start().len();
        let outer = open.last().copied().unwrap_or_default();
        let inner = json.containers.len();
        json.nest(raw, in_string, &mut open);
        if in_string {
            let stop = string_end(raw);
            in_string = stop.is_none();
            // A part of a line belongs to the part before it.
            let begun = json.units.pop_if(|(range, kind, _)| {
                *kind == JsonUnit::Line && range.end() == unit.start && !raw.starts_with("\\n")
            });
            let from = begun.map_or(unit.start, |(range, ..)| range.start());
            json.push_line(text, from, unit.start + stop.unwrap_or(raw.len()), outer);
        } else if let Some(string) = opens_string(trimmed) {
            in_string = true;
            array = None;
            let object = open.last().copied().unwrap_or_default();
            json.push_line(text, begin + string, unit.end, object);
        } else if trimmed.ends_with(['{', '[']) {
            array = (trimmed.ends_with('[') && is_keyed(trimmed)).then_some(begin);
        } else if trimmed.starts_with(['}', ']']) {
            let whole = array.take().and_then(|from| ByteRange::new(from, begin + 1));
            let short = whole.filter(|range| trimmed.starts_with(']') && range.len() <= LONG_ARRAY);
            let object = open.last().copied().unwrap_or_default();
            json.units.extend(short.map(|range| (range, JsonUnit::Member, object)));
        } else if let Some(range) = member(trimmed, begin) {
            array = None;
            // A small object is a unit by itself.
            let object = if trimmed.starts_with('{') { inner } else { outer };
            json.units.push((range, JsonUnit::Member, object));
        }
    }
    json
}

impl Json {
    /// Follows the brackets in `raw`, which begins inside a string if `in_string`.
    fn nest(&mut self, raw: &str, in_string: bool, open: &mut Vec<usize>) {
        let mut is_text = in_string;
        let mut is_escaped = false;
        for byte in raw.bytes() {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' if is_text => is_escaped = true,
                b'"' => is_text = !is_text,
                b'{' | b'[' if !is_text => {
                    self.containers.push((open.last().copied().unwrap_or_default(), byte == b'['));
                    open.push(self.containers.len() - 1);
                }
                b'}' | b']' if !is_text && open.len() > 1 => {
                    open.pop();
                }
                _ => {}
            }
        }
    }

    /// Adds a line of a string: the text between two escaped line feeds.
    fn push_line(&mut self, text: &str, start: usize, end: usize, object: usize) {
        let Some(line) = text.get(start..end) else { return };
        let begin = start + if line.starts_with("\\n") { 2 } else { 0 };
        let rest = text.get(begin..end).unwrap_or_default();
        let end = begin + rest.strip_suffix("\\r").unwrap_or(rest).len();
        if rest.contains(char::is_alphanumeric) {
            self.units.extend(ByteRange::new(begin, end).map(|range| (range, JsonUnit::Line, object)));
        }
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

    /// The units of `text`: each with the number of its object, counted from the first, or `None` for a line of a
    /// string; and the unit that names its record.
    #[track_caller]
    fn check(text: &str, expect: &[(&str, Option<usize>, Option<&str>)]) {
        let json = json(text);
        let shown = |n: usize| json.units[n].0.of(text).unwrap();
        let units: Vec<_> = json
            .units
            .iter()
            .zip(json.names(text))
            .map(|((range, kind, object), name)| {
                let object = (*kind == JsonUnit::Member).then_some(*object);
                (range.of(text).unwrap(), object, name.map(shown))
            })
            .collect();
        assert_eq!(units, expect);
    }

    #[test]
    fn members_and_lines() {
        check(
            r#"{"id": 7, "name": "Mia", "tags": ["a", "b"], "home": {"city": "Rome"}}"#,
            &[
                (r#""id": 7"#, Some(1), None),
                (r#""name": "Mia""#, Some(1), None),
                (r#""tags": ["a", "b"]"#, Some(1), None),
                (r#""home": {"city": "Rome"}"#, Some(1), None),
            ],
        );
        check(
            "[\n  {\n    \"id\": 1\n  },\n  {\"id\": 2, \"n\": 3}\n]",
            &[
                ("\"id\": 1", Some(2), Some("\"id\": 1")),
                ("\"id\": 2, \"n\": 3", Some(3), Some("\"id\": 2, \"n\": 3")),
            ],
        );
        check("[1, 2]", &[]);
        let long = format!(r#"{{"path": "a.rs", "text": "use x;\n{}\n\n  say(\"hi\");"}}"#, "y".repeat(200));
        check(
            &long,
            &[
                (r#""path": "a.rs""#, Some(1), None),
                ("use x;", None, None),
                (&"y".repeat(200), None, None),
                (r#"  say(\"hi\");"#, None, None),
            ],
        );
    }

    #[test]
    fn what_names_a_record_is_what_differs() {
        let flight = |number: &str, leaves: &str| {
            format!(
                "    {{\n      \"from\": \"JFK\",\n      \"number\": \"{number}\",\n      \"leaves\": \"{leaves}\",\n      \
                 \"seats\": {{\n        \"basic\": 9\n      }}\n    }}"
            )
        };
        let text =
            format!("{{\n  \"flights\": [\n{},\n{}\n  ]\n}}", flight("A1", "07:00"), flight("B2", "07:00"));
        let (one, other) = (Some("\"number\": \"A1\""), Some("\"number\": \"B2\""));
        check(
            &text,
            &[
                ("\"from\": \"JFK\"", Some(3), one),
                ("\"number\": \"A1\"", Some(3), one),
                ("\"leaves\": \"07:00\"", Some(3), one),
                ("\"basic\": 9", Some(4), one),
                ("\"from\": \"JFK\"", Some(5), other),
                ("\"number\": \"B2\"", Some(5), other),
                ("\"leaves\": \"07:00\"", Some(5), other),
                ("\"basic\": 9", Some(6), other),
            ],
        );
    }
}
