//! What a unit of prose needs beside it to be understood.

use std::{iter, ops::Range};

use super::lines::{Kind, has_pipe, is_separator, is_underline, kind};
use crate::{Tongue, anaphora::leans_back};

/// Fenced code of no more lines than these is shown whole: a hole in an example costs more than it saves.
const SHORT: usize = 20;

/// So many units in a row lean on one another at most: what goes on for longer is a list or a log.
const CHAIN: usize = 3;

/// What each unit of a text needs beside it: "unit `u` is shown only with `v`".
///
/// A unit needs the heading it stands under, a heading some of its text; what ends in a colon needs what it announces, and the
/// other way round; a row needs the head of its table; an item, or an indented line of code, the one that it is part of; a line
/// of code its fence, opened and closed; a sentence that begins with a pronoun or a connective the one before it.
///
/// ```
/// use contextfit_text::{Needs, Shape, Tongue, unit_ends};
///
/// let text = "# Town\nIt lies on a river. Its banks are steep.\n";
/// let needs = Needs::of(text, &unit_ends(text, Shape::Prose), Tongue::English);
/// assert_eq!(needs.all_of(2), [0, 1]);
/// assert_eq!(needs.one_of(0), 1..3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// For each unit those that it is shown only with.
    all: Vec<Vec<usize>>,
    /// For units that need one of others, those.
    one: Vec<(usize, Range<usize>)>,
}

impl Needs {
    /// The needs of the units that end at `ends`, of a prose `text` in `tongue`. Linear in the length of the text.
    #[must_use]
    pub fn of(text: &str, ends: &[usize], tongue: Tongue) -> Self {
        let starts = iter::once(&0).chain(ends);
        let units = starts.zip(ends).map(|(&from, &to)| text.get(from..to).unwrap_or_default());
        Reader::new(units.collect(), tongue).read()
    }

    /// The units that unit `n` is shown only with.
    #[must_use]
    pub fn all_of(&self, n: usize) -> &[usize] {
        self.all.get(n).map_or(&[], Vec::as_slice)
    }

    /// The units of which unit `n` is shown only with one at least; none for most units. Logarithmic time.
    #[must_use]
    pub fn one_of(&self, n: usize) -> Range<usize> {
        let found = self.one.binary_search_by_key(&n, |(unit, _)| *unit).ok();
        found.and_then(|at| self.one.get(at)).map_or(0..0, |(_, range)| range.clone())
    }

    /// Whether unit `n` may be shown where `is_shown` says what else is.
    #[must_use]
    pub fn are_met(&self, n: usize, is_shown: impl Fn(usize) -> bool) -> bool {
        let mut one = self.one_of(n);
        self.all_of(n).iter().all(|&other| is_shown(other)) && (one.is_empty() || one.any(is_shown))
    }
}

/// A text being read, unit by unit.
struct Reader<'t> {
    units: Vec<&'t str>,
    tongue: Tongue,
    needs: Needs,
    /// The heading that the next unit stands under, and its level.
    heading: Option<(usize, usize)>,
    /// The unit before the next one, where it ends in a colon.
    lead: Option<usize>,
    /// What the list at hand is announced by.
    announced: Option<usize>,
    /// The items that the next unit may be part of, and their indents.
    outer: Vec<(usize, usize)>,
    /// How many units before the next one lean on one another.
    chain: usize,
}

impl<'t> Reader<'t> {
    fn new(units: Vec<&'t str>, tongue: Tongue) -> Self {
        let needs = Needs { all: vec![Vec::new(); units.len()], one: Vec::new() };
        let outer = Vec::new();
        Self { units, tongue, needs, heading: None, lead: None, announced: None, outer, chain: 0 }
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

    /// Reads what begins with unit `n`; the unit after it.
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
            // A line that parts two texts is shown between them.
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

    /// Unit `n` needs unit `other`, if that is another one.
    fn beside(&mut self, n: usize, other: usize) {
        if other != n && other < self.units.len() {
            self.need(n, other);
        }
    }

    /// Unit `n` and unit `other` are shown together or not at all.
    fn tie(&mut self, n: usize, other: usize) {
        self.need(n, other);
        self.need(other, n);
    }

    /// Unit `n` stands under its heading, in the item above it that is indented less than `indent`, and below what announces it.
    fn place(&mut self, n: usize, indent: usize) {
        self.heading.into_iter().for_each(|(heading, _)| self.need(n, heading));
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

    /// The heading in unit `n`.
    fn title(&mut self, n: usize, level: usize) {
        self.end_section(n, level);
        self.heading = Some((n, level));
        self.lead = announces(self.unit(n)).then_some(n);
        (self.announced, self.chain) = (None, 0);
        self.outer.clear();
    }

    /// The text of the heading at hand ends before unit `n`, which is a heading of `level`. One without any needs what follows.
    fn end_section(&mut self, n: usize, level: usize) {
        let Some((heading, above)) = self.heading else { return };
        let says = |unit: &usize| {
            let line = first_line(self.unit(*unit));
            !is_definition(line) && !matches!(kind(line), Kind::Rule | Kind::Blank)
        };
        match (heading + 1..n).rev().find(says) {
            Some(last) => self.needs.one.push((heading, heading + 1..last + 1)),
            None if level > above => self.tie(heading, n),
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
        // Code is mostly introduced by the sentence before it.
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

    /// Lines of code: each with the one that it is indented under, brackets that close with the line before them.
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

    /// The first sentence of a paragraph, or one on a line of its own.
    fn paragraph(&mut self, n: usize, line: &str) {
        self.place(n, indent(line));
        self.lean(n);
    }

    /// A sentence that begins within a line.
    fn sentence(&mut self, n: usize) {
        self.heading.into_iter().for_each(|(heading, _)| self.need(n, heading));
        let chain = self.chain;
        self.lean(n);
        self.chain = if self.chain == chain { 0 } else { self.chain };
    }

    /// Unit `n` with the one before it, where it leans on that.
    fn lean(&mut self, n: usize) {
        let is_first = n == 0 || self.heading.is_some_and(|(heading, _)| heading + 1 == n);
        if !is_first && self.chain < CHAIN && leans_back(self.unit(n), self.tongue) {
            self.need(n, n - 1);
            self.chain += 1;
        }
        self.lead = announces(self.unit(n)).then_some(n);
    }
}

/// The first line of `unit` that holds something.
fn first_line(unit: &str) -> &str {
    unit.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()
}

/// Whether `line` says where a reference leads: that is of use only with what refers to it.
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

/// Whether `unit` ends in a colon, emphasis and quotation marks aside.
fn announces(unit: &str) -> bool {
    unit.trim_end_matches(|c: char| c.is_whitespace() || "*_`\"".contains(c)).ends_with([':', '：'])
}

/// The level of a heading with a line under it.
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

    /// `expect` has for each unit that needs any what it needs: all of some, and after a bar one of others.
    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let ends = unit_ends(text, Shape::Prose);
        let needs = Needs::of(text, &ends, Tongue::English);
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
            &["0: [] | 1..3", "1: [0]", "2: [0]", "3: [] | 4..5", "4: [3]"],
        );
        check("# A\n## B\nOne.", &["0: [1]", "1: [0] | 2..3", "2: [1]"]);
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
