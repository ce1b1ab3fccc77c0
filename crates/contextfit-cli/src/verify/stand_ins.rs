//! Checks what a result has instead of text: the names of blocks, and the markers in gaps.

use contextfit_kernel::{Action, Block, ByteRange, Piece, Plan, one_line};
use contextfit_truncation::{gist, reference};

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
/// markers have no words but their own and the block's, and do not count more than is missing. How a number divides what
/// is missing (between an outline's markers, in lines or sentences) is the strategy's claim.
///
/// # Errors
/// The first thing that no strategy writes.
pub(super) fn check(blocks: &[Block], plan: &Plan) -> Result<(), String> {
    blocks.iter().zip(&plan.steps).try_for_each(|(block, step)| match &step.action {
        Action::Render { text, .. } if block.as_passage().is_some() => {
            let passage = block.as_passage();
            let name = passage.and_then(|passage| passage.path.as_deref().or(passage.title.as_deref()));
            let name = format!("[{}]", one_line(name.unwrap_or(&block.id)));
            let is_own = [gist(block), reference(block), name].contains(text);
            let why =
                || format!("block {:?}: {text:?} is not made of its path, symbols and first words", block.id);
            if is_own { Ok(()) } else { Err(why()) }
        }
        Action::Cut { pieces } => markers(block, pieces),
        _ => Ok(()),
    })
}

/// Checks the markers among `pieces`.
fn markers(block: &Block, pieces: &[Piece]) -> Result<(), String> {
    let mut end = 0;
    for (n, piece) in pieces.iter().enumerate() {
        let Piece::Marker(marker) = piece else {
            end = piece.range().map_or(end, ByteRange::end);
            continue;
        };
        let after = pieces.iter().skip(n).find_map(Piece::range);
        let missing = block.text.get(end..after.map_or(block.text.len(), ByteRange::start));
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
        let counted = after_dots.split(' ').find_map(|word| word.parse::<usize>().ok());
        let most = missing.unwrap_or_default().chars().count();
        if let Some(counted) = counted.filter(|counted| *counted > most) {
            return Err(format!(
                "block {:?}: the marker {marker:?} counts {counted} of {most} characters",
                block.id
            ));
        }
    }
    Ok(())
}
