//! Turns words into terms, so that `Networks.` matches `network`.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark, is_nfkc};

use crate::{NaturalLanguage, irregular::base_form, words};

/// Folds words into the terms that relevance compares.
///
/// A word is converted to lowercase and compatibility form (NFKC). Stop words of the language are dropped. The rest are
/// stemmed (Snowball, <https://snowballstem.org>; irregular English verbs and nouns by a table) and lose their accents.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::{Analyzer, NaturalLanguage};
///
/// let english = Analyzer::new(Some(NaturalLanguage::English));
/// assert_eq!(english.terms("The networks' getUserName, ＣＡＦÉ!"), ["network", "get", "user", "name", "cafe"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Analyzer {
    natural_language: Option<NaturalLanguage>,
    stop_words: bool,
}

impl Analyzer {
    /// An analyzer for `natural_language`; without one, words are neither stemmed nor dropped.
    #[must_use]
    pub const fn new(natural_language: Option<NaturalLanguage>) -> Self {
        Self { natural_language, stop_words: false }
    }

    /// Keeps stop words as terms, for a query that has no other words.
    pub(crate) const fn with_stop_words(mut self) -> Self {
        self.stop_words = true;
        self
    }

    /// The term of `word`, which must be one that [`words`] returns; `None` for a stop word.
    #[must_use]
    pub fn term<'a>(&self, word: &'a str) -> Option<Cow<'a, str>> {
        let folded = lower(word);
        let Some(natural_language) = self.natural_language else { return Some(without_accents(folded)) };
        if !self.stop_words && natural_language.is_stop_word(&folded) {
            return None;
        }
        let based = match base_form(&folded) {
            Some(base) if natural_language == NaturalLanguage::English => Cow::Borrowed(base),
            _ => folded,
        };
        Some(without_accents(match natural_language.stemmer().stem(&based) {
            Cow::Borrowed(stem) if stem.len() == based.len() => based,
            stem => Cow::Owned(stem.into_owned()),
        }))
    }

    /// The terms of the words of `text`, in order, without stop words.
    #[must_use]
    pub fn terms(&self, text: &str) -> Vec<String> {
        words(text).filter_map(|word| self.term(word)).map(Cow::into_owned).collect()
    }
}

/// `word` in lowercase and compatibility form.
fn lower(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return match word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(word.to_ascii_lowercase()),
            false => Cow::Borrowed(word),
        };
    }
    let folded = word.to_lowercase();
    Cow::Owned(if is_nfkc(&folded) { folded } else { folded.nfkc().flat_map(char::to_lowercase).collect() })
}

/// `term` without accents if its script is Latin, Greek, Cyrillic, Hebrew or Arabic, whose accents people often omit.
fn without_accents(term: Cow<'_, str>) -> Cow<'_, str> {
    let bare = |c: char| c.is_ascii() || c >= '\u{700}' && !is_latin_or_greek_extended(c);
    if term.chars().all(bare) {
        return term;
    }
    Cow::Owned(term.nfd().filter(|c| !is_combining_mark(*c)).collect())
}

/// Whether `c` is in one of the separate Unicode blocks of Latin and Greek letters with accents.
const fn is_latin_or_greek_extended(c: char) -> bool {
    matches!(c, '\u{1e00}'..='\u{1fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(natural_language: Option<NaturalLanguage>, text: &str, expect: &[&str]) {
        assert_eq!(Analyzer::new(natural_language).terms(text), expect);
    }

    #[test]
    fn folded() {
        check(None, "The Networks", &["the", "networks"]);
        check(Some(NaturalLanguage::English), "", &[]);
        check(Some(NaturalLanguage::English), "the of and", &[]);
        check(Some(NaturalLanguage::English), "Obama's networks. NETWORK", &["obama", "network", "network"]);
        check(Some(NaturalLanguage::English), "ﬁle ＨＴＴＰ №5", &["file", "http", "5"]);
        check(Some(NaturalLanguage::English), "who wrote it, written, writing", &["write", "write", "write"]);
        check(Some(NaturalLanguage::German), "die Häuser, des Hauses", &["haus", "haus"]);
        check(Some(NaturalLanguage::French), "les élèves étudiés", &["elev", "etudi"]);
        check(Some(NaturalLanguage::Russian), "пределы предел", &["предел", "предел"]);
        check(Some(NaturalLanguage::English), "模型 हिन्दी", &["模型", "हिन्दी"]);
    }

    #[test]
    fn a_query_of_stop_words() {
        let analyzer = Analyzer::new(Some(NaturalLanguage::English)).with_stop_words();
        assert_eq!(analyzer.terms("To be or not to be"), ["to", "be", "or", "not", "to", "be"]);
    }
}
