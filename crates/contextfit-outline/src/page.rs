//! A block and its outline, counted in rows, and the text that replaces rows.

use std::{mem, ops::Range, sync::Arc};

use contextfit_kernel::{Action, ByteRange, Level, MeasuredBlock, TokenCounter, Tokens, Values, in_brackets};
use contextfit_text::{Language, Shape};
use memchr::memchr_iter;

use crate::{ItemKind, Outline, Outlines, known::is_parsed, lines::Lines, outline::inner, reading};

/// The number of rows that open and close the content of a fence.
const FENCE: usize = 2;

/// An item, measured in rows.
#[derive(Debug, Clone)]
pub(crate) struct PagePart {
    pub(crate) kind: ItemKind,
    pub(crate) parent: Option<usize>,
    pub(crate) rows: Range<usize>,
    pub(crate) name: Option<ByteRange>,
    pub(crate) required: bool,
    /// The range of the children of this part in [`OutlinePage::inner`].
    pub(crate) parts: Range<usize>,
}

/// Rows of which at least one must be shown if their parent is.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub(crate) rows: Range<usize>,
    pub(crate) parent: Option<usize>,
    pub(crate) placeholder: &'static str,
}

/// A block with its outline. A row is a non-blank unit with the blank units after it.
pub(crate) struct OutlinePage<'a, 'b> {
    pub(crate) block: &'b MeasuredBlock<'a>,
    pub(crate) language: Option<&'static Language>,
    /// The first unit of each row, which is not blank.
    pub(crate) units: Vec<usize>,
    /// The tokens before each row, and last those of the whole text.
    before: Vec<Tokens>,
    pub(crate) parts: Vec<PagePart>,
    /// The indices of the children of each part, the top-level parts first.
    inner: Vec<usize>,
    /// The bodies, in the order of their first rows.
    pub(crate) bodies: Vec<Body>,
    /// The range of the top-level parts in [`OutlinePage::inner`].
    pub(crate) top: Range<usize>,
    /// Whether each row only closes a part, so that a marker may be put before its bracket.
    closers: Vec<bool>,
    /// Whether each row is part of a comment; empty if there are no bodies.
    pub(crate) comments: Vec<bool>,
    /// The runs of rows that changed, in order, without overlaps.
    changed: Vec<Range<usize>>,
}

impl<'a, 'b> OutlinePage<'a, 'b> {
    /// The page of a block, whose outline may be among `known` ones. Linearithmic.
    pub(crate) fn new(block: &'b MeasuredBlock<'a>, known: Option<&Outlines>) -> Self {
        let language = Language::of_measured(block);
        let text = block.block().text.as_str();
        let outline = match language {
            Some(language) if is_parsed(language) => {
                known.map_or_else(|| Arc::new(Outline::of(text, language)), |known| known.of(text, language))
            }
            _ => Arc::new(reading::by_passages(text)),
        };
        let units = holding_something(block);
        // Blank units at the start of the text belong to the first row.
        let starts = units.iter().enumerate().map(|(row, &unit)| if row == 0 { 0 } else { unit });
        let before = starts.chain([block.units().len()]).map(|unit| block.tokens_through(unit)).collect();
        let mut page = Self {
            block,
            language,
            units,
            before,
            parts: Vec::with_capacity(outline.items.len()),
            inner: Vec::new(),
            bodies: Vec::new(),
            top: 0..0,
            closers: Vec::new(),
            comments: Vec::new(),
            changed: Vec::new(),
        };
        let (inner, mut places) = inner(&outline.items);
        page.inner = inner;
        page.top = places.next().unwrap_or_default();
        for (item, parts) in outline.items.iter().zip(places) {
            let rows = page.row_at(item.range.start())..page.row_at(item.range.end());
            let (kind, parent, name, required) = (item.kind, item.parent, item.name, item.required);
            page.parts.push(PagePart { kind, parent, rows, name, required, parts });
        }
        let bodies = outline.bodies.iter().map(|body| Body {
            rows: page.row_at(body.range.start())..page.row_at(body.range.end()),
            parent: body.parent,
            placeholder: body.placeholder,
        });
        page.bodies = bodies.collect();
        page.bodies.sort_by_key(|body| body.rows.start);
        page.closers = page.find_closers();
        page.comments = page.find_comments();
        page.changed = page.find_changed();
        page
    }

