//! The kinds of lines by their look: Markdown, and its equivalents in plain text.

use memchr::memchr;

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Blank,
    /// A line of a paragraph.
    Plain,
    /// The first line of a list item; its text begins at this byte.
    Item(usize),
    /// A line of a block quote: the number of `>`, and the byte at which its text begins.
    Quote(usize, usize),
    Heading,
    /// A line drawn with punctuation: a horizontal rule, the border of a table, the underline of a heading.
    Rule,
    Row,
    /// The start of fenced code.
    Fence(CodeFence),
}

/// The line that opens fenced code: at least three backticks or tildes, and perhaps a language, also in a list item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeFence {
    mark: u8,
    len: usize,
}

impl CodeFence {
    /// The dashes around front matter, the values at the start of some Markdown files.
    pub(super) const DASHES: Self = Self { mark: b'-', len: 3 };

    pub(super) fn of(line: &str) -> Option<Self> {
        let text = line.trim_start();
        let text = marker(text).and_then(|len| text.get(len..)).unwrap_or(text);
        let mark = text.bytes().next().filter(|mark| matches!(mark, b'`' | b'~'))?;
        let len = text.bytes().take_while(|&byte| byte == mark).count();
        // With more backticks on the line, it is inline code within text.
        let within = mark == b'`' && text.bytes().skip(len).any(|byte| byte == b'`');
        (len >= 3 && !within).then_some(Self { mark, len })
    }

    /// Tildes are ignored: they are more often a drawn line.
    pub(super) fn of_backticks(line: &str) -> Option<Self> {
        Self::of(line).filter(|fence| fence.mark == b'`')
    }

    pub(super) fn is_closed_by(self, line: &str) -> bool {
        let text = line.trim();
        text.len() >= self.len && text.bytes().all(|byte| byte == self.mark)
    }

    /// The fence of backticks that is open after `line`, given the one that is open before it.
    ///
    /// ```
    /// # mod contextfit { pub use ::contextfit_text as text; }
    /// use contextfit::text::CodeFence;
    ///
    /// let is_open = |text: &str| text.lines().fold(None, CodeFence::after).is_some();
    /// assert!(is_open("```rust\nf();\n") && !is_open("```rust\nf();\n```\n") && !is_open("```x```\n"));
    /// ```
    #[must_use]
    pub fn after(open: Option<Self>, line: &str) -> Option<Self> {
        match open {
            Some(fence) => open.filter(|_| !fence.is_closed_by(line)),
            None => Self::of_backticks(line),
        }
    }
}

/// The kind of `line`, without regard to the paragraph before it.
pub(super) fn kind(line: &str) -> Kind {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let Some(&first) = text.as_bytes().first() else { return Kind::Blank };
    match first {
        b'`' | b'~' => {
            if let Some(fence) = CodeFence::of(text) {
                return Kind::Fence(fence);
            }
        }
        b'#' => {
            let behind = text.trim_start_matches('#');
            if text.len() - behind.len() <= 6 && behind.starts_with(|c: char| c.is_whitespace()) {
                return Kind::Heading;
            }
        }
        b'>' => {
            let behind = text.trim_start_matches(['>', ' ', '\t']);
            let marks = text.len() - behind.len();
            let depth = text.bytes().take(marks).filter(|&byte| byte == b'>').count();
            return Kind::Quote(depth, indent + marks);
        }
        b'<' if heading_tag(text).is_some() => return Kind::Heading,
        // A table row drawn with box characters.
        0xE2 if is_boxed(text) => return Kind::Row,
        b'|' if text.trim_end().len() > 1 && text.trim_end().ends_with('|') => return Kind::Row,
        _ => {}
    }
    if let Some(separates) = rule(text) {
        return if separates { Kind::Row } else { Kind::Rule };
    }
    marker(text).map_or(Kind::Plain, |len| Kind::Item(indent + len))
}

/// Whether `unit` is a single line that is a heading.
pub(crate) fn is_heading(unit: &str) -> bool {
    kind(unit) == Kind::Heading && !unit.trim_end().contains('\n')
}

/// Whether `line` begins an item of a list, in Markdown or in plain text: `- a`, `2) b`, `• c`. Constant time.
#[must_use]
pub fn is_item(line: &str) -> bool {
    matches!(kind(line), Kind::Item(_))
}

/// The level of the HTML heading at the start of `line`: `<h2>`, `<h2 id="a">`.
pub(super) fn heading_tag(line: &str) -> Option<usize> {
    let mut bytes = line.trim_start().bytes();
    let tag = [bytes.next()?, bytes.next()?.to_ascii_lowercase()];
    let level = bytes.next().filter(|level| (b'1'..=b'6').contains(level))?;
    let is_tag = tag == *b"<h" && matches!(bytes.next(), Some(b'>' | b' '));
    is_tag.then(|| usize::from(level - b'0'))
}

