//! Checks what a result has instead of text: the names of blocks, and the markers in gaps.

use std::ops::{Range, RangeInclusive};

use contextfit::{
    kernel::{Action, ByteRange, Measured, MeasuredBlock, Piece, Plan, one_line},
    search::{gist, reference},
    text::GIANT_LINE,
};

/// The words that markers are made of, besides names from the text that is missing and handles.
const WORDS: [&str; 13] = [
    "line",
    "lines",
    "sentence",
    "sentences",
    "word",
    "words",
    "character",
    "characters",
    "more",
    "and",
    "restore",
    "gap",
    "rem",
];

/// Checks that each block that `plan` shows without its text is shown by its own path, symbols and first words, and that
/// markers have no words but their own and the block's, and count what is missing. How several markers in one gap divide
/// it is the strategy's claim.
///
/// # Errors
/// The first thing that no strategy writes.
pub(super) fn check(input: &Measured<'_>, plan: &Plan) -> Result<(), String> {
    let blocks = input.blocks.iter().map(|measured| (measured, measured.block()));
    blocks.zip(&plan.steps).try_for_each(|((measured, block), step)| match &step.action {
        Action::Render { text, .. } if block.as_passage().is_some() => {
            let passage = block.as_passage();
            let name = passage.and_then(|passage| passage.path.as_deref().or(passage.title.as_deref()));
            let name = format!("[{}]", one_line(name.unwrap_or(&block.id)));
            let is_own = [gist(block), reference(block), name].contains(text);
            let why =
                || format!("block {:?}: {text:?} is not made of its path, symbols and first words", block.id);
            if is_own { Ok(()) } else { Err(why()) }
        }
        Action::Cut { pieces } => markers(measured, pieces),
        _ => Ok(()),
    })
}

/// Checks the markers among `pieces`.
fn markers(measured: &MeasuredBlock<'_>, pieces: &[Piece]) -> Result<(), String> {
    let (block, mut end) = (measured.block(), 0);
    for (n, piece) in pieces.iter().enumerate() {
        let Piece::Marker(marker) = piece else {
            end = piece.range().map_or(end, ByteRange::end);
            continue;
        };
        let after = pieces.iter().skip(n).find_map(Piece::range);
        let after = after.map_or(block.text.len(), ByteRange::start);
        let is_handle = |word: &str| word.len() == 8 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let words = marker.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let is_own = |word: &str| {
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
            is_number
                || WORDS.contains(&word.to_lowercase().as_str())
                || is_handle(word)
                || block.text.contains(word)
        };
        if let Some(word) = words.clone().find(|word| !is_own(word)) {
            return Err(format!(
                "block {:?}: the marker {marker:?} says {word:?}, which is not in its text",
                block.id
            ));
        }
        let after_dots = marker.split_once("...").map_or("", |(_, rest)| rest);
        let mut words = after_dots
            .split(|c: char| !c.is_alphanumeric())
            .skip_while(|word| word.parse::<usize>().is_err());
        let Some(counted) = words.next().and_then(|word| word.parse::<usize>().ok()) else {
            continue;
        };
        let is_marker =
            |at: Option<usize>| matches!(at.and_then(|at| pieces.get(at)), Some(Piece::Marker(_)));
        let is_one = marker.matches("...").count() == 1;
        let is_alone = is_one && !is_marker(n.checked_sub(1)) && !is_marker(Some(n + 1));
        let noun = words.next().filter(|_| is_alone).unwrap_or_default();
        // A folded body closes in its marker: `{ /* ... 4 lines */ }` shows the line of the brace.
        let missing = block.text.get(end..after).unwrap_or_default();
        let last = missing.trim_end().rsplit('\n').next().unwrap_or_default().trim();
        let closes = !last.is_empty() && !last.contains(char::is_alphanumeric);
        let shown = usize::from(closes && noun.starts_with("line") && marker.trim_end().ends_with(last));
        if !counts(measured, end..after, noun).contains(&(counted + shown)) {
            return Err(format!(
                "block {:?}: the marker {marker:?} does not count what is missing at bytes {end} to {after}",
                block.id
            ));
        }
    }
    Ok(())
}

/// The numbers that a marker for these bytes may have before `noun`.
fn counts(measured: &MeasuredBlock<'_>, bytes: Range<usize>, noun: &str) -> RangeInclusive<usize> {
    let missing = measured.block().text.get(bytes.clone()).unwrap_or_default();
    let exactly = |n: usize| n..=n;
    match noun.trim_end_matches('s') {
        // Those in a string of JSON are between escapes.
        "line" if !missing.contains("\\n") => {
            let said = missing.lines().filter(|line| !line.trim().is_empty()).count();
            said..=missing.lines().count()
        }
        // Some strategies divide giant lines further.
        "sentence" if missing.lines().all(|line| line.len() < GIANT_LINE) => {
            let says = |unit: &usize| !measured.text(*unit, *unit + 1).trim().is_empty();
            let units = measured.units_before(bytes.start)..measured.units_before(bytes.end);
            exactly(units.filter(says).count())
        }
        "character" => exactly(missing.trim().chars().count()),
        _ => 0..=missing.chars().count(),
    }
}
