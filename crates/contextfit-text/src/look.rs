//! The kind of a text that does not declare it: prose, unless it is clearly something else.

use memchr::memmem;

use crate::{begins_as_json, is_speech};

/// How many bytes of a text are examined: enough to get past the licence and description at the start of a source file.
const SAMPLE: usize = 16 * 1024;

/// A time of day within the first bytes of a line makes it a log entry.
const STAMP: usize = 40;

/// The language of `text` if it is clearly not prose: `json`; `log` if at least half of the lines begin with a time and
/// nobody speaks in them; `code` if at least half of the lines are code and at most a third prose, ignoring comments
/// and undecided lines. A text with a Markdown fence is prose. Linear in JSON, otherwise constant time.
pub(crate) fn look(text: &str) -> Option<&'static str> {
    if begins_as_json(text) {
        return Some("json");
    }
    let sample = text.get(..text.floor_char_boundary(SAMPLE)).unwrap_or(text);
    let (mut lines, mut stamped, mut code, mut prose) = (0, 0, 0, 0);
    let mut all = 0;
    let mut comment = Comment::before(sample);
    for line in sample.lines().map(str::trim).filter(|line| !line.is_empty()) {
        lines += 1;
        stamped += usize::from(is_timed(line));
        if comment.covers(line) {
            continue;
        }
        if line.starts_with("```") {
            return None;
        }
        match Line::of(line) {
            Line::Comment => continue,
            Line::Code => code += 1,
            Line::Prose => prose += 1,
            Line::Other => {}
        }
        all += 1;
    }
    if lines >= 2 && stamped * 2 >= lines {
        return (!is_speech(sample)).then_some("log");
    }
    let is_page = ["<!doctype", "<html", "<?xml"].iter().any(|tag| starts_with(sample.trim_start(), tag));
    (is_page || code >= 2 && code * 2 >= all && prose * 3 <= all).then_some("code")
}

/// Whether a time of day, with or without a date before it, is near the beginning of `line`. Constant time.
#[must_use]
pub fn is_timed(line: &str) -> bool {
    let start = line.as_bytes().get(..STAMP.min(line.len())).unwrap_or_default();
    start.windows(8).any(|window| {
        window
            .iter()
            .enumerate()
            .all(|(n, byte)| if n % 3 == 2 { *byte == b':' } else { byte.is_ascii_digit() })
    })
}

/// Whether `text` starts with `start`, ignoring case.
fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
}

/// A comment of several lines, or a text in triple quotes.
struct Comment {
    /// What closes it; `None` outside of one.
    end: Option<&'static str>,
}

/// What opens and closes comments.
const COMMENTS: [(&str, &str); 4] = [("/*", "*/"), ("<!--", "-->"), ("\"\"\"", "\"\"\""), ("'''", "'''")];

impl Comment {
    /// The state at the start of `text`, which may have been torn from the middle of a comment.
    fn before(text: &str) -> Self {
        let find = |needle: &str| memmem::find(text.as_bytes(), needle.as_bytes());
        let torn = find("*/").is_some_and(|close| find("/*").is_none_or(|open| close < open));
        Self { end: torn.then_some("*/") }
    }

    /// Whether `line`, the next one, is part of it; a line that opens a C comment counts as code.
    fn covers(&mut self, line: &str) -> bool {
        if let Some(end) = self.end {
            self.end = self.end.filter(|_| !line.contains(end));
            return true;
        }
        let Some((open, close)) = COMMENTS.iter().find(|(open, _)| line.starts_with(open)) else {
            return false;
        };
        let rest = line.get(open.len()..).unwrap_or_default();
        self.end = Some(*close).filter(|close| !rest.contains(close));
        *open != "/*"
    }
}

/// What a line looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Code,
    Prose,
    /// A line of a comment, or a heading or an item: undecided.
    Comment,
    Other,
}

/// Lines that can only be code.
const ALONE: &str =
    "} }; }); }) }), ) ); ), ] ]; ], }, end fi done esac else else: try: pass break return do then begin";

/// Words that statements and declarations begin with.
const FIRST: &str = "async await case catch class const def do echo elif else enum except export fn for from func function if impl \
                     import include interface let local module my namespace new package private protected pub public raise require \
                     return static struct sub switch template throw trait try type typedef unless use using var when while with \
                     yield";

