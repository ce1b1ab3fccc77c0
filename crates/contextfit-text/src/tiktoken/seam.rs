//! Seams: places that no piece of either pattern spans.
//!
//! Both patterns divide a text into pieces, and tokens never cross the end of a piece. So the tokens of two parts add
//! up to those of the whole if, whatever text is around them, (1) no piece can contain both the character before and
//! the character after, and (2) no piece before changes if the text after is replaced with the end of the text.
//!
//! The patterns have these pieces, where `N` is a number, and `L` a letter or, in `o200k_base`, a mark:
//!
//! - one optional character that is not a feed, `L` or `N`, then `L`s; in `o200k_base` then optionally `'s`, `'ll`, ...
//! - `'s`, `'ll`, ... alone in `cl100k_base`
//! - one to three `N`s
//! - one optional space, characters that are not white space, `L` or `N`, then feeds; in `o200k_base` slashes too
//! - white space up to and including its last feed
//! - white space, without its last character if something visible follows
//!
//! Only the last of these looks ahead, so (2) can fail only after white space. It holds after the last feed in white
//! space before something visible: the last piece but one takes everything up to that feed in either case. The table in
//! [`parts`] is (1), as far as two characters determine it; [`is_seam`] looks further for the starts of lines.

use super::tables::{
    ascii_classes,
    class::{FEED, LETTER, NUMBER, SPACE},
    classes,
};

/// The class of a character in the patterns, as far as seams are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// A letter.
    Letter,
    /// A number, such as a digit.
    Number,
    /// `'`, which joins a letter before it to letters after it.
    Quote,
    /// `/`, which joins the feeds before it in `o200k_base`.
    Slash,
    /// Not white space, a letter, a number or a mark: punctuation, symbols, control characters.
    Sign,
    /// A line feed or carriage return.
    Feed,
    /// Any other white space.
    Space,
    /// A mark, which is a letter in one pattern and a sign in the other.
    Mark,
}

impl Class {
    /// The class of a character that is the single byte `lead`; `None` if it has several bytes.
    fn of_byte(lead: u8) -> Option<Self> {
        lead.is_ascii().then(|| Self::of_classes(u32::from(lead), ascii_classes(lead)))
    }

    fn of(character: char) -> Self {
        Self::of_classes(character.into(), classes(character.into()))
    }

    #[inline(always)]
    fn of_classes(character: u32, classes: u8) -> Self {
        const QUOTE: u32 = '\'' as u32;
        const SLASH: u32 = '/' as u32;
        match (character, classes) {
            (QUOTE, _) => Self::Quote,
            (SLASH, _) => Self::Slash,
            (_, 0) => Self::Sign,
            (_, classes) if classes & FEED != 0 => Self::Feed,
            (_, classes) if classes & SPACE != 0 => Self::Space,
            (_, classes) if classes & LETTER != 0 => Self::Letter,
            (_, classes) if classes & NUMBER != 0 => Self::Number,
            _ => Self::Mark,
        }
    }
}

/// Whether a piece always ends between a character of class `before` and one of class `after`.
const fn parts(before: Class, after: Class) -> bool {
    use Class::{Feed, Letter, Mark, Number, Quote, Sign, Slash, Space};
    match (before, after) {
        (Space, _) | (Feed, Feed | Space | Slash) => false,
        (Feed, _) | (_, Space) => true,
        (Letter, Feed | Number | Sign | Slash) => true,
        (Number, Feed | Letter | Sign | Slash | Quote) => true,
        (Sign | Slash | Quote, Number) => true,
        (Letter | Number | Sign | Slash | Quote | Mark, _) => false,
    }
}

/// Whether byte `at` of `text` is a seam, whatever is added before and after the text; false at both ends and inside a
/// character. Constant time.
pub(super) fn is_seam(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let Some(before) = at.checked_sub(1).and_then(|last| bytes.get(last)) else { return false };
    let Some(after) = bytes.get(at) else { return false };
    match (Class::of_byte(*before), Class::of_byte(*after)) {
        (Some(before), Some(after)) => parts(before, after) || starts_line(text, at, before, after),
        _ => text.is_char_boundary(at) && is_wide_seam(text, at),
    }
}

