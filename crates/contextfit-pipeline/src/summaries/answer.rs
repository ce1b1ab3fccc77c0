//! What a model answered, and what of it can be shown.

use std::collections::{BTreeMap, HashSet};

use contextfit_kernel::{Completion, Essential, NoSummary, Role, TokenCounter, Tokens};
use contextfit_text::{Shape, unit_ends};

/// What stands before values that a summary had lost.
const KEPT: &str = "\nvalues: ";

/// Those whose lines a ledger has.
const SPEAKERS: [Role; 5] = [Role::System, Role::Developer, Role::User, Role::Assistant, Role::Tool];

/// What was answered in one compression, by the place of the first block: no text is sent twice.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    known: BTreeMap<usize, Answer>,
}

impl Answers {
    pub(super) fn put(&mut self, from: usize, answer: Answer) {
        self.known.insert(from, answer);
    }

    /// The answer for the blocks from `from` to wherever it reaches.
    pub(super) fn at(&self, from: usize) -> Option<&Answer> {
        self.known.get(&from)
    }

    /// The first place behind `from` that there is an answer for.
    pub(super) fn next_after(&self, from: usize) -> Option<usize> {
        self.known.range(from + 1..).next().map(|(&place, _)| place)
    }
}

/// What a model made of the blocks up to `to`.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(super) to: usize,
    pub(super) text: Result<String, NoSummary>,
    pub(super) tokens_in: Tokens,
    pub(super) tokens_out: Tokens,
}

impl Answer {
    /// What `completion` says of blocks that take `source` tokens; the request took `given`.
    pub(super) fn new(
        to: usize,
        completion: Result<Completion, NoSummary>,
        source: Tokens,
        given: Tokens,
        counter: &dyn TokenCounter,
    ) -> Self {
        let refused = |why| Self { to, text: Err(why), tokens_in: given, tokens_out: Tokens::ZERO };
        let completion = match completion {
            Ok(completion) => completion,
            Err(why) => return refused(why),
        };
        let text = cleaned(&completion.text);
        let text = if completion.truncated { without_last(&text).to_owned() } else { text };
        let tokens = counter.count(&text);
        let text = match text {
            text if text.is_empty() => Err(NoSummary::Empty),
            _ if tokens >= source => Err(NoSummary::Longer),
            text => Ok(text),
        };
        Self {
            to,
            text,
            tokens_in: completion.tokens_in.unwrap_or(given),
            tokens_out: completion.tokens_out.unwrap_or(tokens),
        }
    }
}

/// The text without characters that control terminals, blank lines and white space around it. A line that begins as if
/// somebody spoke does not so any more: in a ledger it would have that speaker's word, and a model may have it from anywhere.
fn cleaned(text: &str) -> String {
    let lines = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty());
    let speaks = |line: &str| {
        let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
        let first = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        SPEAKERS.iter().any(|role| role.name().eq_ignore_ascii_case(first))
    };
    let lines = lines.flat_map(|line| [if speaks(line) { "told: " } else { "" }, line, "\n"]);
    let text: String = lines.collect();
    let text: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    text.trim().to_owned()
}

/// `text` without its last line or sentence, which is not whole.
fn without_last(text: &str) -> &str {
    let ends = unit_ends(text, Shape::Prose);
    let before = ends.len().checked_sub(2).and_then(|at| text.get(..*ends.get(at)?));
    before.unwrap_or_default().trim_end()
}

/// A summary as it is shown.
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) restored: usize,
    pub(super) cut: bool,
}

/// `summary` of `blocks` blocks in at most `room` tokens, with a heading, and behind it those of `essentials` that it does not
/// hold, the first of them first. Of a summary that is too long the beginning is shown, whole lines and sentences.
pub(super) fn shown(
    summary: &str,
    essentials: &[&Essential],
    blocks: usize,
    room: Tokens,
    counter: &dyn TokenCounter,
) -> Result<Shown, NoSummary> {
    let heading = match blocks {
        1 => "Summary of a turn:\n".to_owned(),
        _ => format!("Summary of {blocks} turns:\n"),
    };
    // A line feed parts it from what follows.
    let room = room.checked_sub(counter.count(&heading) + Tokens::new(1)).ok_or(NoSummary::NoRoom)?;
    let body = beginning(summary, room, counter);
    let spare = room.saturating_sub(counter.count(body));
    let (kept, restored) = lost(body, essentials, spare.max(Tokens::new(room.get() / 2)), counter);
    let body = beginning(body, room.saturating_sub(counter.count(&kept)), counter);
    if body.is_empty() {
        return Err(NoSummary::NoRoom);
    }
    let text = [&heading, body, &kept].concat();
    Ok(Shown { text, restored, cut: body.len() < summary.len() })
}

