//! Logs, test runs, compilers: errors with what explains them, the first and the last of what repeats, totals.

use std::collections::hash_map::Entry;

use foldhash::{HashMap, HashMapExt};

use crate::{
    rows::Rows,
    signals::{Signal, frame, is_drawn, signal},
    similarity::Pattern,
    worth::{EDGE, ERROR, NOTABLE, PLAIN, Sheet, TOTAL, end},
};

/// Patterns that are remembered: memory stays bounded, and what comes later is rare in its own way.
const PATTERNS: usize = 1 << 16;

/// Values the rows of an output of a program.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let (mut now, mut before) = (Pattern::default(), Pattern::default());
    let mut explains = Explains::default();
    // How many rows alike stand before this one.
    let mut run = 0_usize;
    for (n, line) in rows.texts().enumerate() {
        now.read(line);
        if n > 0 && now.resembles(&before) {
            run += 1;
        } else {
            if run > 0 {
                sheet.raise(n - 1, EDGE);
            }
            run = 0;
        }
        std::mem::swap(&mut now, &mut before);
        if line.trim_ascii().is_empty() {
            explains.ends();
            sheet.set_hollow(n);
            continue;
        }
        let alike = remember(&mut seen, before.hash) as f32;
        let signal = signal(line);
        let said = match signal {
            Signal::Error => ERROR / (1.0 + alike),
            Signal::Warning => NOTABLE / (1.0 + alike),
            Signal::Total => TOTAL / (1.0 + alike / 4.0),
            Signal::Passed => PLAIN / 2.0,
            Signal::Nothing => PLAIN,
        };
        let first = if signal == Signal::Passed { EDGE / 2.0 } else { EDGE };
        let ends = end(n.min(rows.len() - n - 1)) / (1.0 + alike / 4.0);
        sheet.raise(n, said.max(first / (1.0 + alike)).max(ends));
        explains.value(n, line, signal, sheet);
        if is_drawn(line) {
            sheet.set_hollow(n);
        }
    }
    if run > 0 {
        sheet.raise(rows.len() - 1, EDGE);
    }
}

/// How many of this pattern came before.
fn remember(seen: &mut HashMap<u64, u32>, pattern: u64) -> u32 {
    let full = seen.len() >= PATTERNS;
    match seen.entry(pattern) {
        Entry::Occupied(mut entry) => {
            let before = *entry.get();
            *entry.get_mut() = before.saturating_add(1);
            before
        }
        Entry::Vacant(entry) => {
            if !full {
                entry.insert(1);
            }
            0
        }
    }
}

/// The lines behind an error that explain it: they are indented or begin with a sign that draws a margin.
#[derive(Default)]
struct Explains {
    /// The error, and how many lines ago it was.
    error: Option<(usize, usize)>,
    /// The last frame of a trace, and whether it is the application's.
    frame: Option<(usize, bool)>,
}

impl Explains {
    fn ends(&mut self) {
        *self = Self::default();
    }

    fn value(&mut self, n: usize, line: &str, signal: Signal, sheet: &mut Sheet) {
        if let Some(own) = frame(line) {
            sheet.raise(n, if own { NOTABLE } else { PLAIN });
            self.frame = Some((n, own));
            return;
        }
        if signal == Signal::Error {
            // The innermost frame of Python stands right before its error.
            if let Some((frame, _)) = self.frame {
                sheet.raise(frame, NOTABLE);
            }
            self.error = Some((n, 0));
            self.frame = None;
            return;
        }
        let continues = line.starts_with([' ', '\t', '|', '>', '^', '=', '-', '+', '~'])
            || line.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" |")
            || line.starts_with("E ")
            || line.starts_with("note:")
            || line.starts_with("help:")
            || line.starts_with("Caused by");
        if !continues {
            return self.ends();
        }
        if let Some((frame, own)) = self.frame {
            // The source line of a frame.
            sheet.raise(n, if own { NOTABLE * 0.75 } else { PLAIN });
            sheet.put_under(n, Some(frame));
        } else if let Some((error, distance)) = &mut self.error {
            *distance += 1;
            let worth = NOTABLE * 4.0 / (3.0 + *distance as f32);
            sheet.raise(n, worth);
            sheet.put_under(n, Some(*error));
        }
    }
}
