//! Text comparison as in the data sets' metrics: lowercased, with white space folded.
//!
//! The metrics are defined by a Python script, so white space is what Python considers white space.

use serde_json::Value;

/// `text` lowercased and trimmed, with every run of white space replaced by one space. Linear in the length of the
/// text.
pub(crate) fn folded(text: &str) -> String {
    let lower = text.to_lowercase();
    lower.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Whether `text` is only white space.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// The lines of `text`, split at every character that Python regards as a line end. `\r\n` yields an empty line in
/// between.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c| matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    text.split(ends)
}

/// `value` as JSON with a space after every comma and every colon.
pub(crate) fn json(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::Array(items) => format!("[{}]", joined(items.iter().map(json).collect())),
        Value::Object(fields) => {
            let field =
                |(key, value): (&String, &Value)| format!("{}: {}", Value::from(key.as_str()), json(value));
            format!("{{{}}}", joined(fields.iter().map(field).collect()))
        }
        plain => plain.to_string(),
    }
}

/// Unicode's white space, and the four separators of ASCII.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Whether `byte` alone is white space.
pub(crate) const fn is_space_byte(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// Characters `start..end` of `text`; `None` if out of range or in the wrong order.
pub(crate) fn chars(text: &str, start: usize, end: usize) -> Option<&str> {
    let length = end.checked_sub(start)?;
    let (_, rest) = text.split_at_checked(byte_of(text, start)?)?;
    rest.get(..byte_of(rest, length)?)
}

/// The byte offset of character `n`; the length of the text for the character after the last.
fn byte_of(text: &str, n: usize) -> Option<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_white_space_do_not_count() {
        assert_eq!(folded(" The\u{a0}\u{1f} END\r\n\tΟΔΟΣ "), "the end οδος");
        assert_eq!(folded(" \n"), "");
        assert!(is_blank("\t\u{1c}\u{3000}") && is_blank("") && !is_blank("\u{200b}"));
    }

    #[test]
    fn lines_and_json_as_python_has_them() {
        assert_eq!(lines("a\nb\u{b}c\u{2028}d\re").collect::<Vec<_>>(), ["a", "b", "c", "d", "e"]);
        let value = serde_json::json!({"b": [1, null, "x\ny"], "a": {}});
        assert_eq!(json(&value), r#"{"b": [1, null, "x\ny"], "a": {}}"#);
    }

    #[test]
    fn offsets_count_characters() {
        let text = "Röntgen 漢字";
        assert_eq!(chars(text, 1, 3), Some("ön"));
        assert_eq!(chars(text, 8, 10), Some("漢字"));
        assert_eq!(chars(text, 10, 10), Some(""));
        assert_eq!(chars(text, 9, 11), None);
        assert_eq!(chars(text, 2, 1), None);
    }
}
