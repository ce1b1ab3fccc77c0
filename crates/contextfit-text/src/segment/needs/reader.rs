//! Reads what each unit needs, in one pass over the units.

mod blocks;
mod limits;
mod looks;

use std::ops::Range;

use self::looks::{
    announces, first_line, indent, is_dated, is_definition, is_option, is_transcript, underlined,
};
use super::{
    super::lines::{Kind, has_pipe, heading_tag, is_box_border, is_separator, kind},
    Needs,
};
use crate::{
    NaturalLanguage,
    anaphora::{amends, leans_back, limits, warns},
    speech::{is_answer, is_author, is_question, speaker},
};

/// A longer line, in bytes, is not the name of what the text below it describes.
const TERM: usize = 80;

/// A term is shown with one of this many units below it.
const DESCRIPTION: usize = 32;

/// A line in bold is a heading below all others.
const BYLINE: usize = 7;

/// At most this many units in a row depend on one another: a longer chain is a list or a log.
const CHAIN: usize = 3;

/// A heading of HTML ends within this many units.
const TAGGED: usize = 8;

/// A heading whose section is being read.
#[derive(Clone, Copy)]
struct Heading {
    unit: usize,
    /// The unit after it.
    end: usize,
    level: usize,
    /// Whether it has subheadings.
    has_inner: bool,
}

