//! The other units that a unit of prose needs to be understood.

use std::{iter, ops::Range};

use super::lines::{Kind, has_pipe, is_separator, is_underline, kind};
use crate::{NaturalLanguage, anaphora::leans_back};

/// Fenced code of at most this many lines is shown whole: a hole in an example costs more than it saves.
const SHORT: usize = 20;

/// A longer line, in bytes, is not the name of what the text below it describes.
const TERM: usize = 80;

/// At most this many units in a row depend on one another: a longer chain is a list or a log.
const CHAIN: usize = 3;

/// The other units that each unit of a text needs: "unit `u` is shown only with `v`".
///
/// A unit needs its heading, a heading the one above it, and some of its own section. A text indented under a short line
/// (an option and what it does) needs that line. A unit that ends in a colon needs what it announces, and
/// the other way round. A table row needs the head of its table. A list item, or an indented line of code, needs the
/// one it is part of. A line of code needs its fences, the opening and the closing one. A sentence that begins with a
/// pronoun or a connective needs the one before it.
///
/// ```
/// use contextfit_text::{Needs, Shape, NaturalLanguage, unit_ends};
///
/// let text = "# Town\nIt lies on a river. Its banks are steep.\n";
/// let needs = Needs::of(text, &unit_ends(text, Shape::Prose), NaturalLanguage::English);
/// assert_eq!(needs.all_of(2), [0, 1]);
/// assert_eq!(needs.one_of(0), 1..3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// For each unit, the units it is shown only with.
    all: Vec<Vec<usize>>,
    /// Units that need at least one of several others, with those others.
    one: Vec<(usize, Range<usize>)>,
}

impl Needs {
    /// The needs of the units that end at `ends` in a prose `text` in `natural_language`. Linear in the length of the
    /// text.
    #[must_use]
    pub fn of(text: &str, ends: &[usize], natural_language: NaturalLanguage) -> Self {
        let starts = iter::once(&0).chain(ends);
        let units = starts.zip(ends).map(|(&from, &to)| text.get(from..to).unwrap_or_default());
        Reader::new(units.collect(), natural_language).read()
    }

    /// The units without which unit `n` is not shown.
    #[must_use]
    pub fn all_of(&self, n: usize) -> &[usize] {
        self.all.get(n).map_or(&[], Vec::as_slice)
    }

    /// The units of which at least one must be shown with unit `n`; empty for most units. Logarithmic time.
    #[must_use]
    pub fn one_of(&self, n: usize) -> Range<usize> {
        let found = self.one.binary_search_by_key(&n, |(unit, _)| *unit).ok();
        found.and_then(|at| self.one.get(at)).map_or(0..0, |(_, range)| range.clone())
    }

    /// Whether unit `n` may be shown, if `is_shown` reports which other units are.
    #[must_use]
    pub fn are_met(&self, n: usize, is_shown: impl Fn(usize) -> bool) -> bool {
        let mut one = self.one_of(n);
        self.all_of(n).iter().all(|&other| is_shown(other)) && (one.is_empty() || one.any(is_shown))
    }
}

/// A text being read, unit by unit.
struct Reader<'t> {
    units: Vec<&'t str>,
    natural_language: NaturalLanguage,
    needs: Needs,
    /// The headings of the next unit with their levels, the outermost first.
    headings: Vec<(usize, usize)>,
    /// The unit before the next one, if it ends in a colon.
    lead: Option<usize>,
    /// The unit that announces the current list.
    announced: Option<usize>,
    /// The items and terms that the next unit may be part of, and their indents.
    outer: Vec<(usize, usize)>,
    /// The term that the sentences of this line describe.
    term: Option<usize>,
    /// How many units before the next one form a chain.
    chain: usize,
}

impl<'t> Reader<'t> {
    fn new(units: Vec<&'t str>, natural_language: NaturalLanguage) -> Self {
        let needs = Needs { all: vec![Vec::new(); units.len()], one: Vec::new() };
        Self {
            units,
            natural_language,
            needs,
            headings: Vec::new(),
            lead: None,
            announced: None,
            outer: Vec::new(),
            term: None,
            chain: 0,
        }
    }

