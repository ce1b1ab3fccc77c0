//! Sorts of characters, which decide on what text the fast engine is fast.
//!
//! The fast engine reads ASCII and the scripts of Chinese, Japanese and Korean with scanners, and everything else with
//! an automaton that it builds as it goes and throws away when it has grown too large. A text in many scripts, or a
//! piece with Chinese characters next to something the scanners do not know, makes it rebuild the automaton all the
//! time, which takes a hundred times as long.

use memchr::memchr_iter;

/// Characters for the automaton that together leave it small enough.
const AUTOMATON: u8 = 1;
/// Characters for the scanners, far too many for the automaton.
const SCANNERS: u8 = 2;
/// All others.
const WILD: u8 = 4;

/// Lead bytes of two-byte characters that are all for the automaton: Latin, Greek and Cyrillic letters.
const AUTOMATON_LEADS: u64 = leads(0xC2, 0xC4) | leads(0xCE, 0xD1);
/// Lead bytes of three-byte characters that are all for the scanners: Chinese characters and Hangul.
const SCANNERS_LEADS: u64 = leads(0xE4, 0xE9) | leads(0xEB, 0xEC);
/// Lead bytes that leave the sort open.
const MIXED_LEADS: u64 =
    leads(0xC5, 0xC5) | leads(0xE2, 0xE3) | leads(0xEA, 0xEA) | leads(0xED, 0xED) | leads(0xEF, 0xEF);

/// The lead bytes from `first` through `last`, one bit each; 0xC0 is the lowest.
const fn leads(first: u8, last: u8) -> u64 {
    (u64::MAX >> (63 - (last & 0x3F))) & (u64::MAX << (first & 0x3F))
}

/// Whether the fast engine is fast on `text`: it has no wild characters, and not both characters for the automaton and
/// characters for the scanners. Linear in the length of `text`, a few gigabytes a second.
pub(super) fn is_tame(text: &str) -> bool {
    let present = leads_of(text);
    if present == 0 {
        return true;
    }
    if present & !(AUTOMATON_LEADS | SCANNERS_LEADS | MIXED_LEADS) != 0 {
        return false;
    }
    let mut sorts = 0;
    if present & AUTOMATON_LEADS != 0 {
        sorts |= AUTOMATON;
    }
    if present & SCANNERS_LEADS != 0 {
        sorts |= SCANNERS;
    }
    let mut mixed = present & MIXED_LEADS;
    while mixed != 0 {
        let lead = 0xC0 | mixed.trailing_zeros().to_le_bytes()[0];
        let characters = memchr_iter(lead, text.as_bytes()).filter_map(|at| text.get(at..)?.chars().next());
        sorts = characters.fold(sorts, |sorts, character| sorts | sort_of(character));
        mixed &= mixed - 1;
    }
    sorts < WILD && sorts != AUTOMATON | SCANNERS
}

/// The lead bytes of the non-ASCII characters of `text`.
fn leads_of(text: &str) -> u64 {
    let mut present = 0;
    for chunk in text.as_bytes().chunks(64).filter(|chunk| !chunk.is_ascii()) {
        for &byte in chunk {
            present |= u64::from(byte >= 0xC0) << (byte & 0x3F);
        }
    }
    present
}

/// The sort of a non-ASCII character; the ranges for the scanners are the fast engine's own.
const fn sort_of(character: char) -> u8 {
    match character {
        // Folds to `s`, but the fast engine does not read it as one after an apostrophe.
        'ſ' => WILD,
        '\u{80}'..='\u{17E}' | '\u{380}'..='\u{47F}' => AUTOMATON,
        // Dash, quotation marks, ellipsis.
        '—' | '‘'..='”' | '‥'..='…' => 0,
        // More punctuation, currency, letterlike signs, arrows, mathematics, boxes, check marks.
        '\u{2000}'..='\u{203F}' | '\u{2080}'..='\u{20BF}' | '\u{2100}'..='\u{213F}' => AUTOMATON,
        '\u{2180}'..='\u{21BF}' | '\u{2200}'..='\u{227F}' | '\u{2500}'..='\u{25BF}' => AUTOMATON,
        '\u{2700}'..='\u{273F}' => AUTOMATON,
        '\u{3000}'..='\u{3004}' | '\u{3007}'..='\u{3029}' | '\u{3030}' | '\u{3036}' => SCANNERS,
        '\u{3038}'..='\u{303A}' | '\u{303D}' | '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{30FF}' => SCANNERS,
        '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FF01}'..='\u{FF9F}' => SCANNERS,
        _ => WILD,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: bool) {
        assert_eq!(is_tame(text), expect, "{text:?}");
    }

    #[test]
    fn usual_text_is_tame() {
        for text in
            ["", "plain", "naïve “quotes” – and → arrows ✓", "Привет, мир!", "καλημέρα", "zażółć gęślą"]
        {
            check(text, true);
        }
        for text in ["你好，世界——“好”", "こんにちは、世界。", "안녕하세요 ABC", "１２３ 〇"]
        {
            check(text, true);
        }
    }

    #[test]
    fn other_scripts_mixtures_and_what_folds_are_not() {
        for text in
            ["नमस्ते", "مرحبا", "😀", "\u{10FFFF}", "café 咖啡", "你好 → 世界", "it'ſ", "ｆｕｌｌ\u{FFA0}"]
        {
            check(text, false);
        }
    }

    #[test]
    fn first_bytes_agree_with_the_characters() {
        for character in ('\u{80}'..=char::MAX).step_by(7).chain('\u{80}'..='\u{800}') {
            check(character.encode_utf8(&mut [0; 4]), sort_of(character) < WILD);
        }
    }
}