/// [`is_seam`] if a character on either side is not ASCII.
fn is_wide_seam(text: &str, at: usize) -> bool {
    let Some((head, tail)) = text.split_at_checked(at) else { return false };
    match (head.chars().next_back().map(Class::of), tail.chars().next().map(Class::of)) {
        (Some(before), Some(after)) => parts(before, after) || starts_line(text, at, before, after),
        _ => false,
    }
}

/// The maximum number of characters examined for the start of a line. Indentation is seldom deeper.
const REACH_CHARS: usize = 64;

/// Whether `at`, after a feed, is a seam that the two characters alone do not show: before indentation with something
/// visible after it, or before a slash if the text before the feeds does not end in a sign.
fn starts_line(text: &str, at: usize, before: Class, after: Class) -> bool {
    let Some((head, tail)) = text.split_at_checked(at) else { return false };
    match (before, after) {
        (Class::Feed, Class::Space) => {
            // Most indentation consists of spaces, which are quick to skip.
            let spaces = tail.bytes().take(REACH_CHARS).take_while(|byte| *byte == b' ').count();
            let behind =
                tail.get(spaces..).unwrap_or_default().chars().take(REACH_CHARS - spaces).map(Class::of);
            let visible = { behind }.find(|class| *class != Class::Space);
            visible.is_some_and(|class| class != Class::Feed)
        }
        (Class::Feed, Class::Slash) => {
            let last =
                head.chars().rev().take(REACH_CHARS).map(Class::of).find(|class| *class != Class::Feed);
            matches!(last, Some(Class::Letter | Class::Number | Class::Space))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `text` with a bar at every seam.
    #[track_caller]
    fn check(text: &str, expect: &str) {
        let mut shown = String::new();
        for (at, character) in text.char_indices() {
            if is_seam(text, at) {
                shown.push('|');
            }
            shown.push(character);
        }
        assert_eq!(shown, expect);
    }

    #[test]
    fn words_end_at_white_space_and_marks() {
        check("one two  three\tfour", "one| two|  three|\tfour");
        check("f(x, y1) + 3.5", "f|(x|,| y|1|)| +| 3|.|5");
        check("don't 5's it's", "don't| 5|'s| it's");
        check("camelCase snake_case", "camelCase| snake|_case");
    }

    #[test]
    fn feeds_part_lines() {
        check("a\nb\n\nd;\r\nf\n", "a|\n|b|\n\n|d|;\r\n|f|\n");
        check("\n'\n5\n\u{301}", "\n|'\n|5|\n|\u{301}");
    }

    #[test]
    fn indentation_belongs_to_its_line() {
        check("f(\n  c)\n\t\u{3000}。", "f|(\n|  c|)\n|\t\u{3000}。");
        check("a\n  \n  ", "a|\n  \n  ");
        check(&format!(";\n{}x", " ".repeat(63)), &format!(";\n|{}x", " ".repeat(63)));
        check(&format!(";\n{}x", " ".repeat(64)), &format!(";\n{}x", " ".repeat(64)));
    }

    #[test]
    fn slashes_go_with_feeds_behind_signs() {
        check("x\n\n// c\n }\n// c", "x|\n\n|//| c|\n| }\n//| c");
        check("\n/ \n/", "\n/| \n|/");
        check("(ſ\r/ é\r/\u{301}\r/", "(ſ|\r|/| é|\r|/\u{301}\r/");
    }

    #[test]
    fn common_scripts_part_as_ascii_does() {
        check("日本 語\u{3000}。\u{a0}é1", "日本| 語|\u{3000}。|\u{a0}é|1");
        check("слово, «да».\n", "слово|,| «да|».\n");
        check("好，我来。12\nſ's", "好|，我来|。|12|\n|ſ's");
    }

    #[test]
    fn every_script_parts_as_ascii_does() {
        check("²5 ५, ก. x½y", "²5| ५|,| ก|.| x|½|y");
        check("e\u{301}. \u{301}1", "e\u{301}.| \u{301}1");
    }

    #[test]
    fn ends_and_insides_of_characters_are_no_seams() {
        for (text, at) in [("", 0), (" a", 0), ("a ", 2), ("a ", 3), ("é ", 1), ("a é", 3), ("a", usize::MAX)]
        {
            assert!(!is_seam(text, at), "{text:?} at {at}");
        }
    }
}
