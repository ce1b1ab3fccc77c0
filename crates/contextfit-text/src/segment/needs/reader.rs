//! Reads what each unit needs, in one pass over the units.

mod looks;

use std::ops::Range;

use self::looks::{announces, first_line, indent, is_definition, underlined};
use super::{
    super::lines::{CodeFence, LineKind, has_pipe, heading_tag, is_separator, kind},
    Needs,
};
use crate::{NaturalLanguage, anaphora::leans_back};

/// At most this many units in a row depend on one another: a longer chain is a list or a log.
const CHAIN: usize = 3;

/// Fenced code of at most this many lines is shown whole: a hole in an example costs more than it saves.
const SHORT_CODE_LINES: usize = 20;

/// A heading whose section is being read.
#[derive(Clone, Copy)]
struct Heading {
    unit: usize,
    level: usize,
}

/// A text being read, unit by unit.
pub(super) struct NeedsReader<'t> {
    units: Vec<&'t str>,
    natural_language: NaturalLanguage,
    needs: Needs,
    /// The headings of the next unit, the outermost first.
    headings: Vec<Heading>,
    /// The unit before the next one, if it ends in a colon.
    lead: Option<usize>,
    /// The items that the next unit may be part of, and their indents.
    outer: Vec<(usize, usize)>,
    /// How many units before the next one form a chain.
    chain: usize,
}

impl<'t> NeedsReader<'t> {
    pub(super) fn new(units: Vec<&'t str>, natural_language: NaturalLanguage) -> Self {
        let needs = Needs { all: vec![Vec::new(); units.len()], ..Needs::default() };
        Self { units, natural_language, needs, headings: Vec::new(), lead: None, outer: Vec::new(), chain: 0 }
    }

