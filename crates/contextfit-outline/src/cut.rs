//! The cost of a cut block.

use contextfit_kernel::{MeasuredBlock, Piece, TokenCounter, Tokens};

/// The exact token count of `block` cut to `pieces`, counted as a separate text. Linear in its length.
///
/// Between two positions where the counter splits both the block and the cut text, the tokens have already been
/// counted. The rest is counted stretch by stretch: most stretches recur from one choice to the next, so a counter that
/// remembers short texts has them already.
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
