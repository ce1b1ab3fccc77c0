//! Reads what each unit needs, in one pass over the units.

use std::ops::Range;

use super::{
    super::lines::{Kind, has_pipe, is_separator, is_underline, kind},
    Needs,
};
use crate::{
    NaturalLanguage,
    anaphora::{leans_back, limits},
};

/// Fenced code of at most this many lines is shown whole: a hole in an example costs more than it saves.
const SHORT: usize = 20;

/// A longer line, in bytes, is not the name of what the text below it describes.
const TERM: usize = 80;

/// A term is shown with one of this many units below it.
const DESCRIPTION: usize = 32;

/// A line in bold is a heading below all others.
const BYLINE: usize = 7;

/// The most words in the name of a speaker.
const NAME: usize = 4;

/// At most this many units in a row depend on one another: a longer chain is a list or a log.
const CHAIN: usize = 3;

/// A heading whose section is being read.
#[derive(Clone, Copy)]
struct Heading {
    unit: usize,
    level: usize,
    /// Its first subheading.
    inner: Option<usize>,
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
    /// The unit with the speaker of the sentences of this line.
    speaker: Option<usize>,
    /// How many units before the next one form a chain.
    chain: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(units: Vec<&'t str>, natural_language: NaturalLanguage) -> Self {
        let needs = Needs { all: vec![Vec::new(); units.len()], ..Needs::default() };
        Self {
            units,
            natural_language,
            needs,
            headings: Vec::new(),
            lead: None,
            announced: None,
            outer: Vec::new(),
            term: None,
            speaker: None,
            chain: 0,
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
        self.speaker = names_speaker(line).then_some(n);
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
                None if self.is_byline(n) => self.title(n, BYLINE),
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
        self.headings.last().copied().into_iter().for_each(|heading| self.need(n, heading.unit));
    }

    /// Reads the heading in unit `n`.
    fn title(&mut self, n: usize, level: usize) {
        self.end_section(n, level);
        if self.headings.last().is_none_or(|outer| outer.unit + 1 != n) {
            self.needs.passages.push(n);
        }
        self.under_heading(n);
        self.headings.last_mut().into_iter().for_each(|outer| _ = outer.inner.get_or_insert(n));
        self.headings.push(Heading { unit: n, level, inner: None });
        self.term = None;
        self.lead = announces(self.unit(n)).then_some(n);
        (self.announced, self.chain) = (None, 0);
        self.outer.clear();
    }

    /// Ends the sections that a heading of `level` in unit `n` ends. A heading without text needs what follows.
    fn end_section(&mut self, n: usize, level: usize) {
        while let Some(heading) = self.headings.pop_if(|heading| heading.level >= level) {
            self.end(heading, n);
        }
    }

    /// Ends the section of `heading` before unit `n`. A heading needs some of the text before its subheadings, if there
    /// is any.
    fn end(&mut self, Heading { unit: heading, inner, .. }: Heading, n: usize) {
        let says = |unit: &usize| {
            let line = first_line(self.unit(*unit));
            !is_definition(line) && !matches!(kind(line), Kind::Rule | Kind::Blank)
        };
        let last = |end| (heading + 1..end).rev().find(says);
        let Some(some) = last(inner.unwrap_or(n)).or_else(|| last(n)) else { return self.beside(heading, n) };
        self.needs.one.push((heading, heading + 1..some + 1));
        if inner.is_none() {
            self.needs.sections.push((heading, some + 1));
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
            self.needs.wholes.push(head..end);
        }
        self.chain = 0;
        end
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
        self.lean(n);
        self.term = self.outer.last().map(|(item, _)| *item).filter(|item| self.is_term(*item));
        if self.is_term(n) {
            self.outer.push((n, indented));
            self.needs.passages.push(n);
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

    /// Whether unit `n` is a line in bold with text below it: the author of a comment, or a heading.
    fn is_byline(&self, n: usize) -> bool {
        let unit = self.unit(n).trim_end();
        let inner = unit.strip_prefix("**").filter(|_| !unit.contains('\n') && n + 1 < self.units.len());
        inner.filter(|rest| rest.len() <= TERM).is_some_and(|rest| {
            let is_bold = rest.find("**") == rest.len().checked_sub(2)
                && !(rest.ends_with(".**") || rest.ends_with("!**"));
            is_bold || rest.ends_with([':', '：'])
        })
    }

    /// Reads a sentence that begins within a line.
    fn sentence(&mut self, n: usize) {
        self.under_heading(n);
        self.term.into_iter().chain(self.speaker).for_each(|named| self.need(n, named));
        let chain = self.chain;
        self.lean(n);
        self.chain = if self.chain == chain { 0 } else { self.chain };
    }

    /// Unit `n` needs the one before it, if it refers back to that, and may limit it.
    fn lean(&mut self, n: usize) {
        let first = self.headings.last().map_or(0, |heading| heading.unit + 1);
        let is_first = n == first;
        let limited = n.saturating_sub(limits(self.unit(n))).max(first)..n;
        let known = self.needs.limited.last().map_or(0, |(last, _)| last + 1);
        self.needs.limited.extend((limited.start.max(known)..n).map(|unit| (unit, n)));
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

/// Whether `line` begins with the name of who says it and a colon: `Ann: ...`, `User Interface: ...`.
fn names_speaker(line: &str) -> bool {
    let start = line.get(..line.floor_char_boundary(64)).unwrap_or(line);
    let Some((name, said)) = start.split_once([':', '：']) else { return false };
    let mut words = name.trim_matches(|c: char| c.is_whitespace() || "*_>".contains(c)).split_whitespace();
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    said.starts_with(|c: char| c.is_whitespace() || c == '*')
        && words.next().is_some_and(is_name)
        && words.clone().all(is_name)
        && words.count() < NAME
}

/// Whether `line` defines the target of a reference, which is useless without that reference.
fn is_definition(line: &str) -> bool {
    line.strip_prefix('[')
        .and_then(|line| line.split_once("]: "))
        .is_some_and(|(name, _)| !name.contains(']'))
}

/// How far the first line of `unit` is indented, in columns: a tab goes to the next multiple of 8.
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
