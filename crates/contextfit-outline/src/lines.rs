//! The lines of a text, and the positions of the first and last visible character of each.

/// The approximate length of a line of code, in bytes.
const USUAL_LINE_BYTES: usize = 32;

/// One line.
#[derive(Debug, Clone, Copy)]
struct CodeLine {
    /// The position of its first byte.
    start: usize,
    /// The position of its first byte that is not white space, or its end if there is none.
    first: usize,
    /// The position after its last byte that is not white space.
    last: usize,
}

/// The lines of a text.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    lines: Vec<CodeLine>,
}

impl<'t> Lines<'t> {
    /// The lines of `text`. Linear.
    pub(crate) fn new(text: &'t str) -> Self {
        let mut start = 0;
        let mut lines = Vec::with_capacity(text.len() / USUAL_LINE_BYTES);
        lines.extend(text.split_inclusive('\n').map(|line| {
            let trimmed = line.trim_ascii_end();
            let indent = trimmed.len() - trimmed.trim_ascii_start().len();
            let line_start = start;
            start += line.len();
            CodeLine { start: line_start, first: line_start + indent, last: line_start + trimmed.len() }
        }));
        Self { text, lines }
    }

    /// The number of lines.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// The position of the first byte of line `row`; the length of the text for rows after the last.
    pub(crate) fn start(&self, row: usize) -> usize {
        self.lines.get(row).map_or(self.text.len(), |line| line.start)
    }

    /// The position of the first byte of line `row` that is not white space.
    pub(crate) fn first(&self, row: usize) -> usize {
        self.lines.get(row).map_or(self.text.len(), |line| line.first)
    }

    /// Whether there is only white space before byte `at` on its line, `row`.
    pub(crate) fn starts(&self, row: usize, at: usize) -> bool {
        self.lines.get(row).is_some_and(|line| at <= line.first)
    }

    /// The rest of line `row` after byte `at`, trimmed.
    pub(crate) fn behind(&self, row: usize, at: usize) -> &'t str {
        let last = self.lines.get(row).map_or(at, |line| line.last);
        self.text.get(at..last).unwrap_or_default().trim_ascii_start()
    }

    /// Line `row`, trimmed.
    pub(crate) fn trimmed(&self, row: usize) -> &'t str {
        self.lines.get(row).and_then(|line| self.text.get(line.first..line.last)).unwrap_or_default()
    }

    /// The width of the leading white space of line `row`; a tab counts as four.
    pub(crate) fn indentation(&self, row: usize) -> usize {
        let space =
            self.lines.get(row).and_then(|line| self.text.get(line.start..line.first)).unwrap_or_default();
        space.bytes().map(|byte| if byte == b'\t' { 4 } else { 1 }).sum()
    }
}
