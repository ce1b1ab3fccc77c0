//! Parts of a unit that is longer than all the available room: clauses, or words as a last resort.

/// The maximum length, in bytes, of a line that was written by hand.
pub const GIANT_LINE: usize = 2048;

/// From this many bytes on, a part ends at the end of a clause.
const CLAUSE_END_BYTES: usize = 60;

/// From this many bytes on, a part ends at white space.
const WORD_END_BYTES: usize = 120;

/// From this many bytes on, a part ends anywhere.
const LONGEST_PART_BYTES: usize = 240;

/// The signs that end a clause, in prose or in code.
const SIGNS: [char; 14] = [',', ';', ':', '.', '!', '?', '}', '{', '，', '、', '；', '：', '。', '،'];

/// The ends of the parts of a long unit: byte offsets in `unit`, ascending, the last one its length.
///
/// A part ends after a comma, a stop or a curly bracket once it has 60 bytes, at any white space or comma once it has
/// 120, and anywhere once it has 240. A unit should be divided only if it cannot be shown whole and some of it is
/// better than nothing. White space between two parts belongs to the second one. Linear.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::part_ends;
///
/// let speech = "and then we went down to the river where nobody had been for a year, and it was gone";
/// assert_eq!(part_ends(speech), [68, 84]);
/// ```
#[must_use]
pub fn part_ends(unit: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let last = unit.trim_end().len();
    let (mut start, mut before) = (0, ' ');
    for (at, c) in unit.char_indices() {
        let length = at - start;
        let is_dense = !before.is_ascii() && SIGNS.contains(&before);
        let is_statement = matches!(before, ';' | '{' | '}');
        let is_clause = SIGNS.contains(&before) && (c.is_whitespace() || is_dense || is_statement);
        let is_word = c.is_whitespace() || before == ',';
        let ends_here = length >= CLAUSE_END_BYTES && is_clause
            || length >= WORD_END_BYTES && is_word
            || length >= LONGEST_PART_BYTES;
        // Trailing white space alone is not a part.
        if ends_here && at < last {
            ends.push(at);
            start = at;
        }
        before = c;
    }
    if !unit.is_empty() {
        ends.push(unit.len());
    }
    ends
}

/// Whether at least half of the bytes of `text` are in lines of more than `limit` bytes. Linear.
#[must_use]
pub fn are_lines_longer(text: &str, limit: usize) -> bool {
    let lengths = text.lines().map(str::len).filter(|length| *length > limit);
    let long: usize = lengths.sum();
    long > 0 && long * 2 >= text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `expect` has the lengths of the parts.
    #[track_caller]
    fn check(unit: &str, expect: &[usize]) {
        let ends = part_ends(unit);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let lengths: Vec<usize> = starts.zip(&ends).map(|(start, end)| end - start).collect();
        assert_eq!(lengths, expect, "{unit}");
    }

    #[test]
    fn parts() {
        check("", &[]);
        check(&" ".repeat(1_000_000), &[1_000_000]);
        check("short, it is", &[12]);
        check(&format!("{}, then the rest\n", "word ".repeat(13).trim_end()), &[65, 15]);
        check(&"word ".repeat(30), &[124, 26]);
        check(&"x".repeat(500), &[240, 240, 20]);
        check(&format!("{};b(){{}}", "a".repeat(70)), &[71, 5]);
        check(&"今天天气很好，".repeat(8), &[63, 63, 42]);
        check(&"é".repeat(200), &[240, 160]);
    }
}
