//! The values in a text, which an agent needs verbatim to go on.

use contextfit_kernel::ByteRange;
use contextfit_text::json_tokens;

/// The kind of a value, which says how likely it is to be needed verbatim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// An identifier: a path, an address, a code, a date, a name in code.
    Identifier,
    /// A number.
    Number,
    /// A name: capitalized, but not at the start of a sentence.
    Name,
}

/// A value and its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) range: ByteRange,
    pub(crate) kind: ValueKind,
}

/// A JSON string longer than this, in bytes, is searched for values inside it.
const LONG_STRING_BYTES: usize = 64;

/// JSON is read up to this many bytes, other texts up to this many from either end: no agent has read the middle of an
/// output of many megabytes.
const VALUE_SEARCH_BYTES: usize = 1 << 18;

/// The values in `text`, in order; in JSON, not those in its keys. Linear, in bounded memory.
pub(crate) fn values(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let beginning = text.get(..text.floor_char_boundary(VALUE_SEARCH_BYTES)).unwrap_or(text);
    if is_in_brackets(text) {
        json(beginning, &mut found);
        return found;
    }
    lines(beginning, 0, &mut found);
    let end = text.ceil_char_boundary(text.len().saturating_sub(VALUE_SEARCH_BYTES).max(beginning.len()));
    lines(text.get(end..).unwrap_or_default(), end, &mut found);
    found
}

/// Whether `text` looks like JSON by its first and last characters.
fn is_in_brackets(text: &str) -> bool {
    // ablate: chat.values-of-json => false
    text.trim_start().starts_with(['{', '[']) && text.trim_end().ends_with(['}', ']'])
}

/// Finds the values of each line; the number that a listing puts before a line (`12:`) is ignored.
fn lines(text: &str, base: usize, found: &mut Vec<Value>) {
    let mut at = base;
    for line in text.split_inclusive('\n') {
        let behind = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = behind.len() < line.trim_start().len() && behind.starts_with([':', '\t', '|']);
        let rest = if numbered { behind.get(1..).unwrap_or_default() } else { line };
        words(rest, at + line.len() - rest.len(), found);
        at += line.len();
    }
}

/// Finds the values in a JSON text, as far as possible if it is invalid.
fn json(text: &str, found: &mut Vec<Value>) {
    let mut tokens = json_tokens(text).peekable();
    while let Some(token) = tokens.next() {
        match token.inside() {
            Some(_) if tokens.peek().is_some_and(|next| next.text == ":") => {}
            Some(inside) => string(inside, token.at + 1, found),
            None => numbers(token.text, token.at, found),
        }
    }
}

/// Finds the numbers in a scalar that begins at `at`. In valid JSON it is a number, or contains none.
fn numbers(scalar: &str, mut at: usize, found: &mut Vec<Value>) {
    let ends = |c: char| !matches!(c, '0'..='9' | '.' | '-' | '+' | 'e' | 'E');
    for part in scalar.split_inclusive(ends) {
        let end = at + part.trim_end_matches(ends).len();
        let before = part.len() - part.trim_start_matches(['.', '+', 'e', 'E']).len();
        push(at + before, end, ValueKind::Number, found);
        at += part.len();
    }
}

/// Reads a JSON string. A short one is a single value, or none.
fn string(inside: &str, base: usize, found: &mut Vec<Value>) {
    if inside.len() > LONG_STRING_BYTES {
        lines(inside, base, found);
    } else if let Some(kind) = kind_of(inside, false) {
        push(base, base + inside.len(), kind, found);
    }
}

