//! Tables, divided into cells: the header, then the rows that the query asks for or that stand out.

use std::ops::Range;

use contextfit_kernel::{ByteRange, MeasuredBlock, Values};
use contextfit_text::{WORDS, float};
use foldhash::{HashMap, HashSet};

use crate::{
    evidence::{Evidence, Feature},
    numbers::{Numbers, number},
    rows::Rows,
    signals::{is_drawn, signal},
    worth::{HEAD, Sheet},
};

/// The header is looked for in this many rows.
const HEADER_ROWS: usize = 12;

/// At most this many rows after the last blank one are no part of a table.
const TAIL: usize = 3;

/// The rows of a table: lines, or several where a quoted cell goes on.
pub(crate) fn rows<'a, 'b>(block: &'b MeasuredBlock<'a>, range: ByteRange) -> Rows<'a, 'b> {
    let text = range.of(&block.block().text).unwrap_or_default();
    let sample: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(SAMPLE_ROWS).collect();
    let Some(ends) = Delimiter::of(&sample).and_then(|delimiter| delimiter.row_ends(text)) else {
        return Rows::lines(block, range);
    };
    Rows::lines_to(block, range, &ends)
}

/// Notes the features of the rows of a table. Without a rule below the header, the first row is the header, or the second if the first
/// is the `total 12` of `ls`.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let rule = (0..rows.len().min(HEADER_ROWS)).find(|&n| is_rule(rows.text(n)));
    let counts = |line: &str| {
        line.strip_prefix("total ").is_some_and(|rest| rest.trim().bytes().all(|b| b.is_ascii_digit()))
    };
    let mut head = rule.unwrap_or_else(|| usize::from(rows.texts().next().is_some_and(counts)));
    let behind = head + 1;
    if rule.is_some() && head > 0 {
        sheet.put_with(head, head - 1);
    }
    let odd = odd_cells(rows, behind..rows.len());
    // What comes after a blank line at the end is no row: `[ERROR] Found 15 errors`.
    let is_blank = |n: usize| rows.text(n).trim_ascii().is_empty();
    let last = (0..rows.len()).rev().find(|&n| !is_blank(n)).unwrap_or(0);
    let tail =
        (behind.max(last.saturating_sub(TAIL))..last).rev().find(|&n| is_blank(n)).unwrap_or(rows.len());
    let mut evidence = Evidence::of(rows);
    for (n, line) in rows.texts().enumerate() {
        // A long preamble is not a header.
        if n < behind && n + 2 >= head {
            sheet.raise(n, HEAD);
            continue;
        }
        if line.trim_ascii().is_empty() {
            evidence.blank();
            sheet.set_hollow(n);
        } else {
            evidence.note(n, signal(line), sheet);
            if odd.contains(&n) {
                sheet.note(n, Feature::OddCell, 1.0);
            }
        }
        if n < behind || n > tail {
            continue;
        }
        sheet.put_under(n, Some(head));
        // A title between two rules begins another table.
        if n > behind + 1 && is_rule(line) && is_rule(rows.text(n - 2)) && !is_drawn(rows.text(n - 1)) {
            head = n;
            sheet.put_with(n, n - 1);
            [n - 2, n - 1, n].into_iter().for_each(|n| sheet.set_hollow(n));
        }
    }
}

/// The rows with a cell unlike the others of its column: the largest or smallest number, if that is an outlier, or a
/// rare value where others repeat. Linear.
fn odd_cells(rows: &Rows<'_, '_>, part: Range<usize>) -> HashSet<usize> {
    // ablate: excerpt.odd-cells => HashSet::default()
    let mut columns: Vec<Column<'_>> = Vec::new();
    let division = Division::of(&part.clone().take(SAMPLE_ROWS).map(|n| rows.text(n)).collect::<Vec<_>>());
    for n in part.clone() {
        for (at, (_, cell)) in division.cells(rows.text(n)).take(MAX_COLUMNS).enumerate() {
            if columns.len() == at {
                columns.push(Column::default());
            }
            if cell.is_empty() {
                continue;
            }
            columns.change(at, |column| column.add(n, cell));
        }
    }
    columns.iter().flat_map(|column| column.odd(part.len())).collect()
}

