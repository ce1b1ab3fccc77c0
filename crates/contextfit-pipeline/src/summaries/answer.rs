//! The answers of a model, and the part of them that can be shown.

use std::collections::BTreeMap;

use contextfit_kernel::{Completion, CompletionRequest, Label, NoSummary, TokenCounter, Tokens, labelled};
use contextfit_text::{Judge, Shape, unit_ends};

/// The answers in one compression, by the index of the first block that they cover. No text is sent twice.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    known: BTreeMap<usize, Answer>,
}

impl Answers {
    pub(crate) fn put(&mut self, from: usize, answer: Answer) {
        self.known.insert(from, answer);
    }

    /// The answer for the blocks from `from` on, whatever its end.
    pub(super) fn at(&self, from: usize) -> Option<&Answer> {
        self.known.get(&from)
    }

    /// The first index after `from` that has an answer.
    pub(super) fn next_after(&self, from: usize) -> Option<usize> {
        self.known.range(from + 1..).next().map(|(&place, _)| place)
    }
}

/// A model's answer for the blocks up to `to`.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(super) to: usize,
    pub(super) text: Result<String, NoSummary>,
    pub(super) tokens_in: Tokens,
    pub(super) tokens_out: Tokens,
}

/// A request for a summary, and its outcome.
pub(crate) struct Piece {
    pub(crate) request: CompletionRequest,
    /// Tokens of the blocks it covers.
    pub(crate) source: Tokens,
    pub(crate) completion: Result<Completion, NoSummary>,
}

impl Answer {
    /// Combines `pieces` into the answer for the blocks up to `to`. There is no answer if one of the pieces is
    /// unusable.
    pub(crate) fn new(to: usize, pieces: Vec<Piece>, judge: &Judge, counter: &dyn TokenCounter) -> Self {
        let mut answer =
            Self { to, text: Err(NoSummary::NoRoom), tokens_in: Tokens::ZERO, tokens_out: Tokens::ZERO };
        let mut texts = Vec::with_capacity(pieces.len());
        for Piece { request, source, completion } in pieces {
            let usage = completion.as_ref().map(|completion| (completion.tokens_in, completion.tokens_out));
            let (read, written) = usage.unwrap_or_default();
            let text = completion.and_then(|completion| usable(&request, completion, source, judge, counter));
            let tokens = text.as_ref().map_or(Tokens::ZERO, |text| counter.count(text));
            answer.tokens_in +=
                read.unwrap_or_else(|| counter.count(&request.instructions) + counter.count(&request.input));
            answer.tokens_out += written.unwrap_or(tokens);
            texts.push(text);
        }
        if !texts.is_empty() {
            answer.text = texts.into_iter().collect::<Result<Vec<_>, _>>().map(|texts| texts.join("\n"));
        }
        answer
    }
}

/// The text of `completion`, if it can replace the blocks that `request` covers, which have `source` tokens.
fn usable(
    request: &CompletionRequest,
    mut completion: Completion,
    source: Tokens,
    judge: &Judge,
    counter: &dyn TokenCounter,
) -> Result<String, NoSummary> {
    completion.text = cleaned(&completion.text);
    if completion.text.is_empty() {
        return Err(NoSummary::Empty);
    }
    if counter.count(&completion.text) >= source {
        return Err(NoSummary::Longer);
    }
    judge.completion(request, &completion).map_err(NoSummary::Unfit)?;
    Ok(completion.text)
}

/// The trimmed text, without terminal control characters and blank lines.
fn cleaned(text: &str) -> String {
    let lines = text.lines().map(str::trim_end).filter(|line| !line.trim().is_empty());
    let text = lines.collect::<Vec<_>>().join("\n");
    let text: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    text.trim().to_owned()
}

/// `summary` as an entry of the record in at most `room` tokens, and whether only its first lines and sentences are
/// shown.
pub(super) fn shown(
    summary: &str,
    label: &Label,
    room: Tokens,
    counter: &dyn TokenCounter,
) -> Result<(String, bool), NoSummary> {
    let entry = |body: &str| labelled(label, body.lines());
    // A line feed follows it, and each line is indented.
    let overhead = counter.count(&entry("")) + Tokens::new(1 + summary.lines().count());
    let body = beginning(summary, room.checked_sub(overhead).ok_or(NoSummary::NoRoom)?, counter);
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
    // Longer beginnings take more tokens, with few exceptions, so the longest one that fits is found by halving.
    let (mut fits, mut too_long) = (0, ends.len());
    while fits < too_long {
        let middle = usize::midpoint(fits, too_long);
        if counter.count(up_to(middle)) <= room { fits = middle + 1 } else { too_long = middle }
    }
    fits.checked_sub(1).map_or("", up_to)
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::{ByteRange, Unfit, Voice};
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

    /// The usable text of `completions`, each of which answers a request about a source of `tokens` tokens.
    fn judged(completions: &[Completion], source: &str, tokens: usize) -> Result<String, NoSummary> {
        let request = || {
            let request = CompletionRequest::new("", source, Tokens::new(50));
            request.with_source(ByteRange::whole(source))
        };
        let piece = |completion: &Completion| Piece {
            request: request(),
            source: Tokens::new(tokens),
            completion: Ok(completion.clone()),
        };
        let counter = CharsPer::new(1).unwrap();
        Answer::new(1, completions.iter().map(piece).collect(), &Judge::new(), &counter).text
    }

    #[test]
    fn answers_are_cleaned_and_judged() {
        let judge = |text: &str, tokens: usize| judged(&[Completion::new(text)], "a book of four", tokens);
        assert_eq!(
            judge(" \n goal: a book\u{1b}[2m\r\n\n\n state: four \u{0}\n", 99),
            Ok("goal: a book[2m\n state: four".into())
        );
        assert_eq!(judge(" \n\u{0}\t\r\n", 99), Err(NoSummary::Empty));
        assert_eq!(judge("four", 4), Err(NoSummary::Longer));
        assert_eq!(judge("four", 5), Ok("four".into()));
        let number = Unfit::Number { number: "451".into() };
        assert_eq!(judge("a book of 451", 99), Err(NoSummary::Unfit(number)));
    }

    #[test]
    fn what_was_cut_off_is_not_used() {
        let mut cut = Completion::new("a book. It has four");
        cut.truncated = true;
        assert_eq!(judged(&[cut.clone()], "a book of four", 99), Err(NoSummary::Unfit(Unfit::CutOff)));
        let whole = Completion::new("a book");
        assert_eq!(
            judged(&[whole.clone(), whole.clone()], "a book of four", 99),
            Ok("a book\na book".into())
        );
        assert_eq!(judged(&[whole, cut], "a book of four", 99), Err(NoSummary::Unfit(Unfit::CutOff)));
        assert_eq!(judged(&[], "a book of four", 99), Err(NoSummary::NoRoom));
    }
}
