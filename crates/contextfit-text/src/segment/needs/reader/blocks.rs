//! Blocks of several units: fenced code and tables.

use std::ops::Range;

use super::{
    Reader,
    looks::{first_line, indent},
};
use crate::segment::lines::{has_pipe, is_box_border, is_boxed};

/// Fenced code of at most this many lines is shown whole: a hole in an example costs more than it saves.
const SHORT: usize = 20;

impl Reader<'_> {
    pub(super) fn fence(&mut self, open: usize, mark: u8, len: usize) -> usize {
        let closes = |line: &str| line.len() >= len && line.bytes().all(|byte| byte == mark);
        let mut lines = open + 1..self.units.len();
        let close = lines.clone().find(|&n| closes(self.unit(n).trim()));
        if let Some(close) = close {
            lines.end = close;
            self.tie(open, close);
        }
        self.place(open, indent(self.unit(open)));
        // Code is usually introduced by the sentence before it.
        self.beside(open, open.saturating_sub(1));
        lines.clone().for_each(|n| self.need(n, open));
        if lines.len() <= SHORT {
            lines.clone().for_each(|n| self.need(open, n));
        } else {
            self.needs.one.push((open, lines.clone()));
            self.code(lines.clone());
        }
        self.chain = 0;
        lines.end + usize::from(close.is_some())
    }

    /// Reads lines of code: each needs the one it is indented under, and closing brackets need the line before them.
    pub(super) fn code(&mut self, lines: Range<usize>) {
        let mut outer: Vec<(usize, usize)> = Vec::new();
        for n in lines.clone() {
            let (line, indent) = (first_line(self.unit(n)), indent(self.unit(n)));
            while outer.last().is_some_and(|(_, outer)| *outer >= indent) {
                outer.pop();
            }
            outer.last().copied().into_iter().for_each(|(parent, _)| self.need(n, parent));
            if n > lines.start && line.chars().all(|c| c.is_whitespace() || "})];,".contains(c)) {
                self.need(n, n - 1);
            }
            outer.push((n, indent));
        }
    }

    pub(super) fn table(&mut self, head: usize) -> usize {
        self.place(head, indent(self.unit(head)));
        self.tie(head, head + 1);
        let ends = |n: usize| self.unit(n).ends_with("\n\n");
        let rows = head + 2..self.units.len();
        let rows = rows.take_while(|&n| !ends(n - 1) && has_pipe(self.unit(n))).last();
        let end = rows.map_or(head + 2, |last| last + 1);
        (head + 2..end).for_each(|row| self.need(row, head));
        if end > head + 2 {
            self.needs.one.push((head, head + 2..end));
            self.needs.wholes.push(head..end);
        }
        self.chain = 0;
        end
    }

    /// Reads a table drawn with box characters, whose rows may take several lines: each line needs the others of its row
    /// and the head, the lines through the second border.
    pub(super) fn boxes(&mut self, start: usize) -> usize {
        self.place(start, indent(self.unit(start)));
        let end = (start..self.units.len())
            .find(|&n| !is_boxed(first_line(self.unit(n))))
            .unwrap_or(self.units.len());
        let is_border = |n: usize| is_box_border(first_line(self.unit(n)));
        let mut borders: Vec<usize> = (start + 1..end).filter(|&n| is_border(n)).collect();
        borders.push(end - 1);
        if let Some(head) = borders.first().copied().filter(|head| head + 1 < end) {
            self.needs.one.push((start, head + 1..end));
        }
        let mut row = start;
        for border in borders {
            (row + 1..border + 1).for_each(|n| self.tie(n, row));
            if row > start && row <= border {
                self.need(row, start);
            }
            row = border + 1;
        }
        self.chain = 0;
        end
    }
}
