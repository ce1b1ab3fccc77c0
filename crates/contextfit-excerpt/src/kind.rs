//! Kinds of text that tools return.

use contextfit_text::{Shape, is_json};

use crate::{
    delimited::{is_numbered_table, is_table},
    frames::frame,
    history::is_commit,
    looks::{has_rights, has_rule, is_aligned, is_diff, is_headed},
    page::is_page,
    signals::{Signal, is_stamped, signal},
};

/// Lines sampled from the start and from the end of a text.
const FIRST: usize = 400;
const LAST: usize = 100;

/// Text of fewer lines is no log because they speak of errors.
const MANY: usize = 8;

/// Bytes sampled of a line.
const WIDTH: usize = 400;

/// The kind of a text, which determines how it is excerpted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// An array or an object, or one or several per line.
    Json,
    /// A unified diff, with the text that a version control system writes around it.
    Diff,
    /// Numbered lines, as of source code.
    Code,
    /// Entries with a time or a level; test runs, compilers, stack traces.
    Log,
    /// Commits, as `git log` prints them.
    History,
    /// An HTML page.
    Page,
    /// Columns: in Markdown, separated by commas, tabs, semicolons or bars, or aligned by spaces.
    Table,
    /// Lines found in files.
    Listing,
    /// Sentences.
    Prose,
    /// Anything else.
    Other,
}

impl Kind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Diff => "diff",
            Self::History => "history",
            Self::Page => "html",
            Self::Code => "code",
            Self::Log => "log",
            Self::Table => "table",
            Self::Listing => "listing",
            Self::Prose => "prose",
            Self::Other => "text",
        }
    }

    /// The kind of `text`, from its first 400 and last 100 lines; for JSON, from all of it. The first match wins:
    ///
    /// - JSON: all of it is.
    /// - page: it begins as HTML does.
    /// - diff: a hunk header with a file header before it.
    /// - history: the first line is a commit header.
    /// - code: half of the lines begin with their number, unless what comes after it is divided by tabs or bars as well
    ///   (table).
    /// - table: half of the lines begin with file permissions (`ls -l`), or the first line is in capitals with aligned
    ///   columns below it (`ps`).
    /// - log: half of the lines begin with a time.
    /// - listing: half of the lines begin with a file name and a number (`grep -n`).
    /// - table: a rule below the first lines, the same number of commas, tabs, semicolons or bars in four out of five rows
    ///   (unless tabs indent them, or bars divide commands), or at least two gutters through all lines.
    /// - log: a tenth of the lines report a failure or a success, or are frames of a stack trace.
    /// - prose, or something else, according to [`Shape::of_message`].
    ///
    /// Linear in the length of JSON; otherwise constant time except for the search for line feeds.
    #[must_use]
    pub fn of(text: &str) -> Self {
        if is_json(text) {
            return Self::Json;
        }
        if is_page(text) {
            return Self::Page;
        }
        let sample = sample(text);
        if is_diff(&sample) {
            return Self::Diff;
        }
        if is_history(&sample) {
            return Self::History;
        }
        if is_numbered(&sample) {
            return if is_numbered_table(&sample) { Self::Table } else { Self::Code };
        }
        if is_headed_table(&sample) {
            return Self::Table;
        }
        if are_half(&sample, is_stamped) {
            return Self::Log;
        }
        if are_half(&sample, |line| found_in(line).is_some()) {
            return Self::Listing;
        }
        let is_report = |line: &&&str| signal(line) != Signal::Nothing || frame(line).is_some();
        let reports = sample.iter().filter(is_report).count();
        if has_columns(&sample, reports) {
            return Self::Table;
        }
        let shape = Shape::of_message(text);
        if is_log(&sample, reports, shape) {
            return Self::Log;
        }
        if shape == Shape::Prose { Self::Prose } else { Self::Other }
    }
}

impl Kind {
    /// The share of a line's focus that its neighbours get: code is read in context, rows of a table are not.
    pub(crate) const fn spread(self) -> f32 {
        match self {
            Self::Code => 0.5,
            Self::Log | Self::Diff | Self::Page | Self::Other => 0.25,
            Self::Prose => 0.125,
            Self::Json | Self::History | Self::Table | Self::Listing => 0.0,
        }
    }
}

