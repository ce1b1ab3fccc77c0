//! What a query asks of a table: a cell that is one of its words, the largest or the smallest number of a column.

use contextfit_text::float;

use crate::{delimited::Delimiter, numbers::number};

/// At most this many words of a query are looked for.
const MAX_QUERY_WORDS: usize = 8;

/// The names of columns are looked for in this many first texts.
const HEADER_ROWS: usize = 12;

/// Rows by which a table is divided into cells.
pub(crate) const SAMPLE_ROWS: usize = 32;

/// This many extreme numbers of a column count, each less than the one before.
const EXTREMES: usize = 3;

/// Words that ask for large numbers, and for small ones.
const LARGEST: &[&str] =
    &["most", "highest", "largest", "biggest", "greatest", "maximum", "max", "longest", "slowest", "top"];
const SMALLEST: &[&str] = &["least", "lowest", "smallest", "fewest", "minimum", "min", "shortest", "fastest"];

/// Adds to the score of each text that has a word of `query` as a cell of its own (between commas, tabs, bars or two
/// spaces, or as a key), and of those with extreme numbers in a column that it names. A cell found in many texts counts
/// less. `all` is the score of the query for itself. Linear.
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
    let asks = |ends: &[&str]| words.iter().any(|word| ends.iter().any(|end| end.eq_ignore_ascii_case(word)));
    let (largest, smallest) = (asks(LARGEST), asks(SMALLEST));
    if largest == smallest {
        return;
    }
    let Some(head) = texts.iter().take(HEADER_ROWS).position(|text| names_columns(text)) else { return };
    for mut numbers in columns(texts, head, &words) {
        numbers.sort_by(|(a, _), (b, _)| if largest { b.total_cmp(a) } else { a.total_cmp(b) });
        for (rank, (_, n)) in numbers.into_iter().take(EXTREMES).enumerate() {
            add(scores, n, all / (1.0 + float(rank)));
        }
    }
}

fn add(scores: &mut [f64], n: usize, worth: f64) {
    scores.get_mut(n).into_iter().for_each(|score| *score += worth);
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

/// The numbers of each column that one of `words` names, with the text that each is in.
fn columns(texts: &[&str], head: usize, words: &[&str]) -> Vec<Vec<(f64, usize)>> {
    let names = texts.get(head).copied().unwrap_or_default();
    let is_named = |name: &str| {
        let name = name.to_lowercase();
        let name = name.trim_matches(|c: char| !c.is_alphanumeric());
        words.iter().any(|word| {
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
        texts.filter_map(|(n, text)| Some((number(cell(text)?.1)?, n))).collect()
    };
    division.cells(names).enumerate().filter(|(_, (_, name))| is_named(name)).map(column).collect()
}

/// What divides the rows of a table into cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Division {
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
    pub(crate) fn cells<'t>(self, row: &'t str) -> Box<dyn Iterator<Item = (usize, &'t str)> + 't> {
        match self {
            Self::Sign(delimiter) => Box::new(delimiter.cells(row)),
            Self::Spaces => {
                let at = |word: &str| word.as_ptr() as usize - row.as_ptr() as usize;
                Box::new(row.split_whitespace().map(move |word| (at(word), word)))
            }
        }
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
        check("the largest size", &sizes, &[0, 2, 3, 1]);
        check("highest latency", &sizes, &[]);
        check("most", &["", "a b"], &[]);
    }
}
