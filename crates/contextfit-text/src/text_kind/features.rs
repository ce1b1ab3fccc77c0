//! The features by which a text is classified: shares of its lines with a certain look, and measures of the whole.
//!
//! Every feature is a number from 0 to 1.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::line::SampleLine;
use crate::{begins_as_json, float, is_json};

/// The numbers of lines read from the start of a text, from its middle, and from its end.
const FIRST_LINES: usize = 32;
const MIDDLE_LINES: usize = 8;
const LAST_LINES: usize = 16;

/// The number of places that are tried as the start or end of JSON.
const TRIES: usize = 4;

/// The signs between cells, and the minimum number of each in a row.
const CELL_SIGNS: [(u8, usize); 4] = [(b'\t', 1), (b',', 2), (b'|', 1), (b';', 2)];

/// The maximum number of lines of a quoted cell.
const LONGEST_CELL_LINES: usize = 16;

/// The number of bytes read of a line.
const READ_LINE_BYTES: usize = 240;

/// A named feature of a line, and one of a whole text.
type OfLine = (&'static str, fn(&SampleLine<'_>) -> bool);
type OfAll = (&'static str, fn(&Sample<'_>) -> f64);

/// The features of lines, each measured as the share of lines of which it is true.
const OF_LINES: &[OfLine] = &[
    ("indented", |line| line.indent > 0),
    ("indented by a tab", |line| line.text.starts_with('\t')),
    ("ends like code", |line| line.whole.ends_with(['{', '}', ';', ')', ']', ',', '(', '[', '>', '\\'])),
    ("ends in a brace or a semicolon", |line| line.whole.ends_with(['{', '}', ';'])),
    ("ends in a colon", |line| line.whole.ends_with(':')),
    ("ends like a sentence", |line| {
        line.whole.ends_with(['.', '!', '?', '。', '！', '？']) && (line.words > 3 || line.wide > 8)
    }),
    ("reads like prose", |line| {
        line.words >= 5 && line.plain * 4 >= line.words * 3 || line.wide * 2 > line.chars && line.chars > 4
    }),
    ("long", |line| line.words >= 16 || line.wide > 40),
    ("stop words", |line| line.stop_words >= 2 && line.stop_words * 4 >= line.words),
    ("one word", |line| line.words == 1),
    ("two or three words", |line| line.words == 2 || line.words == 3),
    ("begins with a capital", |line| line.body.starts_with(char::is_uppercase)),
    ("begins with a digit", |line| line.body.starts_with(|c: char| c.is_ascii_digit())),
    ("begins a comment", |line| {
        ["//", "/*", "* ", "*/", "--", "#", ";", "\"\"\"", "%"].iter().any(|sign| line.body.starts_with(sign))
    }),
    ("begins an item", |line| crate::is_item(line.text)),
    ("begins with a plus or minus", |line| line.text.starts_with(['+', '-'])),
    ("begins with a bracket", |line| line.body.starts_with('[')),
    ("begins with a brace", |line| line.body.starts_with(['{', '}', '"'])),
    ("begins with a tag", |line| line.body.starts_with('<') && line.body.contains('>')),
    ("has a closing tag", |line| line.body.contains("</") || line.whole.ends_with("/>")),
    ("begins with a bar", |line| line.body.starts_with('|')),
    ("begins with a prompt", |line| {
        line.body.starts_with(['$', '>', '%']) && line.body.get(1..2) == Some(" ")
    }),
    ("begins with at", |line| {
        line.indent > 0 && (line.body.starts_with("at ") || line.body.starts_with("File \""))
    }),
    ("time", |line| line.has_time),
    ("place", |line| line.has_place()),
    ("begins with a path", |line| line.first.contains('/') && line.words > 1),
    ("found in a file", |line| line.first.contains(['/', '.']) && line.first.contains(':')),
    ("quotes a line", |line| line.quotes_line()),
    ("gap", |line| line.gaps > 0),
    ("several gaps", |line| line.gaps > 1),
    ("several commas", |line| line.commas > 1),
    ("several bars", |line| line.bars > 1),
    ("key and colon", |line| line.key.is_some_and(|(_, sign)| sign == ':')),
    ("key and equals sign", |line| line.key.is_some_and(|(_, sign)| sign == '=')),
    ("short key", |line| line.key.is_some_and(|(key, _)| !key.contains(' '))),
    ("word in capitals", |line| line.capitals > 0),
    ("call", |line| line.has_call),
    ("assignment", |line| [" = ", ":=", "+=", " == ", "!="].iter().any(|sign| line.body.contains(sign))),
    ("arrow", |line| ["::", "->", "=>", "&&", "||"].iter().any(|sign| line.body.contains(sign))),
    ("quotes", |line| line.quotes > 1),
    ("declaration", |line| line.declares()),
    ("hash of a commit", |line| line.has_hash()),
    ("author or date", |line| {
        ["Author:", "Date:", "date:", "user:", "author:", "summary:"]
            .iter()
            .any(|key| line.body.starts_with(key))
    }),
    ("no letters", |line| line.letters + line.wide == 0),
    ("drawn", |line| line.letters + line.wide + line.digits == 0),
    ("rule", |line| {
        line.chars > 3
            && line.letters + line.digits < line.chars / 3
            && ["====", "----", "____", "****", "~~~~"].iter().any(|sign| line.body.contains(sign))
    }),
    ("percent", |line| line.body.contains("% ") || line.whole.ends_with('%') || line.body.contains("%]")),
    ("outcome", |line| line.has_outcome),
    ("finding", |line| line.has_finding),
    ("three numbers", |line| line.numbers > 2),
    ("half digits", |line| line.digits * 2 > line.chars),
    ("numbered", |line| line.number.is_some()),
    ("hex", |line| line.hex * 2 > line.words && line.hex > 0),
    ("link", |line| line.body.contains("](") || line.body.contains("http")),
    ("speaker", |line| {
        line.key
            .is_some_and(|(key, sign)| sign == ':' && key.len() < 24 && key.starts_with(char::is_uppercase))
            && line.words > 4
    }),
];