/// The cells of a column.
#[derive(Default)]
struct Column<'a> {
    numbers: Numbers,
    /// How often each value occurs, and where it did last; no more are counted once there are more than
    /// [`MAX_DISTINCT_VALUES`].
    values: HashMap<&'a str, (usize, usize)>,
    varies: bool,
}

impl<'a> Column<'a> {
    fn add(&mut self, n: usize, cell: &'a str) {
        number(cell).into_iter().for_each(|number| self.numbers.add(n, number));
        if !self.varies {
            let (count, last) = self.values.entry(cell).or_default();
            (*count, *last) = (*count + 1, n);
            self.varies = self.values.len() > MAX_DISTINCT_VALUES;
        }
    }

    /// The rows of its odd cells; the table has `all` rows.
    fn odd(&self, all: usize) -> Vec<usize> {
        let is_full = |count: usize| count * 5 >= all * 4;
        let numbers = Some(&self.numbers).filter(|numbers| is_full(numbers.count()));
        let mut odd: Vec<usize> = numbers.into_iter().flat_map(Numbers::outliers).collect();
        let filled: usize = self.values.values().map(|(count, _)| count).sum();
        let different = self.values.len();
        if different == 2 && filled == all && all >= SHARED_BY_ROWS {
            // The only one unlike all others.
            odd.extend(self.values.values().filter(|(count, _)| *count == 1).map(|(_, last)| *last));
        } else if !self.varies && is_full(filled) && different * REPEATED <= all {
            // Rarer than the others by far: among many distinct values, each is rare.
            let is_rare = |count: usize| count * REPEATED.max(different * RARE_BELOW_AVERAGE) <= all;
            odd.extend(self.values.values().filter(|(count, _)| is_rare(*count)).map(|(_, last)| *last));
        }
        odd
    }
}

/// Distinct values of a column that are counted.
const MAX_DISTINCT_VALUES: usize = 16;

/// In a column of values that repeat, each occurs this often on average; a rare one occurs at most once in as many
/// rows.
const REPEATED: usize = 16;

/// A value that only one row has is odd if at least this many others share another.
const SHARED_BY_ROWS: usize = 8;

/// A rare value occurs at most once for this many occurrences of an average value.
pub(crate) const RARE_BELOW_AVERAGE: usize = 4;

/// Columns that are examined.
const MAX_COLUMNS: usize = 32;

/// Whether `line` draws a rule and nothing else.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3
        && line.bytes().all(|byte| matches!(byte, b'-' | b'=' | b'+' | b'|' | b':' | b' ' | b'_'))
        && line.contains(['-', '='])
}

/// At most this many words of a query are looked for.
const MAX_QUERY_WORDS: usize = 8;

/// Rows by which a table is divided into cells.
const SAMPLE_ROWS: usize = 32;

/// Adds to the score of each text that has a word of `query` as a cell of its own (between commas, tabs, bars or two
/// spaces, or as a key), and of those with numbers in a column that it asks the largest or smallest of, or in any if it
/// names none: the nth by 1/n. A cell found in many texts counts less. `all` is the score of the query for itself.
/// Linearithmic.
pub(crate) fn add_columns(query: &str, texts: &[&str], all: f64, scores: &mut [f64]) {
    // ablate: excerpt.columns => ()
    let asked = query.to_lowercase();
    let words: Vec<&str> = query
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 2)
        .take(MAX_QUERY_WORDS)
        .collect();
    let mut found: Vec<Vec<usize>> = vec![Vec::new(); words.len()];
    let mut phrases = Vec::new();
    for (n, text) in texts.iter().enumerate() {
        for cell in cells(text) {
            // Numbers are names, wherever they stand.
            let is_number = |word: &str| word.contains(|c: char| c.is_ascii_digit());
            let same = words.iter().position(|word| word.eq_ignore_ascii_case(cell) && !is_number(word));
            same.and_then(|word| found.get_mut(word)).into_iter().for_each(|found| found.push(n));
            // `idle in transaction` is another state than `idle`.
            if cell.contains(' ') && cell.len() < asked.len() && asked.contains(&cell.to_lowercase()) {
                phrases.push(n);
            }
        }
    }
    found.push(phrases);
    for found in found {
        let worth = all / (1.0 + float(found.len()).ln());
        found.into_iter().for_each(|n| add(scores, n, worth));
    }
    let asks = |list: &str| words.iter().any(|word| WORDS.list(list).has(&word.to_ascii_lowercase()));
    let (largest, smallest) = (asks("asks for the largest"), asks("asks for the smallest"));
    if largest == smallest {
        return;
    }
    let Some(head) = texts.iter().take(HEADER_ROWS).position(|text| names_columns(text)) else { return };
    let named = columns(texts, head, &words);
    // If no column is named, any may be meant.
    let asked = if named.is_empty() { columns(texts, head, &[]) } else { named };
    for mut numbers in asked {
        numbers.sort_by(|(a, _), (b, _)| if largest { b.total_cmp(a) } else { a.total_cmp(b) });
        for (rank, (_, n)) in numbers.into_iter().enumerate() {
            add(scores, n, all / (1.0 + float(rank)));
        }
    }
}

