//! The choice of rows to keep.

use std::{cmp::Reverse, iter, ops::Range};

use contextfit_kernel::{ByteRange, Piece, TokenCounter, Tokens};
use contextfit_packing::{Holder, Ledger, Node, Queue, Relation, Score, Selection, With};

use crate::{rows::Rows, worth::Sheet};

/// A row's average share of the markers, added to its own tokens. Without it, the shortest lines would always win.
pub(crate) const ROW_OVERHEAD_TOKENS: f32 = 8.0;

/// A single row between two shown rows is shown too if it is at most this many times as long as a marker.
const BETWEEN: usize = 3;

/// The maximum number of drafts that are counted to get close to the room. If none of them fits, more follow, each at
/// most half as long.
const FILL_ATTEMPTS: usize = 5;

/// The score of a row per token, its number, and whether it was put back in the queue because of the rows that it must be
/// shown with.
type Entry = (Score, Reverse<u32>, bool);

/// Chooses rows, for any number of rooms.
pub(crate) struct Chooser<'r, 'a, 'b> {
    rows: &'r Rows<'a, 'b>,
    sheet: &'r Sheet,
    relation: Relation,
    /// In ascending order.
    order: Vec<Entry>,
}

impl<'r, 'a, 'b> Chooser<'r, 'a, 'b> {
    /// Creates the chooser and sorts the rows.
    pub(crate) fn new(rows: &'r Rows<'a, 'b>, sheet: &'r Sheet) -> Self {
        let entry = |n: u32| {
            let (worth, tokens) = (sheet.worth(n as usize), rows.tokens(n as usize, n as usize + 1));
            (Score(density(worth, tokens).into()), Reverse(n), false)
        };
        let telling = (0_u32..).take(rows.len()).filter(|&n| !sheet.is_hollow(n as usize));
        let mut order: Vec<Entry> = telling.map(entry).collect();
        order.sort_unstable();
        Self { rows, sheet, relation: sheet.relation(), order }
    }

    /// The pieces that take at most `room`. If no choice fits, one marker for the whole.
    pub(crate) fn fit(&self, room: Tokens, counter: &dyn TokenCounter) -> Vec<Piece> {
        let source = (self.rows.block.block().text.as_str(), self.rows.whole());
        self.fit_as(source, room, counter, |runs| self.pieces(runs))
    }

    /// Like [`fit`](Self::fit), but the pieces of `source` that show the chosen runs of rows come from `pieces`.
    pub(crate) fn fit_as(
        &self,
        source: (&str, ByteRange),
        room: Tokens,
        counter: &dyn TokenCounter,
        pieces: impl Fn(&[Range<usize>]) -> Vec<Piece>,
    ) -> Vec<Piece> {
        let marker = counter.count(&self.rows.longest_marker()).get();
        let between = marker * BETWEEN; // ablate: excerpt.between => 0
        let mut ledger = Ledger::default();
        let tokens = (0..self.rows.len()).map(|n| (self.rows.tokens(n, n + 1), 0.0));
        ledger.hold(Holder { marker, between, ..Holder::default() }, tokens);
        fit(source, room, counter, |room| pieces(&self.choose(&ledger, room.get())))
    }

    /// The rows to keep in `room`, in order.
    fn choose(&self, ledger: &Ledger, room: usize) -> Vec<Range<usize>> {
        let mut taken = Selection::new(ledger, &self.relation, room);
        taken.take([Node::Holder(0)], With::All, 0);
        if let Some(&(_, Reverse(best), _)) = self.order.last() {
            let row = Node::Row(best as usize);
            // If there is no room for the rows that it is shown with, it is taken alone.
            match taken.take([row], With::All, 0) {
                true => taken.give_back(),
                false if self.sheet.has_head(best as usize) => {}
                false => _ = taken.take([row], With::Nothing, 0),
            }
        }
        let mut queue: Queue<Entry> = self.order.iter().copied().collect();
        while let Some((_, Reverse(n), has_waited)) = queue.pop() {
            let alone = self.rows.tokens(n as usize, n as usize + 1) + ledger.longest_marker();
            let limit = if has_waited { usize::MAX } else { alone };
            if let Some(density) = self.take_within(n, limit, &mut taken) {
                // It is put back with the score per token of all rows that must be shown together.
                queue.put_back((Score(density.into()), Reverse(n), true));
            }
        }
        taken.runs(0)
    }

