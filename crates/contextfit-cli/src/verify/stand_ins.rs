//! Checks what a result has instead of text: the names of blocks, and the markers in gaps.

use std::ops::{Range, RangeInclusive};

use contextfit::{
    kernel::{Action, ByteRange, LINE_BREAKS, Layout, Measured, MeasuredBlock, Piece, Plan, in_brackets},
    search::{gist, reference},
    text::{GIANT_LINE, Language, gap_word},
};

use crate::files::files_and_parts;

/// Checks that each block that `plan` shows without its text is shown by its own path, symbols and first words, and that
/// markers say nothing but how much is missing and what is in it. How several markers in one gap divide it is the
/// strategy's claim.
///
/// # Errors
/// The first thing that no strategy writes.
pub(super) fn check(input: &Measured<'_>, plan: &Plan) -> Result<(), String> {
    let blocks = input.blocks.iter().map(|measured| (measured, measured.block()));
    blocks.zip(&plan.steps).try_for_each(|((measured, block), step)| match &step.action {
        Action::Render { text, .. } if block.as_passage().is_some() => {
            let passage = block.as_passage();
            let name = passage.and_then(|passage| passage.path.as_deref().or(passage.title.as_deref()));
            let name = in_brackets(name.unwrap_or(&block.id));
            let is_own = [gist(block), reference(block), name].contains(text);
            let why =
                || format!("block {:?}: {text:?} is not made of its path, symbols and first words", block.id);
            if is_own { Ok(()) } else { Err(why()) }
        }
        Action::Cut { pieces } => markers(measured, pieces),
        _ => Ok(()),
    })
}

/// Checks that `layout` is one that a command writes: a separator of one line, and nouns of one word that no other marker
/// has, or those of files in parts.
///
/// # Errors
/// What no command writes.
pub(super) fn check_layout(layout: &Layout) -> Result<(), String> {
    if layout.separator.contains(LINE_BREAKS) {
        return Err(format!("layout.separator: expected a single line, found {:?}", layout.separator));
    }
    let omission = layout.omission.iter().filter(|noun| **noun != files_and_parts());
    let nouns = omission.flat_map(|noun| [&noun.one, &noun.many]);
    let is_noun = |noun: &&String| {
        noun.chars().all(char::is_alphabetic) && !UNITS.contains(&noun.trim_end_matches('s'))
    };
    match nouns.into_iter().find(|noun| !is_noun(noun)) {
        Some(noun) => Err(format!("layout.omission: expected a noun for blocks, found {noun:?}")),
        None => Ok(()),
    }
}

/// What markers within a block count.
const UNITS: [&str; 4] = ["line", "sentence", "word", "character"];

/// Checks the markers among `pieces`.
fn markers(measured: &MeasuredBlock<'_>, pieces: &[Piece]) -> Result<(), String> {
    let text = &measured.block().text;
    let (signs, word) = (signs(measured), gap_word(text).unwrap_or_default());
    let (mut rest, mut start) = (pieces, 0);
    while let Some(first) = rest.first() {
        if let Some(range) = first.range() {
            (rest, start) = (rest.get(1..).unwrap_or_default(), range.end());
            continue;
        }
        let all = rest.iter().take_while(|piece| piece.range().is_none()).count();
        let (markers, after) = rest.split_at_checked(all).unwrap_or_default();
        rest = after;
        let end = rest.first().and_then(Piece::range).map_or(text.len(), ByteRange::start);
        let marker: String = markers.iter().map(|piece| piece.text(text)).collect();
        let gap = Gap { text, start, end, signs: &signs, word: &word };
        let refused = |why: &str| {
            format!("block {:?}: the marker {marker:?} {why} at bytes {start} to {end}", measured.block().id)
        };
        let counts = gap.of_marker(&marker).ok_or_else(|| refused("says more than what is missing"))?;
        let Some(count) = counts.first() else { return Err(refused("does not say how much is missing")) };
        let is_one_noun = counts.iter().all(|other| other.noun == count.noun);
        let sum = counts.iter().map(Count::covered).sum();
        let is_right = match is_one_noun {
            true if counts.len() == 1 || count.noun == "line" => {
                numbers(measured, start..end, count).contains(&sum)
            }
            // How several divide a gap cannot be said, but they are not more than all.
            true => sum <= *numbers(measured, start..end, count).end(),
            false => counts.iter().all(|count| count.n <= *numbers(measured, start..end, count).end()),
        };
        // Whole lines are counted as lines; parts of a message may divide one.
        let is_wrong_noun = counts.iter().any(|count| count.noun == "sentence")
            && measured.block().as_turn().is_none_or(|turn| turn.parts.is_empty())
            && is_of_lines(measured, &(start..end));
        if !is_right || is_wrong_noun {
            return Err(refused("does not count what is missing"));
        }
    }
    Ok(())
}

