//! Smart truncation of one block: its start, its declarations and its end.

use std::ops::Range;

use contextfit_kernel::{Action, Chars, MeasuredBlock, Scorer, Tokens};
use contextfit_packing::{Holder, Ledger, Node, Relation, Selection, With};
use contextfit_text::{Language, Needs, Shape, cut_pieces};
use memchr::memchr_iter;

use crate::declarations::declarations;

/// The share of the lines, and of the room, that start and end are given each. The value comes from KB Labs Mind.
const EDGE_SHARES: (usize, usize) = (3, 10);

/// The maximum number of lines selected as relevant to the query. More hardly ever fit together with their neighbours.
const FOCUSED: usize = 64;

/// The maximum number of units of a table that is taken whole if it fits.
const TABLE: usize = 20;

/// The maximum number of units that are taken with one because it needs them.
const MAX_NEEDED_UNITS: usize = 64;

/// Cuts one block to any number of sizes.
pub(crate) struct Extractor<'a, 'b> {
    block: &'b MeasuredBlock<'a>,
    language: Option<&'static Language>,
    preserve_structure: bool,
    needs: &'b Needs,
    relation: &'b Relation,
    focus: Option<(&'b str, &'b dyn Scorer)>,
}

/// A cut block.
#[derive(Debug)]
pub(crate) struct Extract {
    pub(crate) action: Action,
    /// The number of units kept.
    pub(crate) kept: usize,
}

impl<'a, 'b> Extractor<'a, 'b> {
    /// Creates the extractor of `block`, whose units have these `needs`.
    pub(crate) fn new(
        block: &'b MeasuredBlock<'a>,
        (needs, relation): &'b (Needs, Relation),
        preserve_structure: bool,
    ) -> Self {
        Self {
            block,
            language: Language::of_measured(block),
            preserve_structure,
            needs,
            relation,
            focus: None,
        }
    }

    /// Prefers lines relevant to a query to declarations and to most of start and end.
    pub(crate) fn with_focus(mut self, focus: Option<(&'b str, &'b dyn Scorer)>) -> Self {
        self.focus = focus;
        self
    }

    /// Cuts the block to at most `room` tokens, including markers. The [longest](Self::longest_marker) marker takes
    /// `marker` tokens. `None` if not even one unit and a marker fit.
    pub(crate) fn to_tokens(&self, room: Tokens, marker: Tokens) -> Option<Extract> {
        let block = self.block;
        self.cut(room.get(), marker.get(), |from, to| block.tokens_between(from, to).get())
    }

    /// Cuts the block to at most `room` characters, including markers.
    pub(crate) fn to_chars(&self, room: Chars) -> Option<Extract> {
        let block = self.block;
        let marker = self.longest_marker().chars().count();
        self.cut(room.get(), marker, |from, to| block.text(from, to).chars().count())
    }

    /// Cuts the block to at most `room`. `size` is that of a run of units, in the same measure.
    fn cut(&self, room: usize, marker: usize, size: impl Fn(usize, usize) -> usize) -> Option<Extract> {
        let units = self.block.units().len();
        if size(0, units) <= room {
            return Some(Extract { action: Action::Keep, kept: units });
        }
        let runs = self.runs(room, marker, &size);
        let kept = runs.iter().map(ExactSizeIterator::len).sum();
        (kept > 0).then(|| Extract {
            action: Action::Cut { pieces: cut_pieces(self.block, self.language, &runs) },
            kept,
        })
    }

    /// The runs of units to keep, in order.
    fn runs(&self, room: usize, marker: usize, size: &impl Fn(usize, usize) -> usize) -> Vec<Range<usize>> {
        let units = self.block.units().len();
        let mut ledger = Ledger::default();
        let value = |unit: usize| if self.says(&unit) { 1.0 } else { 0.0 };
        let rows = (0..units).map(|unit| (size(unit, unit + 1), value(unit)));
        ledger.hold(Holder { marker, ..Holder::default() }, rows);
        let mut selection = Selection::new(&ledger, self.relation, room).with_most(MAX_NEEDED_UNITS);
        selection.take([Node::Holder(0)], With::All, 0);
        let (head, tail) = self.ends(selection.left(), size);
        for unit in (0..head).chain((tail..units).rev()).filter(|unit| self.says(unit)) {
            self.take(&mut selection, unit);
        }
        for range in self.middle(head, tail) {
            selection.take(range.map(Node::Row), With::Each, 0);
        }
        // The remaining room goes to the start, then to the end.
        (head..tail).filter(|unit| self.says(unit)).all(|unit| self.take(&mut selection, unit));
        (head..tail).rev().filter(|unit| self.says(unit)).all(|unit| self.take(&mut selection, unit));
        selection.runs(0)
    }

    /// Whether `unit` is not mere decoration.
    fn says(&self, unit: &usize) -> bool {
        !is_decoration(self.block.text(*unit, unit + 1))
    }