    /// Reads all units, of which the first `code` are code whose opening fence is missing, and its closing one.
    pub(super) fn read(mut self, code: usize) -> Needs {
        let mut n = code;
        if let Some(close @ 1..) = code.checked_sub(1) {
            self.need(close, close - 1);
        }
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
            LineKind::Blank => {}
            LineKind::Rule if n == 0 && line.trim() == "---" && self.unit(1).contains(':') => {
                return self.fence(n, CodeFence::DASHES);
            }
            // A line that separates two texts is shown between them.
            LineKind::Rule => {
                [n.saturating_sub(1), n + 1].into_iter().for_each(|other| self.beside(n, other))
            }
            LineKind::Fence(fence) => return self.fence(n, fence),
            LineKind::Heading => {
                let hashes = line.trim_start().bytes().take_while(|&byte| byte == b'#').count();
                self.title(n, heading_tag(line).unwrap_or(hashes));
            }
            LineKind::Row | LineKind::Plain | LineKind::Item(_) if is_head => return self.table(n),
            LineKind::Item(_) => self.item(n, line),
            LineKind::Plain | LineKind::Quote(..) | LineKind::Row => match underlined(self.unit(n)) {
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
        let item = self.outer.last().map(|(item, _)| *item); // ablate: text.outer-item => None
        item.into_iter().for_each(|item| self.need(n, item));
        let lead = self.lead.take().filter(|_| self.chain < CHAIN); // ablate: text.lead-in => None
        self.chain = lead.map_or(0, |_| self.chain + 1);
        lead.into_iter().for_each(|lead| self.tie(n, lead));
    }

    fn under_heading(&mut self, n: usize) {
        // ablate: text.under-heading => ()
        self.headings.last().copied().into_iter().for_each(|heading| self.need(n, heading.unit));
    }

    /// Reads the heading in unit `n`.
    fn title(&mut self, n: usize, level: usize) {
        self.end_section(n, level);
        self.passage(n);
        self.under_heading(n);
        self.headings.push(Heading { unit: n, level });
        self.lead = announces(self.unit(n)).then_some(n);
        self.chain = 0;
        self.outer.clear();
    }

    /// Unit `n`, a heading, begins a passage, unless it follows the heading above it.
    fn passage(&mut self, n: usize) {
        // ablate: text.passages => ()
        let follows = self.headings.last().is_some_and(|outer| outer.unit + 1 == n);
        match self.needs.passages.last_mut().filter(|_| follows) {
            Some((_, headings)) => headings.push(n),
            None => {
                let headings = self.headings.iter().map(|heading| heading.unit).chain([n]);
                self.needs.passages.push((n, headings.collect()));
            }
        }
    }

    /// Ends the sections that a heading of `level` in unit `n` ends. A heading needs some of the text below it, under a
    /// subheading or not; one without text needs what follows.
    fn end_section(&mut self, n: usize, level: usize) {
        while let Some(heading) = self.headings.pop_if(|heading| heading.level >= level) {
            let below = heading.unit + 1..n;
            match below.clone().rev().find(|&unit| self.says(unit)) {
                Some(last) => self.needs.one.push((heading.unit, below.start..last + 1)),
                None => self.beside(heading.unit, n),
            }
        }
    }

    /// Whether unit `n` is more than decoration.
    fn says(&self, n: usize) -> bool {
        let line = first_line(self.unit(n));
        !is_definition(line) && !matches!(kind(line), LineKind::Rule | LineKind::Blank)
    }

    fn item(&mut self, n: usize, line: &str) {
        let indent = indent(line);
        self.place(n, indent);
        self.outer.push((n, indent));
        self.lead = announces(self.unit(n)).then_some(n);
    }

    /// Reads the first sentence of a paragraph, or one on a separate line.
    fn paragraph(&mut self, n: usize, line: &str) {
        self.place(n, indent(line));
        self.lean(n);
    }

    /// Reads a sentence that begins within a line.
    fn sentence(&mut self, n: usize) {
        self.under_heading(n);
        let chain = self.chain;
        self.lean(n);
        self.chain = if self.chain == chain { 0 } else { self.chain };
    }

    /// Unit `n` needs the one before it, if it refers back to that.
    fn lean(&mut self, n: usize) {
        let first = self.headings.last().map_or(0, |heading| heading.unit + 1);
        if n != first && self.chain < CHAIN && leans_back(self.unit(n), self.natural_language) {
            self.need(n, n - 1);
            self.chain += 1;
        }
        self.lead = announces(self.unit(n)).then_some(n);
    }

    /// Reads the fenced code that unit `open` opens; returns the unit after it.
    fn fence(&mut self, open: usize, fence: CodeFence) -> usize {
        let mut lines = open + 1..self.units.len();
        let close = lines.clone().find(|&n| fence.is_closed_by(self.unit(n)));
        if let Some(close) = close {
            lines.end = close;
            self.tie(open, close);
        }
        self.place(open, indent(self.unit(open)));
        // Code is usually introduced by the sentence before it.
        self.beside(open, open.saturating_sub(1));
        lines.clone().for_each(|n| self.need(n, open));
        self.fenced(open, lines.clone());
        self.chain = 0;
        lines.end + usize::from(close.is_some())
    }

    /// Unit `open`, a fence, needs the `lines` after it, or some of them.
    fn fenced(&mut self, open: usize, lines: Range<usize>) {
        // ablate: text.fence => ()
        if lines.len() <= SHORT_CODE_LINES {
            lines.for_each(|n| self.need(open, n));
        } else {
            self.needs.one.push((open, lines));
        }
    }

    /// Reads the table with this `head`; returns the unit after it.
    fn table(&mut self, head: usize) -> usize {
        self.place(head, indent(self.unit(head)));
        self.tie(head, head + 1);
        let ends = |n: usize| self.unit(n).ends_with("\n\n");
        let rows = head + 2..self.units.len();
        let rows = rows.take_while(|&n| !ends(n - 1) && has_pipe(self.unit(n))).last();
        let end = rows.map_or(head + 2, |last| last + 1);
        self.rows(head, head + 2..end);
        if end > head + 2 {
            self.needs.one.push((head, head + 2..end));
            self.needs.tables.push(head..end);
        }
        self.chain = 0;
        end
    }

    /// The `rows` of a table need its `head`.
    fn rows(&mut self, head: usize, rows: Range<usize>) {
        // ablate: text.table => ()
        rows.for_each(|row| self.need(row, head));
    }
}
