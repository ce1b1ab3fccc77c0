//! Reads what each unit needs, in one pass over the units.

use std::{collections::HashMap, ops::Range};

use super::{
    super::lines::{Kind, has_pipe, heading_tag, is_box_border, is_boxed, is_separator, is_underline, kind},
    Needs,
};
use crate::{
    NaturalLanguage,
    anaphora::{FAR, leans_back, limits, warns},
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

/// A turn of a transcript has at most this many lines on average.
const TURN: usize = 6;

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
        let speaks = speaker(line).map(|_| n);
        self.speaker = speaks.or(self.speaker.filter(|_| self.is_transcript));
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
                None if self.is_byline(n) => self.title(n..n + 1, BYLINE),
                None => self.paragraph(n, line),
            },
        }
        n + 1
    }

    /// A warning also limits what the sentences after it say, up to the end of its passage.
    fn warn(&mut self) {
        let passages = &self.needs.passages;
        let mut limited = Vec::new();
        for warning in std::mem::take(&mut self.warnings) {
            let next = passages.partition_point(|(start, _)| *start <= warning);
            let end = passages.get(next).map_or(self.units.len(), |(start, _)| *start);
            limited.extend((warning + 1..end.min(warning + 1 + FAR)).map(|unit| (unit, warning)));
        }
        // A stable sort: what limits a sentence by its own words comes first.
        self.needs.limited.extend(limited);
        self.needs.limited.sort_by_key(|(unit, _)| *unit);
        self.needs.limited.dedup_by_key(|(unit, _)| *unit);
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
        match self.needs.passages.last_mut().filter(|_| follows) {
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

    /// Reads a table drawn with box characters, whose rows may take several lines: each line needs the others of its row
    /// and the head, the lines through the second border.
    fn boxes(&mut self, start: usize) -> usize {
        self.place(start, indent(self.unit(start)));
        let end = (start..self.units.len())
            .find(|&n| !is_boxed(first_line(self.unit(n))))
            .unwrap_or(self.units.len());
        let is_border = |n: usize| is_box_border(first_line(self.unit(n)));
        let mut borders: Vec<usize> = (start + 1..end).filter(|&n| is_border(n)).collect();
        borders.push(end - 1);
        if let Some(head) = borders.first().copied().filter(|head| head + 1 < end) {
            self.needs.one.push((start, head + 1..end));
        }
        let mut row = start;
        for border in borders {
            (row + 1..border + 1).for_each(|n| self.tie(n, row));
            if row > start && row <= border {
                self.need(row, start);
            }
            row = border + 1;
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
        self.speaker.into_iter().for_each(|speaker| self.beside(n, speaker));
        self.lean(n);
        self.term = self.outer.last().map(|(item, _)| *item).filter(|item| self.is_term(*item));
        if self.is_term(n) {
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
        let first = self.headings.last().map_or(0, |heading| heading.end);
        let is_first = n == first;
        let term = self.needs.passages.last().and_then(|(_, headings)| headings.last());
        let first = first.max(term.map_or(0, |term| term + 1));
        if warns(self.unit(n)) {
            self.warnings.push(n);
        }
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

/// The name of who says `line`, if it begins with that and a colon: `Ann: ...`, `User Interface: ...`.
fn speaker(line: &str) -> Option<&str> {
    let start = line.get(..line.floor_char_boundary(64)).unwrap_or(line);
    let (name, said) = start.split_once([':', '：'])?;
    let name = name.trim_matches(|c: char| c.is_whitespace() || "*_>".contains(c));
    let mut words = name.split_whitespace();
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    let is_speaker = said.starts_with(|c: char| c.is_whitespace() || c == '*')
        && words.next().is_some_and(is_name)
        && words.clone().all(is_name)
        && words.count() < NAME;
    is_speaker.then_some(name)
}

/// Whether `units` are the turns of two speakers or more: names that begin several lines begin one in [`TURN`].
fn is_transcript(units: &[&str]) -> bool {
    let mut lines = 0;
    let mut turns: HashMap<&str, usize> = HashMap::new();
    let begins_line = |n: &usize| {
        n.checked_sub(1).and_then(|before| units.get(before)).is_none_or(|before| before.ends_with('\n'))
    };
    for unit in (0..units.len()).filter(begins_line).filter_map(|n| units.get(n)) {
        lines += 1;
        speaker(first_line(unit)).into_iter().for_each(|name| *turns.entry(name).or_default() += 1);
    }
    let several = turns.values().filter(|turns| **turns > 1);
    several.clone().count() > 1 && several.sum::<usize>() * TURN >= lines
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
