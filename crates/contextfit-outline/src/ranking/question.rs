//! A query as the ranking reads it: its terms, each with a weight.

use contextfit_kernel::Values;
use contextfit_text::{Analyzer, Lexicon, NaturalLanguage, analyzer_for};

use super::{
    calls::{SHORTEST_NAME_BYTES, words},
    kind::FileKind,
};

/// The weight of a term that occurs only after the first line of a query, which states what the rest is about.
const BEHIND_FIRST_LINE: f64 = 0.5;

/// The factor for words that are common in requests about anything.
const GENERIC: f64 = 0.25;

/// The words with this factor.
const GENERIC_WORDS: &str = "add adds added adding allow allows avoid behavior behaviour bug case cause causes change changes \
    changed code commit correct correctly currently ensure ensures example feature feat fix fixes fixed implement implements \
    implemented improve improved improves instead issue issues make makes made need needs new now patch previously problem \
    properly remove removed removes request support supports supported test tests update updates updated use uses used using \
    want way work works working";

/// The distinct terms of a query, numbered as by a [`Lexicon`] that reads the query first.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    text: String,
    analyzer: Analyzer,
    /// The weight of each term.
    pub(crate) weights: Vec<f64>,
    /// For each kind of file, whether the query asks for it.
    pub(crate) asked: [bool; 6],
}

impl Question {
    pub(crate) fn new(query: &str) -> Self {
        let natural_language = NaturalLanguage::surely_of([query]).unwrap_or(NaturalLanguage::English);
        let analyzer = analyzer_for(query, natural_language);
        let (first, rest) = query.trim().split_once('\n').unwrap_or((query, ""));
        let mut lexicon = Lexicon::new(analyzer);
        let mut terms = Vec::new();
        lexicon.read(first, &mut terms);
        let n_first = lexicon.len();
        lexicon.read(rest, &mut terms);
        let mut counts = vec![0.0_f64; lexicon.len()];
        for &term in &terms {
            counts.change(term as usize, |count| *count += 1.0);
        }
        let weigh = |(n, count): (usize, f64)| {
            count.min(3.0).sqrt() * if n < n_first { 1.0 } else { BEHIND_FIRST_LINE }
        };
        let mut weights: Vec<f64> = counts.into_iter().enumerate().map(weigh).collect();
        let mut generic = Vec::new();
        lexicon.read(GENERIC_WORDS, &mut generic);
        generic.sort_unstable();
        generic.dedup();
        for term in generic {
            weights.change(term as usize, |weight| *weight *= GENERIC);
        }
        Self { text: query.trim().to_owned(), analyzer, weights, asked: FileKind::asked(query) }
    }

    /// The number of terms.
    pub(crate) const fn len(&self) -> usize {
        self.weights.len()
    }

    /// The query.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// A lexicon whose first terms are those of the query.
    pub(crate) fn lexicon(&self) -> Lexicon {
        let mut lexicon = Lexicon::new(self.analyzer);
        lexicon.read(&self.text, &mut Vec::new());
        lexicon
    }

    /// The words of the query that may be names of definitions. Short ones are usually ordinary words and left out.
    pub(crate) fn identifiers(&self) -> impl Iterator<Item = &str> {
        words(&self.text).map(|(_, word)| word).filter(|word| word.len() >= SHORTEST_NAME_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_terms() {
        let question = Question::new("Fix the budget budget\n\nThe parser of budgets");
        let mut lexicon = question.lexicon();
        let mut terms = Vec::new();
        lexicon.read("fixes budgets parsers", &mut terms);
        let weights: Vec<f64> = terms.iter().map(|&term| question.weights[term as usize]).collect();
        assert_eq!(weights, [GENERIC, 3.0_f64.sqrt(), BEHIND_FIRST_LINE]);
        assert_eq!(Question::new("").len(), 0);
    }
}
