//! Ranges of a text in characters, as Python counts.

use contextfit::kernel::ByteRange;

/// `ranges` of `text`, ascending and in bytes, in characters. Linear in the length of the text.
pub(crate) fn in_characters(text: &str, ranges: &[ByteRange]) -> Vec<(usize, usize)> {
    if text.is_ascii() {
        return ranges.iter().map(|range| (range.start(), range.end())).collect();
    }
    let (mut byte, mut character) = (0, 0);
    let mut at = |to: usize| {
        if to < byte {
            (byte, character) = (0, 0);
        }
        character += text.get(byte..to).map_or(0, |between| between.chars().count());
        byte = to;
        character
    };
    ranges.iter().map(|range| (at(range.start()), at(range.end()))).collect()
}
