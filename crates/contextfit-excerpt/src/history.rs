//! Commits as `git log` prints them: the subject and the size of each, under its hash.

use crate::{
    rows::Rows,
    signals::is_drawn,
    worth::{EDGE, NOTABLE, PLAIN, Sheet, TOTAL},
};

/// Whether `line` is the header of a commit.
pub(crate) fn is_commit(line: &str) -> bool {
    let hash =
        line.strip_prefix("commit ").and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    (7..=64).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Scores the rows of a history: the subject of each commit, the summary of its changes, its files. Everything is under
/// the row with the hash, which is shown with the subject.
pub(crate) fn value(rows: &Rows<'_, '_>, sheet: &mut Sheet) {
    let last = (0..rows.len()).rev().find(|&n| is_commit(rows.text(n)));
    let mut commit: Option<usize> = None;
    let mut has_subject = false;
    for (n, line) in rows.texts().enumerate() {
        if is_commit(line) {
            sheet.raise(n, if commit.is_none() || last == Some(n) { TOTAL } else { EDGE });
            (commit, has_subject) = (Some(n), false);
            continue;
        }
        let text = line.trim();
        let is_message = line.starts_with("    ") && commit.is_some();
        let worth = if is_message && !has_subject && !text.is_empty() {
            has_subject = true;
            commit.into_iter().for_each(|commit| sheet.put_with(commit, n));
            NOTABLE
        } else if is_summary(text) {
            EDGE
        } else if line.starts_with(' ') && !is_message && text.contains('|') {
            2.0 * PLAIN
        } else {
            PLAIN
        };
        sheet.raise(n, worth);
        sheet.put_under(n, commit);
        if is_drawn(line) {
            sheet.set_hollow(n);
        }
    }
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
        assert!(!is_commit("commit early and often\n"));
        assert!(!is_commit("committed 1f6589e\n"));
    }
}
