//! An output cut to the room there is for it.

use contextfit_kernel::{ByteRange, MeasuredBlock, Piece, Rewrite, TokenCounter, Tokens};
use contextfit_text::{has_controls, is_json};

use crate::{
    Kind,
    choice::{Chooser, text_of},
    code, diff, embedded, history,
    json::Tree,
    listing, log, lossless, page, prose,
    rendition::Rendition,
    rows::Rows,
    table,
    worth::{PLAIN, Sheet},
};

/// The part `range` of `block`, cut to `room` tokens: pieces of it with a marker in every gap, as a
/// [`Piece`] list for [`Action::Cut`](contextfit_kernel::Action::Cut).
///
/// `range` lies between unit borders of the block: all of its text, or one of its parts. `focus` says of each unit of the
/// range, in order, how close it is to what is asked, from 0 to 1 ([`focus`](crate::focus)). Units beyond its end have none.
///
/// A text that fits once it is [rewritten without loss](crate::lossless()) is shown so, whole. Of lines, what a terminal would show is
/// read, chosen and shown, and a run of identical lines is one.
///
/// The text is read by its [`Kind`]. Each line (of prose each sentence, of JSON each member and element) has a worth, on
/// this ladder:
///
/// | worth | what |
/// |---|---|
/// | 1000 | heads of tables with their rule |
/// | 40 x focus | closeness; half of it for the next lines of code, a quarter in logs; half of it for a hunk or a file of a diff; in JSON all of it for what names the object, half for its other members, and less in those of several records that say less of what is asked |
/// | 24 | errors, failures, the head of a stack trace; half, a third ... for those alike |
/// | 12 | totals, declarations, first changes of a diff, keys that tell what JSON is like, lines around a numbered listing |
/// | 8 | warnings, frames of a trace that are the application's own, subjects of commits, numbers and words that stand out, rare lines |
/// | 6, less with the distance | both ends of a text |
/// | 4, less with the number | the first and the last of similar lines |
/// | 1 | all else |
///
/// Lines are similar that have one template, whatever language they are in. The place of an error (`--> src/lib.rs:3:5`) is shown with its
/// headline. What is left of the room goes to what stands around the lines that tell most.
///
/// What is worth most per token is taken first, each line with the heads that it stands under, as long as it fits. The
/// result is counted as the text that it is: it takes at most `room` tokens, or it is the shortest that there is (one
/// marker; of JSON its outer brackets with a marker in them).
///
/// JSON stays JSON, and JSON lines stay JSON lines, where the block was measured as a message: in an array,
/// `"... 12 more"` stands for what is missing, in an object the member `"...": "3 more"`, behind it `"... (2)": ...`. There,
/// a code, a date or an id (6) is worth more than another value (4), each less where it stood before; the first element of
/// an array shows what all are like and keeps its worth, the others lose. Records of 24 values at most are taken as a whole
/// where they can be: a marker costs as much as two members. JSON that a
/// few lines stand before or after (a warning, the headers of a response) is cut so as well, and these lines are shown.
///
/// Deterministic. Linear in the length of the range but for one sort of its lines; memory a few words a unit.
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
    let kind = Kind::of(text);
    // A table makes the reader count columns: only where there is no room for the keys.
    let is_rewritten = |pieces: &[Piece]| pieces.iter().any(|piece| matches!(piece, Piece::Rewritten { .. }));
    let fits = |pieces: &Vec<Piece>| {
        is_rewritten(pieces) && counter.count(&text_of(pieces, &block.block().text)) <= room
    };
    let mut rewritten = false;
    if kind == Kind::Json {
        let whole = |rewrite| vec![lossless::piece(&block.block().text, range, Some(rewrite))];
        if let Some(whole) = lossless::JSON.into_iter().map(whole).find(fits) {
            return whole;
        }
    } else {
        let whole = lossless(block, range);
        if fits(&whole) {
            return whole;
        }
        rewritten = is_rewritten(&whole);
    }
    if kind == Kind::Json
        && let Some(tree) = Tree::of(block, range, focus)
    {
        return tree.fit(room, Some(Rewrite::JsonBlanks), counter);
    }
    if kind != Kind::Json
        && let Some(pieces) = embedded::fit(block, range, focus, room, counter)
    {
        return pieces;
    }
    if rewritten {
        return Rendition::of(block, range).fit(focus, room, counter);
    }
    let rows = rows(block, range, kind);
    let sheet = sheet(&rows, kind, focus);
    Chooser::new(&rows, &sheet).fit(room, counter)
}

/// What each unit of the part `range` of `block` says by itself, in order, on the ladder of [`excerpt`]: errors with what
/// explains them, totals, changed lines more than others, what repeats less. A unit of JSON has the worth of all else, 1; one
/// that says nothing less than 0. Linear.
#[must_use]
pub fn unit_worths(block: &MeasuredBlock<'_>, range: ByteRange) -> Vec<f32> {
    let text = range.of(&block.block().text).unwrap_or_default();
    if has_controls(text) && !is_json(text) {
        return Rendition::of(block, range).unit_worths();
    }
    let kind = Kind::of(text);
    let (from, to) = (block.units_before(range.start()), block.units_before(range.end()));
    let mut worths = vec![PLAIN; to.saturating_sub(from)];
    if kind != Kind::Json {
        let rows = rows(block, range, kind);
        let sheet = sheet(&rows, kind, &[]);
        for n in 0..rows.len() {
            let units = worths.get_mut(rows.first_unit(n)..rows.first_unit(n + 1));
            units.into_iter().for_each(|units| units.fill(sheet.worth(n)));
        }
    }
    worths
}

/// The rows of a text of `kind`.
fn rows<'a, 'b>(block: &'b MeasuredBlock<'a>, range: ByteRange, kind: Kind) -> Rows<'a, 'b> {
    if kind == Kind::Prose { Rows::units(block, range) } else { Rows::lines(block, range) }
}

/// What the rows of a text of `kind`, which is no JSON with a tree, are worth.
pub(crate) fn sheet(rows: &Rows<'_, '_>, kind: Kind, focus: &[f64]) -> Sheet {
    let mut sheet = Sheet::new(rows, focus, kind.spread());
    match kind {
        Kind::Table => table::value(rows, &mut sheet),
        Kind::Diff => diff::value(rows, &mut sheet),
        Kind::History => history::value(rows, &mut sheet),
        Kind::Page => page::value(rows, &mut sheet),
        Kind::Code => code::value(rows, &mut sheet),
        Kind::Listing => listing::value(rows, &mut sheet),
        Kind::Prose => prose::value(rows, &mut sheet),
        Kind::Json | Kind::Log | Kind::Other => log::value(rows, &mut sheet),
    }
    sheet
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
