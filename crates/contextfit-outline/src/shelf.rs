//! Pages and their parts as holders of rows, and their costs.

use std::{iter, ops::Range};

use contextfit_kernel::{MeasuredBlock, Piece, TokenCounter, Tokens, Values};
use contextfit_packing::{Holder, Ledger, Need, Node, Relation, Selection, With};

use crate::page::OutlinePage;

/// The rows of all pages. A part is a holder without rows: it is shown by showing the rows that it needs, so the
/// visible text is always valid.
pub(crate) struct Shelf {
    ledger: Ledger,
    relation: Relation,
    /// The number of the first part of each page among all holders, in which the pages come first.
    parts: Vec<usize>,
}

impl Shelf {
    /// The shelf of `pages`, each with its costs. Linear in their rows and parts.
    pub(crate) fn new(pages: &[OutlinePage<'_, '_>], costs: &[Holder]) -> Self {
        let mut ledger = Ledger::default();
        for (page, costs) in pages.iter().zip(costs) {
            ledger.hold(*costs, (0..page.len()).map(|row| (page.tokens(&(row..row + 1)).get(), 0.0)));
        }
        let mut shelf =
            Self { ledger, relation: Relation::default(), parts: Vec::with_capacity(pages.len()) };
        let mut next = pages.len();
        for page in pages {
            shelf.parts.push(next);
            next += page.parts.len();
        }
        for _ in pages.len()..next {
            shelf.ledger.hold(Holder::default(), []);
        }
        shelf.relation = pages.iter().enumerate().flat_map(|(n, page)| shelf.needs(n, page)).collect();
        shelf
    }

    /// The needs of page `n` and its parts: the parts around them, their own lines, and the parts that they require.
    fn needs(&self, n: usize, page: &OutlinePage<'_, '_>) -> Vec<(Node, Need)> {
        let mut needs = Vec::new();
        for at in iter::once(None).chain((0..page.parts.len()).map(Some)) {
            let part = at.and_then(|at| page.parts.get(at));
            let around = part.map(|part| Need::Holder(self.holder(n, part.parent)));
            let rows = page.context_rows(at).into_iter().map(|rows| Need::All(self.rows(n, &rows)));
            let is_required = |inner: &&usize| page.parts.get(**inner).is_some_and(|part| part.required);
            let inner = page.inner(part.map_or(&page.top, |part| &part.parts)).iter().filter(is_required);
            let inner = inner.map(|inner| Need::Holder(self.holder(n, Some(*inner))));
            let node = Node::Holder(self.holder(n, at));
            needs.extend(around.into_iter().chain(rows).chain(inner).map(|need| (node, need)));
        }
        needs
    }

    /// The number among all holders of a `part` of page `n`, or of the page.
    pub(crate) fn holder(&self, n: usize, part: Option<usize>) -> usize {
        let first = self.parts.at(n);
        part.map_or(n, |part| first + part)
    }

    /// The numbers among all rows of these rows of page `n`.
    fn rows(&self, n: usize, rows: &Range<usize>) -> Range<usize> {
        let start = self.ledger.rows(n).start;
        start + rows.start..start + rows.end
    }

    /// An empty selection in `room`.
    pub(crate) fn select(&self, room: usize) -> Selection<'_> {
        Selection::new(&self.ledger, &self.relation, room)
    }

    /// Shows a `part` of page `n`, or the page, with `rows` in it. Returns `false` if that would not leave `reserve`.
    pub(crate) fn show(
        &self,
        selection: &mut Selection<'_>,
        (n, part): (usize, Option<usize>),
        rows: impl IntoIterator<Item = usize>,
        reserve: usize,
    ) -> bool {
        let first = self.ledger.rows(n).start;
        let rows = rows.into_iter().map(|row| Node::Row(first + row));
        selection.take(iter::once(Node::Holder(self.holder(n, part))).chain(rows), With::All, reserve)
    }
}

/// The exact token count of `block` cut to `pieces`, counted as a separate text. Linear in its length.
///
/// Between two positions at which the counter splits both the block and the cut text, the tokens have already been
/// counted. The rest is counted in stretches. Most of them recur from one choice to the next, so a counter that
/// remembers short texts already has them.
pub(crate) fn cut_tokens(block: &MeasuredBlock<'_>, pieces: &[Piece], counter: &dyn TokenCounter) -> Tokens {
    let source = block.block().text.as_str();
    let text: String = pieces.iter().map(|piece| piece.text(source)).collect();
    let splits = |at: usize| at == 0 || counter.splits_at(&text, at);
    let count = |from: usize, to: usize| match text.get(from..to) {
        None | Some("") => Tokens::ZERO,
        Some(stretch) => counter.count(stretch),
    };
    // `text[..settled]` has `tokens` tokens.
    let (mut settled, mut tokens, mut start) = (0, Tokens::ZERO, 0);
    for piece in pieces {
        let end = start + piece.text(source).len();
        if let Piece::Source(range) = piece {
            let (from, to) = (block.units_before(range.start()), block.units_before(range.end()));
            let place = |n: usize| start + block.start_of(n).saturating_sub(range.start());
            let splits_there = |n: usize| n == 0 || block.units().get(n - 1).is_some_and(|unit| unit.splits);
            let known = |n: &usize| splits_there(*n) && splits(place(*n));
            let first = (from..to).find(known);
            let last = first.and_then(|first| (first + 1..to).rev().find(known));
            if let Some((first, last)) = first.zip(last) {
                tokens += count(settled, place(first)) + block.tokens_between(first, last);
                settled = place(last);
            }
        }
        if splits(end) {
            tokens += count(settled, end);
            settled = end;
        }
        start = end;
    }
    tokens + count(settled, text.len())
}
