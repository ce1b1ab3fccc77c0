//! Commits as `git log` prints them: the subject and the size of each, under its hash.

use foldhash::{HashMap, HashMapExt};

use crate::{
    rows::Rows,
    signals::is_drawn,
    worth::{EDGE, NOTABLE, PLAIN, Sheet, TOTAL},
};

/// Whether `line` is the header of a commit, whether or not a graph is drawn before it.
pub(crate) fn is_commit(line: &str) -> bool {
    let line = if line.starts_with(['*', '|']) { without_graph(line) } else { line };
    let hash =
        line.strip_prefix("commit ").and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    (7..=64).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Scores the rows of a history: the subject of each commit, the summary of its changes, its files. All of a commit is
/// under its subject, and with a query also under its hash, which is shown with the subject.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let last = (0..rows.len()).rev().find(|&n| is_commit(rows.text(n)));
    let mut commit: Option<usize> = None;
    let mut subject: Option<usize> = None;
    let mut subjects: HashMap<&str, u32> = HashMap::new();
    let is_graph = rows.texts().next().is_some_and(|line| line.starts_with('*'));
    for (n, line) in rows.texts().enumerate() {
        if is_commit(line) {
            sheet.raise(n, if commit.is_none() || last == Some(n) { TOTAL } else { EDGE });
            (commit, subject) = (Some(n), None);
            continue;
        }
        let text = if is_graph { without_graph(line).trim_end() } else { line.trim() };
        let is_size = is_summary(text) || text.contains(" | ");
        let is_indented = if is_graph { !is_header(text) && !is_size } else { line.starts_with("    ") };
        let is_message = is_indented && commit.is_some();
        let worth = if is_message && subject.is_none() && !text.is_empty() {
            commit.into_iter().for_each(|commit| sheet.put_with(commit, n));
            subject = Some(n);
            let alike = subjects.entry(text).or_insert(0_u32);
            *alike += 1;
            let merges = if text.starts_with("Merge ") { 2.0 } else { 1.0 };
            NOTABLE / (*alike as f32 * merges)
        } else if is_summary(text) {
            EDGE
        } else if !is_message && text.contains(" | ") {
            2.0 * PLAIN
        } else {
            PLAIN
        };
        sheet.raise(n, worth);
        // A hash takes more room than all else, so subjects stand alone where nobody asks for one.
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

/// The text behind the graph that `git log --graph` draws.
fn without_graph(line: &str) -> &str {
    line.trim_start_matches(['*', '|', '/', '\\', '_', ' '])
}

/// Whether `line` tells who made a commit, when, or from what.
pub(crate) fn is_header(line: &str) -> bool {
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
