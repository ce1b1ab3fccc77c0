//! A block and its outline, counted in rows.

use std::{mem, ops::Range};

use contextfit_kernel::{Action, ByteRange, Level, MeasuredBlock, Piece, TokenCounter, Tokens};
use contextfit_text::{Language, Shape};

use crate::{ItemKind, Outline, fold::lines, marker::Marker, outline::inner, passages};

/// A gap is left out when it costs more than so large a share of a marker: what is a little longer says more than a number of
/// lines.
const WORTH: (usize, usize) = (2, 1);

/// So many rows open and close what is in them, as those of a fence do.
const FENCE: usize = 2;

/// An item in rows.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) kind: ItemKind,
    pub(crate) parent: Option<usize>,
    pub(crate) rows: Range<usize>,
    pub(crate) name: Option<ByteRange>,
    pub(crate) required: bool,
    /// Where the parts of this one are in [`Page::inner`].
    pub(crate) parts: Range<usize>,
}

/// Rows of which one must stand where what they are part of is shown.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub(crate) rows: Range<usize>,
    pub(crate) parent: Option<usize>,
    pub(crate) placeholder: &'static str,
}

/// A block with its outline. A row is a unit that holds something, with the blank ones behind it.
pub(crate) struct Page<'a, 'b> {
    pub(crate) block: &'b MeasuredBlock<'a>,
    pub(crate) language: Option<&'static Language>,
    /// The unit of each row that holds something.
    pub(crate) units: Vec<usize>,
    /// For each row the tokens before it, and those of the whole text.
    before: Vec<Tokens>,
    pub(crate) parts: Vec<Part>,
    /// The parts of each part by their places, first those of no other.
    inner: Vec<usize>,
    /// In the order of their first rows.
    pub(crate) bodies: Vec<Body>,
    /// Rows in another language.
    inside: Vec<(Range<usize>, &'static Language)>,
    /// The rows of code that are of no part: they are shown whenever anything is.
    pub(crate) loose: Vec<Range<usize>>,
    pub(crate) loose_tokens: usize,
    /// Parts of no other that must be shown whenever anything is.
    pub(crate) required: Vec<usize>,
    /// For each row whether it only closes a part: a marker may stand before that.
    closers: Vec<bool>,
    /// For each row whether it is part of a comment; empty where there are no bodies.
    pub(crate) comments: Vec<bool>,
}

impl<'a, 'b> Page<'a, 'b> {
    /// The page of a block, linear-logarithmic in its text.
    pub(crate) fn new(block: &'b MeasuredBlock<'a>) -> Self {
        let language = Language::of_measured(block);
        let text = block.block().text.as_str();
        let outline = match language {
            Some(language) if language.shape == Shape::Code || language.name == "markdown" => {
                Outline::of(text, language)
            }
            _ => passages::outline(text),
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
            inside: Vec::new(),
            loose: Vec::new(),
            loose_tokens: 0,
            required: Vec::new(),
            closers: Vec::new(),
            comments: Vec::new(),
        };
        let (inner, mut places) = inner(&outline.items);
        page.inner = inner;
        let top = places.next().unwrap_or_default();
        for (item, parts) in outline.items.into_iter().zip(places) {
            let rows = page.row_at(item.range.start())..page.row_at(item.range.end());
            let (kind, parent, name, required) = (item.kind, item.parent, item.name, item.required);
            page.parts.push(Part { kind, parent, rows, name, required, parts });
        }
        let bodies = outline.bodies.into_iter().map(|body| Body {
            rows: page.row_at(body.range.start())..page.row_at(body.range.end()),
            parent: body.parent,
            placeholder: body.placeholder,
        });
        page.bodies = bodies.collect();
        let inside = outline.inside.iter();
        let rows = |range: ByteRange| page.row_at(range.start())..page.row_at(range.end());
        page.inside = inside.map(|inside| (rows(inside.range), inside.language)).collect();
        page.bodies.sort_by_key(|body| body.rows.start);
        let is_required = |n: &usize| page.parts.get(*n).is_some_and(|part| part.required);
        page.required = page.inner(&top).iter().copied().filter(is_required).collect();
        if page.shape() == Shape::Code {
            page.loose = page.gaps(0..page.len(), page.inner(&top)).collect();
        }
        page.loose_tokens = page.loose.iter().map(|rows| page.tokens(rows).get()).sum();
        page.closers = page.find_closers();
        page.comments = page.find_comments();
        page
    }

    /// For each row whether it is part of a comment, where that matters.
    fn find_comments(&self) -> Vec<bool> {
        let mut comments = vec![false; if self.bodies.is_empty() { 0 } else { self.len() }];
        for part in self.parts.iter().filter(|part| part.kind == ItemKind::Comment) {
            comments.get_mut(part.rows.clone()).unwrap_or_default().fill(true);
        }
        comments
    }

