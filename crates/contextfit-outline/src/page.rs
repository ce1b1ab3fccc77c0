//! A block and its outline, counted in rows.

use std::ops::Range;

use contextfit_kernel::{Action, BlockKind, ByteRange, Level, MeasuredBlock, Piece, TokenCounter, Tokens};
use contextfit_text::{Language, Shape};

use crate::{ItemKind, Outline, passages};

/// An item in rows.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) kind: ItemKind,
    pub(crate) parent: Option<usize>,
    pub(crate) rows: Range<usize>,
    pub(crate) name: Option<ByteRange>,
    pub(crate) required: bool,
    /// The parts of this one, by their places.
    pub(crate) parts: Vec<usize>,
}

/// A block with its outline. A row is a unit that holds something, with the blank ones behind it.
pub(crate) struct Page<'a, 'b> {
    pub(crate) block: &'b MeasuredBlock<'a>,
    language: Option<&'static Language>,
    /// The unit of each row that holds something.
    units: Vec<usize>,
    pub(crate) parts: Vec<Part>,
    /// The rows of no part: they are shown whenever anything is.
    pub(crate) loose: Vec<Range<usize>>,
    pub(crate) loose_tokens: usize,
    /// Parts of no other that must be shown whenever anything is.
    pub(crate) required: Vec<usize>,
}

impl<'a, 'b> Page<'a, 'b> {
    /// The page of a block, linear-logarithmic in its text.
    pub(crate) fn new(block: &'b MeasuredBlock<'a>) -> Self {
        let language = language_of(block);
        let text = block.block().text.as_str();
        let outline = match language {
            Some(language) if language.shape == Shape::Code || language.name == "markdown" => {
                Outline::of(text, language)
            }
            _ => passages::outline(text),
        };
        let blank = |unit: &usize| block.text(*unit, unit + 1).trim_ascii().is_empty();
        let units: Vec<usize> = (0..block.units().len()).filter(|unit| !blank(unit)).collect();
        let mut page = Self {
            block,
            language,
            units,
            parts: Vec::new(),
            loose: Vec::new(),
            loose_tokens: 0,
            required: Vec::new(),
        };
        let mut top = Vec::new();
        for (n, item) in outline.items.into_iter().enumerate() {
            let rows = page.row_at(item.range.start())..page.row_at(item.range.end());
            let siblings = match item.parent.and_then(|parent| page.parts.get_mut(parent)) {
                Some(parent) => &mut parent.parts,
                None => &mut top,
            };
            siblings.push(n);
            let (kind, parent, name, required) = (item.kind, item.parent, item.name, item.required);
            page.parts.push(Part { kind, parent, rows, name, required, parts: Vec::new() });
        }
        page.required.extend(top.iter().filter(|&&n| page.parts.get(n).is_some_and(|part| part.required)));
        page.loose = page.gaps(0..page.len(), &top).collect();
        page.loose_tokens = page.loose.iter().map(|rows| page.tokens(rows).get()).sum();
        page
    }

    /// The first row at or behind byte `at`.
    fn row_at(&self, at: usize) -> usize {
        let unit = self.block.units_before(at);
        self.units.partition_point(|&other| other < unit)
    }

    /// Whether the block is code or prose.
    pub(crate) fn shape(&self) -> Shape {
        self.language.map_or(Shape::Prose, |language| language.shape)
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.units.len()
    }

    /// The first unit of a row; blank ones at the start of the text belong to the first row.
    fn unit(&self, row: usize) -> usize {
        match row {
            0 => 0,
            row => self.units.get(row).copied().unwrap_or(self.block.units().len()),
        }
    }