fn add(scores: &mut [f64], n: usize, worth: f64) {
    scores.change(n, |score| *score += worth);
}

/// The cells of a line, and the key that it begins with.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    // The keys of JSON are in every record.
    let line = if line.trim_start().starts_with(['{', '"']) { "" } else { line };
    let parts = line.split([',', '\t', ';', '|']).flat_map(|part| part.split("  "));
    parts.map(|cell| cell.trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ':')))
}

/// Whether `line` has at least three cells, none of them a number.
fn names_columns(line: &str) -> bool {
    let cells = || Division::of(&[line]).cells(line).filter(|(_, cell)| !cell.is_empty());
    cells().nth(2).is_some() && cells().all(|(_, cell)| number(cell).is_none())
}

/// The numbers of each column that one of `words` names, or of all columns without words, with the text that each is in.
fn columns(texts: &[&str], head: usize, words: &[&str]) -> Vec<Vec<(f64, usize)>> {
    let names = texts.at(head);
    let is_named = |name: &str| {
        let name = name.to_lowercase();
        let name = name.trim_matches(|c: char| !c.is_alphanumeric());
        words.is_empty()
            || words.iter().any(|word| {
                let word = word.to_lowercase();
                name.len() > 2 && word.starts_with(name) || name.contains(&word)
            })
    };
    let division = Division::of(&texts.iter().skip(head).take(SAMPLE_ROWS).copied().collect::<Vec<_>>());
    let column = |(column, (start, name)): (usize, (usize, &str))| {
        let end = start + name.len();
        let cell = |text| match division {
            Division::Sign(_) => division.cells(text).nth(column),
            // In aligned columns, a cell overlaps the name of its column.
            Division::Spaces => division.cells(text).find(|(at, cell)| *at < end && at + cell.len() > start),
        };
        let texts = texts.iter().enumerate().skip(head + 1);
        texts.filter_map(|(n, text)| Some((number(unlike(name, cell(text)?.1))?, n))).collect()
    };
    let columns = division.cells(names).enumerate().filter(|(_, (_, name))| is_named(name)).map(column);
    columns.filter(|numbers: &Vec<_>| !numbers.is_empty()).collect()
}

/// A cell without the beginning that it shares with the name of its column: `import time: 144` below `import time: self`.
fn unlike<'t>(name: &str, cell: &'t str) -> &'t str {
    let in_number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.');
    let same = name.chars().zip(cell.chars()).take_while(|(a, b)| a == b && !in_number(*a));
    cell.get(same.map(|(c, _)| c.len_utf8()).sum()..).unwrap_or(cell)
}

/// What divides the rows of a table into cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Division {
    /// A sign.
    Sign(Delimiter),
    /// Spaces; commas belong to numbers.
    Spaces,
}

impl Division {
    /// The division of a table with these `rows`.
    pub(crate) fn of(rows: &[&str]) -> Self {
        Delimiter::of_rows(rows).map_or(Self::Spaces, Self::Sign)
    }