/// What a marker says of a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Count<'m> {
    n: usize,
    /// What is counted, in the singular.
    noun: &'m str,
    /// What stands before its dots.
    sign: &'static str,
    /// Whether the line that closes the gap stands in the marker.
    folds: bool,
    /// Whether it stands in a string of JSON, in which lines are between escapes.
    in_string: bool,
}

impl Count<'_> {
    /// The number of what is missing: a folded body, `{ /* ... 4 lines */ }`, shows the line of the brace.
    fn covered(&self) -> usize {
        self.n + usize::from(self.folds)
    }
}

/// The bytes of a text that are missing.
#[derive(Debug, Clone, Copy)]
struct Gap<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    signs: &'t [Sign],
    /// The word that distinguishes markers from the text, if it needs one.
    word: &'t str,
}

/// What stands before the dots of a marker, and what closes it; nothing if that is the end of its line.
type Sign = (&'static str, &'static str);

/// The signs of markers in a block: brackets, a member of JSON, and the comments of its language.
fn signs(measured: &MeasuredBlock<'_>) -> Vec<Sign> {
    let language = Language::of_measured(measured);
    let comments = language.into_iter().flat_map(|language| {
        let own = (language.comment_open, language.comment_close.trim_start());
        [Some(own), language.comment_within()].into_iter().flatten()
    });
    [("[", "]"), ("\"", "\"")].into_iter().chain(comments).filter(|(open, _)| !open.is_empty()).collect()
}

/// The dots that each marker has.
const DOTS: &str = "...";

