//! Reads a text unit by unit for what each unit needs.

use std::ops::Range;

use contextfit_kernel::Values;

use super::Needs;
use crate::{
    NaturalLanguage,
    anaphora::leans_back,
    gap::reads_as_marker,
    segment::lines::{CodeFence, Kind, has_pipe, heading_tag, is_separator, is_signed, is_underline, kind},
};

/// The maximum number of consecutive units that depend on one another. A longer chain is a list or a log.
const CHAIN: usize = 3;

/// The maximum number of lines of fenced code that is shown whole: a gap in an example costs more than it saves.
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
    /// The previous unit, if it ends in a colon.
    lead: Option<usize>,
    /// The items that the next unit may be part of, their indents, and the units that announce their lists.
    outer: Vec<(usize, usize, Option<usize>)>,
    /// What announces the list that lines which are no sentences have interrupted: a paste, code.
    interrupted: Option<usize>,
    /// Whether the items that are being read go on with such a list. Only their text tells whose they are.
    resumes: bool,
    /// The number of units in the chain before the next one.
    chain: usize,
}

impl<'t> NeedsReader<'t> {
    pub(super) fn new(units: Vec<&'t str>, natural_language: NaturalLanguage) -> Self {
        let no = vec![false; units.len()];
        let all = vec![Vec::new(); units.len()];
        let needs = Needs { all, heads: no.clone(), items: no, ..Needs::default() };
        Self {
            units,
            natural_language,
            needs,
            headings: Vec::new(),
            lead: None,
            outer: Vec::new(),
            interrupted: None,
            resumes: false,
            chain: 0,
        }
    }

    /// Reads all units. The first `code` of them are code whose opening fence is missing, and its closing fence.
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

    /// Reads the block that begins with unit `n`; returns the unit after it.
    fn part(&mut self, n: usize) -> usize {
        let line = first_line(self.unit(n));
        if n > 0 && !self.unit(n - 1).ends_with('\n') {
            self.sentence(n);
            return n + 1;
        }
        let is_head = has_pipe(line) && is_separator(self.unit(n + 1));
        match kind(line) {
            Kind::Blank => {}
            // A gap that an earlier round left in a list does not end it.
            Kind::Plain if (self.lead.is_some() || self.is_announced()) && reads_as_marker(line) => {
                self.under_heading(n);
            }
            Kind::Rule if n == 0 && line.trim() == "---" && self.unit(1).contains(':') => {
                return self.fence(n, CodeFence::DASHES);
            }
            // A line that separates two texts is shown only between them.
            Kind::Rule => [n.saturating_sub(1), n + 1].into_iter().for_each(|other| self.beside(n, other)),
            Kind::Fence(fence) => return self.fence(n, fence),
            Kind::Heading => {
                let hashes = line.trim_start().bytes().take_while(|&byte| byte == b'#').count();
                self.title(n, heading_tag(line).unwrap_or(hashes));
            }
            Kind::Row | Kind::Plain | Kind::Item(_) if is_head => return self.table(n),
            Kind::Item(_) => {
                self.item(n, line);
                if let Some(fence) = CodeFence::of(line) {
                    let is_announced = self.is_announced();
                    self.needs.heads.change(n, |head| *head |= is_announced);
                    return self.fence_from(n, fence);
                }
            }
            Kind::Plain if is_signed(line) && self.is_listed(line) => self.item(n, line),
            Kind::Plain | Kind::Quote(..) | Kind::Row => match underlined(self.unit(n)) {
                Some(level) => self.title(n, level),
                None => self.paragraph(n, line),
            },
        }
        n + 1
    }

