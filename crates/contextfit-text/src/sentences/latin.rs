//! The sentence breaks of Unicode Standard Annex 29 for Latin and Cyrillic script, written as code. It is ten times as
//! fast as ICU's tables and must find the same breaks.

use memchr::{memchr2, memchr3_iter};

/// The number of bytes examined together.
const CHUNK: usize = 32;

/// Whether the rules cover `text`: Latin and Cyrillic script and, if it is a single line, letters of other scripts in
/// between, as in names and pronunciations. Reads a few gigabytes of ASCII per second.
pub(super) fn covers(text: &str) -> bool {
    let mut is_mixed = false;
    for (chunk, bytes) in text.as_bytes().chunks(CHUNK).enumerate().filter(|(_, bytes)| !bytes.is_ascii()) {
        for (_, at) in bytes.iter().zip(chunk * CHUNK..).filter(|(byte, _)| **byte >= 0xC0) {
            let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { return false };
            if Class::of_wide(c).is_none() {
                if Class::of_foreign(c).is_none() {
                    return false;
                }
                is_mixed = true;
            }
        }
    }
    !is_mixed || memchr2(b'\n', b'\r', text.as_bytes()).is_none()
}

/// The class of a character in the rules of Annex 29 (its property Sentence_Break), as far as these scripts require it.
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
    /// A letter of a script without capitals.
    Letter,
    /// A part of the character before it, such as an accent or a mark of direction.
    Extend,
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
            _ => Self::of_wide(c).or_else(|| Self::of_foreign(c)).unwrap_or(Self::Other),
        }
    }

    /// The class of a non-ASCII character that is usual in these scripts; `None` for all others.
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

    /// The class of a character of another script or of phonetic notation, or of a rarer sign; `None` if these rules do
    /// not cover it.
    fn of_foreign(c: char) -> Option<Self> {
        match c {
            '±' | '−' | '₹' | '§' | '′' | '″' | '¼' | '½' | '¾' | '©' | '®' => {
                Some(Self::Other)
            }
            '\u{300}'..='\u{36f}' | '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => Some(Self::Extend),
            // More of Latin; the phonetic alphabet and its modifiers; Greek.
            'ƀ'..='ǃ' | 'Ǎ'..='ǰ' | 'Ǵ'..='\u{2ff}' | 'Ḁ'..='ỿ' | 'Ά'..='ώ' | 'ἀ'..='ὼ' => {
                Some(match c {
                    _ if c.is_uppercase() => Self::Upper,
                    _ if c.is_lowercase() => Self::Lower,
                    _ if c.is_alphabetic() => Self::Letter,
                    _ => Self::Other,
                })
            }
            '\u{93a}'..='\u{93c}' | '\u{93e}'..='\u{94f}' => Some(Self::Extend),
            'א'..='ת' | 'ऄ'..='ह' | 'ء'..='ي' | 'ٱ'..='ۓ' => Some(Self::Letter),
            'ぁ'..='ゖ' | 'ァ'..='ヺ' | '一'..='鿿' | '가'..='힣' => Some(Self::Letter),
            _ => None,
        }
    }

    /// Whether a character of this class is skipped along with those of class `passed`.
    fn is(self, passed: Self) -> bool {
        self == passed || self == Self::Extend
    }
}

/// Calls `found` after each run of stops in `text`: with the start of the next sentence by Annex 29, or with the end of
/// the stop and `false` if there is no break. The rules must [cover](covers) `text`.
pub(super) fn breaks(text: &str, mut found: impl FnMut(usize, bool)) {
    for stop in memchr3_iter(b'.', b'!', b'?', text.as_bytes()) {
        let Some((head, tail)) = text.split_at_checked(stop + 1) else { return };
        let touching = tail.trim_start_matches(|c| Class::of(c) == Class::Extend);
        let closed = touching.trim_start_matches(|c| Class::of(c).is(Class::Close));
        let behind = closed.trim_start_matches(|c| Class::of(c).is(Class::Space));
        let Some(next) = behind.chars().next().map(Class::of) else { return };
        // SB8a; and SB9 and SB10, by which the break is after the last stop.
        if matches!(next, Class::Continues | Class::FullStop | Class::OtherStop) {
            continue;
        }
        if head.ends_with('.') {
            let before = || head.chars().rev().skip(1).map(Class::of).find(|class| *class != Class::Extend);
            let touching = behind.len() == touching.len();
            let number = touching && next == Class::Numeric; // SB6
            let initial =
                touching && next == Class::Upper && matches!(before(), Some(Class::Upper | Class::Lower)); // SB7
            if number || initial || goes_on_lower(behind) {
                found(stop + 1, false);
                continue;
            }
        }
        found(text.len() - behind.len(), true);
    }
}

/// Whether the first letter of `text`, before any stop, is lowercase (SB8).
fn goes_on_lower(text: &str) -> bool {
    let decides = |class: &Class| {
        matches!(class, Class::Upper | Class::Lower | Class::Letter | Class::FullStop | Class::OtherStop)
    };
    text.chars().map(Class::of).find(decides) == Some(Class::Lower)
}

#[cfg(test)]
mod tests {
    use icu_segmenter::{SentenceSegmenter, options::SentenceBreakInvariantOptions};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        // A text takes some microseconds.
        #![proptest_config(ProptestConfig::with_cases(64 * ProptestConfig::default().cases))]

        /// The written-out rules find the same breaks as ICU.
        #[test]
        fn breaks_are_those_of_icu(
            text in "([A-Ca-c1-2.!?,;: \"')(\\[\\]{}\t-]|[×÷±−…€£₹§°′″·•¹²³¼½¾™©®→№À-ſЀ-џ‘’“”„«»‹›–—\u{a0}]){0,40}x",
            foreign in "([A-Ca-c1-2.!?,;: \"')(-]|[À-ſЀ-џ’“»–\u{a0}]|[\u{300}-\u{36f}\u{200c}-\u{200f}\u{202a}-\u{202e}]\
                |[ƀ-ǃǍ-ǰǴ-\u{2ff}Ḁ-ỿΆ-ώἀ-ὼऄ-ह\u{93a}-\u{93c}\u{93e}-\u{94f}א-תء-يٱ-ۓぁ-ゖァ-ヺ一-鿿가-힣]){0,40}x",
        ) {
            for text in [text, foreign] {
                prop_assert!(covers(&text));
                let mut ours = Vec::new();
                breaks(&text, |at, annex| ours.extend(annex.then_some(at)));
                let segmenter = SentenceSegmenter::new(SentenceBreakInvariantOptions::default());
                let theirs: Vec<usize> = segmenter.segment_str(&text).filter(|&at| at > 0 && at < text.len()).collect();
                prop_assert_eq!(ours, theirs);
            }
        }
    }
}
