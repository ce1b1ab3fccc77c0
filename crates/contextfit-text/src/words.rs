//! Words, the units in which relevance is measured.

use std::str::Chars;

use unicode_normalization::char::is_combining_mark;

/// The words of `text`, unchanged; [`Analyzer`](crate::Analyzer) folds them into terms.
///
/// A word is a run of letters with their accents, or of digits. Identifiers are divided into their words: at changes of
/// case (`maxLength`, `HTTPServer`), at `_` and `-`, and between letters and digits (`utf8`). Scripts without spaces
/// between words (Han, Kana, Hangul, Thai, Lao, Khmer, Burmese) yield overlapping pairs of characters.
///
/// Linear in the length of the text; allocates nothing.
///
/// ```
/// let words: Vec<_> = contextfit_text::words("fn max_length(HTTPServer s) -> utf8").collect();
/// assert_eq!(words, ["fn", "max", "length", "HTTP", "Server", "s", "utf", "8"]);
/// ```
#[must_use]
pub const fn words(text: &str) -> Words<'_> {
    Words { text, at: 0, paired: false }
}

/// Whether `word` looks like a name in programs or catalogues rather than a word of a language: whether it has letters,
/// and an underscore, a digit, or a capital after a lowercase letter. Linear in its length.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::is_made_up;
///
/// assert!(["max_len", "HashMap", "utf8"].into_iter().all(is_made_up) && !["Map", "LGTM", "42"].into_iter().any(is_made_up));
/// ```
#[must_use]
pub fn is_made_up(word: &str) -> bool {
    let has_letter = word.contains(char::is_alphabetic);
    let mut chars = word.chars();
    let mut last = chars.next().unwrap_or(' ');
    let humps = chars.any(|c| std::mem::replace(&mut last, c).is_lowercase() && c.is_uppercase());
    has_letter && (word.contains('_') || humps || word.bytes().any(|byte| byte.is_ascii_digit()))
}

/// The iterator that [`words`] returns.
#[derive(Debug, Clone)]
pub struct Words<'a> {
    text: &'a str,
    at: usize,
    /// Whether the character at `at` was already the second of a pair.
    paired: bool,
}

/// The role of a character in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// A letter that is not a capital.
    Lower,
    Upper,
    Digit,
    /// A letter of a script without spaces between words.
    Dense,
    /// An accent or vowel sign, which belongs to the character before it.
    Mark,
    Other,
    /// A byte of a non-ASCII character, which must be examined as a whole.
    Wide,
}

impl Class {
    /// The class of a byte of text.
    const fn of_byte(byte: u8) -> Self {
        match byte {
            b'a'..=b'z' => Self::Lower,
            b'A'..=b'Z' => Self::Upper,
            b'0'..=b'9' => Self::Digit,
            0x80.. => Self::Wide,
            _ => Self::Other,
        }
    }

    fn of(c: char) -> Self {
        match c {
            '\0'..='\x7F' => Self::of_byte(c as u8),
            _ if is_dense(c) => Self::Dense,
            _ if c.is_uppercase() => Self::Upper,
            _ if c.is_alphabetic() => Self::Lower,
            _ if c.is_numeric() => Self::Digit,
            _ if is_combining_mark(c) => Self::Mark,
            _ => Self::Other,
        }
    }
}

/// Whether `c` belongs to a script without spaces between words, or to Hangul, whose words carry their particles.
const fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{e01}'..='\u{e4e}' | '\u{e81}'..='\u{ece}' | '\u{1000}'..='\u{1049}' | '\u{1780}'..='\u{17d3}'
        | '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{2fdf}' | '々' | '〇' | '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}' | 'ー'..='\u{318f}' | '\u{31a0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}'
        | '\u{20000}'..='\u{3ffff}')
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    #[inline]
    fn next(&mut self) -> Option<&'a str> {
        loop {
            let bytes = self.text.as_bytes().get(self.at..)?;
            let start = bytes.iter().position(|&byte| Class::of_byte(byte) != Class::Other)?;
            let bytes = bytes.get(start..)?;
            self.at += start;
            let len = ascii_word(bytes);
            // A word next to a non-ASCII character is read character by character.
            if len > 0 && bytes.get(len).is_none_or(u8::is_ascii) {
                let start = self.at;
                self.at += len;
                self.paired = false;
                return self.text.get(start..self.at);
            }
            if let Some(word) = self.next_wide() {
                return Some(word);
            }
        }
    }
}

/// The length of the word at the start of `bytes`, as far as it is ASCII.
#[inline]
fn ascii_word(bytes: &[u8]) -> usize {
    let run = |kind: fn(&u8) -> bool| bytes.iter().position(|byte| !kind(byte)).unwrap_or(bytes.len());
    match bytes.first().copied().map(Class::of_byte) {
        Some(Class::Lower) => small_letters(bytes),
        Some(Class::Digit) => run(u8::is_ascii_digit),
        Some(Class::Upper) => {
            let capitals = run(u8::is_ascii_uppercase);
            match bytes.get(capitals) {
                // `Server`, or the last capital of `HTTPServer`.
                Some(b'a'..=b'z') if capitals == 1 => 1 + small_letters(bytes.get(1..).unwrap_or_default()),
                // `NGOs`
                Some(b's') if is_plural(bytes, capitals) => capitals + 1,
                Some(b'a'..=b'z') => capitals - 1,
                _ => capitals,
            }
        }
        _ => 0,
    }
}

/// The number of lowercase ASCII letters at the start of `bytes`. They are most of any text, so eight are read at once.
fn small_letters(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((eight, behind)) = rest.split_first_chunk() {
        let small = small_letters_of(*eight);
        if small < 8 {
            return bytes.len() - rest.len() + small;
        }
        rest = behind;
    }
    let small = rest.iter().position(|byte| !byte.is_ascii_lowercase()).unwrap_or(rest.len());
    bytes.len() - rest.len() + small
}