    fn read(mut self) -> Needs {
        let mut n = 0;
        while n < self.units.len() {
            n = self.part(n);
        }
        self.end_section(n, 0);
        self.needs.one.sort_unstable_by_key(|(unit, _)| *unit);
        self.needs
    }

    /// Reads what begins with unit `n`; returns the unit after it.
    fn part(&mut self, n: usize) -> usize {
        let line = first_line(self.unit(n));
        if n > 0 && !self.unit(n - 1).ends_with('\n') {
            self.sentence(n);
            return n + 1;
        }
        let is_head = has_pipe(line) && is_separator(self.unit(n + 1));
        match kind(line) {
            Kind::Blank => {}
            Kind::Rule if n == 0 && line.trim() == "---" && self.unit(1).contains(':') => {
                return self.fence(n, b'-', 3);
            }
            // A line that separates two texts is shown between them.
            Kind::Rule => [n.saturating_sub(1), n + 1].into_iter().for_each(|other| self.beside(n, other)),
            Kind::Fence(mark, len) => return self.fence(n, mark, len),
            Kind::Heading => {
                let level = line.trim_start().bytes().take_while(|&byte| byte == b'#').count();
                self.title(n, level);
            }
            Kind::Row | Kind::Plain | Kind::Item(_) if is_head => return self.table(n),
            Kind::Item(_) => self.item(n, line),
            _ if is_definition(line) => self.beside(n, n.saturating_sub(1)),
            Kind::Plain | Kind::Quote(..) | Kind::Row => match underlined(self.unit(n)) {
                Some(level) => self.title(n, level),
                None => self.paragraph(n, line),
            },
        }
        n + 1
    }

