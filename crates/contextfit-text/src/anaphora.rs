//! Sentences that refer back to the one before them.

use std::{collections::HashMap, sync::LazyLock};

use foldhash::fast::FixedState;

use crate::{NaturalLanguage, natural_language::WORDS, word_lists::texts_by_word};

/// Whether `text` begins with a pronoun or connective that refers to what came before it, in `natural_language` or in
/// English, which occurs among texts of any language. Constant time.
pub(crate) fn leans_back(text: &str, natural_language: NaturalLanguage) -> bool {
    // ablate: text.leans => false
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    if is_unspaced(text) {
        return UNSPACED.iter().any(|word| text.starts_with(word));
    }
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    // No listed word is longer.
    let word = if word.len() <= 32 { word.to_lowercase() } else { return false };
    let speakers = natural_language.bit() | NaturalLanguage::English.bit();
    SPEAKERS.get(word.as_str()).is_some_and(|languages| languages & speakers != 0)
}

/// For each word that refers back, the languages that have it, one bit each in the order of [`NaturalLanguage::ALL`].
static SPEAKERS: LazyLock<HashMap<&str, u32, FixedState>> =
    LazyLock::new(|| texts_by_word(REFERS_BACK, NaturalLanguage::ALL.map(NaturalLanguage::file)));

/// Those of languages without spaces.
static UNSPACED: LazyLock<Vec<&str>> =
    LazyLock::new(|| WORDS.list(REFERS_BACK).words().filter(|word| is_unspaced(word)).collect());

const REFERS_BACK: &str = "refers back";

/// Whether `text` begins with a sign of Chinese or Japanese.
fn is_unspaced(text: &str) -> bool {
    text.starts_with(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(natural_language: NaturalLanguage, text: &str, expect: bool) {
        assert_eq!(leans_back(text, natural_language), expect, "{text}");
    }

    #[test]
    fn beginnings() {
        check(NaturalLanguage::English, "It was built in 1902.", true);
        check(NaturalLanguage::English, " **However**, it fell.", true);
        check(NaturalLanguage::English, "It's old.", true);
        check(NaturalLanguage::English, "Iterators are lazy.", false);
        check(NaturalLanguage::English, "The bridge fell, however.", false);
        check(NaturalLanguage::German, "Diese wurde 1902 gebaut.", true);
        check(NaturalLanguage::German, "It was built in 1902.", true);
        check(NaturalLanguage::German, "Die Brücke wurde gebaut.", false);
        check(NaturalLanguage::Russian, "Он был построен.", true);
        check(NaturalLanguage::English, "但是它很旧。", true);
        check(NaturalLanguage::English, "この橋は古い。", true);
        check(NaturalLanguage::English, "橋は古い。", false);
        check(NaturalLanguage::English, "", false);
    }
}
