//! What takes the place of an earlier rule: another value in the same place, a permission, the same thing said again.

use std::borrow::Cow;

use super::{cues::Told, table::Class, tokens::NUMBER};
use crate::{Analyzer, Tongue, words};

/// Words of which only one can hold in one place, by kind.
pub(super) const VALUES: &[&str] = &[
    "monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "january february march april may june july august september october november december",
    "english german french spanish italian dutch portuguese russian chinese japanese korean polish turkish arabic hindi deutsch \
     englisch französisch spanisch anglais français allemand espagnol inglés español francés alemán italiano inglese",
    "euro euros dollar dollars pound pounds franc francs yen",
    "celsius fahrenheit kelvin",
    "metric imperial",
    "kilometre kilometres kilometer kilometers mile miles",
    "formal informal casual",
    "tabs spaces",
    "csv json yaml xml markdown html",
];

/// What a sentence is about, as far as another may take its place.
#[derive(Debug)]
pub(super) struct Stated {
    class: Class,
    changes: bool,
    /// The kinds of the values in it, with the values.
    values: Vec<(usize, String)>,
    /// Its other content words, stemmed, sorted.
    terms: Vec<String>,
}

impl Stated {
    pub(super) fn of(told: &Told) -> Self {
        let analyzer = Analyzer::new(Some(Tongue::English));
        let mut values = Vec::new();
        let mut terms = Vec::new();
        for word in told.rest.split_whitespace() {
            let is_value = |value: &str| value == word || word.strip_suffix('s') == Some(value);
            match VALUES.iter().position(|kind| kind.split_whitespace().any(is_value)) {
                // The adverb of an order, which its class says already.
                _ if matches!(word, "always" | "never" | "only" | "do") => {}
                _ if word.contains('@') => values.push((VALUES.len() + 1, word.to_owned())),
                _ if word == NUMBER => values.push((VALUES.len(), word.to_owned())),
                Some(kind) => values.push((kind, word.to_owned())),
                None => terms.extend(words(word).filter_map(|word| analyzer.term(word)).map(Cow::into_owned)),
            }
        }
        terms.sort_unstable();
        terms.dedup();
        Self { class: told.class, changes: told.changes, values, terms }
    }

    /// Whether what holds of `old` is over, now that this is said. In doubt both hold.
    pub(super) fn replaces(&self, old: &Self) -> bool {
        let shared = self.terms.iter().filter(|term| old.terms.binary_search(term).is_ok()).count();
        let (new_own, old_own) = (self.terms.len() - shared, old.terms.len() - shared);
        // Orders about two things that have names of their own.
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
            // All that was ruled out is named again.
            Class::Release => old_own == 0 && shared > 0 || shared > 1,
            _ if said_again && self.values == old.values => true,
            // Two things may be ruled out side by side.
            Class::Never if !same_place => false,
            _ if same_place && self.changes => shared > 0 && old_own <= 1,
            _ if same_place => new_own == 0 && old_own == 0 && same_side,
            _ if self.changes => shared > 0 && new_own <= 1 && old_own <= 1,
            // One word is another: the same order with another object.
            _ => shared > 1 && new_own == 1 && old_own == 1 && same_side && self.class != Class::Note,
        }
    }
}
