//! How lines begin, and how they are written.

use contextfit_kernel::{Block, Layout, Role};

use super::atoms::{Atom, Part, Source};

/// Arguments of a call that are longer than this are shown by their values, in bytes.
pub(super) const SHORT_ARGUMENTS: usize = 96;

/// What stands in front of what a tool returned.
const RETURNED: &str = "->";

/// What a line shows of a turn, and what kind of part it is.
type Shown = (String, Part);

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
    let mut head = turn.role.name().to_owned();
    if let Some(name) = &turn.name {
        head.extend([" ", name]);
    }
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
/// has no line. The lines of a ledger stay lines.
pub(super) fn line(block: &Block, atoms: &mut [&Atom], layout: &Layout) -> String {
    atoms.sort_by_key(|atom| (atom.source, atom.range.start(), usize::MAX - atom.range.end()));
    let mut end: Option<(Source, usize)> = None;
    // A value inside a sentence that is shown is shown, and so is what stands in the head.
    let shown = atoms.iter().filter(|atom| {
        let inside = end.is_some_and(|(source, end)| source == atom.source && atom.range.start() < end);
        if !inside {
            end = Some((atom.source, atom.range.end()));
        }
        !inside && !atom.source.is_in_head(block)
    });
    let shown: Vec<&Atom> = shown.copied().collect();
    let head = head(block, layout);
    if is_ledger(block, layout) {
        return ledger_lines(head, block, &shown);
    }
    let said: Vec<Shown> = shown
        .iter()
        .map(|atom| (in_one_line(atom.range.of(atom.source.text(block)).unwrap_or_default()), atom.part))
        .collect();
    match (said.is_empty(), head.as_str()) {
        (true, RETURNED) => String::new(),
        (true, _) => head,
        (false, RETURNED) => [&head, " ", &listed(&said)].concat(),
        (false, _) => [&head, ": ", &listed(&said)].concat(),
    }
}

/// Sentences and values one behind the other, so that each sentence is one when the line is read again.
fn listed(parts: &[Shown]) -> String {
    let mut text = String::new();
    for (said, part) in parts {
        if !text.is_empty() {
            let closed = text.ends_with(['.', '!', '?', ':', ';', ',', '。', '！', '？']);
            text.push_str(match part {
                _ if closed => " ",
                Part::Value => ", ",
                Part::Sentence(_) | Part::Instruction(_) => ". ",
            });
        }
        text.push_str(said);
    }
    text
}

/// What is left of the lines of a ledger: every line with who said it.
fn ledger_lines(head: String, block: &Block, shown: &[&Atom]) -> String {
    let mut lines: Vec<(usize, String, Vec<Shown>)> = Vec::new();
    for atom in shown {
        let text = &block.text;
        let start =
            text.get(..atom.range.start()).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let said = (in_one_line(atom.range.of(text).unwrap_or_default()), atom.part);
        match lines.last_mut().filter(|(at, ..)| *at == start) {
            Some((_, _, parts)) => parts.push(said),
            None => {
                let before = text.get(start..atom.range.start()).unwrap_or_default();
                lines.push((start, speaker(before).to_owned(), vec![said]));
            }
        }
    }
    let lines = lines.into_iter().map(|(_, speaker, parts)| [speaker, listed(&parts)].concat());
    let head = Some(head).filter(|head| !head.is_empty());
    head.into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}

/// The head of a line of a ledger, of which `before` stands before what is shown of it.
pub(super) fn speaker(before: &str) -> &str {
    if let Some(arrow) = before.get(..RETURNED.len() + 1).filter(|arrow| arrow.starts_with(RETURNED)) {
        return arrow;
    }
    before.find(": ").and_then(|at| before.get(..at + 2)).unwrap_or_default()
}

/// Whether the block is a ledger that an earlier compression wrote.
pub(crate) fn is_ledger(block: &Block, layout: &Layout) -> bool {
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
pub(crate) fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