/// The features of the whole text.
const OF_ALL: &[OfAll] = &[
    ("json among lines", |sample| sample.json_among()),
    ("hunk with a file", |sample| sample.has_patch()),
    ("markup first", |sample| sample.first(|line| line.body.starts_with('<') && line.body.contains('>'))),
    ("hash first", |sample| sample.first(SampleLine::has_hash)),
    ("any sign agrees", |sample| sample.agreeing.into_iter().fold(0.0, f64::max)),
    ("tabs agree", |sample| sample.agreeing.first().copied().unwrap_or_default()),
    ("words agree", |sample| most(sample.lines.iter().map(|line| line.words), 2)),
    ("columns", |sample| is(sample.columns > 1)),
    ("numbers ascend", |sample| sample.ascends()),
    ("fence", |sample| is(sample.lines.iter().any(|line| line.body.starts_with("```")))),
    ("heading", |sample| {
        is(sample.lines.iter().any(|line| line.text.starts_with("# ") || line.text.starts_with("## ")))
    }),
    ("most frequent look", |sample| sample.looks().0),
    ("variety of looks", |sample| sample.looks().1),
    ("one line", |sample| is(sample.lines.len() == 1)),
    ("few lines", |sample| is(sample.lines.len() < 4)),
    ("mean length", |sample| (sample.mean(|line| line.chars) / 100.0).min(1.0)),
    ("letters", |sample| sample.share(|line| line.letters + line.wide)),
    ("digits", |sample| sample.share(|line| line.digits)),
    ("signs", |sample| sample.share(|line| line.signs)),
    ("capitals", |sample| sample.share(|line| line.uppercase)),
    ("plain words", |sample| sample.of_words(|line| line.plain)),
    ("all stop words", |sample| sample.of_words(|line| line.stop_words)),
    ("always", |_| 1.0),
];

/// The features of `text` with their names. Constant time, apart from reading JSON.
pub(crate) fn features(text: &str) -> impl Iterator<Item = (&'static str, f64)> {
    let sample = Sample::of(text);
    let mut of_lines = vec![0_u32; OF_LINES.len()];
    for line in &sample.lines {
        for ((_, holds), count) in OF_LINES.iter().zip(&mut of_lines) {
            *count += u32::from(holds(line));
        }
    }
    let all = float(sample.lines.len().max(1));
    let of_all: Vec<f64> = OF_ALL.iter().map(|(_, measure)| measure(&sample)).collect();
    let of_lines = of_lines.into_iter().map(move |count| f64::from(count) / all);
    let names = OF_LINES.iter().map(|(name, _)| *name).chain(OF_ALL.iter().map(|(name, _)| *name));
    names.zip(of_lines.chain(of_all))
}

