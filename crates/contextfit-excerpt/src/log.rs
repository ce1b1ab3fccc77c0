//! Logs, test runs, compilers: errors with their explanations, the first and the last of repetitions, totals.

use foldhash::{HashMap, HashMapExt};

use crate::{
    concerns::Concerns,
    places::{detail, frame, is_finding, is_go_place, is_mere_place},
    rows::Rows,
    sections::is_title,
    settings::Settings,
    signals::{Signal, is_closing, is_drawn, is_stamped, is_verdict, signal},
    templates::Templates,
    totals::counts_failures,
    worth::{EDGE, END, ERROR, NOTABLE, PLAIN, Sheet, TOTAL, end},
};

/// Scores the rows of a program's output: rare lines score higher than recurring ones, whatever language they are in.
pub(crate) fn value(rows: &Rows<'_, '_>, templates: &Templates, sheet: &mut Sheet) {
    let last = (0..rows.len()).rev().find(|&n| !rows.body(n).trim_ascii().is_empty());
    let mut traced = false;
    let mut seen: HashMap<(u32, Signal), u32> = HashMap::new();
    let (mut total, mut totals) = (None, 0.0_f32);
    let mut explains = Explains::default();
    let concerns = Concerns::of(rows);
    let settings = Settings::of(rows);
    let entries = rows.texts().filter(|text| is_stamped(text)).count();
    let has_entries = entries * ENTRY >= rows.len() && entries > 1;
    for (n, line) in rows.bodies().enumerate() {
        if line.trim_ascii().is_empty() {
            explains.pauses();
            sheet.set_hollow(n);
            continue;
        }
        // A compiler's drawing next to source code says nothing by itself.
        let signal = match () {
            () if explains.is_margin(line) => Signal::Nothing,
            // What an assertion of pytest found.
            () if line.starts_with("E  ") && !explains.is_explained() => Signal::Error,
            () => signal(line),
        };
        let is_banner = is_title(rows, n);
        if is_banner {
            explains.ends();
        }
        if is_banner && !line.contains(|c: char| c.is_ascii_digit()) {
            // The title of a section: what is under it says more.
            sheet.raise(n, EDGE / 2.0);
            continue;
        }
        // A failing test is no more usual for all the tests that pass.
        let before = seen.entry((templates.at(n), signal)).or_default();
        let alike = *before as f32;
        *before += 1;
        traced |= frame(line).is_some();
        // The last line of a run is its outcome, unless it is one of many; that of a log or a trace is only the last.
        let is_outcome =
            || !templates.ends_run(n) && !line.starts_with([' ', '\t']) && !is_stamped(rows.text(n));
        if last == Some(n) && is_outcome() {
            let is_counted = total.is_some_and(|total| n - total < NEAR);
            let outcome = if traced || is_counted { PLAIN } else { OUTCOME };
            sheet.raise(n, if counts_failures(line) { FAILED } else { outcome });
        }
        // What goes on below an entry of a log is a part of it, however rare.
        let goes_on =
            has_entries && signal == Signal::Nothing && line.starts_with([' ', '\t']) && !is_stamped(line);
        let rare = if goes_on { 0.0 } else { templates.rarity(n) };
        let length = (rows.tokens(n, n + 1) as f32 / MESSAGE).clamp(1.0, 4.0);
        let said = Said { line, signal, alike, length, focus: sheet.focus(n) }.worth(totals);
        if signal == Signal::Total {
            total = Some(n);
            totals += if counts_failures(line) { 1.0 } else { 0.0 };
        }
        let first = match signal {
            Signal::Passed => EDGE / 2.0,
            _ if goes_on => PLAIN,
            _ => EDGE + (NOTABLE - EDGE) * rare,
        };
        let distance = n.min(rows.len() - n - 1);
        let ends = if distance == 0 { END } else { end(distance) / (1.0 + alike / 4.0) };
        let often = match signal {
            Signal::Passed => PLAIN / 2.0,
            _ if templates.is_odd(n) && !goes_on => NOTABLE,
            _ => PLAIN + (EDGE - PLAIN) * rare,
        };
        let concern = CONCERN * concerns.at(n) * length.min(2.0);
        sheet.raise(n, NOTABLE * settings.excess(n).min(1.5));
        sheet.raise(n, said.max(first / (1.0 + alike)).max(ends).max(often).max(concern));
        if templates.ends_run(n) {
            sheet.raise(n, EDGE / (1.0 + alike).sqrt());
        }
        if !is_banner {
            explains.value(rows, n, signal, alike, sheet);
        }
        if is_drawn(line) || is_closing(line) {
            sheet.set_hollow(n);
        }
    }
}