/// The non-blank lines to sample, cut to [`WIDTH`].
fn sample(text: &str) -> Vec<&str> {
    let start: usize = text.split_inclusive('\n').take(FIRST).map(str::len).sum();
    let (start, rest) = text.split_at_checked(start).unwrap_or((text, ""));
    let last = rest.lines().rev().take(LAST);
    let cut = |line: &'_ str| line.floor_char_boundary(WIDTH);
    let lines = start.lines().chain(last).filter(|line| !line.trim().is_empty());
    lines.map(|line| line.get(..cut(line)).unwrap_or(line)).collect()
}

/// Whether `holds` is true of half of the lines.
fn are_half(sample: &[&str], holds: impl Fn(&str) -> bool) -> bool {
    !sample.is_empty() && sample.iter().filter(|line| holds(line)).count() * 2 >= sample.len()
}

fn is_history(sample: &[&str]) -> bool {
    // ablate: excerpt.histories => false
    sample.first().is_some_and(|line| is_commit(line))
}

fn is_numbered(sample: &[&str]) -> bool {
    // ablate: excerpt.numbered => false
    sample.len() > 2 && are_half(sample, |line| without_number(line).is_some()) && is_ascending(sample)
}

fn is_headed_table(sample: &[&str]) -> bool {
    // ablate: excerpt.headed-tables => false
    are_half(sample, has_rights) || is_headed(sample) && is_aligned(sample)
}

/// Whether the lines are in columns; `reports` of them report something. Those of a log may be, with stack traces among
/// them.
fn has_columns(sample: &[&str], reports: usize) -> bool {
    // ablate: excerpt.tables => false
    let in_columns = || is_table(sample) || reports * 2 < sample.len() && is_aligned(sample);
    has_rule(sample) || in_columns() && !is_traced(sample)
}

/// Whether the lines are a log because `reports` of them report something.
fn is_log(sample: &[&str], reports: usize, shape: Shape) -> bool {
    // ablate: excerpt.logs => false
    // A few lines of prose may all speak of errors.
    let is_told = || sample.len() >= MANY && reports * 2 >= sample.len();
    let is_prose = || shape == Shape::Prose && !is_told() && !is_traced(sample);
    reports > 0 && reports * 10 >= sample.len() && !is_prose()
}

/// Whether a stack trace is among the lines.
fn is_traced(sample: &[&str]) -> bool {
    sample.iter().any(|line| frame(line).is_some() || line.starts_with("Traceback"))
}

/// The text after the number that `line` begins with, as listings print it: `12: text`, `12|text`, `  12<tab>text`.
pub(crate) fn without_number(line: &str) -> Option<&str> {
    numbered(line).map(|(_, text)| text)
}

/// The number that `line` begins with, and the text after it.
fn numbered(line: &str) -> Option<(u64, &str)> {
    let text = line.trim_ascii_start();
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - behind.len();
    let number = text.get(..digits).filter(|_| digits <= 7)?.parse().ok()?;
    let body = behind.strip_prefix([':', '\t', '|', '\u{2192}'])?;
    // A time of day begins like this too.
    let is_time = behind.starts_with(':') && body.bytes().take(2).filter(u8::is_ascii_digit).count() == 2;
    // So does the place of a finding: `12:5  warning`.
    let column = body.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_place = behind.starts_with(':') && column.len() < body.len() && column.starts_with("  ");
    (!is_place && (!is_time || body.get(2..3) != Some(":"))).then_some((number, body))
}

/// Whether the numbers that lines begin with grow, as those of lines do; sizes do not.
fn is_ascending(sample: &[&str]) -> bool {
    let numbers: Vec<u64> =
        sample.iter().filter_map(|line| numbered(line)).map(|(number, _)| number).collect();
    let grows = numbers.windows(2).filter(|pair| pair.is_sorted_by(|a, b| a < b)).count();
    grows * 5 >= numbers.len().saturating_sub(1) * 4
}

/// The file in which `line` was found: the text before a number between two colons or two dashes, or before a line and
/// a column in brackets.
pub(crate) fn found_in(line: &str) -> Option<&str> {
    // ablate: excerpt.found => None
    let end = line.find(|c: char| c.is_whitespace() || c == ':').unwrap_or(line.len());
    let numbered = |at: usize, sign: char| {
        let rest = line.get(at..)?.strip_prefix(sign)?;
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        (behind.len() < rest.len() && (behind.starts_with(sign) || behind.is_empty())).then_some(at)
    };
    let dashes = || line.get(..end)?.match_indices('-').find_map(|(at, _)| numbered(at, '-'));
    let at = numbered(end, ':').or_else(dashes).or_else(|| in_brackets(line.get(..end)?))?;
    line.get(..at).filter(|path| path.contains(['/', '.', '\\']) && !path.starts_with("http"))
}