    /// The runs of rows that changed.
    fn find_changed(&self) -> Vec<Range<usize>> {
        let block = self.block.block();
        let Some(passage) = block.as_passage().filter(|passage| !passage.changed.is_empty()) else {
            return Vec::new();
        };
        let (first, lines) = (passage.start_line.unwrap_or(1), Lines::new(&block.text));
        let row_starts: Vec<usize> = (0..self.len()).map(|row| self.range(&(row..row + 1)).start()).collect();
        let rows = |&(from, to): &(usize, usize)| {
            let start = lines.start(from.saturating_sub(first));
            let end = lines.start(to.saturating_add(1).saturating_sub(first));
            // A change of white space alone changes no row; of prose, a row has several lines.
            let changed = block.text.get(start..end).unwrap_or_default();
            let text = start + (changed.len() - changed.trim_start().len());
            let row = row_starts.partition_point(|start| *start <= text).saturating_sub(1);
            row..if text < end { row_starts.partition_point(|start| *start < end) } else { row }
        };
        let mut runs: Vec<Range<usize>> =
            passage.changed.iter().map(rows).filter(|rows| !rows.is_empty()).collect();
        runs.sort_by_key(|rows| rows.start);
        runs.dedup_by(|next, run| {
            let is_joined = next.start <= run.end;
            run.end = if is_joined { run.end.max(next.end) } else { run.end };
            is_joined
        });
        runs
    }

    /// The runs of `rows` that changed. Logarithmic in the number of all runs.
    pub(crate) fn changed_runs(&self, rows: &Range<usize>) -> impl DoubleEndedIterator<Item = Range<usize>> {
        let first = self.changed.partition_point(|run| run.end <= rows.start);
        let last = self.changed.partition_point(|run| run.start < rows.end);
        let (start, end) = (rows.start, rows.end);
        let runs = self.changed.get(first..last).unwrap_or_default().iter();
        runs.map(move |run| run.start.max(start)..run.end.min(end))
    }

    /// The part of `rows` from the first that changed to the last.
    pub(crate) fn changed(&self, rows: &Range<usize>) -> Option<Range<usize>> {
        let mut runs = self.changed_runs(rows);
        let first = runs.next()?;
        Some(first.start..runs.next_back().map_or(first.end, |last| last.end))
    }

    /// Whether each row is part of a comment; empty if there are no bodies.
    fn find_comments(&self) -> Vec<bool> {
        let mut comments = vec![false; if self.bodies.is_empty() { 0 } else { self.len() }];
        for part in self.parts.iter().filter(|part| part.kind == ItemKind::Comment) {
            comments.get_mut(part.rows.clone()).unwrap_or_default().fill(true);
        }
        comments
    }

    /// For each row, whether it is the last of a part and only closes brackets, in a language with inline comments to
    /// put before them. Always false if the page has bodies that a placeholder statement can replace.
    fn find_closers(&self) -> Vec<bool> {
        let mut closers = vec![false; self.len()];
        let commented = self.language.is_some_and(|language| language.comment_within().is_some());
        let ends = self.parts.iter().filter_map(|part| part.rows.end.checked_sub(1));
        for last in ends.filter(|_| commented && self.bodies.is_empty()) {
            let text = self.text(&(last..last + 1)).trim_ascii();
            let closes = text.bytes().all(|byte| matches!(byte, b'}' | b')' | b']' | b',' | b';'));
            closers.set(last, closes);
        }
        closers
    }

    /// Whether a row only closes a part, and so is joined to the marker for the part's content.
    pub(crate) fn closes(&self, row: usize) -> bool {
        self.closers.at(row)
    }

