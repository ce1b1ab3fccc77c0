//! What the user says in a message of theirs, apart from what is pasted into it or printed by a program.
//!
//! Fences and attachments are taken out first, whatever they hold. The rest is divided into paragraphs, and a paragraph is
//! printed by its [`Kind`] or by most of its lines; a sentence at its edge, where the paste begins or ends, is the user's.
//! In doubt it is speech: a paste that is kept too long costs tokens, a lost word of the user's costs the task.
#![allow(dead_code, reason = "the strategies do not read it yet")]

use std::{collections::HashMap, ops::Range};

use contextfit_excerpt::Kind;
use contextfit_kernel::ByteRange;

/// Bytes of speech before what a terminal printed that make it a message with an output, not an output.
const A_TASK: usize = 300;

/// The parts of a user's message that the user says, in order, trimmed of white space; what lies between is pasted or
/// printed by a program. A message without a paste is one part. Linear.
pub(crate) fn spoken(text: &str) -> Vec<ByteRange> {
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

/// Whether a message sent in the user's name is what a program printed, as some agents send the outputs of commands: next
/// to nothing of it is spoken. What is (see [`spoken`]) may be the user's all the same.
pub(crate) fn is_printed(text: &str) -> bool {
    let said: usize = spoken(text).into_iter().map(ByteRange::len).sum();
    let all = text.trim().len();
    let prompts = text.lines().next_back().is_some_and(is_prompt);
    all > 0 && (said * 10 < all || prompts && said < A_TASK && said * 2 < all)
}

/// The lines of `text`, and whether each is printed.
fn lines(text: &str) -> Vec<(Range<usize>, bool)> {
    let mut lines: Vec<(Range<usize>, bool)> = Vec::new();
    let last = last_closers(text);
    let (mut at, mut closer): (usize, Option<String>) = (0, None);
    // The paragraphs outside of fences, as ranges of lines, and whether each is printed.
    let mut paragraphs: Vec<(Range<usize>, bool)> = Vec::new();
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
                Some((lines, _)) => lines.end = n + 1,
                None => paragraphs.push((n..n + 1, false)),
            }
        }
        fresh = fenced || trimmed.is_empty();
        lines.push((at..at + line.len(), fenced));
        at += line.len();
    }
    let line_at = |n: usize| lines.get(n).and_then(|(range, _)| text.get(range.clone())).unwrap_or_default();
    for (range, printed) in &mut paragraphs {
        let whole = lines
            .get(range.start)
            .zip(lines.get(range.end - 1))
            .and_then(|(a, b)| text.get(a.0.start..b.0.end));
        let n_printed = range.clone().filter(|n| is_output(line_at(*n))).count();
        let by_kind = range.len() > 2
            && matches!(
                Kind::of(whole.unwrap_or_default()),
                Kind::Json | Kind::Diff | Kind::Code | Kind::Log | Kind::Table | Kind::Listing
            );
        let n_said = range.clone().filter(|n| is_item(line_at(*n)) || is_sentence(line_at(*n))).count();
        *printed = n_printed * 2 >= range.len() || by_kind && n_said * 2 < range.len();
    }
    // A terminal's output ends with its prompt: after the first printed line nothing in it is the user's.
    let n_printed: usize =
        paragraphs.iter().filter(|(_, printed)| *printed).map(|(lines, _)| lines.len()).sum();
    let first = paragraphs.iter().position(|(_, printed)| *printed).unwrap_or(usize::MAX);
    let is_terminal = text.lines().next_back().is_some_and(is_prompt)
        && n_printed * 2 > paragraphs.iter().map(|(lines, _)| lines.len()).sum();
    let kinds: Vec<bool> = paragraphs.iter().map(|(_, printed)| *printed).collect();
    let mut settled: Vec<usize> = Vec::new();
    for (n, (range, printed)) in paragraphs.iter().enumerate() {
        let before = n > 0 && kinds.get(n - 1) == Some(&true);
        let after = kinds.get(n + 1) == Some(&true);
        let mut range = range.clone();
        if is_terminal && n > first {
        } else if *printed {
            while !before && range.start < range.end && is_sentence(line_at(range.start)) {
                range.start += 1;
            }
            while !after && range.start < range.end && is_sentence(line_at(range.end - 1)) {
                range.end -= 1;
            }
        } else if !before
            || !after && n + 1 < kinds.len()
            || range.clone().any(|n| is_sentence(line_at(n)) || is_item(line_at(n)))
        {
            continue;
        }
        settled.extend(range);
    }
    for n in settled {
        if let Some((_, printed)) = lines.get_mut(n) {
            *printed = true;
        }
    }
    lines
}

