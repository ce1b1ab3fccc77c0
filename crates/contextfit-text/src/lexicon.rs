//! Terms as numbers: every distinct word is folded once and remembered from text to text.

use std::{fmt, sync::Arc};

use crate::{
    Analyzer,
    memo::{NONE, Words},
    words,
};

/// The number of a term in a [`Lexicon`].
pub type Term = u32;

/// The terms of some texts, numbered from 0 in the order of their first occurrence.
///
/// The thread remembers words beyond the lexicon's life, at most about 65,000: the first occurrence of a word is
/// folded, every other one is a table look-up. Folding is pure, so remembered words only affect the time.
///
/// ```
/// # mod contextfit { pub use ::contextfit_text as text; }
/// use contextfit::text::{Analyzer, Lexicon, NaturalLanguage};
///
/// let mut lexicon = Lexicon::new(Analyzer::new(Some(NaturalLanguage::English)));
/// let mut terms = Vec::new();
/// lexicon.read("The towers, a river; the Tower!", &mut terms);
/// assert_eq!(terms, [0, 1, 0]);
/// assert_eq!(lexicon.text(0), "tower");
/// ```
pub struct Lexicon {
    analyzer: Analyzer,
    words: Words,
    /// For each term, its index among the remembered terms.
    places: Vec<u32>,
}

impl Lexicon {
    /// An empty lexicon whose terms `analyzer` folds.
    #[must_use]
    pub fn new(analyzer: Analyzer) -> Self {
        Self { analyzer, words: Words::take(analyzer), places: Vec::new() }
    }

    /// The analyzer that folds its words.
    #[must_use]
    pub const fn analyzer(&self) -> Analyzer {
        self.analyzer
    }

    /// Appends the terms of the [`words`] of `text`, without stop words. Linear in its length; allocates nothing for a
    /// known word.
    pub fn read(&mut self, text: &str, terms: &mut Vec<Term>) {
        for word in words(text) {
            let place = self.words.place(word, &self.analyzer);
            terms.extend(self.words.number(place, &mut self.places));
        }
    }

    /// The term of `word`; `None` if it has not been read.
    #[must_use]
    pub fn term(&self, word: &str) -> Option<Term> {
        self.words.known_place(word, &self.analyzer).and_then(|place| self.words.known_number(place))
    }

    /// The text of `term`; empty if there is no such term. Constant time.
    #[must_use]
    pub fn text(&self, term: Term) -> &str {
        self.places.get(term as usize).map_or("", |&place| self.words.term(place))
    }

    /// The number of terms.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no terms.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The texts of all terms, in the order of their numbers.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|&place| self.words.term(place))
    }

    /// The texts of all terms, for a lexicon on another thread to [absorb](Self::absorb).
    #[must_use]
    pub fn into_texts(self) -> Vec<Arc<str>> {
        self.places.iter().filter_map(|&place| self.words.shared_term(place)).collect()
    }

    /// Adds the terms of another lexicon with the same analyzer, given by their `texts` in the order of their numbers
    /// there; returns their numbers here.
    pub fn absorb(&mut self, texts: &[Arc<str>]) -> Vec<Term> {
        let mut number = |text: &Arc<str>| {
            let place = self.words.place_of_term(text);
            self.words.number(place, &mut self.places).unwrap_or(NONE)
        };
        texts.iter().map(&mut number).collect()
    }
}

impl Drop for Lexicon {
    fn drop(&mut self) {
        std::mem::take(&mut self.words).put_back(&self.places);
    }
}

impl fmt::Debug for Lexicon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lexicon")
            .field("analyzer", &self.analyzer)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::NaturalLanguage;

    fn english() -> Lexicon {
        Lexicon::new(Analyzer::new(Some(NaturalLanguage::English)))
    }

    /// The terms of `text` by `lexicon`, as texts.
    fn read(lexicon: &mut Lexicon, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        lexicon.read(text, &mut terms);
        terms.into_iter().map(|term| lexicon.text(term).to_owned()).collect()
    }

    #[test]
    fn words_met_before() {
        let mut lexicon = english();
        read(&mut lexicon, "the towers of Harrow");
        assert_eq!((lexicon.term("tower"), lexicon.term("Harrow")), (Some(0), Some(1)));
        assert_eq!((lexicon.term("the"), lexicon.term("river"), lexicon.text(7)), (None, None, ""));
        assert!(lexicon.texts().eq(["tower", "harrow"]));
    }

    #[test]
    fn a_lexicon_starts_empty_whatever_is_remembered() {
        let mut first = english();
        read(&mut first, "one tower");
        // A second one while the first exists, and one after both.
        let mut second = english();
        assert_eq!((second.len(), second.term("tower")), (0, None));
        read(&mut second, "rivers");
        drop((first, second));
        let mut third = english();
        assert_eq!((third.len(), third.term("tower"), third.term("river")), (0, None, None));
        assert_eq!(read(&mut third, "a river"), ["river"]);
        assert_eq!(third.term("river"), Some(0));
    }

    #[test]
    fn absorbed() {
        let (mut one, mut other) = (english(), english());
        read(&mut one, "tower river");
        read(&mut other, "town rivers towers");
        assert_eq!(one.absorb(&other.into_texts()), [2, 1, 0]);
        assert!(one.texts().eq(["tower", "river", "town"]));
    }

    proptest! {
        #[test]
        fn any_text(text in ".{0,80}") {
            for natural_language in [None, Some(NaturalLanguage::English), Some(NaturalLanguage::Turkish), Some(NaturalLanguage::Arabic)] {
                let analyzer = Analyzer::new(natural_language);
                for _ in 0..2 {
                    prop_assert_eq!(read(&mut Lexicon::new(analyzer), &text), analyzer.terms(&text));
                }
            }
        }
    }
}
