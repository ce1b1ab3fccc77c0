//! The other units that a unit of prose needs to be understood.

use std::{iter, ops::Range};

use contextfit_kernel::{MeasuredBlock, Role, Turn, Values};
use contextfit_packing::{Need, Node};

use crate::{
    Language, NaturalLanguage, Shape,
    anaphora::leans_back,
    gap::reads_as_marker,
    segment::{
        lines::{CodeFence, Kind, has_pipe, heading_tag, is_separator, is_signed, is_underline, kind},
        torn::torn,
    },
};

/// The other units that each unit of a text needs: "unit `u` is shown only with `v`".
///
/// A unit needs its heading, and a heading the one above it and some of the text below it. A unit that ends in a colon
/// and the unit after it need each other. A table row needs the head of its table, a list item the item that it is part
/// of, and a line of code its opening and closing fences. A sentence that begins with a pronoun or a connective needs
/// the one before it.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::{NaturalLanguage, Needs, Shape, unit_ends};
///
/// let text = "# Town\nIt lies on a river. Its banks are steep.\n";
/// let needs = Needs::of(text, &unit_ends(text, Shape::Prose), NaturalLanguage::English);
/// assert_eq!(needs.all_of(2), [0, 1]);
/// assert_eq!(needs.one_of(0), 1..3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Needs {
    /// For each unit, all the units that it must be shown with.
    all: Vec<Vec<usize>>,
    /// Units that must be shown with at least one of several others, and those others.
    one: Vec<(usize, Range<usize>)>,
    /// Tables, including their heads.
    tables: Vec<Range<usize>>,
    /// Whether each unit is a heading, announces what comes after it, or is an item of an announced list with more
    /// text in it.
    heads: Vec<bool>,
    /// Whether each unit begins an item of a list.
    items: Vec<bool>,
    /// The units that begin a passage (headings that do not follow another one), and all headings of each passage.
    passages: Vec<(usize, Vec<usize>)>,
}

impl Needs {
    /// The needs of the units that end at `ends` in the prose `text`, which is in `natural_language`. Linear in the
    /// length of the text.
    #[must_use]
    pub fn of(text: &str, ends: &[usize], natural_language: NaturalLanguage) -> Self {
        // ablate: text.needs => Self { all: vec![Vec::new(); ends.len()], ..Self::default() }
        let starts = iter::once(&0).chain(ends);
        let units = starts.zip(ends).map(|(&from, &to)| text.get(from..to).unwrap_or_default());
        let code = match torn(text) {
            0 => 0,
            close => ends.partition_point(|&end| end < close) + 1,
        };
        NeedsReader::new(units.collect(), natural_language).read(code)
    }

    /// The needs of the units of `block`, if it is prose, in `natural_language`; each part of a message is a text on its
    /// own. Code and data have none: every line is shown on its own. Linear in the length of the block.
    #[must_use]
    pub fn of_measured(block: &MeasuredBlock<'_>, natural_language: NaturalLanguage) -> Self {
        if Language::of_measured(block).is_some_and(|language| language.shape != Shape::Prose) {
            return Self::default();
        }
        let text = &block.block().text;
        let mut needs = Self::default();
        let plain = Turn::new(Role::Tool);
        for part in block.block().as_turn().unwrap_or(&plain).ranges(text) {
            let (from, to) = (block.units_before(part.start()), block.units_before(part.end()));
            let ends = block.units().get(from..to).unwrap_or_default().iter();
            let ends: Vec<usize> = ends.map(|unit| unit.end.saturating_sub(part.start())).collect();
            needs.append(from, Self::of(part.of(text).unwrap_or_default(), &ends, natural_language));
        }
        needs
    }