/// What a row says.
struct Said<'a> {
    line: &'a str,
    signal: Signal,
    /// How many similar rows said the same before.
    alike: f32,
    /// Its length as a multiple of that of usual messages, from 1 to 4: a long one says more.
    length: f32,
    focus: f32,
}

impl Said<'_> {
    /// Its score, after `totals` rows that counted failures: the first of them says most.
    fn worth(&self, totals: f32) -> f32 {
        let (first, error) = (1.0 / (1.0 + self.alike), ERROR * self.length * (1.0 + self.focus));
        match self.signal {
            Signal::Error if is_crash(self.line) => error * 2.0 * first.sqrt(),
            Signal::Error if is_verdict(self.line) => error.max(1.5 * ERROR) * detail(self.line) * first,
            Signal::Error => error * detail(self.line) * first,
            Signal::Nothing if is_finding(self.line) => ERROR * self.length * first,
            Signal::Warning => NOTABLE * self.length * first,
            Signal::Total if counts_failures(self.line) => 2.0 * ERROR / (1.0 + self.alike + totals),
            Signal::Total if detail(self.line) > 1.0 => ERROR * first,
            Signal::Total => TOTAL / (1.0 + self.alike / 4.0),
            Signal::Passed => PLAIN / 2.0,
            Signal::Nothing => PLAIN,
        }
    }
}

/// Lowers the focus on lines that are like closer ones, except for errors: the next one tells less.
pub(crate) fn fade_repeated(rows: &Rows<'_, '_>, templates: &Templates, sheet: &mut Sheet) {
    let mut found: Vec<usize> = (0..rows.len()).filter(|&n| sheet.focus(n) > 0.5).collect();
    found.sort_by(|&a, &b| sheet.focus(b).total_cmp(&sheet.focus(a)));
    let mut seen: HashMap<u32, u32> = HashMap::new();
    for n in found.into_iter().filter(|&n| signal(rows.body(n)) != Signal::Error) {
        let seen = seen.entry(templates.at(n)).or_default();
        sheet.fade(n, 2.0 / (2.0 + *seen as f32));
        *seen += 1;
    }
}

/// The score of the last line of a run, and of the frame where an error happened.
const OUTCOME: f32 = 1.5 * TOTAL;

/// The same if it counts failures: it says more than each of them.
const FAILED: f32 = 2.5 * ERROR;

/// The last line of a run is no outcome if a total is less than this many lines before it.
const NEAR: usize = 4;

/// The score of a row with a word of concern that no other row has.
const CONCERN: f32 = TOTAL;

/// A text in which one in this many lines has a time consists of entries.
const ENTRY: usize = 8;

/// The usual length of a message, in tokens.
pub(crate) const MESSAGE: f32 = 24.0;