fn is(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// The sampled lines of a text.
struct Sample<'t> {
    text: &'t str,
    lines: Vec<SampleLine<'t>>,
    /// The number of blank columns that run through the lines.
    columns: usize,
    /// For each of [`CELL_SIGNS`], the share of rows that have the most frequent number of it.
    agreeing: [f64; CELL_SIGNS.len()],
}

impl<'t> Sample<'t> {
    fn of(text: &'t str) -> Self {
        let mut lines: Vec<&str> = Vec::with_capacity(FIRST_LINES + MIDDLE_LINES + LAST_LINES);
        let visible = |line: &&str| !line.trim().is_empty();
        let start: usize = text.split_inclusive('\n').take(FIRST_LINES).map(str::len).sum();
        let (start, rest) = text.split_at_checked(start).unwrap_or((text, ""));
        lines.extend(start.lines().filter(visible));
        let middle = rest.len() / 2;
        let middle = rest.get(rest.ceil_char_boundary(middle)..).unwrap_or_default();
        let last: Vec<&str> = rest.lines().rev().filter(visible).take(LAST_LINES).collect();
        if rest.len() > start.len() {
            lines.extend(middle.lines().skip(1).filter(visible).take(MIDDLE_LINES));
        }
        lines.extend(last.into_iter().rev());
        let lines: Vec<SampleLine<'t>> =
            lines.into_iter().map(|line| SampleLine::read(line, READ_LINE_BYTES)).collect();
        let columns = columns(&lines);
        let agreeing = agreeing(&lines);
        Self { text, lines, columns, agreeing }
    }

