//! The final state of a text in a terminal.

use anstyle_parse::{DefaultCharAccumulator, Params, Parser, Perform};
use memchr::memchr3_iter;

use super::row::TerminalRow;

const ESCAPE: u8 = 0x1b;
const BACKSPACE: u8 = 8;

/// Whether `text` controls a terminal: it has escape sequences, backspaces, or carriage returns that do not end a line.
#[must_use]
pub fn has_controls(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr3_iter(ESCAPE, BACKSPACE, b'\r', bytes)
        .any(|at| bytes.get(at) != Some(&b'\r') || bytes.get(at + 1) != Some(&b'\n'))
}

/// `text` with its terminal controls carried out.
pub(super) fn shown(text: &str) -> Option<String> {
    has_controls(text).then(|| screen(text))
}

/// The final state of `text` in a terminal, line by line.
pub(super) fn screen(text: &str) -> String {
    let mut screen = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let body = line.strip_suffix('\n').map_or(line, |body| body.strip_suffix('\r').unwrap_or(body));
        if has_controls(body) {
            screen.push_str(&without_colours(body).unwrap_or_else(|| row(body)));
            screen.push_str(line.get(body.len()..).unwrap_or_default());
        } else {
            screen.push_str(line);
        }
    }
    screen
}

/// `line` without its colours, if it controls nothing else: what [`row`] makes of most lines, in less time.
fn without_colours(line: &str) -> Option<String> {
    let mut shown = String::with_capacity(line.len());
    let mut parts = line.split(char::from(ESCAPE));
    shown.push_str(parts.next()?);
    for part in parts {
        let rest = part.strip_prefix('[')?.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        shown.push_str(rest.strip_prefix('m')?);
    }
    (!shown.contains(|c: char| c.is_control() && c != '\t')).then_some(shown)
}

/// The final state of one line. A sequence that does not end on its line is not a sequence.
fn row(line: &str) -> String {
    let mut parser = Parser::<DefaultCharAccumulator>::new();
    let mut pen = Pen { row: TerminalRow::new(), now: ' ', begun: None };
    for (at, c) in line.char_indices() {
        pen.now = c;
        pen.row.reads(c.len_utf8());
        match u8::try_from(c).ok().filter(u8::is_ascii) {
            // Terminals ignore this byte.
            Some(0x7f) => {}
            Some(byte) => parser.advance(&mut pen, byte),
            // The parser prints this byte wherever it prints letters, and skips it within sequences.
            None => parser.advance(&mut pen, 0x7f),
        }
        if c == char::from(ESCAPE) {
            pen.begun = Some(at);
        }
    }
    if let Some(at) = pen.begun {
        let rest = line.get(at..).unwrap_or_default().chars();
        rest.filter(|c| !c.is_control()).for_each(|c| pen.row.put(c));
    }
    pen.row.finish()
}

/// The output of the parser.
struct Pen {
    row: TerminalRow,
    /// The character being read.
    now: char,
    /// The start of the unfinished sequence.
    begun: Option<usize>,
}

impl Perform for Pen {
    fn print(&mut self, _: char) {
        self.begun = None;
        self.row.put(self.now);
    }

    fn execute(&mut self, byte: u8) {
        self.begun = None;
        match byte {
            b'\r' => self.row.go(0),
            BACKSPACE => self.row.back(1),
            b'\t' => self.row.tab(),
            0x0b | 0x0c => self.row.end(),
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], _: bool, action: u8) {
        self.begun = None;
        if !intermediates.is_empty() {
            return;
        }
        let given = params.iter().next().and_then(|param| param.first()).map_or(0, |&n| usize::from(n));
        let count = given.max(1);
        match (action, given) {
            (b'K' | b'J', 0) => self.row.erase_behind(),
            (b'K', 1) => self.row.erase_before(),
            (b'K', 2) => self.row.erase(),
            (b'X', _) => self.row.erase_next(count),
            (b'C' | b'a', _) => self.row.forward(count),
            (b'D', _) => self.row.back(count),
            (b'G' | b'`', _) => self.row.go(count - 1),
            // Most of these move to another line.
            (b'A' | b'B' | b'E' | b'F' | b'H' | b'L' | b'M' | b'S' | b'T' | b'd' | b'e' | b'f' | b'u', _) => {
                self.row.end();
            }
            _ => {}
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], _: bool, byte: u8) {
        self.begun = None;
        if intermediates.is_empty() && matches!(byte, b'D' | b'E' | b'M' | b'8' | b'c') {
            self.row.end();
        }
    }

    fn osc_dispatch(&mut self, _: &[&[u8]], _: bool) {
        self.begun = None;
    }

    fn unhook(&mut self) {
        self.begun = None;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn colours_are_left_out_as_by_a_terminal(parts in prop::collection::vec("(\u{1b}\\[[0-9;]{0,4}[mK]?|[a-z漢é\t \u{7f}\u{9b}]{0,3})", 0..8)) {
            let line = parts.concat();
            prop_assert!(without_colours(&line).is_none_or(|shown| shown == row(&line)), "{line:?}");
        }
    }

    #[test]
    fn other_controls_are_not_colours() {
        assert_eq!(without_colours("\u{1b}[1;32mok\u{1b}[0m\t1").as_deref(), Some("ok\t1"));
        assert!(
            ["a\rb", "\u{1b}[2Ka", "\u{1b}]0;t\u{7}a", "a\u{8}b"]
                .into_iter()
                .all(|line| without_colours(line).is_none())
        );
    }
}
