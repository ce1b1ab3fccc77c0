//! An output cut to the available room.

use contextfit_kernel::{ByteRange, MeasuredBlock, Piece, TextKind, TokenCounter, Tokens};
use contextfit_text::{has_controls, is_json, kind_of};

use crate::{
    choice::{Chooser, text_of},
    json::Tree,
    reading::{rows, sheet},
    rendition::{Rendition, rewritten_pieces},
    worth::PLAIN,
};

/// The part `range` of `block`, cut to `room` tokens: pieces of it with a marker in every gap, as a [`Piece`] list for
/// [`Action::Cut`](contextfit_kernel::Action::Cut).
///
/// `range` lies between unit borders of the block: all of its text, or one of its parts. `focus` holds for each unit of
/// the range, in order, how close it is to the query, from 0 to 1 ([`focus`](crate::focus)). Units beyond its end have
/// none.
///
/// A text that fits once it is [rewritten without loss](crate::lossless()) is shown that way, whole. Lines are read,
/// chosen and shown as a terminal would show them, and a run of identical lines counts as one.
///
/// The text is read by its [`TextKind`]. Each line (in prose each sentence, in JSON each member and element) has a score,
/// on this scale:
///
/// | score | what |
/// |---|---|
/// | 1000 | headers of tables with their rule |
/// | 40 x focus | closeness; half of it for the adjacent lines of code, a quarter in logs; half of it for the changes of a hunk or a file in a diff; in JSON all of it for the member that names the object, half for its other members, and less in those of several records that match the query less |
/// | 24 | errors, failures, what the object `error` in JSON says; half, a third ... for repetitions |
/// | 18 | the outcome of a run, the application's frame where an error happened |
/// | 12 | totals, declarations, first changes of a diff and those unlike the others (half for imports and single words, twice that for long lines), rows of a table that stand out, keys that show the structure of JSON, lines around a numbered listing |
/// | 8 | warnings, the application's own frames in a trace, subjects of commits (divided by how often they occur), words of concern in JSON, numbers and words that stand out, rare lines |
/// | 6, less with the distance | both ends of a text |
/// | 4, less with the number | the first of similar lines |
/// | 1 | everything else |
///
/// The lines after an error explain it: 8 for the next, less with the distance, and three times that for the two sides of
/// a comparison (`Expected: 40`).
///
/// Lines are similar if they share a template, whatever language they are in. The location of an error
/// (`--> src/lib.rs:3:5`) is shown with its headline, and a line with its headings: those it is indented under, or of
/// Markdown, and the name of its record. A heading is not shown for itself.
///
/// Lines with the highest score per token are taken first, each with the headers it is under, as long as they fit; a
/// header counts with the first line that needs it. The resulting text is counted: it takes at most `room` tokens, or
/// it is the shortest possible (one marker; for JSON its outer brackets with a marker in them).
///
/// JSON stays JSON, and JSON lines stay JSON lines, if the block was measured as a message: in an array,
/// `"... 12 more"` replaces what is missing; in an object, the member `"...": "3 more"`, and `"... (2)": ...` for the
/// next gap. In JSON, a code, a date or an id (6) scores higher than another value (4), and each scores less if it
/// appeared before. The first element of an array shows what all are like and keeps its score; the others lose some.
/// Records of at most 24 values are taken whole where possible, because a marker costs as much as two members.
///
/// Deterministic. Linear in the length of the range, apart from one sort of its lines; memory is a few words per unit.
#[must_use]
pub fn excerpt(
    block: &MeasuredBlock<'_>,
    range: ByteRange,
    focus: &[f64],
    room: Tokens,
    counter: &dyn TokenCounter,
) -> Vec<Piece> {
    let text = range.of(&block.block().text).unwrap_or_default();
    if text.is_empty() {
        return Vec::new();
    }
    if counter_fits(block, range, room, counter) {
        return vec![Piece::Source(range)];
    }
    let kind = kind_of(block, range);
    let is_json = kind == TextKind::Json && is_json(text);
    let whole = rewritten_pieces(block, range, is_json);
    let is_rewritten = whole.iter().any(|piece| matches!(piece, Piece::Rewritten { .. }));
    if is_rewritten && counter.count(&text_of(&whole, &block.block().text)) <= room {
        return whole;
    }
    // Other lines among the JSON may have been rewritten.
    if kind == TextKind::Json
        && (!is_rewritten || is_json)
        && let Some(tree) = Tree::of(block, range, focus, is_json)
    {
        return tree.fit(room, counter);
    }
    if is_rewritten {
        return Rendition::of(block, range).fit(focus, room, counter);
    }
    let rows = rows(block, range, kind);
    let sheet = sheet(&rows, kind, focus);
    Chooser::new(&rows, &sheet).fit(room, counter)
}

/// The score of each unit of the part `range` of `block` without a focus, in order, on the scale of [`excerpt`]: errors
/// with what explains them, totals and changed lines score higher than others, repetitions lower. Every unit of JSON
/// scores 1; a unit that says nothing scores below 0. Linear.
#[must_use]
pub fn unit_worths(block: &MeasuredBlock<'_>, range: ByteRange) -> Vec<f32> {
    let text = range.of(&block.block().text).unwrap_or_default();
    if has_controls(text) && !is_json(text) {
        return Rendition::of(block, range).unit_worths();
    }
    let kind = kind_of(block, range);
    let (from, to) = (block.units_before(range.start()), block.units_before(range.end()));
    let mut worths = vec![PLAIN; to.saturating_sub(from)];
    if kind != TextKind::Json {
        let rows = rows(block, range, kind);
        let sheet = sheet(&rows, kind, &[]);
        for n in 0..rows.len() {
            let units = worths.get_mut(rows.first_unit(n)..rows.first_unit(n + 1));
            units.into_iter().for_each(|units| units.fill(sheet.worth(n)));
        }
    }
    worths
}

/// Whether the whole range takes at most `room`.
fn counter_fits(
    block: &MeasuredBlock<'_>,
    range: ByteRange,
    room: Tokens,
    counter: &dyn TokenCounter,
) -> bool {
    let (from, to) = (block.units_before(range.start()), block.units_before(range.end()));
    let reckoned = block.tokens_between(from, to);
    // The count of a part may be off by a token at either seam.
    reckoned <= room + Tokens::new(2) && counter.count(block.text(from, to)) <= room
}
