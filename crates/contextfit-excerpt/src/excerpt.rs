//! Machine output cut to a given room.

use contextfit_kernel::{ByteRange, MeasuredBlock, Piece, TextKind, TokenCounter, Tokens};
use contextfit_text::{NaturalLanguage, Needs, has_controls, is_json, kind_of};

use crate::{
    choice::{Chooser, text_of},
    evidence::RowFeatures,
    json::Tree,
    reading::{features, rows, sheet},
    rendition::{Rendition, is_typed, rewritten_pieces},
    worth::PLAIN,
};

/// Cuts the part `range` of `block` to `room` tokens. Returns its pieces, with a marker in every gap, for
/// [`Action::Cut`](contextfit_kernel::Action::Cut).
///
/// `range` lies between unit borders of the block: all of its text, or one of its parts. `focus` is how close each unit
/// of the range is to the query, in order, from 0 to 1 ([`focus`](crate::focus)). Units beyond the end of `focus` count
/// as 0.
///
/// If the text fits after [lossless rewriting](crate::lossless()), all of it is shown in that form. Otherwise its lines
/// are read, scored and shown as a terminal would show them, and a run of identical lines counts as one.
///
/// The [`TextKind`] decides how the text is read. Each line (in prose each sentence, in JSON each member and element)
/// has a score: the exponential of the weighted sum of its [features](crate::ROW_FEATURES), so that evidence adds up;
/// docs/excerpts.md has the weights, which are fitted to labelled outputs. With a query, 40 x focus is added, and what the
/// features say counts for less; adjacent lines of code get half of the focus on a line. In a diff, the changes of a hunk
/// or a file get half of the focus on it (on a hunk: the sum over its lines by the root of their number, at most that of
/// the closest), and lines near a close one have a feature. In JSON, the other members of an object get half of the focus
/// on one; if several records match the query, those that match less get less.
///
/// In prose and numbered code without a query, the scores are:
///
/// | score | what |
/// |---|---|
/// | 24 | errors around a numbered listing, and its first line |
/// | 12 | declarations, lines around a numbered listing |
/// | 6, less with the distance | both ends of a text |
/// | 1 | everything else |
///
/// Lines are similar if they share a template, in any language. The location of an error (`--> src/lib.rs:3:5`) is
/// shown with its headline. A line is shown with the name of its record and with its headings: the lines it is indented
/// under, or Markdown headings. A heading is not shown on its own. In prose, and in what a person wrote, an item of a
/// list is never shown without what announces it.
///
/// Lines with the highest score per token are taken first, as long as they fit, each with the headers it is under. The
/// resulting text is counted: it takes at most `room` tokens, or it is the shortest possible (one marker; for JSON, the
/// outer brackets with a marker in them).
///
/// JSON stays JSON, and JSON lines stay JSON lines, if the block was measured as a message. In an array,
/// `"... 12 more"` replaces what is missing; in an object, the member `"...": "3 more"`, or `"... (2)": ...` in the
/// next gap. A value scores by its features and its closeness to the query, as a line does. Records of at most 24 values
/// are taken whole if possible, because a marker costs as much as two members, and a value only with the name of its
/// record.
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
    let (from, to) = (block.units_before(range.start()), block.units_before(range.end()));
    // The sum for a part may be off by one token at either end.
    let may_fit = block.tokens_between(from, to) <= room + Tokens::new(2);
    if may_fit && counter.count(block.text(from, to)) <= room {
        return vec![Piece::Source(range)];
    }
    let kind = kind_of(block, range);
    let is_json = kind == TextKind::Json && is_json(text);
    let whole = rewritten_pieces(block, range, is_json);
    let is_rewritten = whole.iter().any(|piece| matches!(piece, Piece::Rewritten { .. }));
    if is_rewritten && counter.count(&text_of(&whole, &block.block().text)) <= room {
        return whole;
    }
    // If lines other than JSON were rewritten, the text is not read as a tree.
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
    let mut sheet = sheet(&rows, kind, focus);
    if kind == TextKind::Prose || is_typed(block.block(), range) {
        let natural_language = NaturalLanguage::of_texts([&block.block().text]);
        sheet.put_under_heads(&rows, &Needs::of_measured(block, natural_language));
    }
    Chooser::new(&rows, &sheet).fit(room, counter)
}

/// The score of each unit of the part `range` of `block`, in order, without a query, as in [`excerpt`].
/// Nine of ten lines score less than 1, and an error at least 24, divided by how many like it there are so far. Every
/// unit of JSON scores 1. A unit without content, such as a blank line or a rule, scores less than 0. Linear.
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
            units.into_iter().for_each(|units| units.fill(sheet.worth_by_itself(n)));
        }
    }
    worths
}

/// The features of each row of the part `range` of `block`, in order, for fitting their weights: lines, rows of a table
/// of several, or values of JSON. `focus` is that of [`excerpt`]. Linear.
#[must_use]
pub fn row_features(block: &MeasuredBlock<'_>, range: ByteRange, focus: &[f64]) -> Vec<RowFeatures> {
    let text = range.of(&block.block().text).unwrap_or_default();
    match kind_of(block, range) {
        TextKind::Json => {
            let tree = Tree::of(block, range, focus, is_json(text));
            tree.map_or_else(Vec::new, |tree| tree.features())
        }
        kind => features(&rows(block, range, kind), kind, focus),
    }
}
