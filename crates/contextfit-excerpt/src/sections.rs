//! Texts in sections: paragraphs that each begin with a title, as in INI files, in the output of `ifconfig`, and in the
//! reports of test runs.

use foldhash::{HashMap, HashMapExt};

use crate::{
    rows::Rows,
    settings::names,
    signals::is_drawn,
    worth::{FOCUS, Sheet},
};

/// This many sections that begin alike are records, each with a title of its own.
const RECORDS: usize = 3;

/// The title of a record is one of this many first rows.
const TITLES: usize = 8;

/// Shows the rows of each section together with its title. Those before it have half of the focus on it.
pub(crate) fn keep_titles(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let sections = sections(rows);
    let records = Records::of(rows, &sections);
    for section in &sections {
        let Some(title) = title(rows, section, &records) else { continue };
        sheet.put_under(title, section.banner);
        let focus = sheet.focus(title);
        for n in section.first..section.end {
            if n != title && !is_drawn(rows.body(n)) {
                sheet.put_in_section(n, title);
                if n < title {
                    sheet.lift(n, focus * FOCUS / 2.0);
                }
            }
        }
    }
}

/// Consecutive rows without a blank one between them.
struct Section {
    first: usize,
    end: usize,
    /// The banner above it.
    banner: Option<usize>,
}

/// The sections of a text: a blank row, or one that only draws a line, ends a section, and a name in brackets or a
/// banner begins one. A banner stands above all sections up to the next one, or up to two blank rows.
fn sections(rows: &Rows<'_, '_>) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let (mut banner, mut blanks, mut is_open) = (None, 0, false);
    for (n, line) in rows.bodies().enumerate() {
        if is_drawn(line) {
            is_open = false;
            blanks = if line.trim_ascii().is_empty() { blanks + 1 } else { 0 };
            banner = banner.filter(|_| blanks < 2);
            continue;
        }
        blanks = 0;
        if is_title(rows, n) {
            (banner, is_open) = (Some(n), false);
            continue;
        }
        match sections.last_mut() {
            Some(section) if is_open && !is_bracketed(line) => section.end = n + 1,
            _ => sections.push(Section { first: n, end: n + 1, banner }),
        }
        is_open = true;
    }
    sections
}

/// The row of `section` that says what the others are about.
fn title(rows: &Rows<'_, '_>, section: &Section, records: &Records<'_>) -> Option<usize> {
    let first = rows.body(section.first);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_lead = || (section.first + 1..section.end).all(|n| indent(rows.body(n)) > indent(first));
    if records.are_alike {
        let mut first = section.first..section.end.min(section.first + TITLES);
        let is_own = |n: usize| records.is_own(rows.body(n));
        let named = first.clone().find(|&n| n == section.first && is_own(n) || names(rows.body(n)));
        return Some(named.or_else(|| first.find(|&n| is_own(n))).unwrap_or(section.first));
    }
    let is_titled = section.end > section.first + 1
        && (is_bracketed(first) || first.trim_end().ends_with(':') || is_lead());
    is_titled.then_some(section.first).or(section.banner)
}

/// Whether the sections are records, and the rows that several of them begin with.
struct Records<'a> {
    are_alike: bool,
    /// How many sections have a row among their first ones.
    counts: HashMap<&'a str, usize>,
}

impl<'a> Records<'a> {
    /// Sections are records if three out of four begin with the same word. Linear.
    fn of(rows: &Rows<'a, '_>, sections: &[Section]) -> Self {
        let mut counts = HashMap::new();
        let long = sections.iter().filter(|section| section.end > section.first + 1);
        let firsts: Vec<&str> = long.map(|section| first_word(rows.body(section.first))).collect();
        let mut words: HashMap<&str, usize> = HashMap::new();
        firsts.iter().for_each(|word| *words.entry(word).or_default() += 1);
        let most = words.into_values().max().unwrap_or(0);
        let are_alike = most >= RECORDS && most * 4 >= sections.len() * 3;
        if are_alike {
            for section in sections {
                for n in section.first..section.end.min(section.first + TITLES) {
                    *counts.entry(rows.body(n).trim()).or_default() += 1;
                }
            }
        }
        Self { are_alike, counts }
    }

    /// Whether `row` occurs only once among the first ones of all sections.
    fn is_own(&self, row: &str) -> bool {
        self.counts.get(row.trim()) == Some(&1)
    }
}

fn first_word(line: &str) -> &str {
    line.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}

/// Whether `line` is a name in brackets: `[service.web]`, `[[bin]]`.
fn is_bracketed(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('[') && line.ends_with(']') && line.len() < 80 && !line.contains([',', '"'])
}

/// Whether row `n` is the title of what is below it: a banner, or a line with a rule above and below it.
pub(crate) fn is_title(rows: &Rows<'_, '_>, n: usize) -> bool {
    let is_ruled = |n: Option<usize>| {
        let line = n.filter(|&n| n < rows.len()).map_or("", |n| rows.body(n).trim());
        line.len() >= BANNER && is_drawn(line)
    };
    let line = rows.body(n).trim();
    is_banner(line)
        || !line.contains(['|', ':'])
            && !line.contains("  ")
            && is_ruled(n.checked_sub(1))
            && is_ruled(Some(n + 1))
}

/// Whether `line` is a title between rules or before one: `==== FAILURES ====`, `____ test_refund ____`, `PLAY ****`.
fn is_banner(line: &str) -> bool {
    let line = line.trim();
    let Some(sign) =
        line.chars().next_back().filter(|sign| matches!(sign, '=' | '_' | '-' | '*' | '#' | '~'))
    else {
        return false;
    };
    let title = line.trim_end_matches(sign);
    let is_run = |trimmed: &str| line.len() - trimmed.len() >= BANNER;
    let begins = title.starts_with(char::is_alphanumeric) && title.ends_with(' ');
    is_run(title) && (begins || is_run(line.trim_start_matches(sign))) && !is_drawn(line)
}

/// The signs on either side of a banner.
const BANNER: usize = 4;
