//! Answers that go round in circles, and answers that break off.

use std::collections::HashMap;

use contextfit_kernel::Unfit;
use foldhash::fast::FixedState;

use super::{
    source::SourceText,
    statements::{AnswerLine, Statements, quoted, sentences},
};
use crate::{CodeFence, NaturalLanguage, float, natural_language::WORDS, words as words_of};

/// At most this share of an answer's words may only repeat, three words at a time, what it said before. Texts written
/// by people stay below a fifth.
const AGAIN: f64 = 0.35;

/// A sentence of at least this many words is not a list item: said three times it is a loop, and it has a stop if
/// others do.
const SENTENCE_WORDS: usize = 5;
const LOOP_TIMES: usize = 3;

/// After sentences of this many words on its line, another one has a stop too.
const PROSE: usize = 8;

/// Characters that end a sentence.
const STOPS: [char; 13] = ['.', '!', '?', '…', '。', '！', '？', '．', '؟', '۔', '।', '॥', '።'];

/// Characters that never end one.
const OPEN: [char; 9] = [',', ';', '(', '[', '{', '–', '—', '،', '、'];

/// Whether most of the answer is new. What the source says equally often may be repeated.
pub(super) fn is_varied(statements: &Statements<'_>, source: &SourceText) -> Result<(), Unfit> {
    let said: Vec<&str> = words_of(statements.text).collect();
    let folded: Vec<String> = said.iter().map(|word| word.to_lowercase()).collect();
    let mut times: HashMap<[&str; 3], usize, FixedState> = HashMap::default();
    let mut again = vec![false; folded.len()];
    for (at, run) in folded.windows(3).enumerate() {
        let [a, b, c] = run else { continue };
        let run = [a.as_str(), b.as_str(), c.as_str()];
        let n = times.entry(run).or_default();
        *n += 1;
        if *n > 1 && *n > source.times(run) {
            again.iter_mut().skip(at).take(3).for_each(|word| *word = true);
        }
    }
    let repeated = again.iter().filter(|again| **again).count();
    if float(repeated) <= AGAIN * float(said.len()) && !is_loop(statements, source) {
        return Ok(());
    }
    // Ties go to the first in the alphabet: the map has no order.
    let most = times.into_iter().max_by_key(|(run, n)| (*n, std::cmp::Reverse(*run)));
    let phrase = most.map_or_else(String::new, |(run, _)| run.join(" "));
    Err(Unfit::Repeated { again: repeated, words: said.len(), phrase })
}

/// Whether a sentence that the source does not have is said again and again.
fn is_loop(statements: &Statements<'_>, source: &SourceText) -> bool {
    let mut times: HashMap<&str, usize, FixedState> = HashMap::default();
    statements.sentences().any(|sentence| {
        let n = times.entry(sentence).or_default();
        *n += 1;
        *n == LOOP_TIMES && sentence.split_whitespace().count() >= SENTENCE_WORDS && !source.says(sentence)
    })
}

/// Whether the answer ends where a sentence or an item ends.
pub(super) fn is_finished(statements: &Statements<'_>) -> Result<(), Unfit> {
    let last = statements.text.trim_end().lines().last().unwrap_or_default();
    let unfinished = || {
        let start = last.ceil_char_boundary(last.len().saturating_sub(60));
        Err(Unfit::Unfinished { end: quoted(last.get(start..).unwrap_or(last)) })
    };
    if statements.text.lines().fold(None, CodeFence::after).is_some() {
        return unfinished();
    }
    let end = last.trim_end_matches(['"', '”', '»', '*', '_', '`', ')', ']', '」', '’', '\'', ' ']);
    if end.ends_with(OPEN) || last.matches('(').count() > last.matches(')').count() {
        return unfinished();
    }
    let Some(line) = statements.lines.last().filter(|line| last.ends_with(line.body)) else { return Ok(()) };
    let word = end.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    if end.ends_with(STOPS) || word.is_empty() {
        return Ok(());
    }
    let others = statements.lines.len() - 1;
    let stopped = |line: &&AnswerLine<'_>| line.body.trim_end().ends_with(STOPS);
    let are_stopped = statements.lines.iter().take(others).filter(stopped).count() == others;
    let (before, tail) = last_sentence(line.body);
    let words = |text: &str| text.split_whitespace().count();
    let is_word = word.starts_with(char::is_lowercase) || !word.is_ascii();
    // A line without a stop is an item, unless sentences with stops come before it.
    let breaks_off = are_stopped
        && (words(before) >= PROSE
            || others >= 2 && words(tail) >= SENTENCE_WORDS && is_word && !tail.contains(','));
    let binds = words(line.body) >= SENTENCE_WORDS
        && WORDS.list("articles and conjunctions").has(word)
        && is_said(line.body);
    if breaks_off || binds { unfinished() } else { Ok(()) }
}

/// The part of `line` before its last sentence, and that sentence.
fn last_sentence(line: &str) -> (&str, &str) {
    let tail = sentences(line).last().unwrap_or_default();
    (line.trim_end().strip_suffix(tail).unwrap_or_default(), tail)
}

/// Whether a line reads like a statement: it has function words, which code does not.
fn is_said(line: &str) -> bool {
    NaturalLanguage::surely_of([line]).is_some()
}