    fn unit(&self, n: usize) -> &'t str {
        self.units.get(n).copied().unwrap_or_default()
    }

    fn need(&mut self, n: usize, other: usize) {
        self.needs.all.get_mut(n).into_iter().for_each(|all| all.push(other));
    }

    /// Unit `n` needs unit `other`, unless they are the same.
    fn beside(&mut self, n: usize, other: usize) {
        if other != n && other < self.units.len() {
            self.need(n, other);
        }
    }

    /// Units `n` and `other` are shown together or not at all.
    fn tie(&mut self, n: usize, other: usize) {
        self.need(n, other);
        self.need(other, n);
    }

    /// Puts unit `n` under its heading, in the item above it that is indented less than `indent`, and below what
    /// announces it.
    fn place(&mut self, n: usize, indent: usize) {
        self.under_heading(n);
        while self.outer.last().is_some_and(|(_, outer)| *outer >= indent) {
            self.outer.pop();
        }
        match self.outer.last() {
            Some(&(item, _)) => self.need(n, item),
            None => self.announced = None,
        }
        let lead = self.lead.take().filter(|_| self.chain < CHAIN);
        self.chain = lead.map_or(0, |_| self.chain + 1);
        lead.into_iter().for_each(|lead| self.tie(n, lead));
    }

    fn under_heading(&mut self, n: usize) {
        self.headings.last().copied().into_iter().for_each(|(heading, _)| self.need(n, heading));
    }

    /// Reads the heading in unit `n`.
    fn title(&mut self, n: usize, level: usize) {
        self.end_section(n, level);
        self.under_heading(n);
        self.headings.push((n, level));
        self.term = None;
        self.lead = announces(self.unit(n)).then_some(n);
        (self.announced, self.chain) = (None, 0);
        self.outer.clear();
    }

    /// Ends the sections that a heading of `level` in unit `n` ends. A heading without text needs what follows.
    fn end_section(&mut self, n: usize, level: usize) {
        while let Some((heading, _)) = self.headings.pop_if(|(_, above)| *above >= level) {
            self.end(heading, n);
        }
    }

    /// Ends the section of `heading` before unit `n`.
    fn end(&mut self, heading: usize, n: usize) {
        let says = |unit: &usize| {
            let line = first_line(self.unit(*unit));
            !is_definition(line) && !matches!(kind(line), Kind::Rule | Kind::Blank)
        };
        match (heading + 1..n).rev().find(says) {
            Some(last) => self.needs.one.push((heading, heading + 1..last + 1)),
            None => self.beside(heading, n),
        }
    }

    fn fence(&mut self, open: usize, mark: u8, len: usize) -> usize {
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
    fn code(&mut self, lines: Range<usize>) {
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

    fn table(&mut self, head: usize) -> usize {
        self.place(head, indent(self.unit(head)));
        self.tie(head, head + 1);
        let ends = |n: usize| self.unit(n).ends_with("\n\n");
        let rows = head + 2..self.units.len();
        let rows = rows.take_while(|&n| !ends(n - 1) && has_pipe(self.unit(n))).last();
        let end = rows.map_or(head + 2, |last| last + 1);
        (head + 2..end).for_each(|row| self.need(row, head));
        if end > head + 2 {
            self.needs.one.push((head, head + 2..end));
        }
        self.chain = 0;
        end
    }

    fn item(&mut self, n: usize, line: &str) {
        let (announced, lead, indent) = (self.announced, self.lead, indent(line));
        self.place(n, indent);
        if self.outer.is_empty() {
            self.announced = lead.or(announced);
            self.announced.into_iter().for_each(|announced| self.need(n, announced));
        }
        self.outer.push((n, indent));
        self.lead = announces(self.unit(n)).then_some(n);
    }

    /// Reads the first sentence of a paragraph, or one on a separate line.
    fn paragraph(&mut self, n: usize, line: &str) {
        let indented = indent(line);
        self.place(n, indented);
        self.lean(n);
        self.term = self.outer.last().map(|(item, _)| *item).filter(|item| self.is_term(*item));
        if self.is_term(n) {
            self.outer.push((n, indented));
        }
    }

    /// Whether unit `n` is a short line that names what the indented text below it describes.
    fn is_term(&self, n: usize) -> bool {
        let unit = self.unit(n);
        let line = unit.trim();
        unit.ends_with('\n')
            && !unit.ends_with("\n\n")
            && line.len() <= TERM
            && !line.contains('\n')
            && !line.ends_with(['.', '!', '?', ',', ';'])
            && indent(self.unit(n + 1)) > indent(unit)
    }

    /// Reads a sentence that begins within a line.
    fn sentence(&mut self, n: usize) {
        self.under_heading(n);
        self.term.into_iter().for_each(|term| self.need(n, term));
        let chain = self.chain;
        self.lean(n);
        self.chain = if self.chain == chain { 0 } else { self.chain };
    }

    /// Unit `n` needs the one before it, if it refers back to that.
    fn lean(&mut self, n: usize) {
        let is_first = n == 0 || self.headings.last().is_some_and(|(heading, _)| heading + 1 == n);
        if !is_first && self.chain < CHAIN && leans_back(self.unit(n), self.natural_language) {
            self.need(n, n - 1);
            self.chain += 1;
        }
        self.lead = announces(self.unit(n)).then_some(n);
    }
}

/// The first line of `unit` that is not blank.
fn first_line(unit: &str) -> &str {
    unit.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()
}

/// Whether `line` defines the target of a reference, which is useless without that reference.
fn is_definition(line: &str) -> bool {
    line.strip_prefix('[')
        .and_then(|line| line.split_once("]: "))
        .is_some_and(|(name, _)| !name.contains(']'))
}

/// How far the first line of `unit` is indented.
fn indent(unit: &str) -> usize {
    let line = first_line(unit);
    line.len() - line.trim_start().len()
}

/// Whether `unit` ends in a colon, ignoring emphasis and quotation marks.
fn announces(unit: &str) -> bool {
    unit.trim_end_matches(|c: char| c.is_whitespace() || "*_`\"".contains(c)).ends_with([':', '：'])
}

/// The level of an underlined heading.
fn underlined(unit: &str) -> Option<usize> {
    let (_, line) = unit.trim_end().rsplit_once('\n').filter(|(_, line)| is_underline(line))?;
    Some(match line.trim().as_bytes().first() {
        Some(b'=') => 1,
        Some(b'-') => 2,
        _ => 3,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, unit_ends};

    /// `expect` lists the units that need others: all of the first ones and, after a bar, one of the rest.
    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let ends = unit_ends(text, Shape::Prose);
        let needs = Needs::of(text, &ends, NaturalLanguage::English);
        let told = (0..ends.len()).filter_map(|n| {
            let (mut all, one) = (needs.all_of(n).to_vec(), needs.one_of(n));
            all.sort_unstable();
            all.dedup();
            let one = if one.is_empty() { String::new() } else { format!(" | {one:?}") };
            (!all.is_empty() || !one.is_empty()).then(|| format!("{n}: {all:?}{one}"))
        });
        assert_eq!(told.collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn headings() {
        check(
            "# A\nOne. Two.\n## B\n\nThree.",
            &["0: [] | 1..5", "1: [0]", "2: [0]", "3: [0] | 4..5", "4: [3]"],
        );
        check("# A\n## B\nOne.", &["0: [] | 1..3", "1: [0] | 2..3", "2: [1]"]);
        check(
            "# A\nOne.\n### B\nTwo.\n## C\nThree.\n",
            &["0: [] | 1..6", "1: [0]", "2: [0] | 3..4", "3: [2]", "4: [0] | 5..6", "5: [4]"],
        );
        check("## B\n# A\nOne.\n\n---\n", &["0: [1]", "1: [] | 2..3", "2: [1]", "3: [2]"]);
        check("# A\nOne.\n\n[one]: https://a.example\n", &["0: [] | 1..2", "1: [0]", "2: [1]"]);
        check("Town\n====\nIt lies here.", &["0: [] | 1..2", "1: [0]"]);
    }

    #[test]
    fn leads() {
        check("Do not:\n\n- shout\n- run\n\nThe end.", &["0: [1]", "1: [0]", "2: [0]"]);
        check("Say **this:**\n\nhello there\n", &["0: [1]", "1: [0]"]);
        check("a:\n- b:\n  - c\n- d\n", &["0: [1]", "1: [0, 2]", "2: [1]", "3: [0]"]);
    }

    #[test]
    fn terms() {
        let options = "  --abort\n    Abort it. HEAD is reset.\n\n  --quit\n    Abort it. HEAD stays.\n\n    An entry is saved.\n";
        check(options, &["1: [0]", "2: [0]", "4: [3]", "5: [3]", "6: [3]"]);
        check("One line.\n  Another one.\n", &[]);
    }

    #[test]
    fn fences_are_opened_and_closed() {
        check("So:\n```\nx\n```\nEnd.", &["0: [1]", "1: [0, 2, 3]", "2: [1]", "3: [1]"]);
        let long = format!("```\nif x {{\n    y();\n}}\n{}```\n", "z();\n".repeat(20));
        let mut expect =
            vec!["0: [24] | 1..24".to_owned(), "1: [0]".into(), "2: [0, 1]".into(), "3: [0, 2]".into()];
        expect.extend((4..25).map(|n| format!("{n}: [0]")));
        check(&long, &expect.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn tables() {
        let table = "Sizes:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n";
        check(table, &["0: [1]", "1: [0, 2] | 3..5", "2: [1]", "3: [1]", "4: [1]"]);
    }

    #[test]
    fn sentences() {
        check("The bridge is old. It fell in 1902. The market thrives.", &["1: [0]"]);
        check("It fell. It rose. It fell. It rose. It fell.", &["1: [0]", "2: [1]", "3: [2]"]);
        check("- One item. It has two sentences.", &["1: [0]"]);
    }
}