impl Gap<'_> {
    fn missing(&self) -> &str {
        self.text.get(self.start..self.end).unwrap_or_default()
    }

    /// What a marker counts; `None` if it says anything else.
    fn of_marker<'m>(&self, marker: &'m str) -> Option<Vec<Count<'m>>> {
        let (lines, last) = marker.rsplit_once('\n').unwrap_or(("", marker));
        let mut counts = Vec::new();
        for line in lines.split('\n') {
            counts.extend(self.of_line(line)?);
        }
        let is_in_prose = counts.last().is_some_and(|count: &Count<'_>| count.sign == "[");
        if !is_in_prose || !self.is_mark(last.trim_end()) {
            counts.extend(self.of_line(last)?);
        }
        Some(counts)
    }

    /// What a line of a marker counts; `None` if it says anything else.
    fn of_line<'m>(&self, line: &'m str) -> Option<Vec<Count<'m>>> {
        let in_string = line.starts_with("\\n");
        let line = line.strip_prefix("\\n").unwrap_or(line);
        // The statement that stands for a body in Python.
        let body = line.trim_start().strip_prefix(DOTS);
        let line = body.filter(|rest| rest.starts_with("  ")).unwrap_or(line);
        let Some((before, core)) = line.split_once(DOTS) else {
            return line.trim_ascii().is_empty().then(Vec::new);
        };
        let &(sign, close) = self.signs.iter().find(|(sign, _)| before.trim_ascii() == *sign)?;
        let is_member = sign == "\"";
        let (core, behind) = match close {
            "" => (core, ""),
            _ if is_member => self.member(core)?,
            close => core.split_once(close)?,
        };
        let (n, noun) = self.count(core, is_member)?;
        let behind = behind.trim_ascii();
        let folds = sign == "/*" && !behind.is_empty();
        let closes = if folds {
            self.missing().lines().any(|line| line.trim() == behind)
        } else {
            behind.is_empty() || is_member && behind == ","
        };
        let mut counts = vec![Count { n, noun, sign, folds, in_string }];
        if behind.starts_with(['[', '"']) {
            // Parts of a message stand side by side.
            counts.extend(self.of_line(behind)?);
        } else if !closes {
            return None;
        }
        Some(counts)
    }

    /// `text` without the word that distinguishes markers, if it starts with it.
    fn without_word<'m>(&self, text: &'m str) -> &'m str {
        let rest = text.strip_prefix(' ').and_then(|text| text.strip_prefix(self.word));
        rest.filter(|_| !self.word.is_empty()).unwrap_or(text)
    }

    /// The text of a marker that is a member of JSON, and what is behind it: `" 3 more",`, `":"3 more"`, `" (2)":"1 more"`.
    fn member<'m>(&self, core: &'m str) -> Option<(&'m str, &'m str)> {
        let (key, rest) = core.split_once('"')?;
        let Some(value) = rest.strip_prefix(":\"") else { return Some((key, rest)) };
        let nth = self.without_word(key).trim_ascii();
        value.split_once('"').filter(|_| nth.bytes().all(|byte| matches!(byte, b'(' | b')' | b'0'..=b'9')))
    }

    /// Whether `text` is the mark of a list or a quote, such as `- `, `> ` or `3.`, and begins a line of the gap or that of
    /// the text after it.
    fn is_mark(&self, text: &str) -> bool {
        let is_part = |word: &str| {
            let number = word.trim_matches(['(', '.', ')', ':']);
            let is_sign = word.chars().all(|c| "-*+>•".contains(c));
            is_sign
                || number.len() <= 3 && number.len() < word.len() && number.chars().all(char::is_alphanumeric)
        };
        let start =
            self.text.get(..self.start).and_then(|before| before.rfind('\n')).map_or(0, |feed| feed + 1);
        let lines =
            self.text.get(start..).unwrap_or_default().split_inclusive('\n').scan(start, |at, line| {
                let is_inside = *at <= self.end;
                *at += line.len();
                is_inside.then_some(line)
            });
        text.split_whitespace().all(is_part) && lines.into_iter().any(|line| line.starts_with(text))
    }

    /// The number and the noun of a marker, which stand between its dots and its end, with names of what is missing, and a
    /// handle.
    fn count<'m>(&self, core: &'m str, is_json: bool) -> Option<(usize, &'m str)> {
        let core = self.without_word(core).trim_ascii();
        let (core, handle) = core.split_once(", restore ").unwrap_or((core, ""));
        let is_handle = handle.len() == 8 && handle.bytes().all(|byte| byte.is_ascii_hexdigit());
        let (said, names) = core.split_once(": ").unwrap_or((core, ""));
        let (number, noun) = said.split_once(' ')?;
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
        let noun = if is_json || number == "1" { noun } else { noun.strip_suffix('s')? };
        let is_noun = if is_json { noun == "more" } else { UNITS.contains(&noun) };
        let (names, more) = match names.rsplit_once(" and ") {
            Some((names, more)) if more.ends_with(" more") => {
                (names, more.strip_suffix(" more")?.parse().ok()?)
            }
            _ => (names, 0_usize),
        };
        let missing = self.missing();
        let is_named = names.is_empty() || names.split(", ").all(|name| missing.contains(name));
        let is_own = is_number && is_noun && is_named && more <= missing.lines().count();
        (is_own && (handle.is_empty() || is_handle)).then_some((number.parse().ok()?, noun))
    }
}

/// Whether `bytes` are whole lines.
fn is_of_lines(measured: &MeasuredBlock<'_>, bytes: &Range<usize>) -> bool {
    let text = &measured.block().text;
    let starts = text.get(..bytes.start).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
    starts && (bytes.end == text.len() || text.get(bytes.clone()).is_some_and(|gap| gap.ends_with('\n')))
}

/// The numbers that `count` may have for these missing bytes.
fn numbers(measured: &MeasuredBlock<'_>, bytes: Range<usize>, count: &Count<'_>) -> RangeInclusive<usize> {
    let missing = measured.block().text.get(bytes.clone()).unwrap_or_default();
    let exactly = |n: usize| n..=n;
    match count.noun {
        "line" if count.in_string => exactly(missing.matches("\\n").count()),
        "line" => {
            let said = missing.lines().filter(|line| !line.trim().is_empty()).count();
            said..=missing.lines().count()
        }
        // Some strategies divide giant lines further.
        "sentence" if missing.lines().all(|line| line.len() < GIANT_LINE) => {
            let says = |unit: &usize| !measured.text(*unit, *unit + 1).trim().is_empty();
            let units = measured.units_before(bytes.start)..measured.units_before(bytes.end);
            exactly(units.filter(says).count())
        }
        "word" => exactly(missing.split_whitespace().count()),
        "character" => exactly(missing.trim().chars().count()),
        // Members of JSON, of which each but the last has a comma or a line feed behind it.
        "more" => 1..=missing.matches([',', '\n']).count() + 1,
        _ => 0..=missing.chars().count(),
    }
}
