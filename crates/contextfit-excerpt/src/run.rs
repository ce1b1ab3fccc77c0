//! Text without lines: bundles, dumps. The parts close to the focus, then both ends.

use std::ops::Range;

use contextfit_kernel::{ByteRange, MeasuredBlock, Piece, TokenCounter, Tokens};
use contextfit_text::{
    GIANT_LINE, Language, Shape, are_lines_longer, begins_as_json, cut_pieces, gap_marker,
};

use crate::{
    choice::fit,
    page::is_page,
    worth::{FOCUS, end},
};

/// The share of a unit's focus that its neighbours get.
const SPREAD: f64 = 0.5;

/// With more than this many other lines for a giant one, a text has lines.
const LINES: usize = 8;

/// Whether `text` is code or data, and most of it in giant lines.
pub(crate) fn is_run(text: &str, language: Option<&Language>) -> bool {
    language.is_some_and(|language| language.shape == Shape::Code) && are_lines_longer(text, GIANT_LINE)
}

/// Whether `text` has a structure though it has giant lines: it is JSON or a page, or these lines are the exception in
/// it, as in a log.
pub(crate) fn is_read(text: &str) -> bool {
    let giant = text.lines().filter(|line| line.len() > GIANT_LINE).count();
    giant * LINES < text.lines().count() || begins_as_json(text) || is_page(text)
}

/// `block` cut to `room` tokens: the units closest to the focus with their neighbours, then the first and the last.
pub(crate) fn excerpt(
    block: &MeasuredBlock<'_>,
    focus: &[f64],
    room: Tokens,
    counter: &dyn TokenCounter,
) -> Vec<Piece> {
    let text = &block.block().text;
    let all = block.units().len();
    let near = |n: Option<usize>| n.and_then(|n| focus.get(n)).copied().unwrap_or(0.0);
    let worth = |n: usize| {
        let beside = near(n.checked_sub(1)).max(near(Some(n + 1))) * SPREAD;
        FOCUS * near(Some(n)).max(beside) as f32 + end(n.min(all - n - 1))
    };
    let mut order: Vec<(f32, usize)> = (0..all).map(|n| (worth(n), n)).collect();
    order.sort_by(|(a, left), (b, right)| b.total_cmp(a).then(left.cmp(right)));
    let language = Language::of_measured(block);
    let marker = counter.count(&gap_marker(block, language, 0, all));
    fit((text, ByteRange::whole(text)), room, counter, |room| {
        cut_pieces(block, language, &runs(&taken(block, &order, room, marker)))
    })
}

/// The units that fit into `room`, tried in `order`; a unit without a taken neighbour costs one more marker.
fn taken(block: &MeasuredBlock<'_>, order: &[(f32, usize)], room: Tokens, marker: Tokens) -> Vec<bool> {
    let mut taken = vec![false; order.len()];
    let mut left = room.saturating_sub(marker);
    for &(_, n) in order {
        let is_taken = |n: Option<usize>| n.and_then(|n| taken.get(n)).copied().unwrap_or(false);
        let alone = !is_taken(n.checked_sub(1)) && !is_taken(Some(n + 1));
        let cost = block.tokens_between(n, n + 1) + if alone { marker } else { Tokens::ZERO };
        let Some(rest) = left.checked_sub(cost) else { continue };
        left = rest;
        if let Some(taken) = taken.get_mut(n) {
            *taken = true;
        }
    }
    taken
}

/// The runs of `taken` units.
fn runs(taken: &[bool]) -> Vec<Range<usize>> {
    let mut end = 0;
    let parts = taken.chunk_by(|a, b| a == b).map(|part| {
        end += part.len();
        (part.first() == Some(&true)).then_some(end - part.len()..end)
    });
    parts.flatten().collect()
}