/// Those of `essentials` that `body` does not hold, as far as `room` reaches, and how many they are.
fn lost(body: &str, essentials: &[&Essential], room: Tokens, counter: &dyn TokenCounter) -> (String, usize) {
    let (mut lines, mut values, mut restored) = (String::new(), String::new(), 0);
    let mut seen = HashSet::new();
    let mut left = room;
    for essential in essentials {
        let (text, separator) = match essential {
            Essential::Line(text) => (text, "\n"),
            Essential::Value(text) if values.is_empty() => (text, KEPT),
            Essential::Value(text) => (text, ", "),
        };
        let held = match essential {
            Essential::Line(text) => body.lines().any(|line| line == text),
            Essential::Value(text) => body.contains(text.as_str()),
        };
        if held || !seen.insert(text) {
            continue;
        }
        if let Some(rest) = left.checked_sub(counter.count(separator) + counter.count(text)) {
            left = rest;
            restored += 1;
            match essential {
                Essential::Line(_) => lines.extend([separator, text]),
                Essential::Value(_) => values.extend([separator, text]),
            }
        }
    }
    (lines + &values, restored)
}

/// The first lines and sentences of `text` that take at most `room` tokens.
fn beginning<'a>(text: &'a str, room: Tokens, counter: &dyn TokenCounter) -> &'a str {
    if counter.count(text) <= room {
        return text;
    }
    let ends = unit_ends(text, Shape::Prose);
    let up_to = |n: usize| ends.get(n).and_then(|&end| text.get(..end)).unwrap_or_default().trim_end();
    // Longer beginnings take more tokens, or as good as.
    let (mut fits, mut too_long) = (0, ends.len());
    while fits < too_long {
        let middle = usize::midpoint(fits, too_long);
        if counter.count(up_to(middle)) <= room { fits = middle + 1 } else { too_long = middle }
    }
    fits.checked_sub(1).map_or("", up_to)
}

#[cfg(test)]
mod tests {
    use contextfit_text::CharsPer;

    use super::*;

    #[track_caller]
    fn check(summary: &str, values: &[&str], room: usize, expect: &str) {
        let counter = CharsPer::new(1).unwrap();
        let room = Tokens::new(room);
        let essentials: Vec<Essential> = values
            .iter()
            .map(|value| match value.contains(": ") {
                true => Essential::Line((*value).to_owned()),
                false => Essential::Value((*value).to_owned()),
            })
            .collect();
        match shown(summary, &essentials.iter().collect::<Vec<_>>(), 3, room, &counter) {
            Ok(Shown { text, .. }) => {
                assert_eq!(text, ["Summary of 3 turns:\n", expect].concat());
                assert!(counter.count(&text) < room);
            }
            Err(why) => assert_eq!((why, expect), (NoSummary::NoRoom, "")),
        }
    }

    #[test]
    fn what_is_shown_of_a_summary() {
        let summary = "goal: fly to Rome\nstate: booked X1\nopen: pay";
        check(summary, &[], 100, summary);
        check(summary, &["X1", "Rome"], 100, summary);
        check(summary, &["A7", "X1", "A7", "B8"], 100, &[summary, "\nvalues: A7, B8"].concat());
        check(summary, &["A7", "user: No."], 100, &[summary, "\nuser: No.\nvalues: A7"].concat());
        // Too long: the beginning, and what the rest held.
        check(summary, &[], 60, "goal: fly to Rome\nstate: booked X1");
        check(summary, &["X1"], 60, "goal: fly to Rome\nstate: booked X1");
        check(summary, &["X1"], 50, "goal: fly to Rome\nvalues: X1");
        check(summary, &["a b c d e f g h"], 50, "goal: fly to Rome");
        check(summary, &[], 30, "");
        check(summary, &["X1"], 0, "");
    }

    #[test]
    fn answers_are_cleaned_and_judged() {
        let counter = CharsPer::new(1).unwrap();
        let judge = |text: &str, source: usize| {
            let completion = Ok(Completion::new(text));
            Answer::new(1, completion, Tokens::new(source), Tokens::new(7), &counter).text
        };
        assert_eq!(
            judge(" \n goal: a\u{1b}[31m\r\n\n\n state: b \u{0}\n", 99),
            Ok("goal: a[31m\n state: b".into())
        );
        assert_eq!(judge("- User: never", 99), Ok("told: - User: never".into()));
        assert_eq!(judge("users pay", 99), Ok("users pay".into()));
        assert_eq!(judge(" \n\u{0}\t\r\n", 99), Err(NoSummary::Empty));
        assert_eq!(judge("four", 4), Err(NoSummary::Longer));
        assert_eq!(judge("four", 5), Ok("four".into()));
    }

    #[test]
    fn what_was_cut_off_is_shown_as_far_as_it_is_whole() {
        let cut = |text: &str| {
            let mut completion = Completion::new(text);
            completion.truncated = true;
            let counter = CharsPer::new(1).unwrap();
            Answer::new(1, Ok(completion), Tokens::new(99), Tokens::new(7), &counter).text
        };
        assert_eq!(cut("goal: fly. It must be on Mon"), Ok("goal: fly.".into()));
        assert_eq!(cut("goal: fly\nstate: boo"), Ok("goal: fly".into()));
        assert_eq!(cut("goal: fl"), Err(NoSummary::Empty));
    }
}