/// A text being read, unit by unit.
pub(super) struct Reader<'t> {
    units: Vec<&'t str>,
    natural_language: NaturalLanguage,
    needs: Needs,
    /// The headings of the next unit, the outermost first.
    headings: Vec<Heading>,
    /// The unit before the next one, if it ends in a colon.
    lead: Option<usize>,
    /// The unit that announces the current list.
    announced: Option<usize>,
    /// The items and terms that the next unit may be part of, and their indents.
    outer: Vec<(usize, usize)>,
    /// The term that the sentences of this line describe.
    term: Option<usize>,
    /// The unit with the speaker of the sentences of this line, or of this turn of a transcript.
    speaker: Option<usize>,
    /// The unit that says whose the lines of this quote are.
    quoted: Option<usize>,
    is_transcript: bool,
    /// How many units before the next one form a chain.
    chain: usize,
    /// The sentences that warn.
    warnings: Vec<usize>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(units: Vec<&'t str>, natural_language: NaturalLanguage) -> Self {
        let needs = Needs { all: vec![Vec::new(); units.len()], ..Needs::default() };
        Self {
            is_transcript: is_transcript(&units),
            units,
            natural_language,
            needs,
            headings: Vec::new(),
            lead: None,
            announced: None,
            outer: Vec::new(),
            term: None,
            speaker: None,
            quoted: None,
            chain: 0,
            warnings: Vec::new(),
        }
    }

    /// Reads all units, of which the first `code` are code whose opening fence is missing, and its closing one.
    pub(super) fn read(mut self, code: usize) -> Needs {
        let mut n = code;
        if let Some(close @ 1..) = code.checked_sub(1) {
            self.code(0..close);
            self.need(close, close - 1);
        }
        while n < self.units.len() {
            n = self.part(n);
        }
        self.end_section(n, 0);
        self.warn();
        self.footnotes();
        self.status();
        self.needs.one.sort_unstable_by_key(|(unit, _)| *unit);
        self.needs.sections.sort_unstable();
        self.needs
    }

    /// Reads what begins with unit `n`; returns the unit after it.
    fn part(&mut self, n: usize) -> usize {
        let line = first_line(self.unit(n));
        if n > 0 && !self.unit(n - 1).ends_with('\n') {
            self.sentence(n);
            return n + 1;
        }
        let name = speaker(line);
        if name.is_some_and(is_answer)
            && n > 0
            && speaker(first_line(self.unit(n - 1))).is_some_and(is_question)
        {
            self.tie(n, n - 1);
        }
        let speaks = name.map(|_| n);
        self.speaker = speaks.or(self.speaker.filter(|_| self.is_transcript));
        self.quoted = match kind(line) {
            Kind::Quote(..) => self.lead.or(self.quoted),
            _ => None,
        };
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
                let hashes = || line.trim_start().bytes().take_while(|&byte| byte == b'#').count();
                let (level, end) =
                    heading_tag(line).map_or_else(|| (hashes(), n + 1), |level| (level, self.tagged(n)));
                self.title(n..end, level);
                return end;
            }
            Kind::Row if is_box_border(line) => return self.boxes(n),
            Kind::Row | Kind::Plain | Kind::Item(_) if is_head => return self.table(n),
            Kind::Item(_) => self.item(n, line),
            _ if is_definition(line) => self.beside(n, n.saturating_sub(1)),
            Kind::Plain | Kind::Quote(..) | Kind::Row => match underlined(self.unit(n)) {
                Some(level) => self.title(n..n + 1, level),
                None if self.is_byline(n) || self.is_author(n) => self.title(n..n + 1, BYLINE),
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

    /// Unit `n`, a heading or a term, begins a passage.
    fn passage(&mut self, n: usize) {
        let headings = self.headings.iter().map(|heading| heading.unit).chain([n]);
        self.needs.passages.push((n, headings.collect()));
    }

    fn under_heading(&mut self, n: usize) {
        self.headings.last().copied().into_iter().for_each(|heading| self.need(n, heading.unit));
    }

    /// Reads the heading in units `heading`.
    fn title(&mut self, heading: Range<usize>, level: usize) {
        let Range { start: n, end } = heading;
        self.end_section(n, level);
        let follows = self.headings.last().is_some_and(|outer| outer.end == n);
        // What an author says is part of a passage.
        let is_within = level == BYLINE && self.is_author(n);
        match self.needs.passages.last_mut().filter(|_| follows) {
            _ if is_within => {}
            Some((_, headings)) => headings.push(n),
            None => self.passage(n),
        }
        self.needs.passages.last_mut().into_iter().for_each(|(_, headings)| headings.extend(n + 1..end));
        self.under_heading(n);
        (n + 1..end).for_each(|part| self.tie(part, n));
        self.headings.last_mut().into_iter().for_each(|outer| outer.has_inner = true);
        self.headings.push(Heading { unit: n, end, level, has_inner: false });
        self.term = None;
        self.lead = announces(self.unit(n)).then_some(n);
        (self.announced, self.chain) = (Some(n), 0);
        self.outer.clear();
        self.speaker = None;
    }

    /// The unit after the heading of HTML that unit `n` begins.
    fn tagged(&self, n: usize) -> usize {
        let mut units = n..self.units.len().min(n + TAGGED);
        units.find(|&unit| self.unit(unit).contains("</h")).unwrap_or(n) + 1
    }

    /// Ends the sections that a heading of `level` in unit `n` ends. A heading without text needs what follows.
    fn end_section(&mut self, n: usize, level: usize) {
        while let Some(heading) = self.headings.pop_if(|heading| heading.level >= level) {
            self.end(heading, n);
        }
    }

    /// Ends the section of `heading` before unit `n`. A heading needs some of the text below it, under a subheading or
    /// not.
    fn end(&mut self, Heading { unit: heading, end: first, has_inner, .. }: Heading, n: usize) {
        let says = |unit: &usize| {
            let line = first_line(self.unit(*unit));
            !is_definition(line) && !matches!(kind(line), Kind::Rule | Kind::Blank)
        };
        let Some(last) = (first..n).rev().find(says) else { return self.beside(heading, n) };
        self.needs.one.push((heading, first..last + 1));
        if !has_inner {
            self.needs.sections.push((heading, last + 1));
        }
    }

    fn item(&mut self, n: usize, line: &str) {
        let (announced, lead, indent) = (self.announced, self.lead, indent(line));
        self.place(n, indent);
        if self.outer.is_empty() {
            self.announced = lead.or(announced);
            self.announced.into_iter().for_each(|announced| self.list(announced, n));
        }
        self.outer.push((n, indent));
        self.lead = announces(self.unit(n)).then_some(n);
    }

    /// Unit `n` is an item of the list that unit `announced` announces.
    fn list(&mut self, announced: usize, n: usize) {
        self.need(n, announced);
        match self.needs.wholes.last_mut() {
            Some(list) if list.start == announced => list.end = n + 1,
            _ => self.needs.wholes.push(announced..n + 1),
        }
    }

    /// Reads the first sentence of a paragraph, or one on a separate line.
    fn paragraph(&mut self, n: usize, line: &str) {
        let indented = indent(line);
        self.place(n, indented);
        self.speaker.into_iter().chain(self.quoted).for_each(|named| self.beside(n, named));
        self.lean(n);
        let names = |item: &usize| self.is_term(*item) || is_option(first_line(self.unit(*item)));
        self.term = self.outer.last().map(|(item, _)| *item).filter(names);
        if is_option(line) {
            self.outer.push((n, indented));
            self.term = Some(n);
        } else if self.is_term(n) {
            self.outer.push((n, indented));
            self.passage(n);
            let below = n + 1..self.units.len().min(n + 1 + DESCRIPTION);
            let described = below.take_while(|&unit| self.is_below(unit, indented)).last().unwrap_or(n);
            self.needs.one.push((n, n + 1..described + 1));
        }
    }

    /// Whether unit `n` begins within a line, or its line is indented more than `indented`.
    fn is_below(&self, n: usize, indented: usize) -> bool {
        !self.unit(n - 1).ends_with('\n') || indent(self.unit(n)) > indented
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

    /// Whether unit `n` is a line in bold with text below it: a heading.
    fn is_byline(&self, n: usize) -> bool {
        let unit = self.unit(n).trim_end();
        let inner = unit.strip_prefix("**").filter(|_| !unit.contains('\n') && n + 1 < self.units.len());
        inner.filter(|rest| rest.len() <= TERM).is_some_and(|rest| {
            let is_bold = rest.find("**") == rest.len().checked_sub(2)
                && !(rest.ends_with(".**") || rest.ends_with("!**"));
            is_bold || rest.ends_with([':', '：'])
        })
    }

    /// Whether unit `n` is a line with the author of the text below it and a time.
    fn is_author(&self, n: usize) -> bool {
        let line = self.unit(n).trim_end();
        let is_alone = !line.contains('\n') && line.len() <= TERM;
        let names = |line: &str| line.strip_prefix("**").map_or_else(|| is_author(line), is_dated);
        is_alone && names(line) && self.units.get(n + 1).is_some_and(|next| !names(next.trim_end()))
    }

    /// Reads a sentence that begins within a line.
    fn sentence(&mut self, n: usize) {
        self.under_heading(n);
        self.term.into_iter().chain(self.speaker).chain(self.quoted).for_each(|named| self.need(n, named));
        let chain = self.chain;
        self.lean(n);
        self.chain = if self.chain == chain { 0 } else { self.chain };
    }

    /// Unit `n` needs the one before it, if it refers back to that, and may limit it.
    fn lean(&mut self, n: usize) {
        let first = self.headings.last().map_or(0, |heading| heading.end);
        let is_first = n == first;
        let term = self.needs.passages.last().and_then(|(_, headings)| headings.last());
        let first = first.max(term.map_or(0, |term| term + 1));
        if warns(self.unit(n)) {
            self.warnings.push(n);
        }
        let limits = match n.checked_sub(1) {
            Some(before) if amends(self.unit(n), self.unit(before)) => 1,
            _ => limits(self.unit(n)),
        };
        let limited = n.saturating_sub(limits).max(first)..n;
        let known = self.needs.limited.last().map_or(0, |(last, _)| last + 1);
        self.needs.limited.extend((limited.start.max(known)..n).map(|unit| (unit, n)));
        if !is_first && self.chain < CHAIN && leans_back(self.unit(n), self.natural_language) {
            self.need(n, n - 1);
            self.chain += 1;
        }
        self.lead = announces(self.unit(n)).then_some(n);
    }
}
