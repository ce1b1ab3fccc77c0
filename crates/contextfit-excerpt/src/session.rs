//! What several commands printed, one after the other: each is read as its own kind, under its command.

use crate::{
    Kind,
    reading::sheet,
    rows::Rows,
    signals::{Signal, signal},
    worth::{EDGE, FOCUS, Sheet, TOTAL},
};

/// Fewer commands are no session.
const FEWEST: usize = 2;

/// A part of at most this many rows is no text to read.
const MESSAGE: usize = 8;

/// Whether the lines of a `sample` are a session: the first is a command, and others follow what it printed.
pub(crate) fn is_session(sample: &[&str]) -> bool {
    if !sample.first().is_some_and(|line| is_command(line)) {
        return false;
    }
    let commands = sample.iter().filter(|line| is_command(line)).count();
    commands >= FEWEST && commands * 2 <= sample.len()
}

/// Whether `line` is a command, as shells and scripts repeat it (`$ make`, `+ make`, `user@host:~$ make`), or the name of
/// a file before what is in it (`==> a.txt <==`).
fn is_command(line: &str) -> bool {
    let line = line.trim_end();
    let is_named = || line.starts_with("==> ") && line.ends_with(" <==");
    let is_prompt = || {
        let prompt = line.split_once(['$', '#']).filter(|(_, command)| command.starts_with(' '));
        prompt.is_some_and(|(prompt, _)| prompt.contains('@') && !prompt.contains(' '))
    };
    // Bash repeats the sign for commands within commands.
    let is_traced = || line.starts_with('+') && line.trim_start_matches('+').starts_with(' ');
    line.starts_with("$ ") || is_traced() || is_named() || is_prompt()
}

/// Scores the rows of a session. `focus` is that of the units.
pub(crate) fn value(rows: &Rows<'_, '_>, focus: &[f64], outer: &mut Sheet) {
    let commands: Vec<usize> = (0..rows.len()).filter(|&n| is_command(rows.text(n))).collect();
    let ends = commands.iter().copied().skip(1).chain([rows.len()]);
    for (command, end) in commands.iter().copied().zip(ends) {
        outer.raise(command, EDGE);
        if command + 1 == end {
            continue;
        }
        let part = rows.part(command + 1..end);
        let text = part.whole().of(&rows.block.block().text).unwrap_or_default();
        // A few words are a message, whatever they look like.
        let kind = match Kind::of(text) {
            Kind::Session => Kind::Other,
            Kind::Prose if part.len() <= MESSAGE => Kind::Other,
            kind => kind,
        };
        let units = rows.first_unit(command + 1)..rows.first_unit(end).min(focus.len());
        outer.take(command + 1, &sheet(&part, kind, focus.get(units).unwrap_or_default()));
        // How one of many commands ended says less than how a run did.
        let told = (command + 1..end).filter(|&n| signal(rows.text(n)) == Signal::Nothing);
        told.for_each(|n| outer.limit(n, TOTAL));
        let asked = outer.focus(command) * FOCUS / 4.0;
        for n in command + 1..end {
            if outer.head_of(n).is_none() {
                outer.put_under(n, Some(command));
            }
            outer.lift(n, asked);
        }
    }
}
