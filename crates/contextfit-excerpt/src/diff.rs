//! Diffs, and commits as `git log` prints them.

use std::ops::Range;

use crate::{
    evidence::{Evidence, Feature},
    rows::Rows,
    signals::{Signal, is_drawn, signal},
    worth::{FOCUS, Sheet},
};

/// Notes the features of the rows of a unified diff. Hunks are shown under the name of their file. A query that matches
/// lines raises their whole hunk, and one that matches a file name raises all hunks of the file.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let mut evidence = Evidence::of(rows);
    let mut file = File::default();
    let mut hunk: Option<usize> = None;
    let mut left = Hunk::default();
    for (n, line) in rows.texts().enumerate() {
        if let Some(lengths) = Hunk::of(line) {
            if let Some(hunk) = hunk {
                draw_together(rows, hunk..n, file.focus, sheet);
            }
            evidence.note(n, Signal::Nothing, sheet);
            sheet.note(n, Feature::HunkHeader, 1.0);
            sheet.put_under(n, file.name);
            (hunk, left) = (Some(n), lengths);
        } else if let Some(changes) = left.take(line) {
            evidence.note(n, Signal::Nothing, sheet);
            sheet.note(n, Feature::Changed, f32::from(u8::from(changes)));
            if is_drawn(line.get(1..).unwrap_or_default()) {
                sheet.set_hollow(n);
            }
            sheet.put_under(n, file.name);
        } else {
            if let Some(hunk) = hunk.take() {
                draw_together(rows, hunk..n, file.focus, sheet);
            }
            evidence.note(n, signal(line), sheet);
            value_outside(rows, n, line, &mut file, sheet);
        }
    }
    if let Some(hunk) = hunk {
        draw_together(rows, hunk..rows.len(), file.focus, sheet);
    }
}

/// Notes the features of a line outside hunks, and updates `file` if the line names one.
fn value_outside(rows: &Rows<'_, '_>, n: usize, line: &str, file: &mut File, sheet: &mut Sheet) {
    let git = line.starts_with("diff ") || line.starts_with("Index: ");
    if git || line.starts_with("--- ") && !follows_git(rows, n) {
        *file = File { name: None, focus: 0.0 };
    }
    if git || line.starts_with("--- ") || line.starts_with("+++ ") {
        file.focus = file.focus.max(sheet.focus(n));
        // The last line that names the file, or the one before it if the file is deleted.
        let is_deleted = line.starts_with("+++ /dev/null");
        if line.starts_with("+++ ") && !is_deleted {
            sheet.note(n, Feature::FileName, 1.0);
        }
        if is_deleted {
            file.name.into_iter().for_each(|name| sheet.note(name, Feature::FileName, 1.0));
        } else {
            file.name = Some(n);
        }
    } else if line.starts_with("commit ") {
        sheet.note(n, Feature::Commit, 1.0);
        *file = File::default();
    } else if is_subject(rows, n) {
        sheet.note(n, Feature::Subject, 1.0);
    } else if is_drawn(line) {
        sheet.set_hollow(n);
    }
}

/// Whether row `n` is the subject of a commit: an indented line right after the header and a blank line.
fn is_subject(rows: &Rows<'_, '_>, n: usize) -> bool {
    let header = |line: &str| is_commit(line) || is_header(line);
    rows.text(n).starts_with("    ")
        && n >= 2
        && rows.text(n - 1).trim_ascii().is_empty()
        && header(rows.text(n - 2))
}

/// The file that a hunk belongs to.
#[derive(Default)]
struct File {
    /// The row with its name.
    name: Option<usize>,
    /// How close its name is to the query, from 0 to 1.
    focus: f32,
}

/// Spreads focus over a hunk: from its lines, as much as their sum by the root of their number but no more than that
/// of the closest, or from its file's name, half goes to the changes and a quarter to the other lines. A line that answers
/// by chance does not bring a long hunk with it.
fn draw_together(rows: &Rows<'_, '_>, hunk: Range<usize>, name: f32, sheet: &mut Sheet) {
    let focus = |n: usize| sheet.focus(n);
    let closest = hunk.clone().map(focus).fold(0.0, f32::max);
    let all: f32 = hunk.clone().map(focus).sum();
    let closest = name.max(closest.min(all / (hunk.len() as f32).sqrt()));
    if closest > 0.0 {
        for n in hunk {
            let share = if rows.text(n).starts_with(['+', '-']) { 2.0 } else { 4.0 };
            sheet.lift(n, closest * FOCUS / share);
        }
    }
}

/// Whether row `n` belongs to a header that started with `diff` or `Index:`.
fn follows_git(rows: &Rows<'_, '_>, n: usize) -> bool {
    (n.saturating_sub(6)..n)
        .rev()
        .map(|before| rows.text(before))
        .take_while(|line| !line.starts_with('+'))
        .any(|line| line.starts_with("diff ") || line.starts_with("Index: "))
}