impl Line {
    /// Classifies `line`, which is not blank and has no white space around it. Linear in its length.
    fn of(line: &str) -> Self {
        let starts = |starts: &[&str]| starts.iter().any(|start| line.starts_with(start));
        let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
        if numbered || starts(&["- ", "* ", "+ ", "• ", "> ", "[", "|"]) {
            return Self::Prose;
        }
        if starts(&["//", "/*", "#include", "#define", "#if", "#endif", "#pragma", "#undef", "#[", "#!["]) {
            return Self::Code;
        }
        if starts(&["#", "*", "--"]) {
            return Self::Comment;
        }
        let (mut words, mut plain) = (0, 0);
        for word in line.split_whitespace() {
            words += 1;
            plain += usize::from(is_word(word));
        }
        if words >= 5 && plain * 4 >= words * 3 {
            return Self::Prose;
        }
        let Signs { calls, operates } = Signs::of(line.as_bytes());
        let first = line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let ends = |ends: &[char]| line.ends_with(ends);
        let is_one_of = |list: &str, word: &str| list.split(' ').any(|known| known == word);
        let is_code = ends(&['{'])
            || line.starts_with('<') && ends(&['>'])
            || is_one_of(ALONE, line)
            || ends(&[';']) && (words <= 3 || operates || calls)
            || operates && (calls || words <= 6)
            || calls && ends(&[')']) && words <= 4
            || (calls || operates) && ends(&[',', '(', '[', '\\'])
            || is_one_of(FIRST, first) && (operates || calls || words <= 3 || ends(&[':', ';', ',']));
        match is_code {
            true => Self::Code,
            false if words > 2 && plain * 2 > words => Self::Prose,
            false => Self::Other,
        }
    }
}

/// Whether `word` consists of letters, hyphens and apostrophes within brackets, quotes and stops.
fn is_word(word: &str) -> bool {
    let bare =
        word.trim_start_matches(['"', '\'', '“', '‘', '(']).trim_end_matches(|c| ".,;:!?\"'”’)".contains(c));
    !bare.is_empty() && bare.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
}

/// Signs of code in a line, which sentences do not have.
struct Signs {
    /// A bracket right after a name.
    calls: bool,
    /// An operator, an index, a variable with its sigil.
    operates: bool,
}

impl Signs {
    fn of(line: &[u8]) -> Self {
        let mut signs = Self { calls: false, operates: line.first() == Some(&b'@') };
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        for (n, pair) in line.windows(2).enumerate() {
            let [before, byte] = [pair.first(), pair.get(1)].map(|byte| byte.copied().unwrap_or_default());
            let is_last = n + 2 == line.len();
            match (before, byte) {
                (b'>' | b'!', b'(') => signs.calls = true,
                (_, b'(') => signs.calls |= is_name(before),
                (_, b'[') => signs.operates |= is_name(before),
                (_, b'=') => signs.operates |= !is_last,
                (b'$', b'{') => signs.operates = true,
                (b'$', _) => signs.operates |= is_name(byte),
                (b'-', b'>') | (b'&', b'&') | (b'|', b'|') | (b'<', b'<' | b'-') | (b':', b':') => {
                    signs.operates = true;
                }
                _ => {}
            }
        }
        signs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<&str>) {
        assert_eq!(look(text), expect, "{text}");
    }

    #[test]
    fn prose_is_prose_however_it_is_indented() {
        check(
            "NAME\n       ls - list directory contents\n\nSYNOPSIS\n       ls [OPTION]... [FILE]...\n",
            None,
        );
        check("Hi all,\n\n    please do not restart db-2;\n    backups run (see below).\n\n\tBob\n", None);
        check("## 1.2.0\n\n- Add `Client::new()`\n- Fix `run(x)`;\n", None);
        check("Run this:\n\n```\nlet x = f(1);\nlet y = g(2);\nrun(x, y);\n```\n", None);
        check("", None);
        check("one\ntwo\n", None);
    }

    #[test]
    fn code() {
        check("fn main() {\n    let x = f(1);\n    println!(\"{x}\");\n}\n", Some("code"));
        check(
            "import os\n\ndef run(path):\n    \"\"\"Runs it.\n\n    Then what was run is told to whoever asks.\n    \"\"\"\n    return os.stat(path)\n",
            Some("code"),
        );
        check(
            " * of the first kind of text that there is in here.\n */\nint run(int n) {\n  return n + 1;\n}\n",
            Some("code"),
        );
        check("<!DOCTYPE html>\n<p>Some words of a page that goes on.\n", Some("code"));
        check("PATH=/bin\nif [ -f \"$1\" ]; then\n  cat \"$1\" | wc -l\nfi\n", Some("code"));
    }

    #[test]
    fn data() {
        check("{\"a\": [1, 2]}", Some("json"));
        check("2025-01-02 10:11:12 up\n2025-01-02 10:11:13 ready to serve\n", Some("log"));
        check("10:11:12 Ann: Who is up?\n10:11:13 Bo: I am.\n", None);
    }
}
