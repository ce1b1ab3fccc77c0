//! Who says what: the user's own words, text that is pasted or printed, and what tools print.
//!
//! Fences and attachments are taken out first, whatever they contain. The rest is divided into paragraphs. A paragraph
//! is printed if it is not prose, but a sentence at its edge, where the paste begins or ends, is the user's. In doubt,
//! a text is speech: keeping too much of a paste costs tokens, losing the user's words costs the task.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
};

use contextfit_kernel::{ByteRange, MeasuredBlock, Role, Values};

use crate::{NaturalLanguage, Needs, prose_lead};

/// The lead of prose, or of all other kinds of text, beyond which a line or paragraph is certain to be the user's, or
/// printed. Measured on `speech.jsonl` of the labelled texts, with each source left out in turn: 97 % of the user's
/// words are kept, and a third of the printed lines, judged without the lines around them, are mistaken for the user's.
const DOUBT: f64 = 1.0;

/// In a session with tools, messages of the user of at most this many tokens are theirs, whatever they read like.
const SHORT_MESSAGE_TOKENS: usize = 150;

/// A message with at least this many bytes of speech before a terminal's output is the user's, with an output in it.
const A_TASK: usize = 300;

/// The user's own words in `text`: trimmed parts, in order. The text between them is pasted or printed by a program. A
/// text without a paste is one part. Linear.
fn spoken(text: &str) -> Vec<ByteRange> {
    // ablate: chat.pastes => ByteRange::new(0, text.len()).into_iter().collect()
    let mut parts: Vec<ByteRange> = Vec::new();
    let mut joins = false;
    for (line, printed) in lines(text) {
        let raw = text.get(line.clone()).unwrap_or_default();
        let start = line.start + raw.len() - raw.trim_start().len();
        let end = line.start + raw.trim_end().len();
        if printed || start >= end {
            joins &= !printed;
            continue;
        }
        let first = parts.pop_if(|_| joins).map_or(start, ByteRange::start);
        parts.extend(ByteRange::new(first, end));
        joins = true;
    }
    parts
}

/// Whether a program printed a message in the user's name, as some agents send command outputs: hardly any of it is
/// spoken. Its spoken parts (see [`spoken`]) may still be the user's.
fn is_printed(text: &str) -> bool {
    // ablate: chat.printed => false
    let said: usize = spoken(text).into_iter().map(ByteRange::len).sum();
    let all = text.trim().len();
    let prompts = text.lines().next_back().is_some_and(is_prompt);
    all > 0 && (said * 10 < all || prompts && said < A_TASK && said * 3 < all * 2)
}

/// The bytes of a line, and whether it is fenced or printed.
type SpeechLine = (Range<usize>, bool);

/// The lines of `text`, and whether each is fenced or printed.
fn lines(text: &str) -> Vec<SpeechLine> {
    let (mut lines, paragraphs) = layout(text);
    let printed: Vec<bool> = paragraphs.iter().map(|paragraph| is_program(text, &lines, paragraph)).collect();
    for n in printed_lines(text, &lines, &paragraphs, &printed) {
        if let Some((_, printed)) = lines.get_mut(n) {
            *printed = true;
        }
    }
    lines
}

/// The lines of `text`, with whether each is fenced, and the paragraphs outside fences, as ranges of lines.
fn layout(text: &str) -> (Vec<SpeechLine>, Vec<Range<usize>>) {
    let (mut lines, mut paragraphs): (Vec<SpeechLine>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
    let last = last_closers(text);
    let (mut at, mut closer): (usize, Option<String>) = (0, None);
    let mut fresh = true;
    for line in text.split_inclusive('\n') {
        let (n, trimmed) = (lines.len(), line.trim());
        let opens = closer.is_none().then(|| opened(trimmed)).flatten();
        let opens = opens.filter(|end| last.get(end.as_str()).is_some_and(|last| *last > at));
        let fenced = closer.is_some() || opens.is_some();
        if closer.as_ref().is_some_and(|end| closes(trimmed, end)) {
            closer = None;
        } else if opens.is_some() {
            closer = opens;
        }
        if !fenced && !trimmed.is_empty() {
            match paragraphs.last_mut().filter(|_| !fresh) {
                Some(lines) => lines.end = n + 1,
                None => paragraphs.push(n..n + 1),
            }
        }
        fresh = fenced || trimmed.is_empty();
        lines.push((at..at + line.len(), fenced));
        at += line.len();
    }
    (lines, paragraphs)
}

/// Line `n` of `text`.
fn line_at<'t>(text: &'t str, lines: &[SpeechLine], n: usize) -> &'t str {
    lines.get(n).and_then(|(range, _)| text.get(range.clone())).unwrap_or_default()
}

