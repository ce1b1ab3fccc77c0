//! Markers for units that are left out.

use std::{iter, ops::Range};

use contextfit_kernel::{ByteRange, LINE_BREAKS, MeasuredBlock, Piece, Rewrite, TextKind, Turn, unescaped};

use crate::{
    Language, Shape,
    fence::unused_word,
    has_controls, is_json, json_tokens, readings, rewritten,
    segment::{border, is_heading},
    skeleton,
    skeleton::has_full_stop,
};

/// `block` cut to `runs` of its units, ascending and not adjacent, with a [marker](gap_marker) in every gap. Between
/// two headings, the marker is in the line of the first. Linear in the length of the block.
#[must_use]
pub fn cut_pieces(
    block: &MeasuredBlock<'_>,
    language: Option<&Language>,
    runs: &[Range<usize>],
) -> Vec<Piece> {
    let units = block.units().len();
    let is_prose = language.is_none_or(|language| language.shape == Shape::Prose);
    let is_heading = |unit: usize| is_prose && is_heading(block.text(unit, unit + 1));
    let mut pieces: Vec<Piece> = Vec::with_capacity(runs.len() * 2 + 1);
    let mut end = 0;
    for run in runs.iter().cloned().chain(iter::once(units..units)) {
        if run.start > end {
            let marker = gap_marker(block, language, end, run.start);
            let heads = end > 0 && run.start < units && is_heading(end - 1) && is_heading(run.start);
            let heading = pieces.last_mut().filter(|_| heads).and_then(|piece| before_feed(block, piece));
            pieces.push(Piece::Marker(if heading.is_some() { [" ", &marker].concat() } else { marker }));
        }
        if !run.is_empty() {
            pieces.push(Piece::Source(block.range(run.start, run.end)));
        }
        end = run.end;
    }
    pieces
}

/// Ends `piece`, if it is a source of whole lines, before its last line feed; `None` if there is nothing to cut.
fn before_feed(block: &MeasuredBlock<'_>, piece: &mut Piece) -> Option<()> {
    let Piece::Source(range) = piece else { return None };
    let text = range.of(&block.block().text)?;
    let shorter = ByteRange::new(range.start(), range.start() + text.trim_end_matches(['\n', '\r']).len())?;
    let ends_line = shorter.end() < range.end();
    *range = shorter;
    ends_line.then_some(())
}

/// The marker for the gap of units `from..to` of `block`, including the white space that separates it: on a separate
/// line if whole lines are missing, within the line if sentences are. It has the number of missing lines or sentences
/// or, if only part of one is missing, that of words or characters. If the gap begins or ends within a line and spans
/// several, all of them are counted as lines.
///
/// If the text continues within another paragraph, item or quote, the marker is on a separate line too, followed by the
/// mark at the beginning of the interrupted line (`- `, `> `). If JSON continues outside of the object or list in which
/// the gap begins, it does so on the next line.
///
/// `language` is that of the block: in code, the marker for lines is a comment. Linear in the length of the gap.
#[must_use]
pub fn gap_marker(block: &MeasuredBlock<'_>, language: Option<&Language>, from: usize, to: usize) -> String {
    let gap = block.text(from, to);
    let (start, end) = (block.start_of(from), block.start_of(to));
    let text = block.block().text.as_str();
    let starts_line = from == 0 || block.text(from - 1, from).ends_with('\n');
    // The next part of a message does not continue the line.
    let ends_part = |turn: &Turn| turn.ranges(text).any(|part| part.end() == end);
    let ends_text = end == text.len() || block.block().as_turn().is_some_and(ends_part);
    let ends_line = gap.ends_with('\n') || ends_text;
    let feed = if gap.ends_with('\n') { "\n" } else { "" };
    if starts_line && ends_line {
        return written("", language, gap.lines().count(), "line", feed);
    }
    let is_prose = language.is_none_or(|language| language.shape == Shape::Prose);
    let mark = if is_prose && !ends_line { border(text, start, end) } else { None };
    let space = match mark {
        Some(_) if !starts_line => "\n",
        _ if !starts_line && gap.starts_with(char::is_whitespace) => " ",
        _ => "",
    };
    let (n, what) = if block.divides_at(start) || block.divides_at(end) {
        match is_wordy(gap) {
            // With a part of a line, whole lines are missing too; a number of characters would hide them.
            _ if gap.trim_end_matches('\n').contains('\n') => (gap.lines().count(), "line"),
            true => (gap.split_whitespace().count(), "word"),
            false => (gap.trim().chars().count(), "character"),
        }
    } else {
        let holds = |unit: &usize| !block.text(*unit, *unit + 1).trim().is_empty();
        ((from..to).filter(holds).count(), "sentence")
    };
    let mut marker = written(space, None, n, what, feed);
    // Members of different objects do not share a line.
    if feed.is_empty() && !ends_text && leaves_object(block, start, gap) {
        marker.push('\n');
        return marker;
    }
    if let Some(mark) = mark.filter(|mark| !mark.trim().is_empty()) {
        let is_apart = text.get(end..).is_some_and(|text| text.starts_with(char::is_whitespace));
        marker.push('\n');
        marker.push_str(if is_apart { mark.trim_end() } else { mark });
    }
    marker
}

