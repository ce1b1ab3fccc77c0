//! Whether a line continues on the next one.

use memchr::memchr;

use crate::sentences::ends_in_bound_word;

/// The range of the width of wrapped text, in columns.
const WRAPPED: std::ops::RangeInclusive<usize> = 50..=200;

/// The beginning of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// A lowercase letter, or a sign that no sentence begins with.
    Lower,
    /// A capital letter or a digit.
    Upper,
    /// A letter of a script without capitals.
    Caseless,
    /// Neither a letter nor a digit in the whole line.
    Nothing,
}

impl Start {
    fn of(line: &str) -> Self {
        if line.starts_with([',', ';', ')', ']', '%', '，', '、', '；', '）']) {
            return Self::Lower;
        }
        // An option, such as `-n` or `--name`, begins an entry of a list unless the line before it is full.
        if line
            .strip_prefix('-')
            .is_some_and(|name| name.starts_with(|c: char| c == '-' || c.is_alphabetic()))
        {
            return Self::Caseless;
        }
        match line.chars().find(|c| c.is_alphanumeric()) {
            None => Self::Nothing,
            Some(c) if c.is_lowercase() => Self::Lower,
            Some(c) if c.is_uppercase() || c.is_numeric() => Self::Upper,
            Some(_) => Self::Caseless,
        }
    }
}

/// The common properties of the lines of a paragraph.
#[derive(Debug, Default)]
pub(super) struct Wrap {
    /// The width of its widest line, in columns, ignoring lines that are too wide for wrapped text.
    widest: usize,
    /// The number of lines after one without a final stop that begin with a lowercase letter, and of those that begin
    /// with a capital or a digit.
    lower: usize,
    upper: usize,
}

impl Wrap {
    /// Takes a line into account.
    pub(super) fn line(&mut self, line: &str) {
        if let Some(columns) = columns(line.trim_end()).filter(|columns| columns <= WRAPPED.end()) {
            self.widest = self.widest.max(columns);
        }
    }

    /// Takes a line and the one after it into account.
    pub(super) fn border(&mut self, line: &str, next: &str) {
        if !ends_in_stop(line.trim_end()) {
            match Start::of(next) {
                Start::Lower => self.lower += 1,
                Start::Upper => self.upper += 1,
                Start::Caseless | Start::Nothing => {}
            }
        }
    }

    /// Whether `line` continues on `next`, both without block-quote marks.
    ///
    /// A lowercase letter shows that it does. Before a capital, the line must be full: the next word would not have
    /// fitted, to within a sixth of the width. If most lines begin with a capital, they are a poem, a list or a log.
    pub(super) fn goes_on(&self, line: &str, next: &str) -> bool {
        let start = Start::of(next);
        if start == Start::Nothing {
            return true;
        }
        let line = line.trim_end();
        if is_labelled(line) && is_labelled(next) {
            return false;
        }
        if ends_in_bound_word(line) {
            return true;
        }
        let wide = WRAPPED.contains(&self.widest);
        match start {
            Start::Lower if !ends_in_stop(line) => true,
            Start::Lower | Start::Caseless => wide && self.is_full(line, next),
            _ => {
                let wrapped = if wide {
                    self.upper <= 2 * self.lower + 2
                } else {
                    self.lower >= 2 && self.lower >= 2 * self.upper
                };
                wrapped && self.is_full(line, next)
            }
        }
    }

    /// Whether the first word of `next` would have made `line` too long.
    fn is_full(&self, line: &str, next: &str) -> bool {
        let word = next.split(char::is_whitespace).next().unwrap_or_default();
        // Without spaces between words, a line is full except for a few characters.
        let word = columns(word).filter(|&word| word <= 40).unwrap_or(4);
        let columns = columns(line).filter(|columns| columns <= WRAPPED.end());
        columns.is_some_and(|columns| columns + 1 + word > self.widest - self.widest / 6)
    }
}

/// The width of `line` in columns; `None` if the line is too long to be wrapped text.
fn columns(line: &str) -> Option<usize> {
    if line.is_ascii() {
        return Some(line.len());
    }
    let wide = |c: char| {
        usize::from(('\u{2e80}'..'\u{a000}').contains(&c) || ('가'..='힣').contains(&c) || c > '\u{fe2f}')
    };
    let fits = line.len() <= 4 * WRAPPED.end() && line.chars().count() <= *WRAPPED.end();
    fits.then(|| line.chars().map(|c| 1 + wide(c)).sum())
}

/// Whether `line` ends like a sentence.
fn ends_in_stop(line: &str) -> bool {
    let closing =
        |c: char| matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』' | '）' | '*' | '_');
    line.trim_end_matches(closing)
        .ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', '۔', '।', '։', '።', '។', ':', '：'])
}

/// Whether `line` begins with a name and a colon: `key: value`, a line of a chat.
fn is_labelled(line: &str) -> bool {
    let line = line.trim_start();
    let start = line.get(..line.floor_char_boundary(40)).unwrap_or(line);
    if start.is_ascii() && memchr(b':', start.as_bytes()).is_none() {
        return false;
    }
    let Some((label, behind)) = start.split_once([':', '：']) else { return false };
    let ends = behind.is_empty() || behind.starts_with(char::is_whitespace);
    ends && label.starts_with(char::is_alphanumeric) && label.split_whitespace().nth(3).is_none()
}