/// The lines of a hunk that are still to come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Hunk {
    old: usize,
    new: usize,
    /// The number of sign columns before each line: one, or one per parent in a merge.
    columns: usize,
}

impl Hunk {
    /// The hunk that the header `line` announces: `@@ -1,3 +1,4 @@`, or `@@@ -1,3 -1,3 +1,4 @@@` for a merge.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let signs = line.len() - line.trim_start_matches('@').len();
        let (ranges, _) = line.get(signs..).filter(|_| signs >= 2)?.split_once(" @@")?;
        let mut ranges = ranges.split_whitespace();
        let length = |range: &str| range.split_once(',').map_or(Some(1), |(_, length)| length.parse().ok());
        let old = ranges.by_ref().take(signs - 1).map(|range| length(range.strip_prefix('-')?));
        let old = old.collect::<Option<Vec<usize>>>()?;
        let new = length(ranges.next()?.strip_prefix('+')?)?;
        Some(Self { old: old.into_iter().max()?, new, columns: signs - 1 })
    }

    /// Counts `line` as part of the hunk and returns whether it is a change; `None` if the hunk has ended.
    fn take(&mut self, line: &str) -> Option<bool> {
        let signs = line.as_bytes().get(..self.columns.min(line.trim_end().len())).unwrap_or_default();
        let (removed, added) = (signs.contains(&b'-'), signs.contains(&b'+'));
        // In a merge the parents differ in length, so only the new side decides. Lines removed at the end still belong
        // to the hunk.
        let has_ended = match self.columns {
            0 | 1 => self.old == 0 && self.new == 0,
            _ => self.new == 0 && (!removed || line.starts_with("--- ")),
        };
        if has_ended {
            return None;
        }
        if !line.starts_with('\\') {
            self.old = self.old.saturating_sub(usize::from(!added));
            self.new = self.new.saturating_sub(usize::from(!removed));
        }
        Some(removed || added)
    }
}

/// Whether `line` is the header of a commit, with or without a graph before it.
fn is_commit(line: &str) -> bool {
    let line = if line.starts_with(['*', '|']) { without_graph(line) } else { line };
    let hash =
        line.strip_prefix("commit ").and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    (7..=64).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Notes the features of the rows of a history. The rows of a commit are shown under its subject. With a query they are
/// shown under its hash, which needs the subject.
pub(crate) fn value_history(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let last = (0..rows.len()).rev().find(|&n| is_commit(rows.text(n)));
    let mut commit: Option<usize> = None;
    let mut subject: Option<usize> = None;
    let mut evidence = Evidence::of(rows);
    let is_graph = rows.texts().next().is_some_and(|line| line.starts_with('*'));
    for (n, line) in rows.texts().enumerate() {
        if is_commit(line) {
            evidence.note(n, Signal::Nothing, sheet);
            if commit.is_none() || last == Some(n) {
                sheet.note(n, Feature::Commit, 1.0);
            }
            (commit, subject) = (Some(n), None);
            continue;
        }
        let text = if is_graph { without_graph(line).trim_end() } else { line.trim() };
        let is_size = is_summary(text) || text.contains(" | ");
        let is_indented = if is_graph { !is_header(text) && !is_size } else { line.starts_with("    ") };
        let is_message = is_indented && commit.is_some();
        if !text.is_empty() {
            evidence.note(n, Signal::Nothing, sheet);
        }
        if is_message && subject.is_none() && !text.is_empty() {
            commit.into_iter().for_each(|commit| sheet.put_with(commit, n));
            subject = Some(n);
            sheet.note(n, Feature::Subject, 1.0);
        }
        // A hash takes more tokens than a subject, so it is shown with the subject only if there is a query.
        if sheet.has_focus() {
            sheet.put_under(n, commit);
        } else if subject != Some(n) {
            sheet.put_under(n, subject.or(commit));
        }
        if is_drawn(line) {
            sheet.set_hollow(n);
        }
    }
}

/// `line` without the graph that `git log --graph` draws before it.
fn without_graph(line: &str) -> &str {
    line.trim_start_matches(['*', '|', '/', '\\', '_', ' '])
}

/// Whether `line` is a header line of a commit: its author, its date, its parents.
fn is_header(line: &str) -> bool {
    ["Author", "Date", "Commit", "Merge", "Reflog"].iter().any(|key| line.starts_with(key))
        && line.contains(": ")
}

/// Whether `line` summarizes the size of a commit.
fn is_summary(line: &str) -> bool {
    line.contains(" changed, ") && line.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_commits() {
        assert!(is_commit("commit 1f6589ec3a1ee910f9a65cc3ceac60b26677bc0e (HEAD -> main)\n"));
        assert!(is_commit("commit 1f6589e\n"));
        assert!(is_commit("* commit 1f6589e\n") && is_commit("| | * commit 1f6589e\n"));
        assert!(!is_commit("commit early and often\n"));
        assert!(!is_commit("committed 1f6589e\n"));
    }
}