/// Whether a program printed a paragraph.
fn is_program(text: &str, lines: &[SpeechLine], paragraph: &Range<usize>) -> bool {
    let bounds = lines.get(paragraph.start).zip(lines.get(paragraph.end - 1));
    let whole = bounds.and_then(|((first, _), (last, _))| text.get(first.start..last.end));
    whole.is_some_and(|whole| prose_lead(whole) < -DOUBT)
}

/// Whether `line` has several words and is certainly something a person says.
fn says(line: &str) -> bool {
    line.split_whitespace().nth(1).is_some() && prose_lead(line) > DOUBT
}

/// The printed lines outside fences: those of `printed` paragraphs without the sentences at their edges, and those of
/// paragraphs between two of them in which no line is a sentence.
fn printed_lines(
    text: &str,
    lines: &[SpeechLine],
    paragraphs: &[Range<usize>],
    printed: &[bool],
) -> Vec<usize> {
    // A terminal's output ends with its prompt. In such a text, nothing after the first printed line is the user's.
    let n_printed: usize =
        paragraphs.iter().zip(printed).filter(|(_, printed)| **printed).map(|(lines, _)| lines.len()).sum();
    let first = printed.iter().position(|printed| *printed).unwrap_or(usize::MAX);
    let is_terminal = text.lines().next_back().is_some_and(is_prompt)
        && n_printed * 2 > paragraphs.iter().map(Range::len).sum();
    let says = |n: usize| says(line_at(text, lines, n));
    let mut settled: Vec<usize> = Vec::new();
    for (n, (range, is_printed)) in paragraphs.iter().zip(printed).enumerate() {
        let before = n > 0 && printed.at(n - 1);
        let after = printed.at(n + 1);
        let mut range = range.clone();
        if is_terminal && n > first {
        } else if *is_printed {
            while !before && range.start < range.end && says(range.start) {
                range.start += 1;
            }
            while !after && range.start < range.end && says(range.end - 1) {
                range.end -= 1;
            }
        } else if !before || !after && n + 1 < printed.len() || range.clone().any(says) {
            continue;
        }
        settled.extend(range);
    }
    settled
}

/// The last position of each fence and of each closing tag.
fn last_closers(text: &str) -> HashMap<&str, usize> {
    let tags = text.match_indices("</").filter_map(|(at, _)| {
        let tag = text.get(at..)?;
        let end = tag.char_indices().take(64).find(|(_, c)| *c == '>')?.0;
        Some((tag.get(..=end)?, at))
    });
    let fences = ["```", "~~~"].into_iter().filter_map(|fence| Some((fence, text.rfind(fence)?)));
    tags.chain(fences).collect()
}

/// The text that closes the fence or attachment that `line` opens.
fn opened(line: &str) -> Option<String> {
    if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| line.starts_with(fence)) {
        return Some(fence.to_owned()).filter(|_| line.matches(fence).count() == 1);
    }
    let name = line.strip_prefix('<')?.split(|c: char| c.is_whitespace() || c == '>').next()?;
    let named =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && line.contains('>') && !line.contains("/>");
    named.then(|| format!("</{name}>"))
}

fn closes(line: &str, end: &str) -> bool {
    line.starts_with(end) || end.starts_with('<') && line.ends_with(end)
}

/// Whether `line` is a shell prompt without a command.
fn is_prompt(line: &str) -> bool {
    let line = line.trim();
    line.ends_with(['$', '#', '>', '%'])
        && line.len() < 80
        && !line.contains(". ")
        && (line.len() < 4 || line.contains(['@', '-', '~', '/', ':', '>']))
}

/// The user's own words in a message, in order. The rest is pasted or printed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spoken(Vec<ByteRange>);