    /// Adds the needs of the units from `first` on; those before it that are not known yet have none.
    fn append(&mut self, first: usize, next: Self) {
        let moved = |range: Range<usize>| first + range.start..first + range.end;
        let all_moved = |all: Vec<usize>| all.into_iter().map(|n| first + n).collect::<Vec<_>>();
        self.all.resize(first, Vec::new());
        self.all.extend(next.all.into_iter().map(all_moved));
        self.one.extend(next.one.into_iter().map(|(n, others)| (first + n, moved(others))));
        self.tables.extend(next.tables.into_iter().map(moved));
        self.heads.resize(first, false);
        self.heads.extend(next.heads);
        self.items.resize(first, false);
        self.items.extend(next.items);
        self.passages.extend(next.passages.into_iter().map(|(n, headings)| (first + n, all_moved(headings))));
    }

    /// The needs in the form of edges between rows, of which `start` is the first unit.
    pub fn edges(&self, start: usize) -> impl Iterator<Item = (Node, Need)> + '_ {
        let row = move |unit: usize| Node::Row(start + unit);
        let all = self.all.iter().enumerate().flat_map(move |(unit, all)| {
            all.iter().map(move |other| (row(unit), Need::All(start + other..start + other + 1)))
        });
        let one = move |(unit, range): &(usize, Range<usize>)| {
            (row(*unit), Need::One(start + range.start..start + range.end))
        };
        all.chain(self.one.iter().map(one))
    }

    /// The units that must all be shown with unit `n`.
    #[must_use]
    pub fn all_of(&self, n: usize) -> &[usize] {
        self.all.get(n).map_or(&[], Vec::as_slice)
    }

    /// Those of the units that unit `n` needs that are headings, announce it, or are the item of an announced list that
    /// contains it. Without them it can say the opposite: `Never:`.
    pub fn heads_of(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        self.all_of(n).iter().copied().filter(|&other| self.heads.at(other))
    }

    /// Whether unit `n` begins an item of a list.
    #[must_use]
    pub fn is_item(&self, n: usize) -> bool {
        self.items.at(n)
    }

    /// The units of which at least one must be shown with unit `n`; empty for most units. Logarithmic time.
    #[must_use]
    pub fn one_of(&self, n: usize) -> Range<usize> {
        let found = self.one.binary_search_by_key(&n, |(unit, _)| *unit).ok();
        found.and_then(|at| self.one.get(at)).map_or(0..0, |(_, range)| range.clone())
    }

    /// The table that contains unit `n`; empty for most units. Logarithmic time.
    #[must_use]
    pub fn table_of(&self, n: usize) -> Range<usize> {
        let after = self.tables.partition_point(|table| table.start <= n);
        let table = after.checked_sub(1).and_then(|at| self.tables.get(at));
        table.filter(|table| table.contains(&n)).cloned().unwrap_or(0..0)
    }

    /// The units at which a passage begins, ascending: headings with text below them, and of consecutive headings the
    /// first. Each has a list of its headings and those above them.
    #[must_use]
    pub fn passages(&self) -> &[(usize, Vec<usize>)] {
        &self.passages
    }

    /// Whether unit `n` may be shown, if `is_shown` is true of the other shown units.
    #[must_use]
    pub fn are_met(&self, n: usize, is_shown: impl Fn(usize) -> bool) -> bool {
        let mut one = self.one_of(n);
        self.all_of(n).iter().all(|&other| is_shown(other)) && (one.is_empty() || one.any(is_shown))
    }
}

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
struct NeedsReader<'t> {
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
    fn new(units: Vec<&'t str>, natural_language: NaturalLanguage) -> Self {
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
    fn read(mut self, code: usize) -> Needs {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit_ends;

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
        check("# A\nOne.\n\n[one]: https://a.example\n", &["0: [] | 1..2", "1: [0]", "2: [0]"]);
        check("Town\n====\nIt lies here.", &["0: [] | 1..2", "1: [0]"]);
    }

    #[test]
    fn leads() {
        check("Do not:\n\n- shout\n- run\n\nThe end.\n\n- a", &["0: [1]", "1: [0]", "2: [0]"]);
        check("Do not:\n\n– shout\n\n– run\n\nThe end.\n\n– a", &["0: [1]", "1: [0]", "2: [0]"]);
        check("Say **this:**\n\nhello there\n", &["0: [1]", "1: [0]"]);
        check(
            "Never:\n  - drop it.\n- rename it.\n[ ] go.\n→ run.\n",
            &["0: [1]", "1: [0]", "2: [0]", "3: [0]", "4: [0]"],
        );
        check("Never:\n- drop it\n12:00 up\n- go\nDone.\n- a b", &["0: [1]", "1: [0]", "3: [0]"]);
        check(
            "Never:\n1. drop it\n```\nx\n```\n2. go\n",
            &["0: [1]", "1: [0]", "2: [1, 3, 4]", "3: [2]", "4: [2]", "5: [0]"],
        );
        check("a:\n- b:\n  - c\n  - d\n- e\n", &["0: [1]", "1: [0, 2]", "2: [1]", "3: [1]", "4: [0]"]);
    }

    #[test]
    fn passages() {
        let text = "Before.\n# A\n## B\nOne. Two.\n\n- three\n## C\nFour.\n";
        let needs = Needs::of(text, &unit_ends(text, Shape::Prose), NaturalLanguage::English);
        assert_eq!(needs.passages(), [(1, vec![1, 2]), (6, vec![1, 6])]);
    }

    #[test]
    fn fences_are_opened_and_closed() {
        check("So:\n```\nx\n```\nEnd.", &["0: [1]", "1: [0, 2, 3]", "2: [1]", "3: [1]"]);
        check("if x {\n    y();\n}\n```\n\n# End\nOne.\n", &["3: [2]", "4: [] | 5..6", "5: [4]"]);
        let long = format!("```\n{}```\n", "z();\n".repeat(21));
        let mut expect = vec!["0: [22] | 1..22".to_owned()];
        expect.extend((1..23).map(|n| format!("{n}: [0]")));
        check(&long, &expect.iter().map(String::as_str).collect::<Vec<_>>());
        let item = "Never:\n1. ```\n   rm -r a\n   ```\n2. ```sh\n   rm b\n   ```\n- Sleep.\n";
        let expect =
            ["0: [1]", "1: [0, 2, 3]", "2: [1]", "3: [1]", "4: [0, 5, 6]", "5: [4]", "6: [4]", "7: [0]"];
        check(item, &expect);
    }

    #[test]
    fn tables() {
        let table = "Sizes:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n";
        check(table, &["0: [1]", "1: [0, 2] | 3..5", "2: [1]", "3: [1]", "4: [1]"]);
        let needs = Needs::of(table, &unit_ends(table, Shape::Prose), NaturalLanguage::English);
        assert_eq!((0..5).map(|n| needs.table_of(n)).collect::<Vec<_>>(), [0..0, 1..5, 1..5, 1..5, 1..5]);
    }

    #[test]
    fn headings_of_html() {
        check(
            "<h2>A</h2>\nOne.\n<h3 id=\"b\">Two</h3>\n\nThree.\n",
            &["0: [] | 1..4", "1: [0]", "2: [0] | 3..4", "3: [2]"],
        );
    }

    #[test]
    fn sentences() {
        check("The bridge is old. It fell in 1902. The market thrives.", &["1: [0]"]);
        check("It fell. It rose. It fell. It rose. It fell.", &["1: [0]", "2: [1]", "3: [2]"]);
        check("- One item. It has two sentences.", &["1: [0]"]);
        check("Never:\n- go\n[... 4 lines]\n- run\n", &["0: [1]", "1: [0]", "3: [0]"]);
        check(
            "Never:\n- Stop it. Start them.\n  Rest well.\n- Go. Come.\n\nYes. No.",
            &["0: [1]", "1: [0]", "2: [1]", "3: [1]", "4: [0]", "5: [4]"],
        );
    }
}
