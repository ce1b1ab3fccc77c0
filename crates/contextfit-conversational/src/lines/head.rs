//! How lines begin, and how they are written.

use contextfit_kernel::{Block, ByteRange, Layout, Role};

use super::atoms::{Atom, Part, Source};

/// Arguments of a call that are longer than this are shown by their values, in bytes.
pub(super) const SHORT_ARGUMENTS: usize = 96;

/// What stands in front of what a tool returned.
const RETURNED: &str = "->";

/// How a line begins: who spoke, and what was called with short arguments; an arrow for what a tool returned. Of a ledger
/// how many turns it says were left out.
pub(super) fn head(block: &Block, layout: &Layout) -> String {
    let Some(turn) = block.as_turn() else { return String::new() };
    if is_ledger(block, layout) {
        return layout.omission_marker(left_out(&block.text, layout)).unwrap_or_default();
    }
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
///
/// The lines of a ledger stay lines.
pub(super) fn line(block: &Block, atoms: &mut [&Atom], layout: &Layout) -> String {
    atoms.sort_by_key(|atom| (atom.source, atom.range.start(), usize::MAX - atom.range.end()));
    let mut line = head(block, layout);
    let returned = line == RETURNED;
    let is_ledger = is_ledger(block, layout);
    let mut end: Option<(Source, ByteRange)> = None;
    for atom in atoms {
        // A value inside a sentence that is shown is shown.
        let inside =
            end.is_some_and(|(source, last)| source == atom.source && atom.range.start() < last.end());
        if inside || atom.source.is_in_head(block) {
            continue;
        }
        line.push_str(match end {
            None if line.is_empty() => "",
            _ if is_ledger && !matches!(atom.part, Part::Value) => "\n",
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

/// Whether the block is a ledger that an earlier compression wrote.
pub(super) fn is_ledger(block: &Block, layout: &Layout) -> bool {
    let heading = layout.framing.as_ref().map_or("", |framing| framing.heading.as_str());
    !heading.is_empty() && block.text.starts_with(heading)
}

/// Whether `line` is the heading of a ledger, or says how many turns were left out.
pub(super) fn is_bookkeeping(line: &str, layout: &Layout) -> bool {
    let heading = layout.framing.as_ref().map_or("", |framing| framing.heading.as_str());
    line.trim() == heading || counted(line, layout).is_some()
}

/// How many turns the lines of a ledger say were left out.
fn left_out(ledger: &str, layout: &Layout) -> usize {
    ledger.lines().filter_map(|line| counted(line, layout)).fold(0, usize::saturating_add)
}

/// The number of turns that `line` says were left out, if it says so.
fn counted(line: &str, layout: &Layout) -> Option<usize> {
    let digits = line.trim().strip_prefix("[... ")?.split(' ').next()?;
    let turns = digits.parse().ok()?;
    layout.omission_marker(turns).filter(|marker| marker == line.trim()).map(|_| turns)
}

/// The text in one line: every run of white space is one space.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
