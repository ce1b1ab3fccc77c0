//! Repairs to the breaks of Unicode Standard Annex 29.

use super::abbreviation::{CLOSING, keeps_its_stop};
use crate::natural_language::WORDS;

/// Brackets that open and never close.
const OPENING: [char; 9] = ['(', '[', '「', '『', '（', '《', '【', '〈', '〔'];

/// What may come before the first word of a sentence, besides brackets.
const LEADING: [char; 12] = ['"', '\'', '“', '‘', '„', '«', '‹', '»', '¿', '¡', '*', '_'];

/// Stops of the scripts written in lines with spaces, and of Chinese and Japanese.
const STOPS: [char; 16] =
    ['.', '!', '?', '。', '！', '？', '．', '｡', '؟', '۔', '।', '॥', '։', '።', '។', '‽'];

/// Where the sentence of `text` that starts at `last` ends, if it ends near `at`. `annex` says whether Annex 29 has a
/// break there; if not, there is a stop before `at`.
///
/// - Opening brackets belong to the next sentence, closing ones to this one.
/// - No sentence begins with a lowercase letter, except after a bullet, or with an equals sign: `$? = 255`.
/// - Some stops belong to their words: abbreviations, initials, ordinals.
pub(super) fn sentence_end(text: &str, last: usize, at: usize, annex: bool) -> Option<usize> {
    if let Some((head, next)) = usual_end(text, last, at).filter(|_| annex) {
        return (!keeps_its_stop(head, next)).then_some(at - 1);
    }
    // Annex 29 treats opening brackets as closing ones if there is no space between.
    let head = text.get(last..at)?.trim_end().trim_end_matches(OPENING).trim_end();
    let rest = text.get(last + head.len()..)?;
    let words = head.trim_end_matches(CLOSING);
    let (gap, next) = gap(rest);
    if gap.is_empty() {
        // A name: `System.out`, `Node.js`.
        let is_name = next.starts_with(|c: char| c.is_ascii_alphanumeric() || c.is_uppercase());
        // The text of a link and its target: `[Who may vote?](#votes)`.
        let is_link = head.ends_with(']') && next.starts_with(['(', '[']);
        let parts =
            annex && !is_name && !is_link && !goes_on_close(words, head, next) && !keeps_its_stop(head, next);
        return parts.then(|| text.len() - rest.len());
    }
    if gap.contains(['\n', '\r']) && !words.ends_with(STOPS) {
        return None;
    }
    let parts = next.starts_with(['•', '‣', '◦', '▪', '●'])
        || (annex || figure_begins(words, next))
            && !begins_small(next)
            && !next.starts_with('=')
            && !keeps_its_stop(head, next);
    // A line feed belongs to the line it ends.
    let feed = memchr::memrchr(b'\n', gap.as_bytes()).map_or(0, |feed| feed + 1);
    parts.then(|| text.len() - rest.len() + feed)
}

/// The text from `last` through a stop and the text from `at`, if only a space separates them and the second begins
/// with a capital or a digit: most sentences end like this, and only the word before the stop needs examining.
fn usual_end(text: &str, last: usize, at: usize) -> Option<(&str, &str)> {
    let stop = at.checked_sub(2).filter(|&stop| stop >= last)?;
    let [b'.' | b'!' | b'?', b' ', b'A'..=b'Z' | b'0'..=b'9'] = text.as_bytes().get(stop..=at)? else {
        return None;
    };
    Some((text.get(last..at - 1)?, text.get(at..)?))
}

/// The white space that `text` begins with, including the marks of a block quote in it, and the rest.
fn gap(text: &str) -> (&str, &str) {
    let mut next = text.trim_start();
    if next.starts_with('>') && text.get(..text.len() - next.len()).is_some_and(|gap| gap.contains('\n')) {
        next = next.trim_start_matches(|c: char| c == '>' || c.is_whitespace());
    }
    text.split_at_checked(text.len() - next.len()).unwrap_or(("", text))
}

/// Whether the first word of `text` begins with a lowercase letter.
fn begins_small(text: &str) -> bool {
    // ablate: text.small-letter => false
    text.trim_start_matches(OPENING).trim_start_matches(LEADING).starts_with(char::is_lowercase)
}

/// Whether `next` begins a sentence with a figure, as in `35 people came.`, after `words` that end in a common word:
/// Annex 29 sees the lowercase letter after the figure.
fn figure_begins(words: &str, next: &str) -> bool {
    // ablate: text.figure => false
    let common = || words.chars().rev().skip(1).take_while(|c| c.is_lowercase()).take(4).count() == 4;
    let unit = next.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '%'));
    next.starts_with(|c: char| c.is_ascii_digit())
        && words.ends_with('.')
        && unit.strip_prefix(' ').is_some_and(|unit| unit.starts_with(char::is_lowercase))
        && common()
}

/// Whether a quote that closes after a stop is part of a Chinese or Japanese sentence: `「はい。」と彼は言った。`
fn goes_on_close(words: &str, head: &str, next: &str) -> bool {
    // ablate: text.quote-goes-on => false
    if words.len() == head.len() {
        return words.is_ascii() && !words.is_empty() && next.is_ascii();
    }
    let begins = |list: &str| WORDS.list(list).words().any(|word| next.starts_with(word));
    let mut signs = next.char_indices().take(6).take_while(|(_, c)| c.is_alphabetic());
    begins("particles after a quotation") && !begins("words that begin like a particle")
        || signs.any(|(at, c)| {
            WORDS.list("verbs of saying").has(next.get(at..at + c.len_utf8()).unwrap_or_default())
        })
}