    /// For each row whether it is the last of a part and holds nothing but the brackets that close it, in a language whose
    /// comments can stand before them. None where a statement can stand for a body.
    fn find_closers(&self) -> Vec<bool> {
        let mut closers = vec![false; self.len()];
        let ends = self.parts.iter().filter_map(|part| part.rows.end.checked_sub(1));
        for last in ends.filter(|_| self.bodies.is_empty()) {
            let row = last..last + 1;
            let commented =
                self.language_at(&row).is_some_and(|language| language.comment_within().is_some());
            let text = self.text(&row).trim_ascii();
            let closes = text.bytes().all(|byte| matches!(byte, b'}' | b')' | b']' | b',' | b';'));
            if let Some(closer) = closers.get_mut(last) {
                *closer = commented && closes;
            }
        }
        closers
    }

    /// Whether a row only closes a part: it joins the marker of all that is in it.
    pub(crate) fn closes(&self, row: usize) -> bool {
        self.closers.get(row).copied().unwrap_or_default()
    }

    /// The parts at these places of [`Part::parts`].
    pub(crate) fn inner(&self, places: &Range<usize>) -> &[usize] {
        self.inner.get(places.clone()).unwrap_or_default()
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
    pub(crate) fn unit(&self, row: usize) -> usize {
        match row {
            0 => 0,
            row => self.units.get(row).copied().unwrap_or(self.block.units().len()),
        }
    }

    /// The name of a part, empty where it has none.
    pub(crate) fn name(&self, part: &Part) -> &'a str {
        part.name.and_then(|name| name.of(&self.block.block().text)).unwrap_or_default()
    }

    /// The text of some rows.
    pub(crate) fn text(&self, rows: &Range<usize>) -> &'a str {
        self.block.text(self.unit(rows.start), self.unit(rows.end))
    }

    /// What some rows cost as part of the whole.
    pub(crate) fn tokens(&self, rows: &Range<usize>) -> Tokens {
        let before = |row: usize| self.before.get(row).or(self.before.last()).copied().unwrap_or_default();
        before(rows.end).saturating_sub(before(rows.start))
    }

    /// The rows that part `n` shows when none of its parts are shown.
    pub(crate) fn own_rows(&self, n: usize) -> impl Iterator<Item = Range<usize>> {
        let part = self.parts.get(n);
        let (rows, parts) =
            part.map_or((0..0, [].as_slice()), |part| (part.rows.clone(), self.inner(&part.parts)));
        self.gaps(rows, parts)
    }

    /// The rows of part `n` that are shown with whatever is in it: in code its own, so that the text parses; in prose the heading,
    /// or the lines of a fence.
    pub(crate) fn context_rows(&self, n: usize) -> Vec<Range<usize>> {
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

    /// The row behind the comment before part `n`.
    pub(crate) fn behind_comment(&self, n: usize) -> usize {
        let Some(part) = self.parts.get(n) else { return 0 };
        let first = self.inner(&part.parts).first().and_then(|&n| self.parts.get(n));
        let is_before =
            |first: &&Part| first.kind == ItemKind::Comment && first.rows.start == part.rows.start;
        first.filter(is_before).map_or(part.rows.start, |comment| comment.rows.end)
    }

    /// What `parts` leave of `rows`.
    fn gaps(&self, rows: Range<usize>, parts: &[usize]) -> impl Iterator<Item = Range<usize>> {
        let rows_of = |n: &usize| self.parts.get(*n).map(|part| part.rows.clone());
        let tail = parts.last().and_then(rows_of).map_or(rows.start, |last| last.end)..rows.end;
        let mut at = rows.start;
        let gaps =
            parts.iter().filter_map(rows_of).map(move |part| mem::replace(&mut at, part.end)..part.start);
        gaps.chain([tail]).filter(|own| !own.is_empty())
    }

    /// The block when the rows that `shown` says are shown. A gap that costs hardly more than `marker` is none.
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
            if self.tokens(&gap).get() * WORTH.1 > marker.get() * WORTH.0 {
                let before = self.range(&(from..start));
                let Marker { opener_end, text, end } = self.marker(&gap, shown, start > from);
                let source = ByteRange::new(before.start(), opener_end.unwrap_or(before.end()));
                pieces.extend(source.filter(|source| !source.is_empty()).map(Piece::Source));
                match pieces.last_mut() {
                    // Behind a bracket that a marker has closed.
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

    pub(crate) fn range(&self, rows: &Range<usize>) -> ByteRange {
        self.block.range(self.unit(rows.start), self.unit(rows.end))
    }

    /// How many lines some rows have.
    pub(crate) fn lines(&self, rows: &Range<usize>) -> usize {
        lines(self.text(rows))
    }

    /// The language of some rows.
    pub(crate) fn language_at(&self, rows: &Range<usize>) -> Option<&'static Language> {
        let last = self.inside.partition_point(|(inside, _)| inside.start <= rows.start).checked_sub(1);
        let inside = last.and_then(|last| self.inside.get(last)).filter(|(inside, _)| rows.end <= inside.end);
        inside.map_or(self.language, |(_, language)| Some(language))
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

/// The units of a block that hold something.
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
