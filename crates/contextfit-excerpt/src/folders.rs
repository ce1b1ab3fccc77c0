//! Lines that begin with the same folder, under its name.

use contextfit_kernel::{ByteRange, MeasuredBlock, Piece, Rewrite};
use contextfit_text::folder;

use crate::{Kind, steps::piece};

/// A heading must save at least this many bytes.
const WORTHWHILE: usize = 16;

/// After this many lines the folder is named again, so that readers have it in sight.
const LINES: usize = 32;

/// `pieces` of `block`, with the common folder of consecutive lines given once as a heading. Done after the choice,
/// because earlier it would hide paths and kinds. Linear.
pub(crate) fn said_once(block: &MeasuredBlock<'_>, pieces: Vec<Piece>) -> Vec<Piece> {
    let source = block.block().text.as_str();
    if !matches!(Kind::of(source), Kind::Listing | Kind::Log | Kind::Other) {
        return pieces;
    }
    let mut made = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match piece {
            Piece::Source(range) => lines_of(block, range, &mut made),
            other => made.push(other),
        }
    }
    made
}

/// The pieces of the lines in `range`.
fn lines_of(block: &MeasuredBlock<'_>, range: ByteRange, made: &mut Vec<Piece>) {
    let source = block.block().text.as_str();
    let lines: Vec<&str> = range.of(source).unwrap_or_default().split_inclusive('\n').collect();
    let (mut shown, mut at, mut n) = (range.start(), range.start(), 0);
    while let Some(line) = lines.get(n) {
        let common = folder(line);
        let again = lines.get(n..).unwrap_or_default().iter().take_while(|next| folder(next) == common);
        let count = if common.is_some() { again.take(LINES).count() } else { 1 };
        let end =
            at + lines.get(n..n + count).unwrap_or_default().iter().map(|line| line.len()).sum::<usize>();
        if let Some(run) = ByteRange::new(at, end).filter(|_| count > 1 && is_whole(block, at, end)) {
            let headed = piece(source, run, Some(Rewrite::Folders));
            if headed.text(source).len() + WORTHWHILE <= run.len() {
                made.extend(ByteRange::new(shown, at).filter(|range| !range.is_empty()).map(Piece::Source));
                made.push(headed);
                shown = end;
            }
        }
        (at, n) = (end, n + count);
    }
    made.extend(ByteRange::new(shown, range.end()).filter(|range| !range.is_empty()).map(Piece::Source));
}

/// Whether `start..end` is whole lines between unit borders.
fn is_whole(block: &MeasuredBlock<'_>, start: usize, end: usize) -> bool {
    let begins =
        block.block().text.get(..start).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
    begins && block.is_unit_boundary(start) && block.is_unit_end(end)
}