/// Finds the values among the words of a line that begins at `base`.
fn words(text: &str, base: usize, found: &mut Vec<Value>) {
    let mut begins_sentence = true;
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), '\n')]) {
        if is_inside(c) {
            start.get_or_insert(at);
            continue;
        }
        if let Some(start) = start.take() {
            let raw = text.get(start..at).unwrap_or_default();
            let word = raw.trim_matches(|c: char| {
                !c.is_alphanumeric() && !matches!(c, '_' | '/' | '$' | '€' | '£' | '%')
            });
            let word = word.trim_end_matches('/');
            let begin = start + raw.find(word).unwrap_or(0);
            if let Some(kind) = kind_of(word, begins_sentence) {
                push(base + begin, base + begin + word.len(), kind, found);
            }
            begins_sentence = raw.ends_with(['.', '!', '?', ':']);
        }
        if matches!(c, '!' | '?' | '"' | '(' | '。' | '！' | '？') {
            begins_sentence = true;
        }
    }
}

/// Whether `c` can appear inside a value.
fn is_inside(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(
            c,
            '_' | '.' | '/' | '@' | '-' | ':' | '+' | '#' | '$' | '€' | '£' | '%' | '~' | '\\' | '&' | '='
        )
}

/// The kind of `word` as a value; `None` if it is not one.
fn kind_of(word: &str, begins_sentence: bool) -> Option<ValueKind> {
    let mut chars = word.chars();
    let first = chars.next()?;
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let inner_capital = chars.clone().any(char::is_uppercase);
    let joined = word.contains(['_', '/', '@', '\\'])
        || word.char_indices().any(|(at, c)| {
            matches!(c, '.' | ':' | '#' | '=' | '-')
                && digits > 0
                && word.get(at + 1..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
        })
        || (word.contains('.') && letters > 0);
    match () {
        () if letters == 0 && digits == 0 => None,
        () if digits > 0
            && letters == 0
            && word.bytes().filter(|byte| matches!(byte, b'-' | b':' | b'/')).count() < 2 =>
        {
            Some(ValueKind::Number)
        }
        () if digits > 0 || joined => Some(ValueKind::Identifier),
        () if inner_capital && letters > 1 => Some(ValueKind::Identifier),
        () if first.is_uppercase() && !begins_sentence && letters > 1 => Some(ValueKind::Name),
        () => None,
    }
}

fn push(start: usize, end: usize, kind: ValueKind, found: &mut Vec<Value>) {
    if let Some(range) = ByteRange::new(start, end).filter(|range| !range.is_empty()) {
        found.push(Value { range, kind });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let found: Vec<&str> =
            values(text).iter().map(|value| value.range.of(text).expect("inside the text")).collect();
        assert_eq!(found, expect, "{text:?}");
    }

    #[test]
    fn of_prose() {
        check("My user ID is mia_li_3668, please.", &["ID", "mia_li_3668"]);
        check("Fly JFK to SEA on 2024-05-20 for $250.", &["JFK", "SEA", "2024-05-20", "$250"]);
        check("See src/lib.rs:14 and td_field.serialize().", &["src/lib.rs:14", "td_field.serialize"]);
        check("He met Anna. Then he left.", &["Anna"]);
        check("Write to a.b@example.com now", &["a.b@example.com"]);
        check("10:from x import TimeDelta\n11: y = 3\n", &["TimeDelta", "3"]);
        check("", &[]);
        check("it is e.g. so", &["e.g"]);
    }

    #[test]
    fn of_long_texts_both_ends_are_read() {
        let text = format!("first_value {} last_value", "word \n".repeat(VALUE_SEARCH_BYTES / 3));
        check(&text, &["first_value", "last_value"]);
        assert!(values(&format!("[{}]", "12345, ".repeat(VALUE_SEARCH_BYTES))).len() <= VALUE_SEARCH_BYTES);
    }

    #[test]
    fn of_json() {
        check(
            r#"{"name": {"first": "Mia"}, "cabin": "economy", "n": [1, -2.5], "ok": true, "say": "Ab \" c"}"#,
            &["Mia", "1", "-2.5", r#"Ab \" c"#],
        );
        check(r#"[7, "Unclosed]"#, &["7", "Unclosed]"]);
        check("[1, 2]", &["1", "2"]);
        check("{}", &[]);
    }
}
