//! The terms of a query.

use crate::{Analyzer, Lexicon, NaturalLanguage, Term, words};
use contextfit_kernel::Values;
use strsim::osa_distance;

/// The distinct terms of a query, in order.
#[derive(Debug)]
pub struct Query {
    /// The texts of the terms, for explanations.
    names: Vec<String>,
    /// The weight of each term; 1 for those of the query itself.
    weights: Vec<f64>,
    /// For each term of the lexicon, its place in the query, from 1; 0 if it is not in it.
    places: Vec<u32>,
}

/// The analyzer for a query, in which stop words are terms only if `query` has no other words.
#[must_use]
pub fn analyzer_for(query: &str, natural_language: NaturalLanguage) -> Analyzer {
    let usual = Analyzer::new(Some(natural_language));
    if words(query).any(|word| usual.term(word).is_some()) { usual } else { usual.with_stop_words() }
}

impl Query {
    /// The terms of `query` that are in `occurring`, the terms of all texts. Any other term is replaced by the one
    /// closest in spelling, if there is one.
    #[must_use]
    pub fn new<'t>(
        query: &str,
        lexicon: &mut Lexicon,
        occurring: impl IntoIterator<Item = &'t [Term]>,
    ) -> Self {
        let mut read = Vec::new();
        lexicon.read(query, &mut read);
        let mut counts = vec![0_u32; lexicon.len()];
        for terms in occurring {
            for &term in terms {
                counts.change(term as usize, |count| *count += 1);
            }
        }
        let mut found = Self { names: Vec::new(), weights: Vec::new(), places: vec![0; lexicon.len()] };
        let mut missing = Vec::new();
        for term in read {
            if counts.at(term as usize) == 0 {
                // A large query that shares no word with large texts must not take quadratic time.
                if missing.len() < MISSPELT && !missing.contains(&term) {
                    missing.push(term);
                }
            } else if found.place(term).is_none() {
                found.push(term, 1.0, lexicon);
            }
        }
        if !missing.is_empty() {
            let occurring = (0..).zip(&counts).filter(|(_, count)| **count > 0);
            let texts: Vec<(Term, &str)> = occurring.map(|(term, _)| (term, lexicon.text(term))).collect();
            for term in missing {
                let nearest = nearest(lexicon.text(term), &texts, &counts);
                if let Some(near) = nearest.filter(|&near| found.place(near).is_none()) {
                    found.push(near, 1.0, lexicon);
                }
            }
        }
        found
    }

    /// Adds further terms, each with `weight`.
    #[must_use]
    pub fn with_feedback(mut self, terms: &[Term], weight: f64, lexicon: &Lexicon) -> Self {
        terms.iter().for_each(|&term| self.push(term, weight, lexicon));
        self
    }

    fn push(&mut self, term: Term, weight: f64, lexicon: &Lexicon) {
        self.names.push(lexicon.text(term).to_owned());
        self.weights.push(weight);
        let place = u32::try_from(self.names.len()).unwrap_or(0);
        self.places.set(term as usize, place);
    }

    /// The number of terms.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no terms.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The place of `term` in the query. Constant time.
    #[must_use]
    pub fn place(&self, term: Term) -> Option<usize> {
        self.places.get(term as usize).and_then(|place| place.checked_sub(1)).map(|place| place as usize)
    }

    /// The weight of the term at `place`.
    #[must_use]
    pub fn weight(&self, place: usize) -> f64 {
        self.weights.at(place)
    }

    /// The text of the term at `place`.
    #[must_use]
    pub fn name(&self, place: usize) -> &str {
        self.names.get(place).map_or("", String::as_str)
    }
}

/// The maximum number of a query's words that are looked up by spelling.
const MISSPELT: usize = 16;

/// The maximum length, in characters, of a word that is looked up by spelling.
const LONGEST_SPELLED_WORD: usize = 32;

