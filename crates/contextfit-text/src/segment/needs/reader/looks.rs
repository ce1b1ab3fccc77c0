//! What units of text look like.

use std::collections::HashMap;

use crate::segment::lines::is_underline;

/// The most words in the name of a speaker.
const NAME: usize = 4;

/// A turn of a transcript has at most this many lines on average.
const TURN: usize = 6;

/// The first line of `unit` that is not blank.
pub(super) fn first_line(unit: &str) -> &str {
    unit.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()
}

/// The name of who says `line`, if it begins with that and a colon: `Ann: ...`, `User Interface: ...`.
pub(super) fn speaker(line: &str) -> Option<&str> {
    let start = line.get(..line.floor_char_boundary(64)).unwrap_or(line);
    let (name, said) = start.split_once([':', '：'])?;
    let name = name.trim_matches(|c: char| c.is_whitespace() || "*_>".contains(c));
    let mut words = name.split_whitespace();
    let is_name = |word: &str| word.starts_with(char::is_uppercase);
    let is_speaker = said.starts_with(|c: char| c.is_whitespace() || c == '*')
        && words.next().is_some_and(is_name)
        && words.clone().all(is_name)
        && words.count() < NAME;
    is_speaker.then_some(name)
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
