//! The ends of the pieces of the published patterns.
//!
//! The patterns (OpenAI, `tiktoken_ext/openai_public.py`) divide a text into pieces, and tokens never cross the end of
//! a piece. Each is a list of alternatives, of which the first that matches counts, read here without backtracking.
//! Each function shows the alternatives that it implements; the tests compare it with the patterns themselves.
//!
//! Everything is read byte by byte from valid UTF-8; `at` is always the start of a character or the end of the text.

use super::tables::{
    ascii_classes,
    class::{FEED, LETTER, LOWER, NUMBER, SPACE, UPPER},
    classes,
};
use contextfit_kernel::Values;

/// Letters without case, and marks.
const CASELESS: u8 = UPPER | LOWER;

/// The end of the piece of `o200k_base` at `at`, which is not the end of the text.
#[inline(always)]
pub(super) fn o200k(text: &[u8], at: usize) -> usize {
    let (first, len) = character(text, at);
    if first & LETTER != 0 {
        let end = cased(text, at).unwrap_or_else(|| run(text, at, UPPER));
        return contraction(text, end);
    }
    if first & (NUMBER | FEED) != 0 {
        return other(text, at, (first, len), b'/');
    }
    // One character before the letters; if it is a mark, it may also be one of them.
    let (second, _) = character(text, at + len);
    if second & CASELESS != 0
        && let Some(end) = cased(text, at + len)
    {
        return contraction(text, end);
    }
    if first & CASELESS != 0 {
        return contraction(text, at + len);
    }
    match second & UPPER {
        0 => other(text, at, (first, len), b'/'),
        _ => contraction(text, run(text, at + len, UPPER)),
    }
}

