//! JSON, divided at the ends of elements and members.

mod tokens;

pub use tokens::{JsonKind, JsonToken, json_string_end, json_tokens};

/// The maximum depth of brackets at which values are divided.
const DEPTH: usize = 100;

/// The maximum depth of brackets in a text that is read as JSON. Other parsers have limits too.
const MAX_BRACKETS: usize = 1000;

/// A string of more bytes than this is divided at its escaped line feeds.
const STRING_BYTES: usize = 160;

/// A line of a string that has more bytes than this is divided between words.
const VERY_LONG: usize = 512;

/// Brackets on one line that take no more bytes than this, including their contents, are not divided.
const SMALL_BRACKETS_BYTES: usize = 64;

/// The minimum number of borders in JSON that is recognised although it is cut off.
const BEGUN: usize = 8;

/// The maximum bytes of a note after the place where JSON was cut off.
const NOTE_BYTES: usize = 200;

/// The part of a JSON text that may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    /// A value, or the end of the array.
    FirstValue,
    Key,
    /// A key, or the end of the object.
    FirstKey,
    Colon,
    /// A comma, or the end of the open bracket.
    Comma,
}

/// The ends of the units of `text` except the last; `None` if it is not JSON. JSON, cut off or not, is an array or
/// object or several of them, each on separate lines. Linear.
pub(crate) fn divide(text: &str) -> Option<Vec<usize>> {
    read(text, Some(Vec::with_capacity(text.len() / 32)))?.ends
}

/// Whether `text` is a JSON array or object, or several of them, each on separate lines. Linear in the length of the
/// text; constant time if its first byte is not a bracket.
#[must_use]
pub fn is_json(text: &str) -> bool {
    read(text, None).is_some_and(|scan| scan.open.is_empty())
}

/// Whether `text` is JSON as by [`is_json`], or begins as JSON but is cut off because a tool limited its output. A note
/// of at most 200 bytes may follow. Linear in the length of the text; constant time if its first byte is not a bracket.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::{begins_as_json, is_json};
///
/// let cut = r#"[{"id": 1, "up": true}, {"id": 2, "up": true}, {"id": 3, "up": false}, {"id": 4, "up": true}, {"id": 5, "up": true}, {"id": 6, "up": true}, {"id": 7, "up": true}, {"id": 8, "u... (truncated)"#;
/// assert!(begins_as_json(cut) && !is_json(cut));
/// assert!(!begins_as_json("[1, 2"));
/// ```
#[must_use]
pub fn begins_as_json(text: &str) -> bool {
    read(text, None).is_some()
}

/// Reads `text`; `None` if it is not JSON. If it is cut off, brackets are still open at the end.
fn read(text: &str, ends: Option<Vec<usize>>) -> Option<Scan<'_>> {
    let mut scan = Scan { text, bytes: text.as_bytes(), at: 0, open: Vec::new(), last: 0, borders: 0, ends };
    // Most texts are not JSON, as their first byte shows.
    scan.skip_space();
    let mut first = true;
    while scan.at < scan.bytes.len() {
        if !matches!(scan.peek(), Some(b'{' | b'[')) || !(first || scan.begins_line()) {
            return None;
        }
        if scan.value().is_none() {
            return scan.is_cut_off().then_some(scan);
        }
        first = false;
        let end = scan.line_end();
        scan.skip_space();
        if scan.at < scan.bytes.len() {
            scan.border(end);
        }
    }
    (!first).then_some(scan)
}

struct Scan<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// The open brackets.
    open: Vec<Open>,
    /// The last border.
    last: usize,
    /// The number of borders.
    borders: usize,
    /// The borders, if the caller wants them.
    ends: Option<Vec<usize>>,
}

/// An open bracket.
struct Open {
    bracket: u8,
    at: usize,
    /// The border before it, and the number of borders up to there.
    last: usize,
    borders: usize,
}