    /// 1 if `holds` is true of the first line, 0 otherwise.
    fn first(&self, holds: impl Fn(&SampleLine<'t>) -> bool) -> f64 {
        is(self.lines.first().is_some_and(holds))
    }

    fn mean(&self, of: impl Fn(&SampleLine<'_>) -> usize) -> f64 {
        float(self.lines.iter().map(of).sum()) / float(self.lines.len().max(1))
    }

    /// The sum of `of`, as a share of all characters.
    fn share(&self, of: impl Fn(&SampleLine<'_>) -> usize) -> f64 {
        self.mean(of) / self.mean(|line| line.chars).max(1.0)
    }

    fn of_words(&self, of: impl Fn(&SampleLine<'_>) -> usize) -> f64 {
        self.mean(of) / self.mean(|line| line.words).max(1.0)
    }

    /// The share of the text that is JSON, either beginning and ending on its own lines or cut off.
    fn json_among(&self) -> f64 {
        let mut at = 0;
        let lines = self.text.split_inclusive('\n').map(|line| {
            at += line.len();
            (at - line.len(), line)
        });
        let starts =
            lines.take(FIRST_LINES).filter(|(_, line)| line.trim_start().starts_with(['{', '['])).take(TRIES);
        let longest = starts
            .filter_map(|(start, _)| self.text.get(start..))
            .map(|rest| {
                let ends = rest.match_indices(['}', ']']).rev().map(|(end, _)| end + 1);
                let closes = |end: &usize| {
                    rest.get(*end..).is_some_and(|behind| {
                        behind.trim_start_matches([' ', '\r']).starts_with('\n') || behind.is_empty()
                    })
                };
                let inner = ends
                    .filter(closes)
                    .take(TRIES)
                    .filter_map(|end| rest.get(..end))
                    .find(|inner| is_json(inner));
                inner.map_or(if begins_as_json(rest) { rest.len() } else { 0 }, str::len)
            })
            .max();
        float(longest.unwrap_or(0)) / float(self.text.len().max(1))
    }

    fn has_patch(&self) -> f64 {
        let hunk = self.lines.iter().position(|line| line.text.starts_with("@@"));
        is(hunk.is_some_and(|hunk| {
            hunk == 0
                || self
                    .lines
                    .iter()
                    .take(hunk)
                    .any(|line| line.text.starts_with("+++ ") || line.text.starts_with("diff "))
        }))
    }

    /// The share of lines with a greater number than the previous numbered line.
    fn ascends(&self) -> f64 {
        let numbers: Vec<u64> = self.lines.iter().filter_map(|line| line.number).collect();
        let grows = numbers.windows(2).filter(|pair| pair.is_sorted_by(|a, b| a < b)).count();
        if self.lines.len() < 3 { 0.0 } else { float(grows) / float(self.lines.len() - 1) }
    }

    /// The share of lines with the most frequent look, and the ratio of the number of looks to that of lines.
    fn looks(&self) -> (f64, f64) {
        let mut seen: HashMap<_, usize, FixedState> = HashMap::default();
        for line in &self.lines {
            *seen.entry(line.look).or_default() += 1;
        }
        let all = float(self.lines.len().max(1));
        let most = seen.values().copied().max().unwrap_or(0);
        if self.lines.len() < 3 { (0.0, 0.0) } else { (float(most) / all, float(seen.len()) / all) }
    }
}

/// For each of [`CELL_SIGNS`], the share of rows with the most frequent number of it, if that is at least the minimum.
/// A row may continue within a quoted cell, in which signs do not count.
fn agreeing(lines: &[SampleLine<'_>]) -> [f64; CELL_SIGNS.len()] {
    let mut rows: Vec<[usize; CELL_SIGNS.len()]> = Vec::with_capacity(lines.len());
    let (mut counts, mut is_open, mut open) = ([0; CELL_SIGNS.len()], false, 0);
    for line in lines {
        for &byte in line.text.as_bytes() {
            is_open ^= byte == b'"';
            let counted =
                CELL_SIGNS.iter().zip(&mut counts).filter(|((sign, _), _)| *sign == byte && !is_open);
            counted.for_each(|(_, count)| *count += 1);
        }
        open += 1;
        if !is_open || open > LONGEST_CELL_LINES {
            rows.push(counts);
            (counts, is_open, open) = ([0; CELL_SIGNS.len()], false, 0);
        }
    }
    let mut places = 0..CELL_SIGNS.len();
    CELL_SIGNS.map(|(_, least)| {
        let place = places.next().unwrap_or_default();
        most(rows.iter().filter_map(|counts| counts.get(place).copied()), least)
    })
}

/// The share of `counts` that are equal to the most frequent of those that are at least `least`; zero if there are
/// fewer than three.
fn most(counts: impl Iterator<Item = usize>, least: usize) -> f64 {
    let (mut seen, mut all): (HashMap<usize, usize, FixedState>, usize) = (HashMap::default(), 0);
    for count in counts {
        all += 1;
        *seen.entry(count).or_default() += 1;
    }
    let most = seen.into_iter().filter(|(count, _)| *count >= least).map(|(_, rows)| rows).max();
    if all < 3 { 0.0 } else { float(most.unwrap_or(0)) / float(all) }
}

/// The number of blank columns between text that run through the first lines of several words; 0 without wider gaps.
fn columns(lines: &[SampleLine<'_>]) -> usize {
    let lines: Vec<&SampleLine<'_>> = lines.iter().take(32).collect();
    let long: Vec<&[u8]> =
        lines.iter().filter(|line| line.words > 1).map(|line| line.text.as_bytes()).collect();
    if long.len() < 3 || long.len() * 4 < lines.len() * 3 || !lines.iter().any(|line| line.gaps > 0) {
        return 0;
    }
    let widest = long.iter().map(|line| line.len()).max().unwrap_or(0);
    let (mut columns, mut within, mut begun) = (0, false, false);
    for column in 0..widest {
        let reached = long.iter().filter(|line| line.len() > column).count();
        if reached * 5 < long.len() * 4 {
            break;
        }
        let blank = long.iter().filter(|line| line.get(column).is_none_or(|byte| *byte == b' ')).count();
        let blank = blank * 20 >= long.len() * 19;
        columns += usize::from(within && !blank && begun);
        begun |= !blank;
        within = blank;
    }
    columns
}