/// Whether `line` belongs to a table drawn with box characters.
fn is_boxed(line: &str) -> bool {
    line.trim_start().starts_with(|c| matches!(c, '\u{2500}'..='\u{257f}'))
}

/// Whether a line that consists of at least three drawing characters separates the columns of a table; `None` for all
/// other lines.
fn rule(text: &str) -> Option<bool> {
    let mut drawn = 0;
    let (mut pipes, mut dashes) = (false, false);
    for byte in text.bytes() {
        match byte {
            b'-' | b'_' | b'*' | b'=' | b'~' | b'+' | b'^' | b':' | b'|' | b'#' => drawn += 1,
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => return None,
        }
        pipes |= byte == b'|';
        dashes |= byte == b'-';
    }
    (drawn >= 3).then_some(pipes && dashes)
}

/// Whether `line` separates the head of a table from its rows.
pub(super) fn is_separator(line: &str) -> bool {
    rule(line.trim_ascii_start()) == Some(true)
}

/// Whether `line` has a pipe, as a table row has.
pub(super) fn has_pipe(line: &str) -> bool {
    memchr(b'|', line.as_bytes()).is_some()
}

/// Whether `line` underlines the one before it as a heading: three or more `=`, `-`, `~` or `^`. Linear.
#[must_use]
pub fn is_underline(line: &str) -> bool {
    let text = line.trim();
    let mut bytes = text.bytes();
    let first = bytes.next();
    text.len() >= 3
        && matches!(first, Some(b'=' | b'-' | b'~' | b'^'))
        && bytes.all(|byte| Some(byte) == first)
}

/// The length of the list marker at the start of `text`, including the white space after it.
fn marker(text: &str) -> Option<usize> {
    let mut chars = text.chars();
    let first = chars.next()?;
    let behind = match first {
        '-' | '*' | '+' => spaced(chars.as_str()),
        // A dash is a bullet or opens a line of dialogue, unless a wrapped line continues with it.
        '–' | '—' => dashed(text).filter(|text| !text.starts_with(char::is_lowercase)),
        '•' | '‣' | '◦' | '▪' | '●' | '○' | '■' | '□' | '·' | '・' | '、' | '※' | '①'..='⑳' => {
            Some(chars.as_str().trim_ascii_start())
        }
        '(' | '（' => {
            let behind = number(chars.as_str(), 3)?;
            let closed = behind.strip_prefix([')', '）'])?;
            if first == '(' { spaced(closed) } else { Some(closed) }
        }
        _ => {
            let behind = number(text, 3)?;
            let stop: &[char] = if first.is_ascii_uppercase() { &[')'] } else { &['.', ')'] };
            behind.strip_prefix(['、', '）', '．']).or_else(|| behind.strip_prefix(stop).and_then(spaced))
        }
    }?;
    Some(text.len() - behind.len())
}

/// The most bytes of the sign of an item: `VIII.`, `(iii)`.
const LONGEST_SIGN_BYTES: usize = 6;

/// Whether `line` begins with a sign and has words after it: below a line that announces a list, it is an item whatever
/// the sign is (`→ go`, `[ ] go`, `– go`, `IV. go`).
pub(super) fn is_signed(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_sign = |word: &str| {
        !word.contains(char::is_alphanumeric)
            || matches!(word, "[x]" | "[X]")
            || word.len() <= LONGEST_SIGN_BYTES && word.ends_with(['.', ')'])
    };
    words.next().is_some_and(is_sign) && words.any(|word| word.contains(char::is_alphanumeric))
}

/// The text after a dash and white space.
fn dashed(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix(['–', '—']).and_then(spaced)
}

/// The text after a number of up to `digits` digits, a single letter, or a Chinese number.
fn number(text: &str, digits: usize) -> Option<&str> {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if behind.len() < text.len() {
        return (text.len() - behind.len() <= digits).then_some(behind);
    }
    let behind = text.trim_start_matches(|c| "一二三四五六七八九十".contains(c));
    let single = || text.strip_prefix(|c: char| c.is_ascii_alphabetic());
    if behind.len() < text.len() { Some(behind) } else { single() }
}

/// `text` without its leading white space; `None` if it has none.
fn spaced(text: &str) -> Option<&str> {
    text.starts_with([' ', '\t', '\u{3000}', '\u{a0}']).then(|| text.trim_start())
}

/// Whether the item that begins with `line` may be in the middle of a paragraph. A wrapped line may begin with a number
/// or an initial and a full stop, from which only the first item of a list can be distinguished.
pub(super) fn interrupts(line: &str) -> bool {
    let text = line.trim_ascii_start();
    let first = ["1.", "1)", "(1)", "a)", "(a)", "i)", "(i)"].iter().any(|first| text.starts_with(first));
    first || !text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '(')
}