/// Whether `line` says why a program ended.
fn is_crash(line: &str) -> bool {
    ["Caused by", "panic: ", "Uncaught ", "Unhandled ", "fatal error: ", "Exception in thread "]
        .iter()
        .any(|start| line.starts_with(start))
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

/// Whether `line` has one side of a comparison that failed, or the reason: `Expected: 40`, `actual  : 41`, `left: 7`.
fn is_compared(line: &str) -> bool {
    const SIDES: &[&str] = &[
        "expected", "received", "actual", "got", "want", "left", "right", "found", "symbol", "reason",
        "detail", "message",
    ];
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let (word, rest) = line.split_at(line.find(|c: char| !c.is_alphabetic()).unwrap_or(line.len()));
    rest.trim_start().starts_with([':', '=']) && SIDES.iter().any(|side| side.eq_ignore_ascii_case(word))
}

/// Whether `line` says more about an error, as PostgreSQL does in entries of their own.
fn is_detail(line: &str) -> bool {
    ["DETAIL: ", "HINT: ", "CONTEXT: ", "STATEMENT: "].iter().any(|word| line.contains(word))
}

/// The lines after an error that explain it: they are indented or begin with a sign that draws a margin.
#[derive(Default)]
struct Explains {
    /// The error or warning, its distance in lines, and the score of the line after it.
    error: Option<(usize, usize, f32)>,
    /// The head of a trace of Python, which ends with the exception.
    traceback: Option<usize>,
    /// An error that ends in a colon or only says where it is: the next line says what it is.
    announces: Option<usize>,
    /// Whether an error has been met, and since then no frame of the application.
    is_unplaced: bool,
    /// The last frame of a trace, and whether it is the application's.
    frame: Option<(usize, bool)>,
    /// The last frame whose location is on the next line.
    numbered: Option<usize>,
}

impl Explains {
    fn ends(&mut self) {
        *self = Self { is_unplaced: self.is_unplaced, traceback: self.traceback, ..Self::default() };
    }

    /// Whether a line right before explains the same error.
    const fn is_explained(&self) -> bool {
        matches!(self.error, Some((_, distance, _)) if distance < 2)
    }

    /// Whether `line` is in the margin of an error: `  |     ^^^ expected u32`, `3 | let x`, `  = note: ...`.
    fn is_margin(&self, line: &str) -> bool {
        let text = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        self.error.is_some() && (text.starts_with('|') || text.starts_with("= ") || is_place(line))
    }

    /// A blank line ends a trace, but help on an error may follow it.
    fn pauses(&mut self) {
        self.frame = None;
        self.error.iter_mut().for_each(|(_, distance, _)| *distance += 2);
    }

    fn value(&mut self, rows: &Rows<'_, '_>, n: usize, signal: Signal, alike: f32, sheet: &mut Sheet) {
        let line = rows.body(n);
        if line.contains("Traceback (most recent") {
            self.traceback = Some(n);
        } else if !line.starts_with([' ', '\t'])
            && let Some(head) = self.traceback.take()
        {
            sheet.raise(n, ERROR / (1.0 + alike));
            sheet.put_with(head, n);
            self.frame
                .into_iter()
                .for_each(|(frame, own)| sheet.raise(frame, if own { OUTCOME } else { NOTABLE }));
        }
        // Rust prints the message of a panic on the line after its place.
        if let Some(error) = self.announces.take().filter(|error| error + 1 == n) {
            sheet.raise(n, ERROR / (1.0 + alike));
            sheet.put_under(n, Some(error));
            sheet.put_with(error, n);
        }
        if let Some(own) = frame(line) {
            // In a recursion, the first frames say enough.
            // Where the innermost frame comes first, the application's first one says where the error happened.
            let is_innermost = is_place_of_frame(line) || line.trim_start().starts_with('#');
            let first = own && (is_innermost || is_go_place(line)) && std::mem::take(&mut self.is_unplaced);
            self.error = self.error.take().filter(|_| !first);
            let worth = if first { OUTCOME } else { NOTABLE };
            sheet.raise(n, if own { worth / (1.0 + alike / 4.0) } else { PLAIN });
            if n > 0 && is_go_place(line) {
                // Go prints the function on the line before its location.
                sheet.raise(n - 1, if own { NOTABLE / (1.0 + alike / 4.0) } else { PLAIN });
                sheet.put_under(n, Some(n - 1));
                sheet.put_with(n - 1, n);
            }
            // Rust prints the function after its number, and the location on the next line.
            if is_place_of_frame(line) && self.numbered.is_some_and(|before| before + 1 == n) {
                sheet.put_under(n, Some(n - 1));
                sheet.put_with(n - 1, n);
            }
            self.numbered = (!is_place_of_frame(line)).then_some(n);
            self.frame = Some((n, own));
            return;
        }
        if matches!(signal, Signal::Error | Signal::Warning) && !is_place(line) {
            // Python's innermost frame comes right before its error.
            if let Some((frame, own)) = self.frame {
                sheet.raise(frame, if own { OUTCOME } else { NOTABLE });
            }
            self.is_unplaced |= signal == Signal::Error;
            self.announces = (line.trim_end().ends_with(':') || is_mere_place(line)).then_some(n);
            self.error = Some((n, 0, if signal == Signal::Error { NOTABLE } else { NOTABLE / 2.0 }));
            self.frame = None;
            return;
        }
        let continues = line.starts_with([' ', '\t', '|', '>', '^', '=', '-', '+', '~'])
            || line.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" |")
            || line.starts_with("E ")
            || line.starts_with("note:")
            || line.starts_with("help:")
            || line.starts_with("Caused by")
            || is_detail(line);
        if !continues {
            return self.ends();
        }
        if let Some((frame, own)) = self.frame {
            // The source line of a frame.
            sheet.raise(n, if own { NOTABLE * 0.75 } else { PLAIN });
            sheet.put_under(n, Some(frame));
        } else if let Some((error, distance, worth)) = &mut self.error {
            *distance += 1;
            let told = match () {
                () if is_compared(line) => ERROR,
                () if is_detail(line) => TOTAL,
                () => *worth,
            };
            // Neither side says anything without the other.
            if n > 0 && is_compared(line) && is_compared(rows.body(n - 1)) {
                sheet.put_with(n, n - 1);
                sheet.put_with(n - 1, n);
            }
            sheet.raise(n, told * 4.0 / (3.0 + *distance as f32));
            sheet.put_under(n, Some(*error));
            if is_place(line) {
                sheet.put_with(*error, n);
            }
        }
    }
}
