//! Whether a line reads like prose.

/// How much of a line is examined, in bytes: about forty words.
const SAMPLE: usize = 256;

/// Whether the first 256 bytes of `line` have at least eight words, three quarters of them letters followed by nothing
/// but a stop; or are at least half non-ASCII letters, which no programming language is written in. Constant time.
#[must_use]
pub fn reads_like_prose(line: &str) -> bool {
    let line = line.get(..line.floor_char_boundary(SAMPLE)).unwrap_or(line);
    if !line.is_ascii() {
        let chars = line.chars().count();
        // Each has one lead byte; usually there are far too few.
        let beyond = line.bytes().filter(|byte| *byte >= 0xC0).count();
        let wide = || line.chars().filter(|c| !c.is_ascii() && c.is_alphabetic()).count();
        if beyond * 2 > chars && wide() * 2 > chars {
            return true;
        }
    }
    let (mut all, mut plain) = (0, 0);
    let mut word = |part: Part, start: usize, end: usize| match part {
        Part::Gap => {}
        Part::Opening | Part::Other => all += 1,
        Part::Letters | Part::Closing => (all, plain) = (all + 1, plain + 1),
        // Non-ASCII white space separates words too.
        Part::Wide => {
            for word in line.get(start..end).unwrap_or_default().split_whitespace() {
                (all, plain) = (all + 1, plain + usize::from(is_plain(word)));
            }
        }
    };
    let (mut part, mut start) = (Part::Gap, 0);
    for (at, &byte) in line.as_bytes().iter().enumerate() {
        let next = part.next(byte);
        if next == Part::Gap {
            word(part, start, at);
            start = at + 1;
        }
        part = next;
    }
    word(part, start, line.len());
    all >= 8 && plain * 4 >= all * 3
}

/// A part of an ASCII word: brackets and quotes, letters with hyphens and apostrophes, stops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Between words.
    Gap,
    Opening,
    Letters,
    Closing,
    /// The word is not a plain one.
    Other,
    /// The word is not ASCII.
    Wide,
}

/// [`Part::then`] for every part and byte, so that a byte costs one look-up.
static NEXT: [[Part; 256]; 6] = {
    const fn row(part: Part) -> [Part; 256] {
        let mut row = [Part::Gap; 256];
        let mut rest: &mut [Part] = &mut row;
        let mut byte = 0u8;
        while let Some((next, behind)) = rest.split_first_mut() {
            *next = part.then(byte);
            byte = byte.wrapping_add(1);
            rest = behind;
        }
        row
    }
    [
        row(Part::Gap),
        row(Part::Opening),
        row(Part::Letters),
        row(Part::Closing),
        row(Part::Other),
        row(Part::Wide),
    ]
};

impl Part {
    /// The part that `byte` belongs to after this one, by the table.
    fn next(self, byte: u8) -> Self {
        NEXT.get(self as usize).and_then(|row| row.get(usize::from(byte))).copied().unwrap_or(self)
    }

    /// The part that `byte` belongs to after this one.
    const fn then(self, byte: u8) -> Self {
        match (byte, self) {
            (b'a'..=b'z' | b'A'..=b'Z' | b'-', Self::Gap | Self::Opening | Self::Letters)
            | (b'\'', Self::Letters) => Self::Letters,
            (b'\t'..=b'\r' | b' ', _) => Self::Gap,
            (0x80.., _) | (_, Self::Wide) => Self::Wide,
            (b'"' | b'\'' | b'(', Self::Gap | Self::Opening) => Self::Opening,
            (b'.' | b',' | b';' | b':' | b'!' | b'?' | b'"' | b')', Self::Letters | Self::Closing)
            | (b'\'', Self::Closing) => Self::Closing,
            _ => Self::Other,
        }
    }
}

/// Whether `word` consists of letters, hyphens and apostrophes within brackets, quotes and stops.
fn is_plain(word: &str) -> bool {
    let bare =
        word.trim_start_matches(['"', '\'', '“', '‘', '(']).trim_end_matches(|c| ".,;:!?\"'”’)".contains(c));
    !bare.is_empty() && bare.chars().all(|c| c.is_alphabetic() || c == '\'' || c == '’' || c == '-')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(line: &str, expect: bool) {
        assert_eq!(reads_like_prose(line), expect, "{line:?}");
    }

    #[test]
    fn lines() {
        check("It lies on a wide river, and has two schools.", true);
        check("  (\"It lies on a well-known river\"), she said: twice!", true);
        check("It lies on a river.", false);
        check("let x = f(a.b, c[d], 1) + 2 * 3 - y;", false);
        check("Er wohnt in Köln, „am Rhein“, seit vielen Jahren schon.", true);
        check("価格は予算の範囲内です", true);
        check("", false);
    }

    #[test]
    fn long_lines_are_told_by_their_beginning() {
        let (prose, code) = ("It lies on a wide river, and has two schools. ", "let x = f(a.b, c[d], 1); ");
        check(&(prose.repeat(6) + &code.repeat(60)), true);
        check(&(code.repeat(12) + &prose.repeat(60)), false);
        check(&format!("{}{}", "価格は予算の範囲内です。".repeat(20), code.repeat(60)), true);
    }

    proptest! {
        /// ASCII words are classified by their parts as all words are by their characters.
        #[test]
        fn plain_words(word in "[a-cX'\"().,;:!?1_-]{1,8}") {
            let part = word.bytes().fold(Part::Gap, Part::then);
            prop_assert_eq!(matches!(part, Part::Letters | Part::Closing), is_plain(&word), "{}", word);
        }
    }
}