/// Where each fence and each closing tag is found last.
fn last_closers(text: &str) -> HashMap<&str, usize> {
    let tags = text.match_indices("</").filter_map(|(at, _)| {
        let tag = text.get(at..)?;
        let end = tag.char_indices().take(64).find(|(_, c)| *c == '>')?.0;
        Some((tag.get(..=end)?, at))
    });
    let fences = ["```", "~~~"].into_iter().filter_map(|fence| Some((fence, text.rfind(fence)?)));
    tags.chain(fences).collect()
}

/// What closes the fence or the attachment that `line` opens.
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

/// Whether `line` is a shell's prompt without a command.
fn is_prompt(line: &str) -> bool {
    let line = line.trim();
    line.ends_with(['$', '#', '>', '%'])
        && line.len() < 80
        && !line.contains(". ")
        && (line.len() < 4 || line.contains(['@', '-', '~', '/', ':', '>']))
}

/// Whether `line` has the form of what programs print.
fn is_output(line: &str) -> bool {
    let trimmed = line.trim();
    let signs = trimmed.chars().filter(|c| "{}[]<>=|\\;$_#&*+/".contains(*c)).count();
    let n_letters = trimmed.chars().filter(|c| c.is_alphabetic()).count();
    let bracketed = |open, close| trimmed.starts_with(open) && trimmed.ends_with(close);
    let indented = line.starts_with("    ") || line.starts_with('\t');
    let kind = || Kind::of(trimmed);
    is_prompt(trimmed)
        || n_letters == 0
        || bracketed('[', ']')
        || bracketed('(', ')') && trimmed.contains(['/', ':'])
        || !is_item(line)
            && (signs * 6 > n_letters && trimmed.contains(char::is_whitespace)
                || indented && !is_sentence(line)
                || matches!(kind(), Kind::Json | Kind::Diff | Kind::Log | Kind::Listing | Kind::Code)
                    && !is_sentence(line))
}

/// Whether `line` is one of a list of wishes.
fn is_item(line: &str) -> bool {
    let line = line.trim();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let body = if rest.len() < line.len() {
        rest.strip_prefix(". ").or(rest.strip_prefix(") "))
    } else {
        ["- ", "* ", "• ", "> "].iter().find_map(|sign| line.strip_prefix(sign))
    };
    body.is_some_and(|body| words_in(body) > 1 && mostly_words(body))
}

/// Whether `line` is what a person says: words, and an end of a sentence, or no numbers or paths either.
fn is_sentence(line: &str) -> bool {
    let line = line.trim();
    let dense = line.chars().any(|c| matches!(c, '\u{3040}'..='\u{9fff}'));
    let ends = line.ends_with(['.', '?', '!', '。', '？', '！']) && !line.ends_with("..");
    let plain = !line.contains(|c: char| c.is_ascii_digit()) && !line.contains(['/', '\\', '_', '=']);
    let starts = line.starts_with(|c: char| c.is_alphabetic() || "\"'“¿¡@`".contains(c));
    let stated = line.split_once(": ").is_some_and(|(name, _)| {
        !name.contains(' ')
            && (name.ends_with("Error")
                || name.ends_with("Exception")
                || name.chars().all(|c| c.is_uppercase()))
    });
    starts
        && (dense || words_in(line) > 2 || words_in(line) > 1 && ends)
        && mostly_words(line)
        && (ends || plain)
        && !stated
        && !line.starts_with("at ")
}

fn words_in(line: &str) -> usize {
    line.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count()
}

/// Whether most of what stands between the spaces of `line` is words, and few signs are in it.
fn mostly_words(line: &str) -> bool {
    let is_word = |word: &&str| {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation() || "“”’…".contains(c));
        !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || "'’-".contains(c))
    };
    let all = line.split_whitespace().count();
    let code = line.contains("::")
        || line.contains("();")
        || line.ends_with([';', '{', '}', ',']) && line.contains(['(', '=', '{']);
    !code && line.split_whitespace().filter(is_word).count() * 10 >= all * 6
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, clippy::unwrap_used, clippy::print_stdout, reason = "tests fail by panicking")]

    use super::*;

    #[test]
    fn dump() {
        let Ok(path) = std::env::var("SPEECH_FILE") else { return };
        for text in std::fs::read_to_string(path).unwrap().split('\u{1}') {
            let said: usize = spoken(text).into_iter().map(ByteRange::len).sum();
            println!("===== {} of {} printed={}", said, text.len(), is_printed(text));
            let mut at = 0;
            for part in spoken(text) {
                println!(
                    "--cut {:?}",
                    text.get(at..part.start()).unwrap().chars().take(150).collect::<String>()
                );
                println!("  SAY {}", part.of(text).unwrap().chars().take(300).collect::<String>());
                at = part.end();
            }
            println!("--cut {:?}", text.get(at..).unwrap().chars().take(150).collect::<String>());
        }
    }
}