/// The end of the piece of `cl100k_base` at `at`, which is not the end of the text.
#[inline(always)]
pub(super) fn cl100k(text: &[u8], at: usize) -> usize {
    let end = contraction(text, at);
    if end > at {
        return end;
    }
    let (first, len) = character(text, at);
    if first & (NUMBER | FEED) == 0 {
        let end = run(text, at + len, LETTER);
        if first & LETTER != 0 || end > at + len {
            return end;
        }
    }
    other(text, at, (first, len), b'\n')
}

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`. If it fails, `[..]+[..]*` is a run of the first.
#[inline(always)]
fn cased(text: &[u8], mut at: usize) -> Option<usize> {
    // The end of the last character that is in both classes, which the first can give back to the second.
    let mut end = None;
    loop {
        let (class, len) = character(text, at);
        if class & UPPER == 0 {
            return if class & LOWER != 0 { Some(run(text, at + len, LOWER)) } else { end };
        }
        at += len;
        if class & LOWER != 0 {
            end = Some(at);
        }
    }
}

/// The end of `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`
#[inline(always)]
fn contraction(text: &[u8], at: usize) -> usize {
    if byte(text, at) == b'\'' { contraction_after_quote(text, at) } else { at }
}

fn contraction_after_quote(text: &[u8], at: usize) -> usize {
    let (first, second) = (byte(text, at + 1), byte(text, at + 2));
    match (first.to_ascii_lowercase(), second.to_ascii_lowercase()) {
        (b's' | b't' | b'm' | b'd', _) => at + 2,
        (b'r' | b'v', b'e') | (b'l', b'l') => at + 3,
        // U+017F, the long s, is `s` in another case.
        (0xC5, 0xBF) => at + 3,
        _ => at,
    }
}

/// `\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`, with `also` for the slash.
fn other(text: &[u8], at: usize, (first, len): (u8, usize), also: u8) -> usize {
    if first & NUMBER != 0 {
        return numbers(text, at + len);
    }
    let start = at + usize::from(byte(text, at) == b' ');
    let mut end = start;
    while let (class, len @ 1..) = character(text, end)
        && class & (LETTER | NUMBER | SPACE) == 0
    {
        end += len;
    }
    if end == start {
        return space(text, at);
    }
    while end < text.len() && (matches!(byte(text, end), b'\r' | b'\n') || byte(text, end) == also) {
        end += 1;
    }
    end
}

/// The end of up to two more numbers.
fn numbers(text: &[u8], mut at: usize) -> usize {
    for _ in 0..2 {
        let (class, len) = character(text, at);
        if class & NUMBER == 0 {
            break;
        }
        at += len;
    }
    at
}

/// `\s*[\r\n]+|\s+(?!\S)|\s+`
fn space(text: &[u8], at: usize) -> usize {
    let (mut end, mut last, mut feed) = (at, at, at);
    while let (class, len) = character(text, end)
        && class & SPACE != 0
    {
        last = end;
        end += len;
        if class & FEED != 0 {
            feed = end;
        }
    }
    if feed > at {
        feed
    } else if end == text.len() || last == at {
        end
    } else {
        // The last white space belongs to the next piece.
        last
    }
}

/// The end of the characters from `at` on that have a class in `mask`.
#[inline(always)]
fn run(text: &[u8], mut at: usize, mask: u8) -> usize {
    loop {
        let (class, len) = character(text, at);
        if class & mask == 0 {
            return at;
        }
        at += len;
    }
}

/// The classes of the character at `at` and its length in bytes; both are 0 at the end.
#[inline(always)]
fn character(text: &[u8], at: usize) -> (u8, usize) {
    match text.get(at) {
        None => (0, 0),
        Some(&lead) if lead < 0x80 => (ascii_classes(lead), 1),
        Some(&lead) => wide(text, at, lead),
    }
}

#[inline]
fn wide(text: &[u8], at: usize, lead: u8) -> (u8, usize) {
    let lead = u32::from(lead);
    let tail = |n: usize| u32::from(byte(text, at + n) & 0x3F);
    let (character, len) = match lead {
        0..0xE0 => ((lead & 0x1F) << 6 | tail(1), 2),
        0xE0..0xF0 => ((lead & 0x0F) << 12 | tail(1) << 6 | tail(2), 3),
        _ => ((lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4),
    };
    (classes(character), len)
}

/// The byte at `at`; 0 at the end.
#[inline(always)]
fn byte(text: &[u8], at: usize) -> u8 {
    text.at(at)
}

#[cfg(test)]
mod tests {
    use std::env;

    use regex::Regex;

    use super::*;

    const WORD: &str = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+";
    const CAPITALS: &str = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*";
    const CONTRACTION: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)";

    /// The end of the first piece of `text`. The patterns are anchored and lack their look-ahead, `\s+(?!\S)`.
    fn end(pattern: &Regex, text: &str) -> usize {
        let piece = pattern.find(text).unwrap().as_str();
        let is_blank = piece.chars().all(|c| c.is_whitespace() && c != '\r' && c != '\n');
        let (last, _) = piece.char_indices().next_back().unwrap();
        if is_blank && last > 0 && piece.len() < text.len() { last } else { piece.len() }
    }

    /// All strings up to a length, which `CONTEXTFIT_WORDS` sets, of a character or two of each class and of all
    /// characters that the patterns name.
    #[test]
    fn pieces_end_where_the_patterns_say() {
        const CHARACTERS: [char; 20] = [
            'a', 'A', 'ʰ', '\u{301}', '1', ' ', '\u{a0}', '\n', '\r', '/', '!', '\'', 's', 'L', 'l', 'e',
            'R', 'ſ', 'ǅ', '中',
        ];
        let longest = env::var("CONTEXTFIT_WORDS").map_or(4, |number| number.parse().unwrap());
        let o200k_pattern = Regex::new(&format!(
            r"\A(?:[^\r\n\p{{L}}\p{{N}}]?{WORD}{CONTRACTION}?|[^\r\n\p{{L}}\p{{N}}]?{CAPITALS}{CONTRACTION}?|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|\s+)"
        ))
        .unwrap();
        let cl100k_pattern = Regex::new(&format!(
            r"\A(?:{CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s*[\r\n]+|\s+)"
        ))
        .unwrap();
        for length in 1..=longest {
            for number in 0..CHARACTERS.len().pow(length) {
                let place = |n| CHARACTERS[number / CHARACTERS.len().pow(n) % CHARACTERS.len()];
                let word: String = (0..length).map(place).collect();
                assert_eq!(o200k(word.as_bytes(), 0), end(&o200k_pattern, &word), "o200k_base: {word:?}");
                assert_eq!(cl100k(word.as_bytes(), 0), end(&cl100k_pattern, &word), "cl100k_base: {word:?}");
            }
        }
    }
}
