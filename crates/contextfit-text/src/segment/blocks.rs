//! Divides prose into blocks, and then their paragraphs into sentences.

use memchr::{memchr, memchr_iter};

use super::{
    lines::{CodeFence, Kind, has_pipe, interrupts, is_separator, is_underline, kind},
    torn::torn,
    wrap::Wrap,
};
use crate::sentences::sentence_ends;

/// The maximum number of lines in a sentence. Anything longer is a log or a list.
const LONGEST_SENTENCE_LINES: usize = 32;

/// Appends the ends of the units of `text` to `ends`.
pub(super) fn divide(text: &str, ends: &mut Vec<usize>) {
    Blocks { text, ends, at: 0, in_table: false }.divide();
}

struct Blocks<'t, 'e> {
    text: &'t str,
    ends: &'e mut Vec<usize>,
    /// Everything before this byte has been divided.
    at: usize,
    /// Whether the last line was a row of a table.
    in_table: bool,
}

impl<'t> Blocks<'t, '_> {
    fn divide(&mut self) {
        self.front_matter();
        if let end @ 1.. = torn(self.text) {
            self.lines_to(end);
        }
        while let Some(line) = self.line(self.at) {
            let kind = self.kind(line);
            self.in_table = kind == Kind::Row;
            match kind {
                Kind::Blank => self.blank(line),
                // An empty line within a quote.
                Kind::Quote(_, from) if line.get(from..).is_some_and(|text| text.trim().is_empty()) => {
                    self.blank(line);
                }
                Kind::Fence(fence) => self.fence(line, fence),
                Kind::Heading | Kind::Rule | Kind::Row => self.whole(line),
                Kind::Plain | Kind::Item(_) | Kind::Quote(..) => match CodeFence::of(line) {
                    Some(fence) => self.fence(line, fence),
                    None => self.paragraph(line, kind),
                },
            }
        }
    }

    /// The line that starts at byte `at`, including its line feed; `None` at the end of the text.
    fn line(&self, at: usize) -> Option<&'t str> {
        let rest = self.text.get(at..).filter(|rest| !rest.is_empty())?;
        let end = memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |feed| feed + 1);
        rest.get(..end)
    }

    /// The kind of `line`, which starts at `self.at`. The lines around a separator are rows of its table.
    fn kind(&self, line: &str) -> Kind {
        match kind(line) {
            kind @ (Kind::Plain | Kind::Item(_)) if has_pipe(line) => {
                let next = || self.line(self.at + line.len());
                if self.in_table || next().is_some_and(is_separator) { Kind::Row } else { kind }
            }
            kind => kind,
        }
    }

    /// Adds `line` as a unit.
    fn whole(&mut self, line: &str) {
        self.at += line.len();
        self.ends.push(self.at);
    }

    /// Adds a blank line to the unit before it.
    fn blank(&mut self, line: &str) {
        self.at += line.len();
        if let Some(last) = self.ends.last_mut() {
            *last = self.at;
        }
    }

    /// Divides the text up to byte `end` into its lines.
    fn lines_to(&mut self, end: usize) {
        while let Some(line) = self.line(self.at).filter(|_| self.at < end) {
            if line.trim().is_empty() { self.blank(line) } else { self.whole(line) }
        }
    }

    /// Divides fenced code into its lines, up to and including the closing fence, or to the end of the text.
    fn fence(&mut self, open: &str, fence: CodeFence) {
        self.whole(open);
        while let Some(line) = self.line(self.at) {
            if line.trim().is_empty() {
                self.blank(line);
                continue;
            }
            self.whole(line);
            if fence.is_closed_by(line) {
                return;
            }
        }
    }

    /// Divides front matter, the values between two lines of dashes at the start of Markdown files, into its lines.
    fn front_matter(&mut self) {
        let Some(open) = self.line(0).filter(|line| line.trim_end() == "---") else { return };
        let first = self.line(open.len()).unwrap_or_default();
        if first.split_once(':').is_some_and(|(key, _)| !key.is_empty() && !key.contains(char::is_whitespace))
        {
            self.fence(open, CodeFence::DASHES);
        }
    }

    /// Divides the paragraph that begins with `first` into sentences, as long as its lines continue one another.
    fn paragraph(&mut self, first: &'t str, kind: Kind) {
        let mut wrap = Wrap::default();
        let start = self.at;
        let mut end = start + first.len();
        let mut line = inner(first, kind);
        let mut lines = 1;
        while let Some(next) = self.line(end) {
            if is_underline(next) && matches!(kind, Kind::Plain) {
                end += next.len();
                if lines == 1 {
                    self.at = end;
                    self.ends.push(end);
                    return;
                }
                break;
            }
            let Some(text) = self.continues(line, next, kind, end) else { break };
            if lines == 1 {
                wrap.line(first);
            }
            wrap.line(next);
            wrap.border(line, text);
            line = text;
            lines += 1;
            end += next.len();
        }
        if lines == 1 {
            return self.sentences(end, kind);
        }
        let mut line = inner(first, kind);
        let mut at = start + first.len();
        let mut kind = kind;
        while let Some(next) = self.line(at).filter(|_| at < end) {
            let text = inner(next, kind);
            let belongs = matches!(kind, Kind::Item(_)) && (next.starts_with("  ") || next.starts_with('\t'));
            if !belongs && !wrap.goes_on(line, text) && !is_underline(next) {
                self.sentences(at, kind);
                if matches!(kind, Kind::Item(_)) {
                    kind = Kind::Plain;
                }
            }
            line = text;
            at += next.len();
        }
        self.sentences(end, kind);
    }

    /// The text of `next`, at byte `at`, if it continues a `paragraph` of this kind whose last line is `line`.
    fn continues(&self, line: &str, next: &'t str, paragraph: Kind, at: usize) -> Option<&'t str> {
        match (kind(next), paragraph) {
            (Kind::Plain, _) => {
                // The head of a table begins a new block.
                let head = has_pipe(next) && self.line(at + next.len()).is_some_and(is_separator);
                (!head).then(|| next.trim_ascii_start())
            }
            (Kind::Quote(depth, from), Kind::Quote(same, _)) if depth == same => {
                next.get(from..).filter(|text| match kind(text) {
                    Kind::Plain => true,
                    Kind::Item(_) => !interrupts(text),
                    _ => false,
                })
            }
            (Kind::Item(_), Kind::Plain | Kind::Quote(..)) => {
                let ended = line.trim_end().ends_with(['.', '!', '?', ':', ';', '。', '：', '；']);
                (!ended && !interrupts(next)).then(|| next.trim_ascii_start())
            }
            _ => None,
        }
    }

    /// Divides the text from `self.at` to `end`, which is within one paragraph of this `kind`, into sentences.
    fn sentences(&mut self, end: usize, kind: Kind) {
        let start = self.at;
        let text = self.text.get(start..end).unwrap_or_default();
        // The full stop of a list marker does not end a sentence.
        let from = match kind {
            Kind::Item(from) | Kind::Quote(_, from) => text.floor_char_boundary(from),
            _ => 0,
        };
        let mut last = start;
        let feeds = |text: &str| {
            text.len() > 2 * LONGEST_SENTENCE_LINES
                && memchr_iter(b'\n', text.as_bytes()).nth(LONGEST_SENTENCE_LINES).is_some()
        };
        let many = feeds(text);
        let mut push = |end: usize| {
            let sentence = self.text.get(last..end).unwrap_or_default();
            if many && feeds(sentence) {
                let inner = memchr_iter(b'\n', sentence.as_bytes()).map(|feed| last + feed + 1);
                self.ends.extend(inner.filter(|&feed| feed < end));
            }
            self.ends.push(end);
            last = end;
        };
        sentence_ends(text.get(from..).unwrap_or_default(), |at| push(start + from + at));
        push(end);
        self.at = end;
    }
}

/// The text of `line` in a paragraph of this kind.
fn inner(line: &str, paragraph: Kind) -> &str {
    let marked = matches!(paragraph, Kind::Item(_) | Kind::Quote(..)).then(|| kind(line));
    match (paragraph, marked) {
        (Kind::Item(_), Some(Kind::Item(from))) | (Kind::Quote(..), Some(Kind::Quote(_, from))) => {
            line.get(from..).unwrap_or_default()
        }
        _ => line.trim_ascii_start(),
    }
}