impl Spoken {
    /// The user's own words in a `part` of a message. Whoever says a part of a list also announces the list, and says
    /// its other items, whatever they read like. Linearithmic.
    #[must_use]
    pub fn in_part(measured: &MeasuredBlock<'_>, needs: &Needs, part: ByteRange) -> Self {
        let text = &measured.block().text;
        let units = measured.units_before(part.start())..measured.units_before(part.end());
        let range =
            |n: usize| measured.range(n, n + 1).trimmed(text).filter(|range| part.contains(range.start()));
        let moved =
            |range: ByteRange| ByteRange::new(part.start() + range.start(), part.start() + range.end());
        let mut spoken =
            Self(spoken(part.of(text).unwrap_or_default()).into_iter().filter_map(moved).collect());
        let is_said = |n: &usize| range(*n).is_some_and(|range| spoken.holds(range));
        let mut lists = BTreeSet::new();
        let announce = |lists: &mut BTreeSet<usize>, mut open: Vec<usize>| {
            while let Some(n) = open.pop() {
                open.extend(needs.heads_of(n).filter(|head| lists.insert(*head)));
            }
        };
        announce(&mut lists, units.clone().filter(is_said).collect());
        for n in units {
            let is_of_list = |head| lists.contains(&head) && (needs.is_item(n) || needs.is_item(head));
            if needs.heads_of(n).any(is_of_list) {
                lists.insert(n);
                announce(&mut lists, vec![n]);
            }
        }
        let more: Vec<ByteRange> =
            lists.into_iter().filter_map(range).filter(|range| !spoken.holds(*range)).collect();
        spoken.0.extend(more);
        spoken.0.sort_unstable();
        // A unit of a list can hold words that are the user's anyway.
        spoken.0.dedup_by(|next, before| {
            let both = ByteRange::new(before.start(), before.end().max(next.end()));
            let both = both.filter(|_| next.start() < before.end());
            *before = both.unwrap_or(*before);
            both.is_some()
        });
        spoken
    }

    /// The user's own words in a message without the results of tools; none in a message of another role. Linearithmic.
    #[must_use]
    pub fn in_message(measured: &MeasuredBlock<'_>) -> Self {
        let block = measured.block();
        let Some(turn) = block.as_turn().filter(|turn| turn.role == Role::User) else {
            return Self::default();
        };
        let needs = Needs::of_measured(measured, NaturalLanguage::of_texts([&block.text]));
        let own = turn.texts(&block.text).filter(|(_, tool)| tool.is_none());
        Self(own.flat_map(|(part, _)| Self::in_part(measured, &needs, part).0).collect())
    }

    /// Whether the user said what begins at the start of `range`. Logarithmic time.
    #[must_use]
    pub fn holds(&self, range: ByteRange) -> bool {
        let before = self.0.partition_point(|part| part.start() <= range.start());
        let last = before.checked_sub(1).and_then(|last| self.0.get(last));
        last.is_some_and(|part| part.contains(range.start()))
    }

    /// Whether any of the words begin in `range`. Logarithmic time.
    #[must_use]
    pub fn begins_in(&self, range: ByteRange) -> bool {
        let before = self.0.partition_point(|part| part.start() < range.start());
        self.0.get(before).is_some_and(|part| range.contains(part.start()))
    }
}

/// Who speaks in a conversation: which messages are people's words, and which ones programs printed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Speakers {
    printed: Vec<bool>,
    has_tools: bool,
    /// Whether outputs of programs come as user messages.
    by_user: bool,
}

impl Speakers {
    /// Reads the turns of `blocks`. Linear in their length.
    #[must_use]
    pub fn of(blocks: &[MeasuredBlock<'_>]) -> Self {
        let turns =
            || blocks.iter().filter_map(|measured| Some((measured.block(), measured.block().as_turn()?)));
        let mut users = turns().filter(|(_, turn)| turn.role == Role::User).map(|(block, _)| block).skip(1);
        let (all, outputs) = users.by_ref().fold((0, 0), |(all, outputs), block| {
            (all + 1, outputs + usize::from(block.level.shows_source() && is_printed(&block.text)))
        });
        // Some agents send the output of their commands in the user's name.
        let by_user = outputs * 2 > all;
        let has_calls = turns().any(|(_, turn)| {
            turn.role == Role::Tool
                || !turn.calls.is_empty()
                || turn.parts.iter().any(|part| part.tool.is_some())
        });
        let mut first = true;
        let printed = |measured: &MeasuredBlock<'_>| {
            let block = measured.block();
            let Some(turn) = block.as_turn() else { return false };
            match turn.role {
                Role::Tool => true,
                Role::User if turn.parts.iter().any(|part| part.tool.is_some()) => true,
                Role::User => {
                    let is_first = std::mem::take(&mut first);
                    by_user && !is_first && is_printed(&block.text)
                }
                _ => false,
            }
        };
        let printed = blocks.iter().map(printed).collect();
        Self { printed, has_tools: has_calls || by_user, by_user }
    }

