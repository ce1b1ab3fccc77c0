//! The visible part of a page: its rows, with a marker for each run of omitted ones.

use std::{iter::successors, ops::Range};

use contextfit_kernel::{Action, ByteRange, Piece, Tokens, Values};
use contextfit_text::{Language, Shape, gap_marker};

use crate::page::{Body, OutlinePage, PagePart, fold_within, lines, missing};

/// The marker for a run of omitted rows.
pub(crate) struct Marker {
    /// The end of the row before the omitted ones, if the marker goes on its line.
    pub(crate) opener_end: Option<usize>,
    pub(crate) text: String,
    /// The row after the last one that the marker replaces.
    pub(crate) end: usize,
}

impl<'a> OutlinePage<'a, '_> {
    /// The marker for omitted rows. If they are everything between an opening line and its closing row, the marker is
    /// between the brackets; if they are all of a body that must not be empty, it is after the placeholder statement.
    /// Any other omitted rows, including those after such a body, get a marker on a separate line.
    pub(crate) fn marker(&self, gap: &Range<usize>, shown: &[bool], has_opener: bool) -> Marker {
        let opener = gap.start.checked_sub(1).filter(|_| has_opener);
        if self.parts_lines(gap) {
            let text = gap_marker(self.block, self.language, self.unit(gap.start), self.unit(gap.end));
            return Marker { opener_end: None, text, end: gap.end };
        }
        if let Some(marker) = opener.and_then(|opener| self.between_brackets(gap, opener)) {
            return marker;
        }
        let empty = self.emptied(gap, shown);
        let opener_of_code = opener.filter(|_| self.shape() == Shape::Code);
        let own = opener_of_code.map_or(gap.end, |opener| self.end_of_definition(opener, gap));
        let own = empty.map_or(own, |body| body.rows.end).clamp(gap.start, gap.end);
        let mut text = String::new();
        let mut opener_end = None;
        for rows in [gap.start..own, own..gap.end].into_iter().filter(|rows| !rows.is_empty()) {
            let empty = empty.filter(|_| rows.start == gap.start);
            let inline = empty.and(opener).and_then(|row| self.end_behind(row, ':'));
            opener_end = inline.or(opener_end);
            let hidden = inline.map_or(self.text(&rows), |end| self.below(end, rows.end));
            let comment = Language::marker(self.language, &self.missing(&rows, split_blank(hidden).0));
            let indented =
                empty.map_or(self.text(&rows), |body| self.text(&body.rows)).trim_start_matches(['\n', '\r']);
            let indent = indented.split(|c: char| c != ' ' && c != '\t').next().unwrap_or_default();
            text.push_str(if inline.is_some() { " " } else { indent });
            if let Some(body) = empty {
                text.extend([body.placeholder, "  "]);
            }
            text.push_str(&comment);
            text.push_str(split_blank(self.text(&rows)).1);
        }
        Marker { opener_end, text, end: gap.end }
    }

    /// Whether a gap begins or ends within a line, as sentences do.
    fn parts_lines(&self, gap: &Range<usize>) -> bool {
        let ends_line =
            |range: ByteRange| range.of(&self.block.block().text).is_none_or(|text| text.ends_with('\n'));
        let starts = gap.start == 0 || ends_line(self.range(&(gap.start - 1..gap.start)));
        !starts || (gap.end < self.len() && !ends_line(self.range(gap)))
    }

    /// The marker between the bracket at the end of row `opener` and the matching one in the row after `gap`.
    fn between_brackets(&self, gap: &Range<usize>, opener: usize) -> Option<Marker> {
        let closer = gap.end..gap.end + 1;
        // Not the bracket of an item that starts in the gap, which is possible in a text with syntax errors.
        let count = |bracket: char| self.text(gap).matches(bracket).count();
        let closes = self.closes(gap.end)
            && self.holders(opener).any(|part| part.rows.end == closer.end)
            && count('{') == count('}');
        let text = Some(self.text(&closer).trim_start()).filter(|_| closes)?;
        let sign = match text.chars().next()? {
            '}' => '{',
            ')' => '(',
            _ => '[',
        };
        let end = self.end_behind(opener, sign)?;
        let missing = self.missing(gap, self.below(end, gap.end));
        let marker = fold_within(self.language?, &missing)?;
        Some(Marker { opener_end: Some(end), text: [&marker, text].concat(), end: closer.end })
    }

    /// The end of the innermost definition (in YAML, the innermost entry) that contains both row `before` and the row
    /// after it, or the end of `gap` if there is none.
    fn end_of_definition(&self, before: usize, gap: &Range<usize>) -> usize {
        let data = self.language.is_some_and(|language| language.name == "yaml");
        let mut around = self.holders(before).filter(|part| part.rows.end > gap.start);
        let own = around.find(|part| data || part.kind.defines());
        own.map_or(gap.end, |part| part.rows.end.min(gap.end))
    }

    /// The parts that contain `row`, the innermost first.
    fn holders(&self, row: usize) -> impl Iterator<Item = &PagePart> {
        let behind = self.parts.partition_point(|part| part.rows.start <= row);
        let last = behind.checked_sub(1).and_then(|last| self.parts.get(last));
        let above = |part: &&PagePart| part.parent.and_then(|parent| self.parts.get(parent));
        successors(last, above).filter(move |part| part.rows.end > row)
    }

    /// The text between `row` and the line that contains byte `at`.
    fn below(&self, at: usize, row: usize) -> &'a str {
        let text = &self.block.block().text;
        let rest = text.get(at..self.block.start_of(self.unit(row))).unwrap_or_default();
        rest.split_once('\n').map_or("", |(_, below)| below)
    }

    /// A description of the missing part: the number of lines in `text`, and the definitions in `rows`.
    fn missing(&self, rows: &Range<usize>, text: &str) -> String {
        let first = self.parts.partition_point(|part| part.rows.start < rows.start);
        let inside = self.parts.iter().skip(first).take_while(|part| part.rows.start < rows.end);
        let mut end = 0;
        // Of a definition that continues after the gap, only its comment is missing.
        let outermost = inside.filter(|part| {
            let is_outer = part.kind.defines() && part.rows.start >= end && part.rows.end <= rows.end;
            if is_outer {
                end = part.rows.end;
            }
            is_outer
        });
        missing(lines(text), outermost.map(|part| self.name(part).trim()))
    }

    /// The end of `row` before its line feed; `None` unless its text ends with `sign`, and text appended there is part
    /// of neither a comment nor a directive.
    fn end_behind(&self, row: usize, sign: char) -> Option<usize> {
        let range = self.block.range(*self.units.get(row)?, self.units.get(row)? + 1);
        let line = range.of(&self.block.block().text)?.strip_suffix('\n')?;
        let line = line.strip_suffix('\r').unwrap_or(line);
        let comment = self.language?.comment_open;
        let open = line.ends_with(sign) && !line.contains(comment) && !line.trim_start().starts_with('#');
        open.then_some(range.start() + line.len())
    }

    /// The body that starts in `gap` and has no statement left: its visible rows are all comments. Linear in the rows
    /// over all gaps: if bodies are nested, a row of the outer one is shown.
    fn emptied(&self, gap: &Range<usize>, shown: &[bool]) -> Option<&Body> {
        let first = self.bodies.partition_point(|body| body.rows.start < gap.start);
        let mut inside = self.bodies.iter().skip(first).take_while(|body| body.rows.start < gap.end);
        let is_shown = |row: usize| shown.get(row).copied().unwrap_or(true);
        let stands = |body: &Body| {
            let mut own = body.parent.into_iter().flat_map(|parent| self.own_rows(parent));
            own.next().is_some_and(|rows| is_shown(rows.start))
        };
        let is_empty = |body: &Body| body.rows.clone().all(|row| !is_shown(row) || self.comments.at(row));
        inside.find(|body| stands(body) && is_empty(body))
    }

    /// A typical marker, for estimates.
    pub(crate) fn usual_marker(&self) -> String {
        format!("    {}\n", Language::marker(self.language, "99 lines: a_name"))
    }
}

