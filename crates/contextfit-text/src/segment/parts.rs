//! Parts of a unit that is longer than all the available room: clauses, as a last resort words.

use crate::json;

/// A line of more bytes than this was not written by hand.
pub const GIANT_LINE: usize = 2048;

/// A part of at least this many bytes ends where a clause does.
const CLAUSE: usize = 60;

/// A part of at least this many bytes ends at white space.
const WORDS: usize = 120;

/// A part of at least this many bytes ends anywhere.
const LONGEST: usize = 240;

/// How many lines are tried as the first line of JSON.
const ATTEMPTS: usize = 3;

/// Markup has at least this many elements.
const ELEMENTS: usize = 4;

/// Elements that are not read begin a part.
const UNSEEN: [&str; 2] = ["<style", "<script"];

/// Elements that do not end a line of text.
const INLINE: [&str; 17] = [
    "a", "abbr", "b", "button", "code", "em", "i", "label", "option", "small", "span", "strong", "sub",
    "sup", "td", "th", "u",
];

/// Signs after which a clause ends, in prose or in code.
const SIGNS: [char; 14] = [',', ';', ':', '.', '!', '?', '}', '{', '，', '、', '；', '：', '。', '،'];

/// Finds where the parts of a long unit end: byte offsets in `unit`, ascending, the last one its length.
///
/// A part ends after a comma, a stop or a curly bracket once it has 60 bytes, at any white space or comma once it has
/// 120, and anywhere once it has 240; markup ends with its elements, and JSON is divided as by
/// [`unit_ends`](crate::unit_ends). A unit should be divided only if it cannot be shown whole, when some of it is better
/// than nothing. White space between two parts belongs to the second one. Linear.
///
/// ```
/// use contextfit_text::part_ends;
///
/// let speech = "and then we went down to the river where nobody had been for a year, and it was gone";
/// assert_eq!(part_ends(speech), [68, 84]);
/// ```
#[must_use]
pub fn part_ends(unit: &str) -> Vec<usize> {
    if let Some((start, json)) = json_at(unit) {
        let mut ends = clauses(unit.get(..start).unwrap_or_default());
        ends.extend(json.into_iter().map(|end| start + end).filter(|end| *end < unit.len()));
        ends.push(unit.len());
        return ends;
    }
    markup(unit).unwrap_or_else(|| clauses(unit))
}

/// Where the elements of markup on one line end, those inside a line of text (a link, a cell) with what they are in.
/// What is longer than a part may be is divided further. `None` if `unit` is no markup.
fn markup(unit: &str) -> Option<Vec<usize>> {
    if !unit.trim_start().starts_with('<') {
        return None;
    }
    let closing = unit.match_indices("</").filter_map(|(at, _)| {
        let behind = unit.get(at + 2..)?;
        let length = behind.find(|c: char| !c.is_ascii_alphanumeric())?;
        let (name, behind) = behind.split_at(length);
        let is_outer = !INLINE.iter().any(|inner| name.eq_ignore_ascii_case(inner));
        (length > 0 && is_outer && behind.starts_with('>')).then_some(at + 2 + length + 1)
    });
    let unseen = UNSEEN.into_iter().flat_map(|start| unit.match_indices(start)).map(|(at, _)| at);
    let mut elements: Vec<usize> =
        closing.chain(unseen).filter(|end| (1..unit.trim_end().len()).contains(end)).collect();
    elements.sort_unstable();
    elements.dedup();
    if elements.len() < ELEMENTS {
        return None;
    }
    elements.push(unit.len());
    let (mut ends, mut start) = (Vec::new(), 0);
    for end in elements {
        let element = unit.get(start..end).unwrap_or_default();
        match element.len() > LONGEST {
            true => ends.extend(clauses(element).into_iter().map(|end| start + end)),
            false => ends.push(end),
        }
        start = end;
    }
    Some(ends)
}

/// Where JSON begins that continues to the end of `unit`, and the ends of its units.
fn json_at(unit: &str) -> Option<(usize, Vec<usize>)> {
    let starts = std::iter::once(0).chain(unit.match_indices('\n').map(|(at, _)| at + 1));
    let json = |start: usize| unit.get(start..).filter(|rest| rest.starts_with(['{', '[']));
    let mut found = starts.filter_map(|start| Some((start, json(start)?))).take(ATTEMPTS);
    found.find_map(|(start, json)| Some((start, json::divide(json)?)))
}

fn clauses(unit: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let last = unit.trim_end().len();
    let (mut start, mut before) = (0, ' ');
    for (at, c) in unit.char_indices() {
        let length = at - start;
        let is_dense = !before.is_ascii() && SIGNS.contains(&before);
        let is_statement = matches!(before, ';' | '{' | '}');
        let is_clause = SIGNS.contains(&before) && (c.is_whitespace() || is_dense || is_statement);
        let is_word = c.is_whitespace() || before == ',';
        let ends_here = length >= CLAUSE && is_clause || length >= WORDS && is_word || length >= LONGEST;
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
    fn json() {
        check("[{\"id\": 1, \"name\": \"a\"}, {\"id\": 2}]", &[1, 23, 10, 1]);
        check("warning: old\n[{\"id\": 1}, {\"id\": 2}]", &[13, 1, 10, 10, 1]);
    }

    #[test]
    fn elements() {
        let row = "<tr><td>a</td><td>1</td></tr>";
        check(&format!("<table>{row}{row}{row}{row}</table>"), &[36, 29, 29, 29, 8]);
        check("<p>See <a>b</a>.</p>", &[20]);
        // What closes nothing is read once.
        check(&"</".repeat(500_000), &vec![240; 4166].into_iter().chain([160]).collect::<Vec<_>>());
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
