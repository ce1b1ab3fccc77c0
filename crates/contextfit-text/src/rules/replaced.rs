//! What replaces an earlier rule: another value for the same thing, a permission, or the same thing said again.

use std::borrow::Cow;

use super::{
    cues::Told,
    table::{Class, kind_of_value},
    tokens::NUMBER,
};
use crate::{Analyzer, NaturalLanguage, natural_language::WORDS, words};

/// What a sentence is about, as far as another may replace it.
#[derive(Debug)]
pub(super) struct Stated {
    class: Class,
    changes: bool,
    /// The values in it, each with its kind.
    values: Vec<(&'static str, String)>,
    /// Its other content words, stemmed, sorted.
    terms: Vec<String>,
}

impl Stated {
    pub(super) fn of(told: &Told) -> Self {
        let analyzer = Analyzer::new(Some(NaturalLanguage::English));
        let mut values = Vec::new();
        let mut terms = Vec::new();
        for word in told.rest.split_whitespace() {
            let kind = kind_of_value(word);
            match kind.or_else(|| word.strip_suffix('s').and_then(kind_of_value)) {
                _ if WORDS.list("adverbs of an order").has(word) => {}
                _ if word.contains('@') => values.push(("address", word.to_owned())),
                _ if word == NUMBER => values.push(("number", word.to_owned())),
                Some(kind) => values.push((kind, word.to_owned())),
                None => terms.extend(words(word).filter_map(|word| analyzer.term(word)).map(Cow::into_owned)),
            }
        }
        terms.sort_unstable();
        terms.dedup();
        Self { class: told.class, changes: told.changes, values, terms }
    }

    /// Whether saying this ends what `old` says. In doubt both hold.
    pub(super) fn replaces(&self, old: &Self) -> bool {
        // ablate: text.replaced-rules => false
        let shared = self.terms.iter().filter(|term| old.terms.binary_search(term).is_ok()).count();
        let (new_own, old_own) = (self.terms.len() - shared, old.terms.len() - shared);
        // Orders about two things with different names.
        let names = |these: &Self, others: &Self| {
            let is_own = |term: &String| others.terms.binary_search(term).is_err();
            these.terms.iter().any(|term| is_own(term) && term.contains(|c: char| c.is_ascii_digit()))
        };
        if names(self, old) && names(old, self) {
            return false;
        }
        let same_place =
            self.values.iter().any(|(kind, _)| old.values.iter().any(|(other, _)| kind == other));
        let said_again = shared > 0 && new_own == 0 && old_own == 0;
        let same_side = (self.class == Class::Never) == (old.class == Class::Never);
        match self.class {
            Class::Name => old.class == Class::Name,
            // Everything that was ruled out is named again.
            Class::Release => old_own == 0 && shared > 0 || shared > 1,
            _ if said_again && self.values == old.values => true,
            // Two things may be ruled out side by side.
            Class::Never if !same_place => false,
            _ if same_place && self.changes => shared > 0 && old_own <= 1,
            _ if same_place => new_own == 0 && old_own == 0 && same_side,
            _ if self.changes => shared > 0 && new_own <= 1 && old_own <= 1,
            // One word differs: the same order with another object.
            _ => shared > 1 && new_own == 1 && old_own == 1 && same_side && self.class != Class::Note,
        }
    }
}