/// A text without its trailing blank lines, and those lines with the line feed before them, which are kept.
fn split_blank(text: &str) -> (&str, &str) {
    let end = text.trim_ascii_end().len();
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// A gap is closed if it costs at most this many markers: a slightly longer text says more than a line count.
const WORTH: usize = 2;

impl OutlinePage<'_, '_> {
    /// The action that shows the rows marked in `shown`. A gap that costs hardly more than `marker` tokens is closed.
    pub(crate) fn action(&self, shown: &[bool], marker: Tokens) -> Action {
        let is_shown = |row: usize| shown.get(row).copied().unwrap_or(true);
        let mut pieces = Vec::new();
        let (mut from, mut row, all) = (0, 0, self.len());
        while row < all {
            let start = row;
            while row < all && !is_shown(row) {
                row += 1;
            }
            let gap = start..row;
            if self.tokens(&gap).get() > marker.get() * WORTH {
                let before = self.range(&(from..start));
                let Marker { opener_end, text, end } = self.marker(&gap, shown, start > from);
                let source = ByteRange::new(before.start(), opener_end.unwrap_or(before.end()));
                pieces.extend(source.filter(|source| !source.is_empty()).map(Piece::Source));
                match pieces.last_mut() {
                    // After a bracket that the previous marker has closed.
                    Some(Piece::Marker(before)) => before.push_str(&text),
                    _ => pieces.push(Piece::Marker(text)),
                }
                from = end;
                row = end;
            }
            row += usize::from(row < all && is_shown(row));
        }
        if pieces.is_empty() {
            return Action::Keep;
        }
        if from < all {
            pieces.push(Piece::Source(self.range(&(from..all))));
        }
        Action::Cut { pieces }
    }
}