    /// The text of some rows.
    pub(crate) fn text(&self, rows: &Range<usize>) -> &'a str {
        self.block.text(self.unit(rows.start), self.unit(rows.end))
    }

    /// What some rows cost as part of the whole.
    pub(crate) fn tokens(&self, rows: &Range<usize>) -> Tokens {
        self.block.tokens_between(self.unit(rows.start), self.unit(rows.end))
    }

    /// The rows that part `n` shows when none of its parts are shown.
    pub(crate) fn own_rows(&self, n: usize) -> impl Iterator<Item = Range<usize>> {
        let part = self.parts.get(n);
        let (rows, parts) = part.map_or((0..0, [].as_slice()), |part| (part.rows.clone(), &part.parts));
        self.gaps(rows, parts)
    }

    /// The rows of part `n` without the comments that stand before it.
    pub(crate) fn body(&self, n: usize) -> Option<Range<usize>> {
        let part = self.parts.get(n)?;
        let first = part.parts.first().and_then(|&n| self.parts.get(n));
        let comment =
            first.filter(|first| first.kind == ItemKind::Comment && first.rows.start == part.rows.start);
        Some(comment.map_or(part.rows.start, |comment| comment.rows.end)..part.rows.end)
    }

    /// What `parts` leave of `rows`.
    fn gaps(&self, rows: Range<usize>, parts: &[usize]) -> impl Iterator<Item = Range<usize>> {
        let rows_of = |n: &usize| self.parts.get(*n).map(|part| part.rows.clone());
        let tail = parts.last().and_then(rows_of).map_or(rows.start, |last| last.end)..rows.end;
        let mut at = rows.start;
        let gaps = parts
            .iter()
            .filter_map(rows_of)
            .map(move |part| std::mem::replace(&mut at, part.end)..part.start);
        gaps.chain([tail]).filter(|own| !own.is_empty())
    }

    /// The block when the rows that `shown` says are shown. A gap that costs no more than its marker is none.
    pub(crate) fn action(&self, shown: &[bool], marker: Tokens) -> Action {
        let is_shown = |row: usize| shown.get(row).copied().unwrap_or(true);
        let mut pieces = Vec::new();
        let mut row = 0;
        let (mut from, all) = (0, self.len());
        while row < all {
            let start = row;
            while row < all && !is_shown(row) {
                row += 1;
            }
            let gap = start..row;
            if !gap.is_empty() && self.tokens(&gap) > marker {
                if from < gap.start {
                    pieces.push(Piece::Source(self.range(&(from..gap.start))));
                }
                pieces.push(Piece::Marker(self.marker(&gap)));
                from = gap.end;
            }
            row += 1;
        }
        if pieces.is_empty() {
            return Action::Keep;
        }
        if from < all {
            pieces.push(Piece::Source(self.range(&(from..all))));
        }
        Action::Cut { pieces }
    }

    fn range(&self, rows: &Range<usize>) -> ByteRange {
        self.block.range(self.unit(rows.start), self.unit(rows.end))
    }

    /// The marker for rows left out: indented as the first of them. Two tokens shorter than [`Language::marker`], since
    /// there are two for most signatures.
    fn marker(&self, gap: &Range<usize>) -> String {
        let text = self.text(gap);
        let first = text.trim_start_matches(['\n', '\r']);
        let indent = first.split(|c: char| c != ' ' && c != '\t').next().unwrap_or_default();
        let feed = if text.ends_with('\n') { "\n" } else { "" };
        format!("{indent}{}{feed}", self.fold(text.lines().count()))
    }

    /// A marker to reckon with.
    pub(crate) fn usual_marker(&self) -> String {
        format!("    {}\n", self.fold(99))
    }

    /// A comment that says that so many lines are folded.
    fn fold(&self, lines: usize) -> String {
        let noun = if lines == 1 { "line" } else { "lines" };
        match self.language {
            Some(Language { comment_open, comment_close, .. }) if !comment_open.is_empty() => {
                format!("{comment_open}{lines} {noun}...{comment_close}")
            }
            language => Language::marker(language, &format!("{lines} {noun}")),
        }
    }

    /// What stands for the block when it is not shown and must not be left out: `[path]`, or the block itself where that
    /// is no longer.
    pub(crate) fn stand_in(&self, counter: &dyn TokenCounter) -> Action {
        let block = self.block.block();
        let passage = block.as_passage();
        let name = passage.and_then(|passage| passage.path.as_deref().or(passage.title.as_deref()));
        let text = format!("[{}]", name.unwrap_or(&block.id));
        let named = Action::Render { level: Level::Reference, text };
        if self.block.cost(&named, counter) < self.block.cost(&Action::Keep, counter) {
            named
        } else {
            Action::Keep
        }
    }
}

/// The language that a block says it is in, else that of its path, else a guess by its text.
fn language_of(block: &MeasuredBlock<'_>) -> Option<&'static Language> {
    let block = block.block();
    let known = match &block.kind {
        BlockKind::Passage(passage) => {
            let by_name = passage.language.as_deref().and_then(Language::named);
            by_name.or_else(|| passage.path.as_deref().and_then(Language::of_path))
        }
        _ => None,
    };
    known.or_else(|| match Shape::of_text(&block.text) {
        Shape::Code => Language::named("code"),
        Shape::Prose | Shape::Json => Language::named("text"),
    })
}
