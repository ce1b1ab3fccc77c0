//! From words to terms: what makes `Networks.` match `network`.

use std::borrow::Cow;

use frostem::Stemmer;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark, is_nfkc};

use crate::{Tongue, irregular::base_form, memo::Kind, words};

/// Folds words to the terms that relevance compares.
///
/// A word goes to lower case and compatibility form (NFKC); a stop word of the language is nothing; what is left is
/// stemmed (Snowball, <https://snowballstem.org>; irregular forms of English verbs and nouns by a table) and loses its
/// accents.
///
/// ```
/// use contextfit_text::{Analyzer, Tongue};
///
/// let english = Analyzer::new(Some(Tongue::English));
/// assert_eq!(english.terms("The networks' getUserName, ＣＡＦÉ!"), ["network", "get", "user", "name", "cafe"]);
/// ```
#[derive(Clone, Copy)]
pub struct Analyzer {
    tongue: Option<Tongue>,
    stemmer: Option<Stemmer>,
    stop_words: bool,
}

/// Two are equal that fold alike.
impl PartialEq for Analyzer {
    fn eq(&self, other: &Self) -> bool {
        self.kind() == other.kind()
    }
}

impl Eq for Analyzer {}

impl std::fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analyzer")
            .field("tongue", &self.tongue)
            .field("stop_words", &self.stop_words)
            .finish()
    }
}

impl Analyzer {
    /// An analyzer for `tongue`; without one, words are neither stemmed nor left out.
    #[must_use]
    pub fn new(tongue: Option<Tongue>) -> Self {
        Self { tongue, stemmer: tongue.map(Tongue::stemmer), stop_words: false }
    }

    /// The same analyzer, stop words being terms like all others: for a query of nothing else.
    #[must_use]
    pub const fn with_stop_words(mut self) -> Self {
        self.stop_words = true;
        self
    }

    /// What it is told apart from others by.
    pub(crate) const fn kind(&self) -> Kind {
        (self.tongue, self.stop_words)
    }

    /// The term of `word`, one of those that [`words`] gives; `None` for a stop word.
    #[must_use]
    pub fn term<'a>(&self, word: &'a str) -> Option<Cow<'a, str>> {
        let folded = lower(word);
        if !self.stop_words && self.tongue.is_some_and(|tongue| tongue.is_stop_word(&folded)) {
            return None;
        }
        let Some(stemmer) = self.stemmer else { return Some(without_accents(folded)) };
        let based = match (self.tongue, base_form(&folded)) {
            (Some(Tongue::English), Some(base)) => Cow::Borrowed(base),
            _ => folded,
        };
        // Stemmers leave the plural of an abbreviation alone: `NGOs`, `cfcs`.
        if self.tongue == Some(Tongue::English)
            && let Some(abbreviation) = based.strip_suffix('s').filter(|rest| is_abbreviation(word, rest))
        {
            return Some(Cow::Owned(abbreviation.to_owned()));
        }
        Some(without_accents(match stemmer.stem(&based) {
            Cow::Borrowed(stem) if stem.len() == based.len() => based,
            stem => Cow::Owned(stem.into_owned()),
        }))
    }

    /// The terms of all words of `text` that have one, in order.
    #[must_use]
    pub fn terms(&self, text: &str) -> Vec<String> {
        words(text).filter_map(|word| self.term(word)).map(Cow::into_owned).collect()
    }
}

/// Whether `word` is the plural of the abbreviation `singular`: in capitals, or without any vowel.
fn is_abbreviation(word: &str, singular: &str) -> bool {
    let capitals =
        |word: &str| word.len() > 2 && word.bytes().rev().skip(1).all(|byte| byte.is_ascii_uppercase());
    let consonant = |byte: u8| byte.is_ascii_lowercase() && !b"aeiouy".contains(&byte);
    capitals(word) && word.ends_with('s') || singular.len() > 2 && singular.bytes().all(consonant)
}

/// `word` in lower case and compatibility form.
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

/// `term` without accents, where it is in a script whose accents people leave out: Latin, Greek, Cyrillic, Hebrew, Arabic.
fn without_accents(term: Cow<'_, str>) -> Cow<'_, str> {
    let bare = |c: char| c.is_ascii() || c >= '\u{700}' && !is_latin_or_greek_extended(c);
    if term.chars().all(bare) {
        return term;
    }
    Cow::Owned(term.nfd().filter(|c| !is_combining_mark(*c)).collect())
}

/// Whether `c` is one of the Latin and Greek letters with accents that stand apart in Unicode.
const fn is_latin_or_greek_extended(c: char) -> bool {
    matches!(c, '\u{1e00}'..='\u{1fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tongue: Option<Tongue>, text: &str, expect: &[&str]) {
        assert_eq!(Analyzer::new(tongue).terms(text), expect);
    }

    #[test]
    fn folded() {
        check(None, "The Networks", &["the", "networks"]);
        check(Some(Tongue::English), "", &[]);
        check(Some(Tongue::English), "the of and", &[]);
        check(Some(Tongue::English), "Obama's networks. NETWORK", &["obama", "network", "network"]);
        check(Some(Tongue::English), "CFCs and NGOs", &["cfc", "ngo"]);
        check(Some(Tongue::English), "ﬁle ＨＴＴＰ №5", &["file", "http", "5"]);
        check(Some(Tongue::English), "who wrote it, written, writing", &["write", "write", "write"]);
        check(Some(Tongue::German), "die Häuser, des Hauses", &["haus", "haus"]);
        check(Some(Tongue::French), "les élèves étudiés", &["elev", "etudi"]);
        check(Some(Tongue::Russian), "пределы предел", &["предел", "предел"]);
        check(Some(Tongue::English), "模型 हिन्दी", &["模型", "हिन्दी"]);
    }

    #[test]
    fn a_query_of_stop_words() {
        let analyzer = Analyzer::new(Some(Tongue::English)).with_stop_words();
        assert_eq!(analyzer.terms("To be or not to be"), ["to", "be", "or", "not", "to", "be"]);
    }
}
