//! Logs, test runs, compilers: errors with their frames and explanations.

use contextfit_text::TOOLS;

use crate::{
    evidence::{Evidence, Feature},
    rows::Rows,
    signals::{Signal, is_closing, is_drawn, signal},
    worth::Sheet,
};

/// Notes the features of the rows of a program's output.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let mut evidence = Evidence::of(rows);
    let mut explains = Explains::default();
    for (n, line) in rows.bodies().enumerate() {
        if line.trim_ascii().is_empty() {
            explains.pauses();
            evidence.blank();
            sheet.set_hollow(n);
            continue;
        }
        // What an assertion of pytest found.
        let is_found = line.starts_with("E  ") && !explains.is_explained();
        let signal = if is_found { Signal::Error } else { signal(line) };
        evidence.note(n, signal, sheet);
        explains.value(rows, n, signal, sheet);
        if is_drawn(line) || is_closing(line) {
            sheet.set_hollow(n);
        }
    }
}

/// Whether `line` is a frame, or a part of one, that begins with its location.
fn is_place_of_frame(line: &str) -> bool {
    line.trim_start().starts_with("at ")
}

/// Whether `line` gives the location of its headline in a file: `  --> src/lib.rs:3:5`, `   ::: src/a.rs`.
fn is_place(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("--> ") || line.starts_with("::: ")
}

/// Whether `line` has one side of a comparison that failed: `Expected: 40`, `actual  : 41`, `left: 7`.
fn is_compared(line: &str) -> bool {
    // ablate: excerpt.compared => false
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let (word, rest) = line.split_at(line.find(|c: char| !c.is_alphabetic()).unwrap_or(line.len()));
    rest.trim_start().starts_with([':', '='])
        && TOOLS.list("sides of a comparison").has(&word.to_ascii_lowercase())
}

/// Whether `line` points into the line above it: `  |  ^^^ expected u32`.
fn is_pointer(line: &str) -> bool {
    // ablate: excerpt.pointers => false
    line.trim_start_matches([' ', '\t', '|', '-', '~']).starts_with('^')
}

/// The lines after an error that explain it: they are indented or begin with a sign that draws a margin.
#[derive(Default)]
struct Explains {
    /// The error or warning, its distance in lines, and whether it is an error.
    finding: Option<(usize, usize, bool)>,
    /// The head of a trace of Python, which ends with the exception.
    traceback: Option<usize>,
    /// An error that ends in a colon: the next line says what it is.
    announces: Option<usize>,
    /// The last frame of a trace.
    frame: Option<usize>,
    /// The last frame whose location is on the next line.
    numbered: Option<usize>,
}

impl Explains {
    fn ends(&mut self) {
        *self = Self { traceback: self.traceback, ..Self::default() };
    }

    /// Whether a line right before explains the same error.
    const fn is_explained(&self) -> bool {
        matches!(self.finding, Some((_, distance, _)) if distance < 2)
    }

    /// A blank line ends a trace, but help on an error may follow it.
    fn pauses(&mut self) {
        self.frame = None;
        self.finding.iter_mut().for_each(|(_, distance, _)| *distance += 2);
    }

    fn value(&mut self, rows: &Rows<'_, '_>, n: usize, signal: Signal, sheet: &mut Sheet) {
        // ablate: excerpt.explanations => ()
        let line = rows.body(n);
        if line.contains("Traceback (most recent") {
            self.traceback = Some(n);
        } else if !line.starts_with([' ', '\t'])
            && let Some(head) = self.traceback.take()
        {
            sheet.note(n, Feature::Exception, 1.0);
            sheet.put_with(head, n);
        }
        // Rust prints the message of a panic on the line after its place.
        if let Some(error) = self.announces.take().filter(|error| error + 1 == n) {
            sheet.note(n, Feature::Exception, 1.0);
            sheet.put_under(n, Some(error));
            sheet.put_with(error, n);
        }
        if let Some(own) = frame(line) {
            let noted = if own { 1.0 } else { 0.0 };
            sheet.note(n, Feature::OwnFrame, noted);
            if n > 0 && is_go_place(line) {
                // Go prints the function on the line before its location.
                sheet.note(n - 1, Feature::OwnFrame, noted);
                sheet.put_under(n, Some(n - 1));
                sheet.put_with(n - 1, n);
            }
            // Rust prints the function after its number, and the location on the next line.
            if is_place_of_frame(line) && self.numbered.is_some_and(|before| before + 1 == n) {
                sheet.put_under(n, Some(n - 1));
                sheet.put_with(n - 1, n);
            }
            self.numbered = (!is_place_of_frame(line)).then_some(n);
            self.frame = Some(n);
            return;
        }
        if matches!(signal, Signal::Error | Signal::Warning) && !is_place(line) {
            self.announces = line.trim_end().ends_with(':').then_some(n);
            self.finding = Some((n, 0, signal == Signal::Error));
            self.frame = None;
            return;
        }
        if n > 0 && is_pointer(line) {
            sheet.put_with(n, n - 1);
            sheet.put_with(n - 1, n);
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
        if self.frame.is_some() {
            // The source line of a frame.
            sheet.put_under(n, self.frame);
        } else if let Some((finding, distance, is_error)) = &mut self.finding {
            *distance += 1;
            if is_compared(line) {
                sheet.note(n, Feature::Compared, 1.0);
                // Neither side says anything without the other.
                if n > 0 && is_compared(rows.body(n - 1)) {
                    sheet.put_with(n, n - 1);
                    sheet.put_with(n - 1, n);
                }
            }
            if *is_error {
                sheet.note(n, Feature::Explains, 4.0 / (3.0 + *distance as f32));
            }
            sheet.put_under(n, Some(*finding));
            if is_place(line) {
                sheet.put_with(*finding, n);
            }
        }
    }
}

/// Whether `line` is the location of a frame as Go prints it, on the line after the function.
fn is_go_place(line: &str) -> bool {
    line.starts_with('\t') && line.contains(".go:")
}

/// Whether `line` is a frame of a stack trace and, if so, whether it belongs to the application itself.
pub(crate) fn frame(line: &str) -> Option<bool> {
    // ablate: excerpt.frames => None
    let text = line.trim_start();
    let indented = text.len() < line.len();
    let numbered = || {
        let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
        behind.len() < text.len() && behind.starts_with(": ") && behind.contains("::")
    };
    let is_frame = (indented && (text.starts_with("at ") || text.starts_with("File \"") || numbered()))
        || is_go_place(line)
        || text.starts_with("#0 ")
        || (text.starts_with('#')
            && text.contains(" (")
            && (text.contains(") at ") || text.contains(") from ")))
        || text.contains(":in `")
        || text.contains(":in '")
        || (text.starts_with('#') && text.contains(" in ") && text.contains('('));
    is_frame.then(|| !TOOLS.list("code of others").phrases().iter().any(|other| line.contains(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames() {
        assert_eq!(frame("  File \"/app/x.py\", line 3, in main"), Some(true));
        assert_eq!(frame("  File \"/usr/lib/python3.9/json.py\", line 3, in loads"), Some(false));
        assert_eq!(frame("    at Object.<anonymous> (/app/x.js:1:2)"), Some(true));
        assert_eq!(frame("at noon"), None);
    }
}