    fn unit(&self, n: usize) -> &'t str {
        self.units.at(n)
    }

    fn need(&mut self, n: usize, other: usize) {
        self.needs.all.change(n, |all| all.push(other));
    }

    /// Makes unit `n` need unit `other`, unless they are the same.
    fn beside(&mut self, n: usize, other: usize) {
        if other != n && other < self.units.len() {
            self.need(n, other);
        }
    }

    /// Makes units `n` and `other` need each other.
    fn tie(&mut self, n: usize, other: usize) {
        self.need(n, other);
        self.need(other, n);
    }

    /// Puts unit `n` under its heading, in the last item that is indented less than `indent`, and after the unit that
    /// announces it.
    fn place(&mut self, n: usize, indent: usize) {
        self.under_heading(n);
        while let Some((.., lead)) = self.outer.pop_if(|(_, outer, _)| *outer >= indent) {
            self.interrupted = lead.or(self.interrupted);
        }
        self.within_item(n);
        let lead = self.lead.take().filter(|_| self.chain < CHAIN); // ablate: text.lead-in => None
        self.chain = lead.map_or(0, |_| self.chain + 1);
        lead.into_iter().for_each(|lead| self.tie(n, lead));
    }

    /// Puts unit `n` into the innermost item that is being read. In an announced list, the item leads to what announces
    /// it: `Never:`.
    fn within_item(&mut self, n: usize) {
        // ablate: text.outer-item => ()
        if let Some((item, ..)) = self.outer.last().copied() {
            self.need(n, item);
            let is_announced = self.is_announced();
            self.needs.heads.change(item, |head| *head |= is_announced);
        }
    }

    /// Whether the item that is being read, or one around it, is in a list that a unit announces.
    fn is_announced(&self) -> bool {
        self.outer.iter().any(|(.., lead)| lead.is_some())
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
        self.needs.heads.set(n, true);
        self.announce(n);
        self.chain = 0;
        self.outer.clear();
        self.interrupted = None;
    }

    /// Begins a passage with the heading in unit `n`, unless that directly follows the heading above it.
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

    /// Ends the sections that end before a heading of `level` in unit `n`. A heading needs some of the text below it,
    /// under a subheading or not; one without text needs the unit after its section.
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
        !is_definition(line) && !matches!(kind(line), Kind::Rule | Kind::Blank)
    }

    /// Notes whether unit `n` announces the next one.
    fn announce(&mut self, n: usize) {
        self.lead = announces(self.unit(n)).then_some(n);
        self.needs.heads.change(n, |head| *head |= self.lead.is_some());
    }

    /// Whether `line` is under a unit that announces a list, or under an item of an announced list.
    fn is_listed(&self, line: &str) -> bool {
        let is_above =
            |(_, outer, lead): &(_, usize, Option<usize>)| *outer == indent(line) && lead.is_some();
        self.lead.is_some() || self.outer.iter().any(is_above)
    }

    fn item(&mut self, n: usize, line: &str) {
        let indent = indent(line);
        // Each item of a list needs what announces it: `Never:`. The first item may be indented more than the others.
        let first = self.outer.first().filter(|(_, outer, _)| *outer > indent);
        let list = self.outer.iter().find(|(_, outer, _)| *outer == indent).or(first);
        let lead = self.lead.filter(|_| self.chain < CHAIN);
        self.resumes = lead.is_none() && list.map_or(self.interrupted.is_some(), |_| self.resumes);
        let list = list.map_or(self.interrupted, |(.., lead)| *lead);
        self.place(n, indent);
        list.filter(|_| lead.is_none()).into_iter().for_each(|lead| self.need(n, lead));
        self.outer.push((n, indent, lead.or(list)));
        self.needs.items.set(n, !self.resumes);
        self.announce(n);
    }

    /// Reads the first sentence of a paragraph, or one on a separate line.
    fn paragraph(&mut self, n: usize, line: &str) {
        self.place(n, indent(line));
        if is_sentence(self.unit(n)) {
            self.interrupted = None;
        }
        self.lean(n);
    }

    /// Reads a sentence that begins within a line.
    fn sentence(&mut self, n: usize) {
        self.under_heading(n);
        if self.is_announced() {
            self.within_item(n);
        }
        let chain = self.chain;
        self.lean(n);
        self.chain = if self.chain == chain { 0 } else { self.chain };
    }

    /// Makes unit `n` need the one before it if it refers back to that.
    fn lean(&mut self, n: usize) {
        let first = self.headings.last().map_or(0, |heading| heading.unit + 1);
        if n != first && self.chain < CHAIN && leans_back(self.unit(n), self.natural_language) {
            self.need(n, n - 1);
            self.chain += 1;
        }
        self.announce(n);
    }

    /// Reads the fenced code that begins with unit `open`; returns the unit after it.
    fn fence(&mut self, open: usize, fence: CodeFence) -> usize {
        self.place(open, indent(self.unit(open)));
        // The sentence before code usually introduces it.
        self.beside(open, open.saturating_sub(1));
        self.fence_from(open, fence)
    }

    /// Reads the fenced code after unit `open`, which opens it; returns the unit after it.
    fn fence_from(&mut self, open: usize, fence: CodeFence) -> usize {
        let mut lines = open + 1..self.units.len();
        let close = lines.clone().find(|&n| fence.is_closed_by(self.unit(n)));
        if let Some(close) = close {
            lines.end = close;
            self.tie(open, close);
        }
        lines.clone().for_each(|n| self.need(n, open));
        self.fenced(open, lines.clone());
        self.chain = 0;
        lines.end + usize::from(close.is_some())
    }

    /// Makes unit `open`, a fence, need the `lines` after it, or some of them.
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

    /// Makes the `rows` of a table need its `head`.
    fn rows(&mut self, head: usize, rows: Range<usize>) {
        // ablate: text.table => ()
        rows.for_each(|row| self.need(row, head));
    }
}

/// The first line of `unit` that is not blank.
fn first_line(unit: &str) -> &str {
    unit.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()
}

/// Whether `unit` ends as a sentence does, so that a list does not go on after it.
fn is_sentence(unit: &str) -> bool {
    unit.trim_end().ends_with(['.', '!', '?', '…', '。', '！', '？'])
}

/// Whether `line` defines the target of a reference, which is useless without the reference.
fn is_definition(line: &str) -> bool {
    line.strip_prefix('[')
        .filter(|line| !line.starts_with('^'))
        .and_then(|line| line.split_once("]: "))
        .is_some_and(|(name, _)| !name.contains(']'))
}

/// The indent of the first line of `unit` in columns, with tab stops at multiples of 8.
fn indent(unit: &str) -> usize {
    let space = first_line(unit).chars().take_while(|c| c.is_whitespace());
    space.fold(0, |column, c| if c == '\t' { column / 8 * 8 + 8 } else { column + 1 })
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