    /// The parts at these positions, which are those of a [`PagePart::parts`].
    pub(crate) fn inner(&self, places: &Range<usize>) -> &[usize] {
        self.inner.get(places.clone()).unwrap_or_default()
    }

    /// The first row at or after byte `at`.
    fn row_at(&self, at: usize) -> usize {
        let unit = self.block.units_before(at);
        self.units.partition_point(|&other| other < unit)
    }

    /// Whether the block is code or prose.
    pub(crate) fn shape(&self) -> Shape {
        self.language.map_or(Shape::Prose, |language| language.shape)
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.units.len()
    }

    /// The first unit of a row. Blank units at the start of the text belong to the first row.
    pub(crate) fn unit(&self, row: usize) -> usize {
        match row {
            0 => 0,
            row => self.units.get(row).copied().unwrap_or(self.block.units().len()),
        }
    }

    /// The name of a part, empty if it has none.
    pub(crate) fn name(&self, part: &PagePart) -> &'a str {
        part.name.and_then(|name| name.of(&self.block.block().text)).unwrap_or_default()
    }

    /// The text of these rows.
    pub(crate) fn text(&self, rows: &Range<usize>) -> &'a str {
        self.block.text(self.unit(rows.start), self.unit(rows.end))
    }

    /// The tokens of these rows as part of the whole text.
    pub(crate) fn tokens(&self, rows: &Range<usize>) -> Tokens {
        let before = |row: usize| self.before.get(row).or(self.before.last()).copied().unwrap_or_default();
        before(rows.end).saturating_sub(before(rows.start))
    }

    /// The rows that part `n` shows if none of its children are shown.
    pub(crate) fn own_rows(&self, n: usize) -> impl Iterator<Item = Range<usize>> {
        let part = self.parts.get(n);
        let (rows, parts) =
            part.map_or((0..0, [].as_slice()), |part| (part.rows.clone(), self.inner(&part.parts)));
        self.gaps(rows, parts)
    }

    /// The rows of part `n`, or of the page, that are shown along with anything inside it: in code its own rows,
    /// because the text must parse; in prose its heading or the lines of its fence.
    pub(crate) fn context_rows(&self, n: Option<usize>) -> Vec<Range<usize>> {
        let Some(n) = n else {
            let own = self.gaps(0..self.len(), self.inner(&self.top));
            return own.filter(|_| self.shape() == Shape::Code).collect();
        };
        let own = self.own_rows(n);
        let is_section = self.parts.get(n).is_some_and(|part| part.kind == ItemKind::Type);
        match self.shape() {
            Shape::Code => own.collect(),
            Shape::Prose if is_section => own.take(1).map(|rows| rows.start..rows.start + 1).collect(),
            _ => {
                let own: Vec<Range<usize>> = own.collect();
                let few = own.iter().map(Range::len).sum::<usize>() <= FENCE;
                if few { own } else { Vec::new() }
            }
        }
    }

    /// The row after the comment at the start of part `n`.
    pub(crate) fn behind_comment(&self, n: usize) -> usize {
        let Some(part) = self.parts.get(n) else { return 0 };
        let first = self.inner(&part.parts).first().and_then(|&n| self.parts.get(n));
        let is_before =
            |first: &&PagePart| first.kind == ItemKind::Comment && first.rows.start == part.rows.start;
        first.filter(is_before).map_or(part.rows.start, |comment| comment.rows.end)
    }

    /// The ranges of `rows` that are not in `parts`.
    fn gaps(&self, rows: Range<usize>, parts: &[usize]) -> impl Iterator<Item = Range<usize>> {
        let rows_of = |n: &usize| self.parts.get(*n).map(|part| part.rows.clone());
        let tail = parts.last().and_then(rows_of).map_or(rows.start, |last| last.end)..rows.end;
        let mut at = rows.start;
        let gaps =
            parts.iter().filter_map(rows_of).map(move |part| mem::replace(&mut at, part.end)..part.start);
        gaps.chain([tail]).filter(|own| !own.is_empty())
    }

    pub(crate) fn range(&self, rows: &Range<usize>) -> ByteRange {
        self.block.range(self.unit(rows.start), self.unit(rows.end))
    }

    /// The number of lines in these rows.
    pub(crate) fn lines(&self, rows: &Range<usize>) -> usize {
        lines(self.text(rows))
    }

    /// The text for a block that is not shown but must not be dropped: `[path]`, or the block itself if that is no
    /// longer.
    pub(crate) fn stand_in(&self, counter: &dyn TokenCounter) -> Action {
        let block = self.block.block();
        let passage = block.as_passage();
        let name = passage.and_then(|passage| passage.path.as_deref().or(passage.title.as_deref()));
        let text = in_brackets(name.unwrap_or(&block.id));
        let named = Action::Render { level: Level::Reference, text };
        if self.block.cost(&named, counter) < self.block.cost(&Action::Keep, counter) {
            named
        } else {
            Action::Keep
        }
    }
}