    /// Whether this is a session with tools: it has calls, or outputs of programs in the user's name. Otherwise it is a
    /// conversation between people.
    #[must_use]
    pub const fn has_tools(&self) -> bool {
        self.has_tools
    }

    /// Whether all of a `part` of a message of the user's, which is no result of a tool, counts as their own words: in a
    /// conversation without tools, or if it is short.
    #[must_use]
    pub fn is_whole(&self, measured: &MeasuredBlock<'_>, part: ByteRange) -> bool {
        let tokens = || {
            let (from, to) = (measured.units_before(part.start()), measured.units_before(part.end()));
            measured.tokens_between(from, to).get()
        };
        !self.has_tools || !self.by_user && tokens() <= SHORT_MESSAGE_TOKENS
    }

    /// Whether a tool or a program printed block `at`.
    #[must_use]
    pub fn is_printed(&self, at: usize) -> bool {
        self.printed.at(at)
    }

    /// For each block, whether a tool or a program printed it.
    #[must_use]
    pub fn printed(&self) -> &[bool] {
        &self.printed
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, clippy::unwrap_used, clippy::print_stdout, reason = "tests fail by panicking")]

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let parts: Vec<&str> = spoken(text).into_iter().map(|part| part.of(text).unwrap()).collect();
        assert_eq!(parts, expect, "{text}");
    }

    const TRACE: &str = "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    main()\n  File \"a.py\", line 9, in main\n    raise ValueError(x)\nValueError: 12";
    const LOG: &str = "2024-05-01T12:00:01Z INFO start\n2024-05-01T12:00:02Z ERROR could not bind\nYou must delete the lock file.\n2024-05-01T12:00:03Z INFO stop";

    #[test]
    fn speech_is_one_part() {
        check("go ahead", &["go ahead"]);
        check("  session repo\n", &["session repo"]);
        check("@minsky.mdc", &["@minsky.mdc"]);
        check("Fix the parser.\n\nThen run the tests.", &["Fix the parser.\n\nThen run the tests."]);
        let list = "Some wishes:\n\n- keep the tests green\n- never use `grep`, use jq\n1. no new files";
        check(list, &[list]);
        check("look at\nsrc/a.rs\nand say what is wrong", &["look at\nsrc/a.rs\nand say what is wrong"]);
        check("", &[]);
    }

    #[test]
    fn pastes_are_cut_out() {
        check(
            &format!("Why does this fail?\n{TRACE}\n\nDo not touch the tests."),
            &["Why does this fail?", "Do not touch the tests."],
        );
        check(&format!("Put the shortest first.\n{LOG}"), &["Put the shortest first."]);
        check(&format!("{LOG}\nWhat went wrong here?"), &["What went wrong here?"]);
        check(
            "Use this:\n```rust\nfn a() {}\n\nAlways keep it.\n```\nand nothing else.",
            &["Use this:", "and nothing else."],
        );
        check(
            "Read it.\n<file name=\"a\">\nNever do this.\n</file>\nThen go on.",
            &["Read it.", "Then go on."],
        );
        check(
            "Parse this:\n\n{\"a\": 1,\n \"b\": [1, 2],\n \"c\": null}\n\nKeep the order.",
            &["Parse this:", "Keep the order."],
        );
        check(
            "Apply it.\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n",
            &["Apply it."],
        );
        check("Is it there?\n\nsrc/a.rs:12:fn main() {\nsrc/a.rs:30:}\nsrc/b.rs:1:mod a;", &["Is it there?"]);
    }

    #[test]
    fn outputs_are_printed() {
        assert!(is_printed(
            "[File: /a/b.py (1 lines total)]\n1:import os\n\n(Current directory: /a)\nbash-$"
        ));
        assert!(is_printed(TRACE) && is_printed(LOG));
        assert!(
            !is_printed("yes") && !is_printed("") && !is_printed("Why does it fail? It worked yesterday.")
        );
    }
}
