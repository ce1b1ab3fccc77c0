//! What a line is by the look of it: Markdown, and what plain text has of it.

use memchr::memchr;

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Blank,
    /// A line of a paragraph.
    Plain,
    /// The first line of a list item; its text begins at this byte.
    Item(usize),
    /// A line of a block quote: so many `>`; its text begins at this byte.
    Quote(usize, usize),
    Heading,
    /// A line of punctuation that draws one: a horizontal rule, a border of a table, the underline of a heading.
    Rule,
    Row,
    /// The start of fenced code: so many of this byte.
    Fence(u8, usize),
}

/// What `line` is where no paragraph stands before it.
pub(super) fn kind(line: &str) -> Kind {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let Some(&first) = text.as_bytes().first() else { return Kind::Blank };
    match first {
        b'`' | b'~' => {
            let len = text.bytes().take_while(|&byte| byte == first).count();
            // Backticks in the line are a piece of code within text.
            let within = first == b'`' && text.bytes().skip(len).any(|byte| byte == b'`');
            if len >= 3 && !within {
                return Kind::Fence(first, len);
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
        b'|' if text.trim_end().len() > 1 && text.trim_end().ends_with('|') => return Kind::Row,
        _ => {}
    }
    if let Some(separates) = rule(text) {
        return if separates { Kind::Row } else { Kind::Rule };
    }
    marker(text).map_or(Kind::Plain, |len| Kind::Item(indent + len))
}

/// Whether a line of three or more drawing characters and nothing else separates the columns of a table; `None` for all
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

/// Whether `line` divides the head of a table from its rows.
pub(super) fn is_separator(line: &str) -> bool {
    rule(line.trim_ascii_start()) == Some(true)
}

/// Whether `line` has columns.
pub(super) fn has_pipe(line: &str) -> bool {
    memchr(b'|', line.as_bytes()).is_some()
}

/// Whether `line` underlines the one before it as a heading.
pub(super) fn is_underline(line: &str) -> bool {
    let text = line.trim();
    let mut bytes = text.bytes();
    let first = bytes.next();
    text.len() >= 3
        && matches!(first, Some(b'=' | b'-' | b'~' | b'^'))
        && bytes.all(|byte| Some(byte) == first)
}

/// The length of the marker of a list item that `text` begins with, the white space behind it included.
fn marker(text: &str) -> Option<usize> {
    let mut chars = text.chars();
    let first = chars.next()?;
    let behind = match first {
        '-' | '*' | '+' => spaced(chars.as_str()),
        // A dash is a bullet, or opens a line of a dialogue, unless a wrapped line goes on with it.
        '–' | '—' => spaced(chars.as_str()).filter(|text| !text.starts_with(char::is_lowercase)),
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

/// What stands behind a number of up to `digits` digits, a single letter, or a Chinese number.
fn number(text: &str, digits: usize) -> Option<&str> {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if behind.len() < text.len() {
        return (text.len() - behind.len() <= digits).then_some(behind);
    }
    let behind = text.trim_start_matches(|c| "一二三四五六七八九十".contains(c));
    let single = || text.strip_prefix(|c: char| c.is_ascii_alphabetic());
    if behind.len() < text.len() { Some(behind) } else { single() }
}

/// `text` without the white space it begins with; `None` where it begins with none.
fn spaced(text: &str) -> Option<&str> {
    text.starts_with([' ', '\t', '\u{3000}', '\u{a0}']).then(|| text.trim_start())
}

/// Whether the item that `line` begins may stand in the middle of a paragraph. A wrapped line may begin with a number
/// or an initial and a full stop: only the first of a list can be told from that.
pub(super) fn interrupts(line: &str) -> bool {
    let text = line.trim_ascii_start();
    let first = ["1.", "1)", "(1)", "a)", "(a)", "i)", "(i)"].iter().any(|first| text.starts_with(first));
    first || !text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '(')
}