/// The non-blank units of a block.
fn holding_something(block: &MeasuredBlock<'_>) -> Vec<usize> {
    let bytes = block.block().text.as_bytes();
    let mut start = 0;
    let mut holds = |end: usize| {
        let unit = bytes.get(mem::replace(&mut start, end)..end).unwrap_or_default();
        !unit.iter().all(u8::is_ascii_whitespace)
    };
    let mut holding = Vec::with_capacity(block.units().len());
    let units = block.units().iter().enumerate();
    holding.extend(units.filter_map(|(n, unit)| holds(unit.end).then_some(n)));
    holding
}

/// The maximum number of omitted definitions whose names are listed.
const MAX_LISTED_NAMES: usize = 3;

/// The maximum length, in bytes, of a name that is listed.
const LISTED_NAME_BYTES: usize = 40;

/// The number of lines in `text`.
pub(crate) fn lines(text: &str) -> usize {
    memchr_iter(b'\n', text.as_bytes()).count() + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// A description of the missing part, the number of lines and the names of the first definitions in them: `329 lines:
/// send, close and 2 more`.
pub(crate) fn missing<'t>(lines: usize, names: impl Iterator<Item = &'t str>) -> String {
    let noun = if lines == 1 { "line" } else { "lines" };
    let mut text = format!("{lines} {noun}");
    // A type and its implementation have the same name, which is listed once.
    let mut told: Vec<&str> = Vec::new();
    let mut more = 0;
    for name in names.filter(|name| is_plain(name)) {
        if told.len() < MAX_LISTED_NAMES && !told.contains(&name) {
            text.push_str(if told.is_empty() { ": " } else { ", " });
            text.push_str(name);
            told.push(name);
        } else if !told.contains(&name) {
            more += 1;
        }
    }
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

/// Whether a name is short and safe in any comment.
fn is_plain(name: &str) -> bool {
    let plain =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | '.' | ':' | '-' | '$' | '#' | '?' | '!');
    !name.is_empty() && name.len() <= LISTED_NAME_BYTES && name.chars().all(plain) && !name.contains("--")
}

/// A marker within a line, before the bracket that closes the omitted lines. `None` for languages without inline
/// comments.
pub(crate) fn fold_within(language: &Language, missing: &str) -> Option<String> {
    let (open, close) = language.comment_within()?;
    Some(format!(" {open} ... {missing} {close} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_what_is_missing() {
        for (lines, names, expect) in [
            (1, &[][..], "1 line"),
            (12, &["send"], "12 lines: send"),
            (329, &["send", "close", "open"], "329 lines: send, close, open"),
            (
                329,
                &["send", "a*/b", "send", "close", "open", "read"],
                "329 lines: send, close, open and 1 more",
            ),
            (3, &["*/"], "3 lines"),
        ] {
            assert_eq!(missing(lines, names.iter().copied()), expect);
        }
    }
}
