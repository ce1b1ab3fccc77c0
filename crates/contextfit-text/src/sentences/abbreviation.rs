//! Stops that belong to a word and not to its sentence.

use crate::natural_language::WORDS;

/// What closes after a stop.
pub(super) const CLOSING: [char; 14] =
    ['"', '\'', ')', ']', '}', '”', '’', '»', '›', '」', '』', '）', '】', '》'];

/// Whether the stop at the end of `sentence` is part of its last word, so that the sentence continues with `next`.
///
/// The word and what follows it decide. Failing to break costs a few tokens; breaking wrongly shows half a sentence as
/// if it were whole. So if a word may carry a stop, only a common first word after it ends the sentence.
pub(super) fn keeps_its_stop(sentence: &str, next: &str) -> bool {
    // ablate: text.abbreviations => false
    let words = sentence.trim_end_matches(CLOSING);
    if let Some(body) = words.strip_suffix('!') {
        return WORDS.list("names with an exclamation mark").has(last_word(body)) && starter(next).is_none();
    }
    let Some(body) = words.strip_suffix('.').filter(|body| !body.ends_with('.')) else { return false };
    let word = last_word(body);
    let before = body.get(..body.len() - word.len()).unwrap_or_default();
    if word.is_empty() {
        return false;
    }
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return is_ordinal(before, word, next);
    }
    if WORDS.list("abbreviations before a number").has(word) {
        return next.trim_start_matches(['(', '[', '#']).starts_with(|c: char| c.is_numeric());
    }
    if WORDS.list(INSIDE).has(word) || is_spaced(before, word) {
        return words.len() == sentence.len() || starter(next).is_none();
    }
    let initial = is_letter(word);
    if !(initial || WORDS.list("abbreviations at the end or inside").has(word) || is_shortened(word)) {
        return false;
    }
    starter(next).is_none_or(|starter| initial && WORDS.list("name particles").has(starter))
}

/// Words whose stop never ends a sentence.
const INSIDE: &str = "abbreviations inside a sentence";

/// The last word of `text`, with the full stops and hyphens inside it; empty if it is too long to be an abbreviation.
fn last_word(text: &str) -> &str {
    const MAX_CHARS: usize = 10;
    let ascii = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let part = |c: &char| c.is_alphanumeric() || matches!(c, '.' | '-');
    let mut len = text.bytes().rev().take(MAX_CHARS).take_while(ascii).count();
    // Letters that are not ASCII may come before those.
    if len < MAX_CHARS && text.bytes().rev().nth(len).is_some_and(|byte| !byte.is_ascii()) {
        len = text.chars().rev().take(MAX_CHARS).take_while(part).map(char::len_utf8).sum();
    }
    let word = text.get(text.len() - len..).unwrap_or_default().trim_start_matches(['.', '-']);
    // Most words have fewer bytes.
    if word.len() >= MAX_CHARS && word.chars().count() == MAX_CHARS { "" } else { word }
}

/// Whether `word` is the second part of an abbreviation written with a space: `z. B.`
fn is_spaced(before: &str, word: &str) -> bool {
    let Some(first) = before.trim_end().strip_suffix('.').map(last_word) else { return false };
    is_letter(first) && WORDS.list(INSIDE).has(&[first, ".", word].concat())
}

/// Whether `word` is a single letter of an alphabet: an initial.
fn is_letter(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() && c < '\u{900}') && chars.next().is_none()
}

/// Whether `word` is letters with stops between them: `U.S`, `p.m`, `Ph.D`, `J.-C`.
fn is_shortened(word: &str) -> bool {
    let part = |part: &str| {
        let letters = part.chars().take(4).count();
        let limit = if part.starts_with(char::is_uppercase) { 3 } else { 2 };
        (1..=limit).contains(&letters) && part.chars().all(char::is_alphabetic)
    };
    word.contains('.') && word.split('.').all(|piece| part(piece.trim_start_matches('-')))
}

/// Whether `number`, which is followed by a stop, is an ordinal (in German: `am 3. Mai`, `der 2. Weltkrieg`), or
/// numbers what follows because nothing comes before it.
fn is_ordinal(before: &str, number: &str, next: &str) -> bool {
    let alone = before.len() <= 16 && !before.contains(char::is_alphanumeric);
    let before = before.trim_end();
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let german = || {
        let capital = next.starts_with(char::is_uppercase);
        WORDS.list("months after an ordinal").has(first_word(next))
            || capital && starter(next).is_none() && WORDS.list("words before an ordinal").has(word)
    };
    number.len() <= 3 && alone || number.len() <= 2 && german()
}

/// Whether `line` ends in an abbreviation that never ends a sentence.
pub(crate) fn ends_in_bound_word(line: &str) -> bool {
    line.strip_suffix('.').is_some_and(|body| WORDS.list(INSIDE).has(last_word(body)))
}

/// The letters that `text` begins with.
fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default()
}

/// The first word of `text` if it is one that sentences begin with.
fn starter(text: &str) -> Option<&str> {
    let text =
        text.trim_start_matches(['"', '\'', '“', '‘', '„', '«', '‹', '»', '¿', '¡', '*', '_']).trim_start();
    let word = first_word(text);
    let behind = text.get(word.len()..).unwrap_or_default();
    // `L'armée`, `It's`; but an initial is a name.
    let elided = behind.starts_with(['\'', '’']) && WORDS.list("elided beginnings").has(word);
    (elided || WORDS.list("sentence beginnings").has(word) && !behind.starts_with('.')).then_some(word)
}
