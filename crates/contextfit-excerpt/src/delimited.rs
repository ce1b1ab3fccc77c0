//! Rows of cells with a sign between them: commas, tabs, semicolons or bars.

/// A sign, and how many of it a row of a table has at least.
const CELL_SIGNS: [(char, usize); 4] = [(',', 2), ('\t', 1), (';', 2), ('|', 2)];

/// A quoted cell has at most this many lines.
const LONGEST_CELL_LINES: usize = 16;

/// A quoted cell has at most this many bytes.
const LONGEST_CELL_BYTES: usize = 1024;

/// The sign between the cells of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Delimiter(char);

impl Delimiter {
    /// The delimiter of a table with these `lines`, some of which may be in quotes.
    pub(crate) fn of(lines: &[&str]) -> Option<Self> {
        CELL_SIGNS
            .into_iter()
            .map(|(sign, least)| (Self(sign), least))
            .find_map(|(sign, least)| sign.divides(lines, least))
    }

    /// Itself if four out of five rows of `lines` have as many of it as the first or the second, and `least` at least.
    fn divides(self, lines: &[&str], least: usize) -> Option<Self> {
        let counts = self.counts(lines);
        let is_usual = |count: usize| {
            count >= least && counts.iter().filter(|&&other| other == count).count() * 5 >= counts.len() * 4
        };
        (counts.len() > 2 && counts.iter().take(2).any(|&count| is_usual(count))).then_some(self)
    }

    /// The delimiter of `rows` that are known to be a table; two columns are enough. If they differ, the sign that the
    /// first has most of.
    pub(crate) fn of_rows(rows: &[&str]) -> Option<Self> {
        let most = || {
            let counts =
                CELL_SIGNS.map(|(sign, _)| (rows.first().map_or(0, |row| row.matches(sign).count()), sign));
            let (count, sign) = counts.into_iter().rev().max_by_key(|(count, _)| *count)?;
            (count > 1).then_some(Self(sign))
        };
        Self::of(rows).or_else(|| Self('|').divides(rows, 1)).or_else(most)
    }

    /// The number of delimiters in each row. A quote that no line closes soon is a sign like others.
    fn counts(self, lines: &[&str]) -> Vec<usize> {
        let (mut counts, mut n) = (Vec::new(), 0);
        while let Some(line) = lines.get(n) {
            let (mut count, mut is_open) = self.read(line, false);
            let mut end = n + 1;
            while is_open && end - n < LONGEST_CELL_LINES {
                let Some(line) = lines.get(end) else { break };
                let (more, still) = self.read(line, true);
                (count, is_open, end) = (count + more, still, end + 1);
            }
            (count, n) = if is_open { (line.matches(self.0).count(), n + 1) } else { (count, end) };
            counts.push(count);
        }
        counts
    }

    /// The number of delimiters in `line`, and whether it ends in a quoted cell; `is_open` if it begins in one.
    fn read(self, line: &str, mut is_open: bool) -> (usize, bool) {
        let (mut count, mut is_start) = (0, true);
        for c in line.chars() {
            let was_open = is_open;
            match c {
                '"' => is_open = !is_open && is_start,
                c if c == self.0 && !is_open => count += 1,
                _ => {}
            }
            // Two quotes in a quoted cell are one.
            is_start = !is_open && (c == self.0 || was_open || c == ' ' && is_start);
        }
        (count, is_open)
    }

    /// The cells of a row, blank ones too, each without its quotes, and with the byte that it begins at.
    pub(crate) fn cells(self, row: &str) -> impl Iterator<Item = (usize, &str)> {
        let mut rest = Some((0, row));
        std::iter::from_fn(move || {
            let (start, text) = rest?;
            let body = text.trim_start_matches(' ');
            let from = text.len() - body.len() + 1;
            let quoted = body.strip_prefix('"').and_then(|cell| self.closed(cell));
            let after = quoted.map_or(0, |length| from + length + 1);
            let end = text.get(after..)?.find(self.0).map_or(text.len(), |at| after + at);
            rest = text.get(end + 1..).map(|behind| (start + end + 1, behind));
            let (from, to) = quoted.map_or((0, end), |length| (from, from + length));
            let cell = text.get(from..to)?;
            Some((start + from + cell.len() - cell.trim_start().len(), cell.trim()))
        })
    }

    /// The length of the quoted cell that `text` begins with, if a quote before a delimiter or the end closes it.
    fn closed(self, text: &str) -> Option<usize> {
        let mut from = 0;
        loop {
            let at = from + text.get(from..)?.find('"')?;
            let behind = text.get(at + 1..)?;
            // Two quotes in a quoted cell are one.
            if behind.starts_with('"') {
                from = at + 2;
                continue;
            }
            let behind = behind.trim_start_matches([' ', '\r', '\n']);
            return (behind.is_empty() || behind.starts_with(self.0)).then_some(at);
        }
    }

    /// For each line of `text`, whether a row ends with it, if quoted cells of several lines are in it.
    pub(crate) fn row_ends(self, text: &str) -> Option<Vec<bool>> {
        let (mut is_open, mut spans, mut length) = (false, false, 0);
        let mut ends = Vec::new();
        for line in text.split_inclusive('\n') {
            (_, is_open) = self.read(line.trim_end_matches(['\r', '\n']), is_open);
            length = if is_open { length + line.len() } else { 0 };
            // Nobody closes this quote.
            if length > LONGEST_CELL_BYTES {
                return None;
            }
            spans |= is_open;
            ends.push(!is_open);
        }
        (spans && !is_open).then_some(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(delimiter: char, row: &str, expect: &[&str]) {
        let cells: Vec<&str> = Delimiter(delimiter).cells(row).map(|(_, cell)| cell).collect();
        assert_eq!(cells, expect, "{row}");
        for (at, cell) in Delimiter(delimiter).cells(row) {
            assert_eq!(row.get(at..at + cell.len()), Some(cell), "{row}");
        }
    }

    #[test]
    fn cells() {
        check(',', "", &[""]);
        check(',', "1, \"Li, Mia\" ,,\"\"\n", &["1", "Li, Mia", "", ""]);
        check('\t', "a\t\tb c\t", &["a", "", "b c", ""]);
        check('|', "7 | a | 5\" disk|\"x", &["7", "a", "5\" disk", "\"x"]);
        check(';', "\"a \"\"b\"\"; c\";d", &["a \"\"b\"\"; c", "d"]);
        check('|', "漢|\"字|x\"|é", &["漢", "字|x", "é"]);
    }

    #[test]
    fn rows_of_several_lines() {
        let check = |text: &str, expect: Option<&[bool]>| {
            assert_eq!(Delimiter(',').row_ends(text).as_deref(), expect, "{text}");
        };
        check("a,b\nc,d\n", None);
        check("a,\"b\nc\",d\ne,f\n", Some(&[false, true, true]));
        check("a,\"b \"\"x\"\"\nc\"\n", Some(&[false, true]));
        check("a,\"b\nc,d\n", None);
        check("a,5\" disk\nc,d\n", None);
    }
}