    /// Takes `unit` with the short table that it is part of or, if that does not fit, with the units it needs. Returns
    /// whether it was taken.
    fn take(&self, selection: &mut Selection<'_>, unit: usize) -> bool {
        let table = self.needs.table_of(unit);
        let is_short = !table.is_empty() && table.len() <= TABLE;
        is_short && selection.take(table.map(Node::Row), With::Each, 0)
            || selection.take([Node::Row(unit)], With::All, 0)
    }

    /// The end of the start section and the start of the end section, in units. Each has 30 % of the lines if both fit,
    /// otherwise as many as fit into its share of the room, so that neither crowds out the other.
    fn ends(&self, room: usize, size: &impl Fn(usize, usize) -> usize) -> (usize, usize) {
        let units = self.block.units().len();
        let lines = (units * EDGE_SHARES.0).div_ceil(EDGE_SHARES.1).min(units / 2);
        if size(0, lines) + size(units - lines, units) <= room {
            return (lines, units - lines);
        }
        let share = match (&self.focus, self.preserve_structure) {
            (Some(_), _) => room / 10,
            (None, true) => room * EDGE_SHARES.0 / EDGE_SHARES.1,
            (None, false) => room / 2,
        };
        // Decoration is not taken, so it needs no room.
        let reach = |order: &mut dyn Iterator<Item = usize>| {
            let mut left = share;
            let fits = |unit: &usize| {
                let size = if self.says(unit) { size(*unit, unit + 1) } else { 0 };
                left.checked_sub(size).is_some_and(|rest| {
                    left = rest;
                    true
                })
            };
            order.take(lines).take_while(fits).count()
        };
        (reach(&mut (0..units)), units - reach(&mut (0..units).rev()))
    }

    /// The parts to keep between start and end, most important first: lines relevant to the query, each with its
    /// neighbours and the declaration that contains it, then all declarations, outer ones first.
    fn middle(&self, head: usize, tail: usize) -> Vec<Range<usize>> {
        let mut declared = match self.preserve_structure {
            true => declarations(self.block, self.language, self.needs, head..tail),
            false => Vec::new(),
        };
        let mut wanted = Vec::new();
        for unit in self.focused(head, tail) {
            wanted.push(unit.saturating_sub(1).max(head)..(unit + 3).min(tail));
            let above = declared.partition_point(|declaration| declaration.from <= unit);
            wanted
                .extend(above.checked_sub(1).and_then(|n| declared.get(n)).map(|found| found.from..found.to));
        }
        // The sort is stable, so equals remain in the order of the source.
        declared.sort_by_key(|declaration| declaration.depth);
        wanted.extend(declared.into_iter().map(|declaration| declaration.from..declaration.to));
        wanted
    }

    /// The units between start and end that are most relevant to the query, best first.
    fn focused(&self, head: usize, tail: usize) -> Vec<usize> {
        let Some((query, scorer)) = self.focus else { return Vec::new() };
        let lines: Vec<&str> = (head..tail).map(|unit| self.block.text(unit, unit + 1)).collect();
        let scored = scorer.score(query, &lines).into_iter().zip(head..).filter(|(score, _)| *score > 0.0);
        let mut scored: Vec<(f64, usize)> = scored.collect();
        scored.sort_by(|(a, left), (b, right)| b.total_cmp(a).then(left.cmp(right)));
        scored.into_iter().map(|(_, unit)| unit).take(FOCUSED).collect()
    }

    /// A marker at least as long as any in this block, for planning. Prose can have more lines than units.
    pub(crate) fn longest_marker(&self) -> String {
        let units = self.block.units().len();
        match self.language {
            Some(language) if language.shape == Shape::Code => {
                Language::marker(Some(language), &[&units.to_string(), " lines\n"].concat())
            }
            _ => {
                let feeds = memchr_iter(b'\n', self.block.block().text.as_bytes()).count();
                let most = units.max(feeds + 1);
                Language::marker(None, &[&most.to_string(), " sentences"].concat())
            }
        }
    }
}

/// Whether `unit` has only blank lines and targets of references (`[build]: https://…`), at least one of them.
fn is_decoration(unit: &str) -> bool {
    let is_target = |line: &str| {
        let target = line.strip_prefix('[').and_then(|line| line.split_once("]:"));
        target.is_some_and(|(name, to)| !name.contains(']') && to.trim().starts_with("http"))
    };
    let mut lines = unit.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    lines.peek().is_some() && lines.all(is_target)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(unit: &str, expect: bool) {
        assert_eq!(is_decoration(unit), expect, "{unit}");
    }

    #[test]
    fn targets() {
        check("[docs]: https://docs.example\n\n", true);
        check("[docs]: https://docs.example\nText.\n", false);
        check("[Documentation][docs]\n", false);
        check("[1]: see below\n", false);
        check("\n", false);
    }
}
