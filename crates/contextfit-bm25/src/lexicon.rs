//! Terms as numbers: every distinct word is folded once.

use std::{collections::HashMap, sync::Arc};

use contextfit_text::{Analyzer, words};
use foldhash::fast::FixedState;

/// A term of one request, by its number.
pub(crate) type Term = u32;

/// The word is a stop word: no term.
const NONE: Term = Term::MAX;

/// Distinct words that room is made for beforehand, at most.
const MANY: usize = 4096;

/// The terms of one request, numbered as they are met, and for each word as it stands in the texts its term.
pub(crate) struct Lexicon<'t> {
    analyzer: Analyzer,
    numbers: HashMap<Arc<str>, Term, FixedState>,
    /// Words already folded: most words of a text were met before.
    known: HashMap<&'t str, Term, FixedState>,
}

impl<'t> Lexicon<'t> {
    /// An empty lexicon for texts of so many `bytes` in all.
    pub(crate) fn new(analyzer: Analyzer, bytes: usize) -> Self {
        // A new word every twelve bytes is usual for a few pages, fewer for more.
        let words = (bytes / 12).min(MANY);
        let numbers = HashMap::with_capacity_and_hasher(words, FixedState::default());
        let known = HashMap::with_capacity_and_hasher(words, FixedState::default());
        Self { analyzer, numbers, known }
    }

    #[cfg(feature = "parallel")]
    pub(crate) const fn analyzer(&self) -> Analyzer {
        self.analyzer
    }

    /// Appends the terms of `text`. Linear in its length; nothing is allocated for a word met before.
    pub(crate) fn read(&mut self, text: &'t str, terms: &mut Vec<Term>) {
        for word in words(text) {
            let term = match self.known.get(word) {
                Some(&term) => term,
                None => {
                    let term = self.number(word);
                    self.known.insert(word, term);
                    term
                }
            };
            if term != NONE {
                terms.push(term);
            }
        }
    }

    /// The term of `word`, if it was met before. Folds the word: for a few words only.
    pub(crate) fn term(&self, word: &str) -> Option<Term> {
        self.analyzer.term(word).and_then(|term| self.numbers.get(term.as_ref()).copied())
    }

    /// How many terms there are.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// All terms and their numbers, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, Term)> {
        self.numbers.iter().map(|(term, &number)| (term.as_ref(), number))
    }

    /// The number of the term of `word`, a new one for a term not met before.
    fn number(&mut self, word: &str) -> Term {
        let Some(term) = self.analyzer.remembered_term(word) else { return NONE };
        let next = Term::try_from(self.numbers.len()).unwrap_or(NONE);
        *self.numbers.entry(term).or_insert(next)
    }

    /// Takes over the terms of `other`: for each of its numbers the number here.
    #[cfg(feature = "parallel")]
    pub(crate) fn absorb(&mut self, other: Self) -> Vec<Term> {
        let mut numbers = vec![NONE; other.numbers.len()];
        for (term, number) in other.numbers {
            let next = Term::try_from(self.numbers.len()).unwrap_or(NONE);
            let here = *self.numbers.entry(term).or_insert(next);
            numbers.get_mut(number as usize).into_iter().for_each(|place| *place = here);
        }
        numbers
    }
}
