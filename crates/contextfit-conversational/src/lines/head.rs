//! How lines begin, and how they are written.

use contextfit_kernel::{Block, ByteRange, Role};

use super::atoms::{Atom, Source};

/// Arguments of a call that are longer than this are shown by their values, in bytes.
pub(super) const SHORT_ARGUMENTS: usize = 96;

/// What stands in front of what a tool returned.
const RETURNED: &str = "->";

/// How a line begins: who spoke, and what was called with short arguments; an arrow for what a tool returned.
pub(super) fn head(block: &Block) -> String {
    let Some(turn) = block.as_turn() else { return String::new() };
    if turn.role == Role::Tool {
        return RETURNED.to_owned();
    }
    let mut head = turn.name.clone().unwrap_or_else(|| turn.role.name().to_owned());
    for (n, call) in turn.calls.iter().enumerate() {
        head.push_str(if n == 0 { " called " } else { ", " });
        head.push_str(&call.name);
        if Source::Arguments(n).is_in_head(block) {
            head.extend([" ", &in_one_line(&call.arguments)]);
        }
    }
    head
}

/// A line: its head, and what it carries of the block in the order in which it stands there. A result that carries nothing
/// has no line.
pub(super) fn line(block: &Block, atoms: &mut [&Atom]) -> String {
    atoms.sort_by_key(|atom| (atom.source, atom.range.start(), usize::MAX - atom.range.end()));
    let mut line = head(block);
    let returned = line == RETURNED;
    let mut end: Option<(Source, ByteRange)> = None;
    for atom in atoms {
        // A value inside a sentence that is shown is shown.
        let inside =
            end.is_some_and(|(source, last)| source == atom.source && atom.range.start() < last.end());
        if inside || atom.source.is_in_head(block) {
            continue;
        }
        line.push_str(match end {
            None if returned => " ",
            None => ": ",
            Some(_) if line.ends_with(|c: char| c.is_ascii_punctuation() && c != ')' && c != '"') => " ",
            Some(_) => ", ",
        });
        line.push_str(&in_one_line(atom.range.of(atom.source.text(block)).unwrap_or_default()));
        end = Some((atom.source, atom.range));
    }
    if returned && end.is_none() { String::new() } else { line }
}

/// The text in one line: every run of white space is one space.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
