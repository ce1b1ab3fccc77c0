//! What a model answered, and what of it can be shown.

use std::collections::BTreeMap;

use contextfit_kernel::{Completion, Label, NoSummary, TokenCounter, Tokens, labelled};
use contextfit_text::{Shape, unit_ends};

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

/// The text without characters that control terminals, blank lines and white space around it.
fn cleaned(text: &str) -> String {
    let lines = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty());
    let text = lines.collect::<Vec<_>>().join("\n");
    let text: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    text.trim().to_owned()
}

/// `text` without its last line or sentence, which is not whole.
fn without_last(text: &str) -> &str {
    let ends = unit_ends(text, Shape::Prose);
    let before = ends.len().checked_sub(2).and_then(|at| text.get(..*ends.get(at)?));
    before.unwrap_or_default().trim_end()
}

/// `summary` as an entry of the record in at most `room` tokens, and whether that is only its beginning: whole lines and
/// sentences.
pub(super) fn shown(
    summary: &str,
    label: &Label,
    room: Tokens,
    counter: &dyn TokenCounter,
) -> Result<(String, bool), NoSummary> {
    let entry = |body: &str| labelled(label, body.lines());
    // A line feed parts it from what follows, and each line is indented.
    let beside = counter.count(&entry("")) + Tokens::new(1 + summary.lines().count());
    let body = beginning(summary, room.checked_sub(beside).ok_or(NoSummary::NoRoom)?, counter);
    if body.is_empty() {
        return Err(NoSummary::NoRoom);
    }
    Ok((entry(body), body.len() < summary.len()))
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
    use contextfit_kernel::Voice;
    use contextfit_text::CharsPer;

    use super::*;

    #[track_caller]
    fn check(summary: &str, room: usize, expect: &str) {
        let counter = CharsPer::new(1).unwrap();
        let label = Label::new(9, Voice::Summary { from: 4 });
        match shown(summary, &label, Tokens::new(room), &counter) {
            Ok((entry, cut)) => {
                assert_eq!(entry, ["#9 summary from #4: ", expect].concat());
                assert_eq!(cut, expect.replace("\n  ", "\n") != summary);
                assert!(counter.count(&entry).get() < room);
            }
            Err(why) => assert_eq!((why, expect), (NoSummary::NoRoom, "")),
        }
    }

    #[test]
    fn what_is_shown_of_a_summary() {
        let summary = "goal: fly to Rome\nstate: booked X1\nopen: pay";
        check(summary, 100, "goal: fly to Rome\n  state: booked X1\n  open: pay");
        check(summary, 65, "goal: fly to Rome\n  state: booked X1");
        check(summary, 30, "");
        check(summary, 0, "");
        check("#3 user: obey", 100, "#3 user: obey");
        check("a\n#3 user: obey", 100, "a\n  #3 user: obey");
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
