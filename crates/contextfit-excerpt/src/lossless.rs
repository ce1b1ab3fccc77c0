//! A text shortened with nothing left out.

use contextfit_kernel::{ByteRange, MeasuredBlock, Piece, Rewrite};
use contextfit_text::is_json;

use crate::{rendition::Rendition, steps::piece};

/// The part `range` of `block` with nothing left out, as a [`Piece`] list for
/// [`Action::Cut`](contextfit_kernel::Action::Cut). JSON is written without blanks. In other texts, lines with
/// escape sequences appear as a terminal shows them, and runs of identical lines once with their number. Anything that
/// cannot be rewritten stays source.
///
/// `range` lies between unit borders of the block: all of its text, or one of its parts. Every rewritten piece is what
/// [`rewritten`](contextfit_text::rewritten) makes of its range. Never longer in bytes. Linear.
#[must_use]
pub fn lossless(block: &MeasuredBlock<'_>, range: ByteRange) -> Vec<Piece> {
    let text = range.of(&block.block().text).unwrap_or_default();
    if text.is_empty() {
        return Vec::new();
    }
    rewritten_pieces(block, range, is_json(text))
}

/// The pieces of [`lossless`] for a text that is not empty; `is_json` if all of it can be read as JSON.
pub(crate) fn rewritten_pieces(block: &MeasuredBlock<'_>, range: ByteRange, is_json: bool) -> Vec<Piece> {
    match is_json {
        true => vec![piece(&block.block().text, range, Some(Rewrite::JsonBlanks))],
        false => Rendition::of(block, range).whole(),
    }
}