impl Scan<'_> {
    /// Reads one array or object with all its contents; `None` if it is malformed or cut off.
    fn value(&mut self) -> Option<()> {
        let mut next = Next::Value;
        loop {
            self.skip_space();
            let Some(then) = self.step(next) else {
                // A complete value ends here; the text after it is not part of it.
                if next == Next::Comma {
                    self.border(self.at);
                }
                return None;
            };
            if self.open.is_empty() {
                return Some(());
            }
            next = then;
        }
    }

    /// Reads one sign or scalar that is allowed as `next`; returns what may follow it.
    fn step(&mut self, next: Next) -> Option<Next> {
        let token = JsonToken::after(self.text, self.at)?;
        Some(match (next, token.kind, self.peek()?) {
            (Next::Value | Next::FirstValue, _, b'{') => self.opens(b'{', Next::FirstKey)?,
            (Next::Value | Next::FirstValue, _, b'[') => self.opens(b'[', Next::FirstValue)?,
            (Next::FirstValue | Next::Comma, _, b']') => self.closes(b'[')?,
            (Next::FirstKey | Next::Comma, _, b'}') => self.closes(b'{')?,
            (Next::Comma, _, b',') => {
                self.at += 1;
                self.border(self.line_end());
                if self.open.last().is_some_and(|open| open.bracket == b'{') {
                    Next::Key
                } else {
                    Next::Value
                }
            }
            (Next::Key | Next::FirstKey, JsonKind::Text, _) => {
                self.at = token.end();
                Next::Colon
            }
            (Next::Colon, _, b':') => {
                self.at += 1;
                Next::Value
            }
            (Next::Value | Next::FirstValue, JsonKind::Text, _) => {
                self.lines_within(token.end());
                self.at = token.end();
                Next::Comma
            }
            (Next::Value | Next::FirstValue, JsonKind::Scalar, _) if token.end() < self.bytes.len() => {
                self.at = token.end();
                is_scalar(token.text.as_bytes()).then_some(Next::Comma)?
            }
            _ => return None,
        })
    }

    /// Whether a text that cannot be read further from here is JSON that was cut off, rather than something else.
    fn is_cut_off(&self) -> bool {
        let rest = self.bytes.len().saturating_sub(self.at);
        let in_string =
            || JsonToken::after(self.text, self.at).is_some_and(|token| token.kind == JsonKind::CutText);
        (1..=DEPTH).contains(&self.open.len()) && self.borders >= BEGUN && (rest <= NOTE_BYTES || in_string())
    }

    /// Moves past an opening bracket. An empty pair of brackets has no border inside.
    fn opens(&mut self, bracket: u8, inner: Next) -> Option<Next> {
        let open = Open { bracket, at: self.at, last: self.last, borders: self.borders };
        self.at += 1;
        let border = self.line_end();
        self.skip_space();
        if self.peek()? == bracket + 2 {
            self.at += 1;
            return Some(Next::Comma);
        }
        self.open.push(open);
        self.border(border);
        (self.open.len() <= MAX_BRACKETS).then_some(inner)
    }

    /// Moves past a closing bracket.
    fn closes(&mut self, bracket: u8) -> Option<Next> {
        let space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
        let before = self.bytes.get(..self.at)?.iter().rev().take_while(space).count();
        self.border(self.at - before);
        self.at += 1;
        let open = self.open.pop().filter(|open| open.bracket == bracket)?;
        let small = self.at - open.at <= SMALL_BRACKETS_BYTES && !self.open.is_empty();
        if small && !self.bytes.get(open.at..self.at)?.contains(&b'\n') {
            (self.last, self.borders) = (open.last, open.borders);
            if let Some(found) = &mut self.ends {
                found.truncate(open.borders);
            }
        }
        Some(Next::Comma)
    }

    /// Divides a long string that ends before `end`: before each escaped line feed, and between words if a line is very
    /// long.
    fn lines_within(&mut self, end: usize) {
        if end - self.at <= STRING_BYTES {
            return;
        }
        let (mut at, mut start) = (self.at + 1, self.at + 1);
        while let Some(&byte) = self.bytes.get(at).filter(|_| at + 1 < end) {
            if byte == b'\\' && self.bytes.get(at + 1) == Some(&b'n') {
                self.words_within(start, at);
                self.border(at);
                start = at;
            }
            at += if byte == b'\\' { 2 } else { 1 };
        }
        self.words_within(start, end);
    }

    /// Divides a line of a string between words, after commas and stops if there are any.
    fn words_within(&mut self, mut start: usize, end: usize) {
        if end - start <= VERY_LONG {
            return;
        }
        let (mut at, mut before) = (start, b' ');
        while let Some(&byte) = self.bytes.get(at).filter(|_| at + 1 < end) {
            let length = at - start;
            let is_clause =
                matches!(before, b'.' | b',' | b';' | b':' | b'!' | b'?') && length >= STRING_BYTES / 2;
            if byte == b' ' && (is_clause || length >= STRING_BYTES) {
                self.border(at);
                start = at;
            }
            before = byte;
            at += if byte == b'\\' { 2 } else { 1 };
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// The position after the next line feed if only white space comes before it; otherwise the current one.
    fn line_end(&self) -> usize {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        if rest.get(blank) == Some(&b'\n') { self.at + blank + 1 } else { self.at }
    }

    /// Whether only white space comes before this place on its line.
    fn begins_line(&self) -> bool {
        let before = self.bytes.get(..self.at).unwrap_or_default();
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
        before.iter().rev().find(|byte| !blank(byte)) == Some(&b'\n')
    }

    fn border(&mut self, at: usize) {
        if at > self.last && at < self.bytes.len() && self.open.len() <= DEPTH {
            self.last = at;
            self.borders += 1;
            if let Some(ends) = &mut self.ends {
                ends.push(at);
            }
        }
    }
}

/// Whether `token` is a number or one of the three literals.
fn is_scalar(token: &[u8]) -> bool {
    let digits = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
    let number = || matches!(token, [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..]) && token.iter().all(digits);
    matches!(token, b"true" | b"false" | b"null") || number()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expect` is the text with a `|` at each border, or `None` if it is not JSON.
    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        let marked = divide(text).map(|ends| {
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let units: Vec<&str> = starts
                .zip(ends.iter().copied().chain([text.len()]))
                .map(|(from, to)| text.get(from..to).unwrap_or_default())
                .collect();
            units.join("|")
        });
        assert_eq!(marked.as_deref(), expect);
        assert_eq!(begins_as_json(text), expect.is_some());
    }

    #[test]
    fn borders() {
        check("[1, 2, 3]", Some("[|1,| 2,| 3|]"));
        check(
            r#"{"a": {"b": 1}, "c": [], "d": "x,[{"}"#,
            Some(r#"{|"a": {"b": 1},| "c": [],| "d": "x,[{"|}"#),
        );
        let word = "x".repeat(60);
        check(&format!(r#"[{{"b": "{word}"}}, [1]]"#), Some(&format!(r#"[|{{|"b": "{word}"|}},| [1]|]"#)));
        check(
            "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n",
            Some("{\n|  \"a\": 1,\n|  \"b\": [\n|    2\n|  ]\n|}\n"),
        );
        check("{\"a\": 1}\n{\"a\": 2}\n", Some("{|\"a\": 1|}\n|{|\"a\": 2|}\n"));
        check("[[[]], {\"\\\"\": -1.5e3}]", Some("[|[[]],| {\"\\\"\": -1.5e3}|]"));
    }

    #[test]
    fn long_strings() {
        let line = "x".repeat(100);
        check(
            &format!(r#"{{"a": "{line}\n{line}\\n\n", "b": "\n"}}"#),
            Some(&format!(r#"{{|"a": "{line}|\n{line}\\n|\n",| "b": "\n"|}}"#)),
        );
        // A very long line in a string is divided between words.
        let word = "x".repeat(79);
        let five = [word.as_str(); 5].join(" ");
        check(&format!(r#"["{five}"]"#), Some(&format!(r#"[|"{five}"|]"#)));
        check(
            &format!(r#"["{five}, {word} {word}"]"#),
            Some(&format!(r#"[|"{word} {word} {word}| {word} {word},| {word} {word}"|]"#)),
        );
    }

    #[test]
    fn cut_off() {
        let seven = "[1,| 2,| 3,| 4,| 5,| 6,| 7,|";
        let check_tail = |tail: &str, expect: &str| {
            let text = format!("{}{tail}", seven.replace('|', ""));
            check(&text, Some(&format!("{}{expect}", seven.replacen("[", "[|", 1))));
            assert!(!is_json(&text));
        };
        check_tail(" 8", " 8");
        check_tail(" {\"a\": 1, \"b\": tr", " {|\"a\": 1,| \"b\": tr");
        check_tail(" \"", " \"");
        check_tail(" [1]... (truncated)", " [1]|... (truncated)");
        check_tail(&format!(" \"{}", "x".repeat(1000)), &format!(" \"{}", "x".repeat(1000)));
        check(&format!("{}and so on, {}", seven.replace('|', ""), "x".repeat(NOTE_BYTES)), None);
    }

    #[test]
    fn no_json() {
        let texts = r#"|1|[|[1|[1,]|{'a': 1}|{"a"}|{"a": 1]|[1] [2]|[INFO] x|[1]x|{"a" 1}"#;
        for text in texts.split('|') {
            check(text, None);
        }
        check(&"[".repeat(1_000_000), None);
    }

    #[test]
    fn deep() {
        let nested = |inner: &str| "[".repeat(DEPTH) + inner + &"]".repeat(DEPTH);
        let inner = format!("[\"{}\", [1, 2]]", "x".repeat(80));
        check(&nested(&inner), Some(&["[|".repeat(DEPTH), inner, "|]".repeat(DEPTH)].concat()));
        assert!(is_json(&nested(&nested("1"))) && !is_json(&nested(&"[".repeat(MAX_BRACKETS))));
    }
}
