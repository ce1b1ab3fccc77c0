//! Conversations, in which each block is a separate message with its own count.

use contextfit_kernel::{
    Action, Block, BlockKind, ByteRange, Context, Framing, MeasuredBlock, Message, Part, Piece, TokenCounter,
    Tokens, Turn, Unit,
};
use contextfit_text::Shape;

use crate::{
    assembly::Assembly,
    measure::{Cuts, within},
    remembered::Remembered,
};

/// The units of a message, and the ranges of those that were divided. Parts are counted separately, so counts add up
/// where two parts meet.
pub(crate) fn units(
    counter: &dyn TokenCounter,
    text: &str,
    turn: &Turn,
    cuts: Cuts,
) -> (Vec<Unit>, Vec<ByteRange>) {
    let mut units: Vec<Unit> = Vec::new();
    let mut divided = Vec::new();
    let mut before = Tokens::ZERO;
    for range in turn.ranges(text) {
        if let Some(last) = units.last_mut() {
            last.splits = true;
        }
        let part = range.of(text).unwrap_or_default();
        let (inner, long) = cuts.units(counter, part, within(part, Shape::of_message(part)));
        let at = range.start();
        units.extend(inner.into_iter().map(|unit| Unit {
            end: at + unit.end,
            tokens_through: before + unit.tokens_through,
            splits: unit.splits,
        }));
        divided
            .extend(long.into_iter().filter_map(|long| ByteRange::new(at + long.start(), at + long.end())));
        before = units.last().map_or(Tokens::ZERO, |unit| unit.tokens_through);
    }
    (units, divided)
}

/// The tokens of a message besides its text. An entry of a record takes a line feed, or nothing if it is empty.
pub(crate) fn framing(block: &Block) -> Tokens {
    match block.as_turn() {
        Some(turn) if block.level.shows_source() => turn.framing,
        _ if block.text.is_empty() => Tokens::ZERO,
        _ => Tokens::new(1),
    }
}

/// The messages of `context` as one readable text, and their tokens as a request; `shown` holds the tokens of the
/// blocks at levels 2 and 3, in order.
pub(crate) fn lay_out(
    context: &Context,
    framing: &Framing,
    counter: &dyn TokenCounter,
    shown: impl IntoIterator<Item = Tokens>,
) -> (String, Tokens) {
    let mut shown = shown.into_iter();
    let (mut text, mut tokens) = (String::new(), framing.request);
    for message in context.messages() {
        let (message, cost) = match &message {
            Message::Turn(block) => (block.text.as_str(), shown.next().unwrap_or(Tokens::ZERO)),
            Message::Record(text) => (text.as_str(), framing.record + counter.count(text)),
        };
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(message);
        tokens += cost;
    }
    (text, tokens)
}

/// A message cut to `pieces`: its text, its parts, and its exact tokens.
pub(crate) fn cut(
    block: &MeasuredBlock<'_>,
    turn: &Turn,
    pieces: &[Piece],
    memory: &Remembered<'_>,
) -> (Block, Tokens) {
    let source = block.block();
    let (mut text, mut tokens) = (String::new(), block.framing());
    let mut ends = Vec::with_capacity(turn.parts.len());
    for pieces in by_part(turn, &source.text, pieces) {
        let mut part = Assembly::new(memory, 0);
        for piece in &pieces {
            match piece {
                Piece::Source(range) => part.push_source(block, *range),
                Piece::Marker(text) | Piece::Rewritten { text, .. } => part.push(text),
            }
        }
        let (part, cost) = part.finish();
        text.push_str(&part);
        tokens += cost;
        ends.push(text.len());
    }
    let parts = turn.parts.iter().zip(ends).map(|(part, end)| Part::new(end, part.tool.clone())).collect();
    let level = Action::Cut { pieces: Vec::new() }.level(source.level).unwrap_or(source.level);
    let mut shown = source.shown_as(text, level);
    shown.kind = BlockKind::Turn(turn.clone().with_parts(parts));
    (shown, tokens)
}

/// The pieces of each part of a message. A range that crosses the end of a part is divided there; a marker belongs to
/// the part in which the gap before it begins, and the next marker of the same gap to the next part.
pub(crate) fn by_part(turn: &Turn, text: &str, pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let ranges: Vec<ByteRange> = turn.ranges(text).collect();
    let mut parts: Vec<Vec<Piece>> = vec![Vec::new(); ranges.len()];
    // The part being filled; the next begins after its end.
    let mut now = 0;
    let last = ranges.len().saturating_sub(1);
    let end_of = |n: usize| ranges.get(n).map_or(text.len(), |range| range.end());
    let mut put = |n: usize, piece: Piece| {
        if let Some(part) = parts.get_mut(n) {
            part.push(piece);
        }
    };
    let (mut at, mut marked) = (0, false);
    for piece in pieces {
        match piece {
            Piece::Marker(_) => {
                while now < last && (marked || at >= end_of(now)) {
                    (at, marked) = (at.max(end_of(now)), false);
                    now += 1;
                }
                put(now, piece.clone());
                marked = true;
            }
            // Its text cannot be divided, so it goes to the part in which it begins, which has to contain it.
            Piece::Rewritten { range, .. } => {
                while now < last && range.start() >= end_of(now) {
                    now += 1;
                }
                put(now, piece.clone());
                (at, marked) = (range.end(), false);
            }
            Piece::Source(range) => {
                let mut start = range.start();
                while now < last && start >= end_of(now) {
                    now += 1;
                }
                while now < last && range.end() > end_of(now) {
                    put(now, Piece::Source(ByteRange::new(start, end_of(now)).unwrap_or(*range)));
                    start = end_of(now);
                    now += 1;
                }
                put(now, Piece::Source(ByteRange::new(start, range.end()).unwrap_or(*range)));
                (at, marked) = (range.end(), false);
            }
        }
    }
    parts
}
