//! A text shortened with nothing left out.

use contextfit_kernel::{ByteRange, MeasuredBlock, Piece, Rewrite};
use contextfit_text::is_json;

use crate::{rendition::Rendition, steps::piece};

/// The part `range` of `block` with nothing left out, as a [`Piece`] list for
/// [`Action::Cut`](contextfit_kernel::Action::Cut). JSON is written without blanks, and its similar records as tables.
/// In other texts, lines with escape sequences appear as a terminal shows them, and runs of identical lines once with
/// their number. Anything that cannot be rewritten stays source.
///
/// `range` lies between unit borders of the block: all of its text, or one of its parts. Every rewritten piece is what
/// [`rewritten`](contextfit_text::rewritten) makes of its range. Never longer in bytes. Linear.
#[must_use]
pub fn lossless(block: &MeasuredBlock<'_>, range: ByteRange) -> Vec<Piece> {
    let text = range.of(&block.block().text).unwrap_or_default();
    if text.is_empty() {
        return Vec::new();
    }
    if is_json(text) {
        let source = &block.block().text;
        let pieces = JSON.map(|rewrite| piece(source, range, Some(rewrite)));
        return pieces.into_iter().min_by_key(|piece| piece.text(source).len()).into_iter().collect();
    }
    Rendition::of(block, range).whole()
}

/// The rewritings for JSON, from the most readable to the shortest.
pub(crate) const JSON: [Rewrite; 2] = [Rewrite::JsonBlanks, Rewrite::JsonRecords];