/// The one of `terms` spelled most like `word`: one edit away, or two for words of at least eight letters, with the
/// same first letter. Among several, the most frequent one is taken, then the first in the alphabet. Words of fewer
/// than five letters are too close to too many others. A comparison is quadratic in the length of the words, and very
/// long ones are seldom misspelt.
fn nearest(word: &str, terms: &[(Term, &str)], counts: &[u32]) -> Option<Term> {
    // ablate: ranking.nearest => None
    let length = word.chars().count();
    let edits = match length {
        ..5 => return None,
        5..8 => 1,
        8..=LONGEST_SPELLED_WORD => 2,
        _ => return None,
    };
    if word.chars().any(|c| !c.is_alphabetic()) {
        return None;
    }
    let count = |term: Term| counts.at(term as usize);
    let (first, wanted) = (word.chars().next(), letters(word));
    terms
        .iter()
        .filter(|(_, text)| {
            text.len().abs_diff(word.len()) <= 2 * edits
                && text.chars().next() == first
                && (letters(text) ^ wanted).count_ones() as usize <= 2 * edits
        })
        // Term numbers are not compared: they depend on how the texts were divided.
        .map(|&(term, text)| (osa_distance(word, text), std::cmp::Reverse(count(term)), text, term))
        .filter(|(distance, ..)| *distance <= edits)
        .min()
        .map(|(.., term)| term)
}

/// The letters of `word`, one bit each. An edit changes at most two bits, so most words need no comparison.
fn letters(word: &str) -> u32 {
    word.chars().fold(0, |letters, c| letters | 1 << (u32::from(c) % u32::BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the terms of `query` over `text`.
    #[track_caller]
    fn check(query: &str, text: &str, expect: &[&str]) {
        let analyzer = analyzer_for(query, NaturalLanguage::English);
        let mut lexicon = Lexicon::new(analyzer);
        let mut terms = Vec::new();
        lexicon.read(text, &mut terms);
        let query = Query::new(query, &mut lexicon, [terms.as_slice()]);
        let names: Vec<&str> = (0..query.len()).map(|place| query.name(place)).collect();
        assert_eq!(names, expect);
    }

    #[test]
    fn terms_that_occur_each_once() {
        check("bridge, Bridges and a zebra", "The bridge. The bridges.", &["bridg"]);
        check("to be or not to be", "it is what is to be", &["to", "be"]);
        check("", "text", &[]);
        check("text", "", &[]);
    }

    #[test]
    fn misspelt() {
        check("brigde", "a bridge", &["bridg"]);
        check("recieve", "they receive", &["receiv"]);
        check("resturant", "a restaurant", &["restaur"]);
        check("zebro", "a zebra", &["zebra"]);
        // Too short, another first letter, digits, too far, and there already.
        check("cot", "a cat", &[]);
        check("ebra", "zebra", &[]);
        check("1902", "1903", &[]);
        check("zebroo", "a zebra", &[]);
        check("zebra zebro", "a zebra", &["zebra"]);
        // The most frequent, then the first in the alphabet.
        check("marlxn", "marlon marlin marlon", &["marlon"]);
        check("marlxn", "marlon marlin", &["marlin"]);
    }

    #[test]
    fn words_of_a_megabyte_are_not_misspelt() {
        let long = "a".repeat(1_000_000);
        check(&long, &format!("{long}b"), &[]);
    }

    #[test]
    fn places_and_weights() {
        let mut lexicon = Lexicon::new(Analyzer::new(None));
        let mut terms = Vec::new();
        lexicon.read("one two three", &mut terms);
        let query = Query::new("two zero", &mut lexicon, [terms.as_slice()]).with_feedback(
            &terms[2..],
            0.3,
            &lexicon,
        );
        let places: Vec<_> = terms.iter().map(|&term| query.place(term)).collect();
        assert_eq!(places, [None, Some(0), Some(1)]);
        assert_eq!((query.name(1), query.weight(0), query.weight(1)), ("three", 1.0, 0.3));
        assert_eq!((query.name(2), query.weight(2)), ("", 0.0));
    }
}