    /// Takes row `n` with its headers and the rows it is shown with. If they take more than `limit` tokens, takes
    /// nothing and returns their score per token.
    fn take_within(&self, n: u32, limit: usize, taken: &mut Selection<'_>) -> Option<f32> {
        let n = n as usize;
        if self.rows.tokens(n, n + 1) > taken.left() {
            return None;
        }
        let fits = taken.take([Node::Row(n)], With::All, 0);
        if taken.debt() <= limit {
            return None;
        }
        // Gaps are not counted: they are part of every row's overhead.
        let (mut worth, mut tokens) = (0.0, 0);
        for &row in taken.last() {
            tokens += self.rows.tokens(row, row + 1);
            worth += self.sheet.worth(row).max(0.0);
        }
        if fits {
            taken.give_back();
        }
        Some(density(worth, tokens))
    }

    /// The pieces of `runs`, with markers for the gaps between them.
    fn pieces(&self, runs: &[Range<usize>]) -> Vec<Piece> {
        let rows = self.rows;
        let mut pieces = Vec::with_capacity(runs.len() * 2 + 1);
        let mut end = 0;
        for run in runs.iter().cloned().chain(iter::once(rows.len()..rows.len())) {
            if run.start > end {
                pieces.push(Piece::Marker(rows.marker(&(end..run.start))));
            }
            if !run.is_empty() {
                pieces.push(Piece::Source(rows.range(&run)));
            }
            end = run.end;
        }
        pieces
    }
}

/// The score per token of rows that take this many `tokens`.
fn density(worth: f32, tokens: usize) -> f32 {
    worth.max(0.0) / (tokens as f32 + ROW_OVERHEAD_TOKENS)
}

/// The fullest of a few drafts of `source` that take at most `room`. Each draft is counted. While all fit, the next one
/// aims higher by the difference; while none does, lower by twice as much each time; then halfway between. If none fits,
/// the draft for zero tokens or the whole range, whichever is shorter.
pub(crate) fn fit(
    (source, whole): (&str, ByteRange),
    room: Tokens,
    counter: &dyn TokenCounter,
    draft: impl Fn(Tokens) -> Vec<Piece>,
) -> Vec<Piece> {
    let (mut aim, mut best) = (room.get(), None);
    // The lowest aim that led to a draft that is too long.
    let mut missed: Option<usize> = None;
    let mut attempts = 0;
    while attempts < FILL_ATTEMPTS || best.is_none() && aim > 0 {
        attempts += 1;
        let pieces = draft(Tokens::new(aim));
        let tokens = counter.count(&text_of(&pieces, source));
        let Some(slack) = room.checked_sub(tokens) else {
            missed = Some(aim);
            let over = (tokens.get() - room.get()) << attempts.min(FILL_ATTEMPTS);
            aim = aim.saturating_sub(over / 2).max(aim / 2);
            continue;
        };
        if best.as_ref().is_none_or(|(fullest, _)| tokens > *fullest) {
            best = Some((tokens, pieces));
        }
        let close = if missed.is_some() { room.get() / 8 } else { 2 + room.get() / 50 };
        if slack.get() <= close {
            break;
        }
        aim = match missed {
            Some(missed) => aim.midpoint(missed),
            // The shown text may be shorter than its source. Then more of the source fits.
            None => aim + slack.get() * 3 / 4 * aim / tokens.get().max(1),
        };
    }
    if let Some((_, pieces)) = best {
        return pieces;
    }
    let least = draft(Tokens::ZERO);
    let marked = text_of(&least, source);
    let all = whole.of(source).unwrap_or_default();
    let shorter = all.len() <= 8 * marked.len() && counter.count(all) <= counter.count(&marked);
    if shorter { vec![Piece::Source(whole)] } else { least }
}

/// The text of `pieces` of `source`.
pub(crate) fn text_of(pieces: &[Piece], source: &str) -> String {
    pieces.iter().map(|piece| piece.text(source)).collect()
}
