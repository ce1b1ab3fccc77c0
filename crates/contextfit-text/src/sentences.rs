//! Sentences within a line.

use icu_segmenter::{SentenceSegmenter, options::SentenceBreakInvariantOptions};
use memchr::{memchr, memchr3_iter};

/// Calls `found` with the place where each sentence of `line` ends but the last, before the white space behind it.
///
/// The breaks are those of Unicode Standard Annex 29, less those behind an abbreviation and before a small letter. Lines in the Latin script are
/// divided by its rules as written out here, ten times as fast; all others by ICU. Linear in the length of `line`.
pub(crate) fn sentence_ends(line: &str, mut found: impl FnMut(usize)) {
    let mut last = 0;
    let mut take = |at: usize| {
        let (head, behind) = line.split_at_checked(at).unwrap_or((line, ""));
        // Annex 29 takes opening brackets for closing ones where no space stands between.
        let sentence = head.trim_end().trim_end_matches(OPENING);
        // No sentence begins with a small letter: `"Why?" she asked.`
        let goes_on = behind.trim_start().starts_with(char::is_lowercase);
        if sentence.len() > last && !goes_on && !ends_in_abbreviation(sentence) {
            last = sentence.len();
            found(last);
        }
    };
    let body = line.trim_end();
    if is_latin(body) {
        latin_breaks(body, take);
        return;
    }
    let segmenter = SentenceSegmenter::new(SentenceBreakInvariantOptions::default());
    segmenter.segment_str(body).skip(1).filter(|&at| at < body.len()).for_each(&mut take);
}

/// Whether the rules of Annex 29 as written out here are enough for `line`. Some gigabytes a second where it is ASCII.
fn is_latin(line: &str) -> bool {
    let wide = |at: usize| line.get(at..).and_then(|rest| rest.chars().next());
    let usual = |(chunk, bytes): (usize, &[u8])| {
        let leads = bytes.iter().zip(chunk * CHUNK..).filter(|(byte, _)| **byte >= 0xC0);
        bytes.is_ascii() || leads.filter_map(|(_, at)| wide(at)).all(|c| Class::of_latin(c).is_some())
    };
    line.as_bytes().chunks(CHUNK).enumerate().all(usual) && memchr(b'\r', line.as_bytes()).is_none()
}

/// Bytes that are looked at together.
const CHUNK: usize = 32;

/// Brackets that open and never close.
const OPENING: [char; 8] = ['(', '[', '「', '『', '（', '《', '【', '〈'];

/// What a character is to the rules of Annex 29 (its property Sentence_Break), as far as Latin script goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Numeric,
    FullStop,
    OtherStop,
    Continues,
    Close,
    Space,
    Other,
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            'A'..='Z' => Self::Upper,
            'a'..='z' => Self::Lower,
            '0'..='9' => Self::Numeric,
            '.' => Self::FullStop,
            '!' | '?' => Self::OtherStop,
            ',' | '-' | ':' | ';' => Self::Continues,
            '"' | '\'' | '(' | ')' | '[' | ']' | '{' | '}' => Self::Close,
            ' ' | '\t' | '\u{b}' | '\u{c}' => Self::Space,
            _ => Self::of_latin(c).unwrap_or(Self::Other),
        }
    }

    /// The class of a character that is not ASCII but usual in Latin script; `None` for all others.
    fn of_latin(c: char) -> Option<Self> {
        match c {
            '×' | '÷' | '…' | '€' | '£' | '°' | '·' | '•' => Some(Self::Other),
            'À'..='ſ' if c.is_uppercase() => Some(Self::Upper),
            'À'..='ſ' => Some(Self::Lower),
            '‘' | '’' | '“' | '”' | '«' | '»' => Some(Self::Close),
            '–' | '—' => Some(Self::Continues),
            '\u{a0}' => Some(Self::Space),
            _ => None,
        }
    }
}

/// Calls `found` with every break inside `line`, which holds ASCII and [`Class::of_latin`] only and no line end.
fn latin_breaks(line: &str, mut found: impl FnMut(usize)) {
    for stop in memchr3_iter(b'.', b'!', b'?', line.as_bytes()) {
        let Some((head, tail)) = line.split_at_checked(stop + 1) else { return };
        let closed = tail.trim_start_matches(|c| Class::of(c) == Class::Close);
        let behind = closed.trim_start_matches(|c| Class::of(c) == Class::Space);
        let Some(next) = behind.chars().next().map(Class::of) else { return };
        // SB8a, and SB9 and SB10, which leave the break to the last stop.
        if matches!(next, Class::Continues | Class::FullStop | Class::OtherStop) {
            continue;
        }
        if head.ends_with('.') {
            let before = head.chars().rev().nth(1).map(Class::of);
            let touching = behind.len() == tail.len();
            let number = touching && next == Class::Numeric; // SB6
            let initial =
                touching && next == Class::Upper && matches!(before, Some(Class::Upper | Class::Lower)); // SB7
            if number || initial || goes_on_lower(behind) {
                continue;
            }
        }
        found(line.len() - behind.len());
    }
}

/// Whether the first letter of `text`, before any stop, is a lower-case one (SB8).
fn goes_on_lower(text: &str) -> bool {
    let decides =
        |class: &Class| matches!(class, Class::Upper | Class::Lower | Class::FullStop | Class::OtherStop);
    text.chars().map(Class::of).find(decides) == Some(Class::Lower)
}

/// Whether `text` ends in a word that carries its full stop: one or two letters, a word with inner full stops, or a
/// title. Wrongly staying together costs a few tokens; wrongly parting cuts a sentence in two.
fn ends_in_abbreviation(text: &str) -> bool {
    let Some(body) = text.strip_suffix('.') else { return false };
    let word = body.rsplit(|c: char| !(c.is_alphanumeric() || c == '.')).next().unwrap_or_default();
    let short = (1..=2).contains(&word.chars().take(3).count()) && word.chars().all(char::is_alphabetic);
    let inner = word.contains('.') && word.starts_with(char::is_alphabetic);
    short || inner || TITLES.iter().any(|title| title.eq_ignore_ascii_case(word))
}

/// Words that stand before what they belong to.
const TITLES: [&str; 14] =
    ["mrs", "prof", "gen", "gov", "sen", "rep", "capt", "sgt", "col", "rev", "etc", "vol", "fig", "approx"];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// The rules as written out find the breaks that ICU finds.
        #[test]
        fn latin_breaks_are_those_of_icu(line in "([A-Ca-c1-2.!?,;: \"')(\\[\\]{}\t-]|[×…€À-ſ‘’“”«»–—\u{a0}]){0,40}x") {
            let mut ours = Vec::new();
            latin_breaks(&line, |at| ours.push(at));
            let segmenter = SentenceSegmenter::new(SentenceBreakInvariantOptions::default());
            let theirs: Vec<usize> = segmenter.segment_str(&line).filter(|&at| at > 0 && at < line.len()).collect();
            prop_assert_eq!(ours, theirs);
        }
    }
}
