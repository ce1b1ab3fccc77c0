//! Divides an answer into lines, their labels and their sentences.

use crate::{Shape, unit_ends};

/// The maximum bytes of an answer that a reason quotes.
const LONGEST_QUOTE_BYTES: usize = 80;

/// The maximum words of a label, such as `open questions:`.
const LABEL_WORDS: usize = 4;

/// A line of an answer.
pub(super) struct AnswerLine<'a> {
    /// Its text without list marks, heading marks and its label.
    pub(super) body: &'a str,
    /// Whether a label comes before the text.
    pub(super) labelled: bool,
}

/// The statements of an answer, line by line.
pub(super) struct Statements<'a> {
    /// The whole answer.
    pub(super) text: &'a str,
    pub(super) lines: Vec<AnswerLine<'a>>,
}

impl<'a> Statements<'a> {
    /// The lines of `answer` that make statements. Headings and labels are left out, because they are the model's own.
    pub(super) fn read(answer: &'a str) -> Self {
        let mut lines: Vec<AnswerLine<'a>> = Vec::new();
        for line in answer.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let bare = unmarked(line);
            if line.starts_with('#') || bare.trim_end_matches(['*', '_', ' ']).ends_with([':', '：']) {
                continue;
            }
            let (body, labelled) = unlabelled(bare);
            lines.push(AnswerLine { body, labelled });
        }
        Self { text: answer, lines }
    }

    pub(super) fn bodies(&self) -> impl Iterator<Item = &'a str> {
        self.lines.iter().map(|line| line.body)
    }

    /// The sentences, each within its line.
    pub(super) fn sentences(&self) -> impl Iterator<Item = &'a str> {
        self.lines.iter().flat_map(|line| sentences(line.body))
    }
}

/// The sentences of a line.
pub(super) fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    unit_ends(line, Shape::Prose).into_iter().filter_map(move |end| {
        let sentence = line.get(start..end);
        start = end;
        sentence.map(str::trim)
    })
}

/// `line` without the marks of a list item or quotation, and without emphasis around all of it.
fn unmarked(line: &str) -> &str {
    let line = line.trim_start_matches(['-', '*', '•', '–', '>', '+', ' ']);
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let item = line.get(digits..).filter(|_| (1..=2).contains(&digits));
    let rest = item.and_then(|rest| rest.strip_prefix(['.', ')'])).filter(|rest| rest.starts_with(' '));
    rest.unwrap_or(line).trim_start()
}

/// The text after the label of `line`, if it has one.
fn unlabelled(line: &str) -> (&str, bool) {
    let Some((label, body)) = line.split_once([':', '：']) else { return (line, false) };
    let words = label.split_whitespace().count();
    let is_label = (1..=LABEL_WORDS).contains(&words)
        && label.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '*' | '_' | '/' | '&' | '-'));
    // In `std::fs` and `https://`, the colon does not end a label.
    match is_label && !body.starts_with([':', '/']) {
        true => (body.trim_start_matches(['*', '_', ' ']), true),
        false => (line, false),
    }
}

/// The beginning of `text`, as quoted in a reason.
pub(super) fn quoted(text: &str) -> String {
    let text = text.trim();
    match text.get(..text.floor_char_boundary(LONGEST_QUOTE_BYTES)) {
        Some(head) if head.len() < text.len() => format!("{head}…"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answer: &str, expect: &[&str]) {
        assert_eq!(Statements::read(answer).bodies().collect::<Vec<_>>(), expect);
    }

    #[test]
    fn labels_and_marks_are_not_what_is_said() {
        check("goal: fly to Rome\nstate: booked. Paid.", &["fly to Rome", "booked. Paid."]);
        check("# Summary\n\n**Key points:**\n- **Goal:** fly\n2. pay 3 euros", &["fly", "pay 3 euros"]);
        check("std::fs reads it\nhttps://a.example/b", &["std::fs reads it", "https://a.example/b"]);
        check("The user said at some length: no.", &["The user said at some length: no."]);
    }
}
