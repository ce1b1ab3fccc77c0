//! Counting the terms of a query in texts.

use contextfit_text::{Lexicon, Term};

use super::question::Question;

/// How often the terms of a query occur in a text, and how many terms the text has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// All terms of the text.
    pub(crate) length: u32,
    /// The terms of the query that occur, and how often.
    pub(crate) terms: Vec<(u32, u32)>,
}

impl Counts {
    /// Adds the counts of another text, as if it occurred `times` times.
    pub(crate) fn add(&mut self, other: &Self, times: u32) {
        self.length = self.length.saturating_add(other.length.saturating_mul(times));
        for &(term, count) in &other.terms {
            let count = count.saturating_mul(times);
            match self.terms.iter_mut().find(|(known, _)| *known == term) {
                Some((_, known)) => *known = known.saturating_add(count),
                None => self.terms.push((term, count)),
            }
        }
    }
}

/// Reads texts one at a time.
pub(crate) struct TextReader {
    lexicon: Lexicon,
    read: Vec<Term>,
    counts: Vec<u32>,
}

impl TextReader {
    pub(crate) fn new(question: &Question) -> Self {
        Self { lexicon: question.lexicon(), read: Vec::new(), counts: vec![0; question.len()] }
    }

    /// Counts the terms of `text`. Linear in its length.
    pub(crate) fn counts(&mut self, text: &str) -> Counts {
        self.read.clear();
        self.lexicon.read(text, &mut self.read);
        let mut found =
            Counts { length: u32::try_from(self.read.len()).unwrap_or(u32::MAX), terms: Vec::new() };
        for &term in &self.read {
            if let Some(count) = self.counts.get_mut(term as usize) {
                if *count == 0 {
                    found.terms.push((term, 0));
                }
                *count += 1;
            }
        }
        for (term, count) in &mut found.terms {
            *count = self.counts.get_mut(*term as usize).map_or(0, std::mem::take);
        }
        found
    }
}