/// Whether `gap`, which begins at byte `start` of a block of JSON, ends outside of the object or list that it begins in.
fn leaves_object(block: &MeasuredBlock<'_>, start: usize, gap: &str) -> bool {
    let text = &block.block().text;
    let turn = block.block().as_turn();
    let part = turn.and_then(|turn| turn.ranges(text).find(|part| part.contains(start)));
    let mut depth = 0_i32;
    block.kind(part.unwrap_or(ByteRange::whole(text))) == Some(TextKind::Json)
        && json_tokens(gap).any(|token| {
            depth += i32::from(matches!(token.text, "{" | "["));
            depth -= i32::from(matches!(token.text, "}" | "]"));
            depth < 0
        })
}

/// Whether `line` could be mistaken for a marker of this project: whether its [`skeleton`] has dots, a number and a
/// noun, as in `[... 12 lines]`, `// ... 3 lines: open`, `"...":"3 more"` or `"... (2)":"1 more"`. Linear in the length
/// of the line.
pub(crate) fn reads_as_marker(line: &str) -> bool {
    // Whoever reads JSON may decode it.
    let line = unescaped(line);
    let seen = if line.is_ascii() { line } else { skeleton(&line).into() };
    let seen = if seen.contains(SPACED_DOTS) { seen.replace(SPACED_DOTS, DOTS).into() } else { seen };
    let counts = |rest: &str| {
        let noun = rest.trim_start();
        noun.len() < rest.len() && noun.starts_with(char::is_alphabetic)
    };
    let mut rest = &*seen;
    while let Some((_, after)) = rest.split_once(DOTS) {
        rest = after.trim_start_matches(|c: char| !c.is_alphanumeric());
        // The second gap of an object has its own number.
        if after_number(rest).is_some_and(|rest| counts(rest) || after_number(rest).is_some_and(counts)) {
            return true;
        }
    }
    false
}

/// The text after the number at the start of `text`, which may follow a [`GAP_WORD`] and signs.
fn after_number(text: &str) -> Option<&str> {
    let number = |text: &'_ str| text.bytes().take_while(u8::is_ascii_digit).count();
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let word = text.strip_prefix(GAP_WORD).and_then(|word| word.get(number(word)..));
    let text = word.map_or(text, str::trim_start);
    let digits = number(text);
    text.get(digits..).filter(|_| digits > 0)
}

/// The dots, which every marker has, and what they look like.
const DOTS: &str = "...";
const SPACED_DOTS: &str = ". . .";

/// The start of the word in the markers of a block whose text could be mistaken for markers: `[... gap-0 12 lines]`.
const GAP_WORD: &str = "gap-";

/// The word for the markers of a block with this `text`: one that the text does not contain. `None` if no line of the
/// text could be mistaken for a marker. Linear in the length of the text.
#[must_use]
pub fn gap_word(text: &str) -> Option<String> {
    let has_dots = |line: &str| {
        line.contains(DOTS) || line.contains("\\u") || !line.is_ascii() && line.contains(has_full_stop)
    };
    let is_forged = |text: &str| text.split(LINE_BREAKS).any(|line| has_dots(line) && reads_as_marker(line));
    // A terminal can bring full stops together, but it adds none.
    let can_show =
        |line: &str| line.bytes().filter(|byte| *byte == b'.').count() >= DOTS.len() || has_dots(line);
    let shows = |line: &str| {
        has_controls(line) && can_show(line) && readings(line).skip(1).any(|line| is_forged(&line))
    };
    let compact = || is_json(text).then(|| rewritten(Rewrite::JsonBlanks, text)).flatten();
    let is_forged = has_dots(text) && (is_forged(text) || compact().is_some_and(|text| is_forged(&text)))
        || has_controls(text) && text.split('\n').any(shows);
    is_forged.then(|| unused_word(GAP_WORD, &[text]))
}