    /// The cells of a row, each with the byte that it begins at. Between signs, some are blank.
    fn cells<'t>(self, row: &'t str) -> Box<dyn Iterator<Item = (usize, &'t str)> + 't> {
        match self {
            Self::Sign(delimiter) => Box::new(delimiter.cells(row)),
            Self::Spaces => {
                let at = |word: &str| word.as_ptr() as usize - row.as_ptr() as usize;
                Box::new(row.split_whitespace().map(move |word| (at(word), word)))
            }
        }
    }
}

/// A sign, and how many of it a row of a table has at least.
const CELL_SIGNS: [(char, usize); 4] = [(',', 2), ('\t', 1), (';', 2), ('|', 2)];

/// A quoted cell has at most this many lines.
const LONGEST_CELL_LINES: usize = 16;

/// A quoted cell has at most this many bytes.
const LONGEST_CELL_BYTES: usize = 1024;

/// The sign between the cells of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Delimiter(char);

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
    fn of_rows(rows: &[&str]) -> Option<Self> {
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
    fn cells(self, row: &str) -> impl Iterator<Item = (usize, &str)> {
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
    fn row_ends(self, text: &str) -> Option<Vec<bool>> {
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

    /// The texts that gain by the query, the most first.
    #[track_caller]
    fn check(query: &str, texts: &[&str], expect: &[usize]) {
        let mut scores = vec![0.0; texts.len()];
        add_columns(query, texts, 1.0, &mut scores);
        let mut gained: Vec<usize> = (0..texts.len()).filter(|&n| scores[n] > 0.0).collect();
        gained.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        assert_eq!(gained, expect, "{query}: {scores:?}");
    }

    #[test]
    fn cells_and_extremes() {
        let packages = ["ii  libasan8  12.2  error detector", "ii  openssl  3.0.19  tool", "openssl-doc  3"];
        check("which version of openssl is installed", &packages, &[1]);
        let states = ["1 | idle | x", "2 | idle in transaction | y", "3 | idle | z"];
        check("how long idle in transaction", &states, &[1, 0, 2]);
        check("openssl", &["curl:\n", "openssl:\n", "the openssl package\n"], &[1]);
        let processes = [
            "USER  %CPU  %MEM  RSS\n",
            "root  0.1  0.0  12\n",
            "web  9.5  21.0  6120\n",
            "db  2.0  40.5  9999\n",
        ];
        check("which process uses most memory", &processes, &[3, 2, 1]);
        check("least cpu", &processes, &[1, 3, 2]);
        check("which process uses memory", &processes, &[]);
        let sizes = ["name,size,owner", "a,900K,x", "b,1.2G,y", "c,30M,z", "d,1,z"];
        check("the largest size", &sizes, &[0, 2, 3, 1, 4]);
        // If no column is named, any may be meant.
        check("which takes most", &sizes, &[2, 3, 1, 4]);
        let imports =
            ["import time: self | sum | package", "import time: 9 | 9 | a", "import time: 70 | 79 | b"];
        check("which package takes longest to import", &imports, &[0, 2, 1]);
        check("most", &["", "a b"], &[]);
    }

    #[track_caller]
    fn check_cells(delimiter: char, row: &str, expect: &[&str]) {
        let cells: Vec<&str> = Delimiter(delimiter).cells(row).map(|(_, cell)| cell).collect();
        assert_eq!(cells, expect, "{row}");
        for (at, cell) in Delimiter(delimiter).cells(row) {
            assert_eq!(row.get(at..at + cell.len()), Some(cell), "{row}");
        }
    }

    #[test]
    fn cells() {
        check_cells(',', "", &[""]);
        check_cells(',', "1, \"Li, Mia\" ,,\"\"\n", &["1", "Li, Mia", "", ""]);
        check_cells('\t', "a\t\tb c\t", &["a", "", "b c", ""]);
        check_cells('|', "7 | a | 5\" disk|\"x", &["7", "a", "5\" disk", "\"x"]);
        check_cells(';', "\"a \"\"b\"\"; c\";d", &["a \"\"b\"\"; c", "d"]);
        check_cells('|', "漢|\"字|x\"|é", &["漢", "字|x", "é"]);
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
