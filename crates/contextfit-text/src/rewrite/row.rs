//! One row of a terminal: characters in columns, and a cursor.

use unicode_width::UnicodeWidthChar;

/// The maximum column that a move can reach, unless the existing text is longer: then it is the blank after the text.
const MAX_COLUMNS: usize = 256;

/// The number of columns from one tab stop to the next.
const TAB_COLUMNS: usize = 8;

/// The content of a column.
#[derive(Clone, PartialEq)]
enum Cell {
    /// Nothing was printed here.
    Blank,
    /// A character with its combining marks.
    Char(char, String),
    /// The second half of a wide character.
    Half,
}

/// A row being written. It is plain text until the cursor is moved.
pub(super) struct TerminalRow {
    /// The finished rows above.
    above: String,
    text: String,
    cells: Option<Vec<Cell>>,
    column: usize,
    /// The number of bytes read so far, which the output must not exceed.
    read: usize,
}

impl TerminalRow {
    /// An empty row.
    pub(super) const fn new() -> Self {
        Self { above: String::new(), text: String::new(), cells: None, column: 0, read: 0 }
    }

    /// Records that `bytes` more have been read. Must be called before they take effect.
    pub(super) const fn reads(&mut self, bytes: usize) {
        self.read += bytes;
    }

    /// Prints `c` at the cursor.
    pub(super) fn put(&mut self, c: char) {
        let Some(cells) = &mut self.cells else { return self.text.push(c) };
        match c.width().unwrap_or(0) {
            0 => {
                let before = cells.get_mut(..self.column).unwrap_or_default().iter_mut().rev();
                if let Some(Cell::Char(_, marks)) = before.take(2).find(|cell| **cell != Cell::Half) {
                    marks.push(c);
                }
            }
            width => {
                let end = self.column + width;
                if cells.len() < end {
                    cells.resize(end, Cell::Blank);
                }
                split(cells, self.column);
                split(cells, end);
                let places = cells.get_mut(self.column..end).unwrap_or_default();
                places.fill(Cell::Half);
                if let Some(first) = places.first_mut() {
                    *first = Cell::Char(c, String::new());
                }
                self.column = end;
            }
        }
    }

    /// Moves to `column`.
    pub(super) fn go(&mut self, column: usize) {
        let furthest = MAX_COLUMNS.max(self.cells().len() + 1);
        self.column = column.min(furthest);
    }

    pub(super) fn forward(&mut self, count: usize) {
        self.cells();
        self.go(self.column + count);
    }

    pub(super) fn back(&mut self, count: usize) {
        self.cells();
        self.column = self.column.saturating_sub(count);
    }

    /// Moves to the next tab stop.
    pub(super) fn tab(&mut self) {
        match self.cells {
            None => self.text.push('\t'),
            Some(_) => self.go((self.column / TAB_COLUMNS + 1) * TAB_COLUMNS),
        }
    }

    /// Erases from the cursor to the end of the row.
    pub(super) fn erase_behind(&mut self) {
        if let Some(cells) = &mut self.cells {
            split(cells, self.column);
            cells.truncate(self.column);
        }
    }

    /// Erases up to and including the cursor. Does nothing if more than [`MAX_COLUMNS`] of a longer row would go.
    pub(super) fn erase_before(&mut self) {
        let end = self.cells().len().min(self.column + 1);
        if end == self.cells().len() {
            self.erase();
        } else if end <= MAX_COLUMNS {
            self.column -= end - 1;
            self.erase_next(end);
            self.column += end - 1;
        }
    }

    /// Erases the whole row.
    pub(super) fn erase(&mut self) {
        self.cells().clear();
        self.go(self.column);
    }

    /// Erases `count` characters, at most [`MAX_COLUMNS`], starting at the cursor.
    pub(super) fn erase_next(&mut self, count: usize) {
        self.cells();
        let from = self.column;
        let cells = self.cells();
        let to = cells.len().min(from + count.min(MAX_COLUMNS));
        split(cells, from);
        split(cells, to);
        if let Some(erased) = cells.get_mut(from..to) {
            erased.fill(Cell::Blank);
        }
    }

    /// Ends the row; everything after it goes below it.
    pub(super) fn end(&mut self) {
        self.settle("\n".len());
        if !self.above.is_empty() && !self.above.ends_with('\n') {
            self.above.push('\n');
        }
    }

    /// All rows.
    pub(super) fn finish(mut self) -> String {
        self.settle(0);
        self.above
    }

    /// Adds the row to the finished ones; `feed` more bytes will follow it.
    fn settle(&mut self, feed: usize) {
        self.above.push_str(&std::mem::take(&mut self.text));
        self.column = 0;
        let Some(mut cells) = self.cells.take() else { return };
        let is_blank = |cell: &Cell| matches!(cell, Cell::Blank | Cell::Char(' ', _));
        let end = cells.iter().rposition(|cell| !is_blank(cell)).map_or(0, |last| last + 1);
        cells.truncate(end);
        let len = |cell: &Cell| if let Cell::Char(c, marks) = cell { c.len_utf8() + marks.len() } else { 0 };
        let printed: usize = cells.iter().map(len).sum();
        let runs = || cells.chunk_by(|one, next| (*one == Cell::Blank) == (*next == Cell::Blank));
        let is_gap = |run: &&[Cell]| run.first() == Some(&Cell::Blank);
        // One blank for each gap is within the limit: at least one byte was read to make the gap.
        let taken = self.above.len() + printed + runs().filter(is_gap).count() + feed;
        let mut room = self.read.saturating_sub(taken);
        for run in runs() {
            if is_gap(&run) {
                let more = room.min(run.len() - 1);
                self.above.extend(std::iter::repeat_n(' ', 1 + more));
                room -= more;
            }
            for cell in run {
                if let Cell::Char(c, marks) = cell {
                    self.above.push(*c);
                    self.above.push_str(marks);
                }
            }
        }
    }

    /// The cells of the row, which is divided into columns from now on.
    fn cells(&mut self) -> &mut Vec<Cell> {
        if self.cells.is_none() {
            let text = std::mem::take(&mut self.text);
            (self.cells, self.column) = (Some(Vec::with_capacity(text.len())), 0);
            for c in text.chars() {
                match c {
                    '\t' => self.tab(),
                    c => self.put(c),
                }
            }
        }
        self.cells.get_or_insert_default()
    }
}

/// Replaces the wide character whose second half is at `column` with two blanks.
fn split(cells: &mut [Cell], column: usize) {
    if cells.get(column) == Some(&Cell::Half)
        && let Some(wide) = cells.get_mut(column - 1..=column)
    {
        wide.fill(Cell::Blank);
    }
}