/// `marker` with `word` after the dots of each of its lines, or at its end if it has none. The dots that stand for a
/// body in Python (`...  # ... 3 lines`) are code.
#[must_use]
pub fn marker_with(marker: &str, word: &str) -> String {
    let with_word = |line: &str| {
        let mut ends = line.match_indices(DOTS).map(|(at, _)| at + DOTS.len());
        let at = ends.find(|end| line.get(*end..).is_some_and(|rest| !rest.starts_with("  ")))?;
        let (start, end) = line.split_at_checked(at)?;
        Some([start, " ", word, end].concat())
    };
    if marker.contains(DOTS) {
        let lines = marker.split_inclusive('\n');
        return lines.map(|line| with_word(line).unwrap_or_else(|| line.to_owned())).collect();
    }
    let (start, end) = marker.split_at_checked(marker.trim_end().len()).unwrap_or((marker, ""));
    [start, " ", word, end].concat()
}

/// The marker for `n` times `what`, between `space` and `feed`.
fn written(space: &str, language: Option<&Language>, n: usize, what: &str, feed: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    [space, &Language::marker(language, &format!("{n} {what}{plural}")), feed].concat()
}

/// Whether `gap` consists of words separated by spaces, unlike code, data, base64 and scripts without spaces.
fn is_wordy(gap: &str) -> bool {
    let (mut all, mut words, mut spaces) = (0, 0, 0);
    for c in gap.chars() {
        all += 1;
        words += usize::from(c.is_alphabetic());
        spaces += usize::from(c.is_whitespace());
    }
    (words + spaces) * 100 >= all * 85 && spaces * 16 >= all
}

#[cfg(test)]
mod tests {
    use super::{gap_word, marker_with, reads_as_marker};

    #[test]
    fn each_line_of_a_marker_has_the_word() {
        let check = |marker: &str, expect: &str| assert_eq!(marker_with(marker, "gap-0"), expect);
        check("[... 3 lines]\n", "[... gap-0 3 lines]\n");
        check(" ...  # ... 3 lines\n# ... 60 lines: f", " ...  # ... gap-0 3 lines\n# ... gap-0 60 lines: f");
        check(" [... 2 sentences]\n- ", " [... gap-0 2 sentences]\n- ");
        check("{ /* ... 4 lines */ }", "{ /* ... gap-0 4 lines */ }");
        check("\"...\":\"3 more\"", "\"... gap-0\":\"3 more\"");
        check("3 lines\n", "3 lines gap-0\n");
    }

    #[test]
    fn texts_that_need_a_word() {
        let check =
            |text: &str, expect: Option<&str>| assert_eq!(gap_word(text).as_deref(), expect, "{text:?}");
        check("a ... b\n", None);
        check("[... 9 lines]\n# ... gap-0 7 lines\n", Some("gap-1"));
        check("[... 9 lines]\n# ... gap\u{2010}0 7 lines\n", Some("gap-1"));
        // As a terminal shows them.
        for line in ["[..\u{1b}[K. 900 lines]", "[..x\u{8}. 900 lines]", "[... Z00 lines]\u{1b}[10D9"] {
            check(line, Some("gap-0"));
        }
        // As JSON without white space.
        check("{\"a\": {\"...\":\n  \"9 more\"}}", Some("gap-0"));
    }

    #[test]
    fn lines_that_read_as_markers() {
        let markers = [
            "[... 12 lines]",
            "// ... 1 line",
            "/* ... 3 lines: a, b */",
            "x [... 2 sentences]",
            "\"... 4 more\",",
            "\"...\":\"3 more\"",
            "\"... (2)\":\"1 more\"",
            "[... gap-0 12 lines]",
            "[…900 lines]",
            "[. . . 3 lines]",
            "[⋯ 9 lines]",
            "[··· 9 lines]",
            "[･･･ 9 lines]",
            "[﹒﹒﹒ 9 lines]",
            "% ... 5\u{a0}lines",
            "[... 12  sentences]",
            "[... \u{967}\u{968} lines]",
            "// ... 900\tlines",
            "\"... 900\\tmore\"",
            "\"\\u002e.. 900 more\"",
            "{\"\\u2026\": \"9 more\"}",
        ];
        let others = [
            "",
            "...",
            "[...]",
            "Loading... 100%",
            "a ... b",
            "f(...1)",
            "12 lines",
            "... 12",
            "test a ... ok",
        ];
        assert!(markers.iter().all(|line| reads_as_marker(line)));
        // Linear: this used to take minutes.
        assert!(!reads_as_marker(&"...".repeat(1 << 19)));
        assert!(!reads_as_marker(&"...gap-".repeat(1 << 19)));
        assert!(others.iter().all(|line| !reads_as_marker(line)));
    }
}
