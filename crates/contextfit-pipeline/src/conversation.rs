//! Conversations, in which each block is a message with a count of its own.

use crate::{assembly::Assembly, remembered::Remembered};
use contextfit_kernel::{
    Action, Block, BlockKind, ByteRange, Context, Framing, MeasuredBlock, Message, Part, Piece, TokenCounter,
    Tokens, Turn, Values,
};

/// The tokens of a message in addition to its text. An entry of a record takes a line feed, unless it is empty.
pub(crate) fn framing(block: &Block) -> Tokens {
    match block.as_turn() {
        Some(turn) if block.level.shows_source() => turn.framing,
        _ if block.text.is_empty() => Tokens::ZERO,
        _ => Tokens::new(1),
    }
}

/// The messages of `context` as one readable text, and their tokens as a request. `shown` has the tokens of the blocks
/// at levels 2 and 3, in order.
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
    let mut tokens = block.framing();
    let texts = by_part(turn, &source.text, pieces).into_iter().map(|pieces| {
        let mut part = Assembly::new(memory, 0);
        pieces.iter().for_each(|piece| part.push_piece(block, piece));
        let (part, cost) = part.finish();
        tokens += cost;
        part
    });
    let tools = turn.parts.iter().map(|part| part.tool.clone()).chain([None]);
    let (text, parts) = Part::join(texts.zip(tools));
    let parts = if turn.parts.is_empty() { Vec::new() } else { parts };
    let level = Action::Cut { pieces: Vec::new() }.level(source.level).unwrap_or(source.level);
    let mut shown = source.shown_as(text, level);
    shown.kind = BlockKind::Turn(turn.clone().with_parts(parts));
    (shown, tokens)
}

/// The pieces of each part of a message. A range that crosses the end of a part is divided there. A marker belongs to
/// the part in which the gap before it begins; if the gap has another marker, that one belongs to the next part.
pub(crate) fn by_part(turn: &Turn, text: &str, pieces: &[Piece]) -> Vec<Vec<Piece>> {
    let ranges: Vec<ByteRange> = turn.ranges(text).collect();
    let mut parts: Vec<Vec<Piece>> = vec![Vec::new(); ranges.len()];
    // The current part. The next one begins after its end.
    let mut now = 0;
    let last = ranges.len().saturating_sub(1);
    let start_of = |n: usize| ranges.get(n).map_or(0, |range| range.start());
    let end_of = |n: usize| ranges.get(n).map_or(text.len(), |range| range.end());
    let mut put = |n: usize, piece: Piece| {
        parts.change(n, |part| part.push(piece));
    };
    let (mut at, mut marked) = (0, false);
    for piece in pieces {
        match (piece, piece.range()) {
            (marker, None) => {
                while now < last && (marked || at >= end_of(now)) {
                    now += 1;
                    (at, marked) = (at.max(start_of(now)), false);
                }
                put(now, marker.clone());
                marked = true;
            }
            (Piece::Source(range), _) => {
                let mut shown = |n: usize| {
                    let start = range.start().max(start_of(n));
                    let inside = ByteRange::new(start, range.end().min(end_of(n)));
                    inside
                        .filter(|range| !range.is_empty())
                        .into_iter()
                        .for_each(|range| put(n, Piece::Source(range)));
                };
                while now < last && range.end() > end_of(now) {
                    shown(now);
                    now += 1;
                }
                shown(now);
                (at, marked) = (range.end(), false);
            }
            // Rewritten text cannot be divided, so it belongs to the part in which it begins, which must contain it.
            (rewritten, Some(range)) => {
                while now < last && range.start() >= end_of(now) {
                    now += 1;
                }
                put(now, rewritten.clone());
                (at, marked) = (range.end(), false);
            }
        }
    }
    parts
}