/// The number of lowercase ASCII letters at the start of eight bytes.
const fn small_letters_of(bytes: [u8; 8]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * EACH;
    // Without the highest bits, no byte carries into the next.
    let word = u64::from_le_bytes(bytes);
    let low = word & !HIGH;
    let from_a = low + (0x80 - b'a' as u64) * EACH;
    let past_z = low + (0x7F - b'z' as u64) * EACH;
    let others = HIGH & !(from_a & !past_z & !word);
    (others.trailing_zeros() / 8) as usize
}

impl<'a> Words<'a> {
    /// The word at the current position, by the classes of its characters; `None` if none begins right here.
    #[inline(never)]
    fn next_wide(&mut self) -> Option<&'a str> {
        let text = self.text.get(self.at..)?;
        let mut chars = text.chars();
        let first = chars.next()?;
        let class = Class::of(first);
        match class {
            Class::Other | Class::Mark | Class::Wide => {
                self.paired = false;
                self.at += first.len_utf8();
                None
            }
            Class::Dense => self.next_pair(text, first, &chars),
            Class::Upper | Class::Lower | Class::Digit => {
                let end = word_end(text, class);
                self.paired = false;
                self.at += end;
                text.get(..end)
            }
        }
    }

    /// The pair that begins with `first`, or `first` alone if it has no neighbour on either side.
    fn next_pair(&mut self, text: &'a str, first: char, rest: &Chars<'_>) -> Option<&'a str> {
        let second = rest.clone().next().filter(|&c| Class::of(c) == Class::Dense);
        let alone = !self.paired;
        self.at += first.len_utf8();
        self.paired = second.is_some();
        match second {
            Some(second) => text.get(..first.len_utf8() + second.len_utf8()),
            None => alone.then(|| text.get(..first.len_utf8())).flatten(),
        }
    }
}

/// Whether the plural ending of an abbreviation is at `at`: an `s` and no other lowercase letter.
fn is_plural(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b's') && !bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase)
}

/// The end of the word of class `first` at the start of `text`.
fn word_end(text: &str, first: Class) -> usize {
    // The class of the previous character, and the position of the last capital.
    let (mut before, mut capital) = (first, 0);
    let mut chars = text.char_indices();
    chars.next();
    for (at, c) in chars {
        let class = Class::of(c);
        match (before, class) {
            (_, Class::Mark) => continue,
            (Class::Upper, Class::Upper) => capital = at,
            // `Server`, or the last capital of `HTTPServer`.
            (Class::Upper, Class::Lower) if capital == 0 => {}
            (Class::Upper, Class::Lower) => return capital,
            (Class::Lower, Class::Lower) | (Class::Digit, Class::Digit) => {}
            _ => return at,
        }
        before = class;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        assert_eq!(words(text).collect::<Vec<_>>(), expect, "{text:?}");
    }

    #[test]
    fn small_letters_of_ascii() {
        for byte in 0..=u8::MAX {
            let small = usize::from(byte.is_ascii_lowercase());
            assert_eq!(
                small_letters_of([b'a', b'z', byte, b'a', 0, b'a', b'a', b'a']),
                2 + 2 * small,
                "{byte}"
            );
            assert_eq!(
                small_letters_of([b'm', b'm', b'm', b'm', b'm', b'm', b'm', byte]),
                7 + small,
                "{byte}"
            );
        }
    }

    #[test]
    fn divided() {
        check("", &[]);
        check("...", &[]);
        check("networks.", &["networks"]);
        check("kebab-case snake_case", &["kebab", "case", "snake", "case"]);
        check("parseHTTPHeaders2", &["parse", "HTTP", "Headers", "2"]);
        check("the NGOs' URLs (IDs)", &["the", "NGOs", "URLs", "IDs"]);
        check("ID x86_64 3D", &["ID", "x", "86", "64", "3", "D"]);
        check("größeÄndern ÜBERGröße", &["größe", "Ändern", "ÜBER", "Größe"]);
        check("предел_бюджета ПределБюджета", &["предел", "бюджета", "Предел", "Бюджета"]);
        check("cafe\u{301}s e\u{301}tude", &["cafe\u{301}s", "e\u{301}tude"]);
        check("हिन्दी भाषा", &["हिन्दी", "भाषा"]);
        check("مرحبا بالعالم", &["مرحبا", "بالعالم"]);
        check("a—b “c”", &["a", "b", "c"]);
    }

    #[test]
    fn paired() {
        check("中", &["中"]);
        check("中文 字", &["中文", "字"]);
        check("東京タワー。高さ", &["東京", "京タ", "タワ", "ワー", "高さ"]);
        check("GPT模型v2", &["GPT", "模型", "v", "2"]);
        check("한국어", &["한국", "국어"]);
    }

    proptest! {
        /// Words are in order; letters and digits are in words, and nothing else is, except accents.
        #[test]
        fn every_letter_is_in_a_word(text in ".{0,60}|[a-zA-Z0-9_ éÀ中文]{0,40}") {
            let mut last = 0;
            let mut covered = 0;
            for word in words(&text) {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                prop_assert!(start >= last && !word.is_empty());
                prop_assert!(word.chars().all(|c| Class::of(c) != Class::Other));
                prop_assert!(text.get(covered.min(start)..start).unwrap().chars().all(|c| matches!(Class::of(c), Class::Other | Class::Mark)));
                last = start;
                covered = covered.max(start + word.len());
            }
            prop_assert!(text.get(covered..).unwrap().chars().all(|c| matches!(Class::of(c), Class::Other | Class::Mark)));
        }
    }
}