/// The end of the path in `src/a.ts(3,14)`, as compilers of Microsoft print places.
fn in_brackets(place: &str) -> Option<usize> {
    let (path, numbers) = place.strip_suffix(')')?.rsplit_once('(')?;
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    numbers.split(',').all(is_number).then_some(path.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Kind) {
        assert_eq!(Kind::of(text), expect, "{text}");
    }

    #[test]
    fn kinds() {
        check("{\"a\": [1, 2]}", Kind::Json);
        check("{\"a\": 1}\n{\"a\": 2}\n", Kind::Json);
        check("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n", Kind::Diff);
        check("diff --cc x\n--- a/x\n+++ b/x\n@@@ -1,2 -1,2 +1,2 @@@\n- a\n -b\n++c\n  d\n", Kind::Diff);
        check("1: use a;\n2: \n3: fn main() {}\n", Kind::Code);
        check("     1\timport os\n     2\t\n     3\tx = 1\n", Kind::Code);
        check(
            "total 12\n-rw-r--r-- 1 a b  12 May  1 12:00 x\ndrwxr-xr-x 2 a b 4096 May  1 12:00 y\n",
            Kind::Table,
        );
        check("12:00:01 start\n12:00:02 stop\n", Kind::Log);
        check("12:00:01 Worker: started\n12:00:02 Worker: error\n12:00:03 Worker: done\n", Kind::Log);
        check("2024-05-01T12:00:01Z INFO start\n2024-05-01T12:00:02Z ERROR stop\n", Kind::Log);
        check("src/a.rs:12:fn main() {\nsrc/a.rs:30:}\nsrc/b.rs:1:mod a;\n", Kind::Listing);
        check("src/a.ts(3,14): error TS2322: no\nsrc/b.ts(9,2): error TS2322: no\n", Kind::Listing);
        check(&"> Task :app:jar UP-TO-DATE\n".repeat(8), Kind::Other);
        check("<a>\n  <id>x</id>\n  <n>1</n>\n</a>\n", Kind::Other);
        check(&"DATABASE_HOST=localhost\nDATABASE_PORT=80\nSTRIPE_MODE=live\n".repeat(4), Kind::Other);
        check(&"4\t/usr/share/a.pm\n8\t/usr/share/b.pm\n4\t/usr/share/c.pm\n".repeat(4), Kind::Table);
        check("| a | b |\n|---|---|\n| 1 | 2 |\n", Kind::Table);
        check("id,name,age\n1,\"Li, Mia\",30\n2,Bo,31\n", Kind::Table);
        check("Package    Version\n---------- -------\npip        24.0\nsetuptools 70.0\n", Kind::Table);
        check(
            "  PID TTY          TIME CMD\n    1 ?        00:00:01 init\n   12 ?        00:00:00 sh\n  345 pts/0    00:00:00 ps\n",
            Kind::Table,
        );
        check(
            "running 2 tests\ntest a::b ... ok\ntest a::c ... FAILED\n\ntest result: FAILED. 1 passed; 1 failed\n",
            Kind::Log,
        );
        check(
            "The reservation was changed. A refund of 120 dollars goes to the card that it was paid with.",
            Kind::Prose,
        );
        check(
            "commit 1f6589e\nAuthor: a <a@b>\n\n    Fix it\n\n a.rs | 2 +-\n 1 file changed\n",
            Kind::History,
        );
        check(
            &"Caused by: java.io.Error: no\n\tat a.B.c(B.java:3)\n\tat a.B.d(B.java:9)\n".repeat(3),
            Kind::Log,
        );
        check("<!DOCTYPE html>\n<html><body><p>Hello</p></body></html>\n", Kind::Page);
        let get = "info  - GET /x/1 200\n";
        let trace = "TypeError: x is undefined\n    at f (/a.js:1:2)\n    at g (/a.js:3:4)\n";
        check(&[&get.repeat(9), trace, &get.repeat(9)].concat(), Kind::Log);
        check(
            "The conflict of 1618 was fatal for the town, which was denied all help and burnt down.",
            Kind::Prose,
        );
        check(&"npm error code ERESOLVE, and the reason for it is told below.\n".repeat(9), Kind::Log);
        check("", Kind::Prose);
        check("255.0", Kind::Prose);
    }
}
