//! What units of text look like.

use std::collections::HashMap;

use crate::{
    segment::lines::is_underline,
    speech::{is_name, is_when, speaker},
};

/// A turn of a transcript has at most this many lines on average.
const TURN: usize = 6;

/// The first line of `unit` that is not blank.
pub(super) fn first_line(unit: &str) -> &str {
    unit.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()
}

/// Whether `line` begins with an option and what it does: `-v      Says more.`
pub(super) fn is_option(line: &str) -> bool {
    let text = line.trim_start();
    let word = text.split(' ').next().unwrap_or_default();
    let behind = text.get(word.len()..).unwrap_or_default();
    word.len() > 1
        && word.starts_with('-')
        && word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_alphanumeric())
        && behind.starts_with("  ")
        && !behind.trim().is_empty()
}

/// Whether `rest`, what follows the two stars of a bold name, ends with when it was said: `Ann** · 3 May 09:31`.
pub(super) fn is_dated(rest: &str) -> bool {
    rest.split_once("**").is_some_and(|(name, behind)| {
        let is_apart =
            behind.trim_start().starts_with(|c: char| c.is_ascii_punctuation() || "·–—".contains(c));
        !name.is_empty() && is_name(name) && is_when(behind) && (is_apart || behind.contains(':'))
    })
}

/// The mark of the footnote that `unit` is: `¹`, `[^1]`.
pub(super) fn note_mark(unit: &str) -> Option<&str> {
    let text = unit.trim_start();
    if let Some(rest) = text.strip_prefix("[^") {
        let name = rest.find("]:")?;
        return text.get(..name + 3).filter(|mark| mark.len() <= 16);
    }
    let rest = text.trim_start_matches(['¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁰', '†', '‡']);
    let mark = text.get(..text.len() - rest.len()).filter(|mark| !mark.is_empty())?;
    rest.starts_with([' ', ')']).then_some(mark)
}

/// Whether `units` are the turns of two speakers or more: names that begin several lines begin one in [`TURN`].
pub(super) fn is_transcript(units: &[&str]) -> bool {
    let mut lines = 0;
    let mut turns: HashMap<&str, usize> = HashMap::new();
    let begins_line = |n: &usize| {
        n.checked_sub(1).and_then(|before| units.get(before)).is_none_or(|before| before.ends_with('\n'))
    };
    for unit in (0..units.len()).filter(begins_line).filter_map(|n| units.get(n)) {
        lines += 1;
        speaker(first_line(unit)).into_iter().for_each(|name| *turns.entry(name).or_default() += 1);
    }
    let several = turns.values().filter(|turns| **turns > 1);
    several.clone().count() > 1 && several.sum::<usize>() * TURN >= lines
}

/// Whether `line` defines the target of a reference, which is useless without that reference.
pub(super) fn is_definition(line: &str) -> bool {
    line.strip_prefix('[')
        .filter(|line| !line.starts_with('^'))
        .and_then(|line| line.split_once("]: "))
        .is_some_and(|(name, _)| !name.contains(']'))
}

/// How far the first line of `unit` is indented, in columns: a tab goes to the next multiple of 8.
pub(super) fn indent(unit: &str) -> usize {
    let space = first_line(unit).chars().take_while(|c| c.is_whitespace());
    space.fold(0, |column, c| if c == '\t' { column / 8 * 8 + 8 } else { column + 1 })
}

/// Whether `unit` ends in a colon, ignoring emphasis and quotation marks.
pub(super) fn announces(unit: &str) -> bool {
    unit.trim_end_matches(|c: char| c.is_whitespace() || "*_`\"".contains(c)).ends_with([':', '：'])
}

/// The level of an underlined heading.
pub(super) fn underlined(unit: &str) -> Option<usize> {
    let (_, line) = unit.trim_end().rsplit_once('\n').filter(|(_, line)| is_underline(line))?;
    Some(match line.trim().as_bytes().first() {
        Some(b'=') => 1,
        Some(b'-') => 2,
        _ => 3,
    })
}
