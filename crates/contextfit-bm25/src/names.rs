//! The names of blocks, and their occurrences.

use std::collections::{HashMap, HashSet};

use contextfit_kernel::{Block, MeasuredBlock, Values};
use contextfit_text::{Analyzer, Lexicon, Term, float};
use foldhash::fast::FixedState;

use crate::corpus::{Corpus, heading_texts};

/// The maximum number of terms in a name. Longer names are ignored.
const LONGEST_NAME_TERMS: usize = 32;

/// The names of a request's blocks. Blocks with the same name are parts of the same document.
pub(crate) struct Names {
    numbers: HashMap<Vec<Term>, usize, FixedState>,
    /// For each name, the blocks that have it, in order.
    blocks: Vec<Vec<usize>>,
    /// For each term, the lengths of the names that start with it, as a bit set.
    lengths: Vec<u64>,
}

impl Names {
    /// The names of `blocks`. Linear in their number.
    pub(crate) fn read(blocks: &[MeasuredBlock<'_>], lexicon: &mut Lexicon) -> Self {
        let all = blocks.iter().enumerate();
        Self::of(
            all.flat_map(|(n, measured)| names_of(measured.block()).map(move |name| (n, name))),
            1,
            lexicon,
        )
    }

    /// The names in `texts` with at least `shortest` terms, each with its block.
    fn of<'t>(texts: impl Iterator<Item = (usize, &'t str)>, shortest: usize, lexicon: &mut Lexicon) -> Self {
        let mut names = Self { numbers: HashMap::default(), blocks: Vec::new(), lengths: Vec::new() };
        let mut terms = Vec::new();
        for (block, text) in texts {
            terms.clear();
            lexicon.read(text, &mut terms);
            if (shortest..=LONGEST_NAME_TERMS).contains(&terms.len()) {
                names.insert(block, &terms);
            }
        }
        names.lengths.resize(lexicon.len(), 0);
        for name in names.numbers.keys() {
            let first = name.first().and_then(|&first| names.lengths.get_mut(first as usize));
            first.into_iter().for_each(|lengths| *lengths |= 1 << name.len());
        }
        names
    }

    fn insert(&mut self, block: usize, terms: &[Term]) {
        let next = self.blocks.len();
        let number = self.numbers.get(terms).copied().unwrap_or(next);
        if number == next {
            self.numbers.insert(terms.to_vec(), next);
            self.blocks.push(Vec::new());
        }
        let Some(blocks) = self.blocks.get_mut(number) else { return };
        if blocks.last() != Some(&block) {
            blocks.push(block);
        }
    }

    /// The number of names.
    pub(crate) const fn len(&self) -> usize {
        self.blocks.len()
    }

    /// The blocks that have `name`, in order.
    pub(crate) fn blocks(&self, name: usize) -> &[usize] {
        self.blocks.get(name).map_or(&[], Vec::as_slice)
    }

    /// The names that occur in `terms`, each with the position of its first term. At the same position, the longest
    /// comes first. Linear in the number of terms if names have only a few lengths.
    fn within<'n>(&'n self, terms: &'n [Term]) -> impl Iterator<Item = (usize, &'n [Term], usize)> {
        terms.iter().enumerate().flat_map(move |(at, &term)| {
            let mut lengths = self.lengths.at(term as usize);
            let lengths = std::iter::from_fn(move || {
                let longest = lengths.checked_ilog2()?;
                lengths &= !(1 << longest);
                Some(longest as usize)
            });
            let named = move |length| {
                let slice = terms.get(at..at + length)?;
                Some((at, slice, *self.numbers.get(slice)?))
            };
            lengths.filter_map(named)
        })
    }

    /// The names that occur in sentences of other blocks, each with the sentence. Of overlapping names, only the first
    /// and longest. Linear in the length of the request.
    pub(crate) fn mentions(&self, corpus: &Corpus) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for block in 0..corpus.n_blocks() {
            for sentence in corpus.sentences(block) {
                let mut end = 0;
                for (at, terms, name) in self.within(corpus.sentence(sentence)) {
                    // An overlapping shorter name does not count: `Harrow Bridge` does not mention `Bridge`.
                    if at < end {
                        continue;
                    }
                    end = at + terms.len();
                    // Repeated mentions in a sentence are stored once.
                    let again = found.last() == Some(&(name, sentence));
                    if !again && self.blocks(name).binary_search(&block).is_err() {
                        found.push((name, sentence));
                    }
                }
            }
        }
        found
    }

    /// For each name, the share of its terms for which `is_one` is true.
    pub(crate) fn shares(&self, is_one: impl Fn(Term) -> bool) -> Vec<f64> {
        let mut shares = vec![0.0; self.len()];
        for (terms, &name) in &self.numbers {
            let ones = terms.iter().filter(|&&term| is_one(term)).count();
            shares.set(name, float(ones) / float(terms.len().max(1)));
        }
        shares
    }
}

/// The names of a block: title, class, function, type and section, each without a parenthesis at the end.
fn names_of(block: &Block) -> impl Iterator<Item = &str> {
    let passage = block.as_passage();
    let is_path = move |text: &str| passage.is_some_and(|passage| passage.path.as_deref() == Some(text));
    heading_texts(block).filter(move |text| !is_path(text)).map(without_brackets)
}

/// `title` without the parenthesis at its end: `Legend (film)`.
fn without_brackets(title: &str) -> &str {
    match title.trim_end().strip_suffix(')').and_then(|open| open.rsplit_once('(')) {
        Some((bare, _)) if !bare.trim().is_empty() => bare.trim_end(),
        _ => title,
    }
}

/// Whether `query` contains the title of each of `blocks` word for word. Only titles of at least two words count, and
/// stop words do too: `How Do You Do It?`. Linear in the length of query and titles.
pub(crate) fn named_in<'t>(query: &str, blocks: &[MeasuredBlock<'t>]) -> Vec<bool> {
    let title = |(n, measured): (usize, &MeasuredBlock<'t>)| {
        Some((n, without_brackets(measured.block().as_passage()?.title.as_deref()?)))
    };
    let mut lexicon = Lexicon::new(Analyzer::new(None));
    let titles = Names::of(blocks.iter().enumerate().filter_map(title), 2, &mut lexicon);
    let mut asked = Vec::new();
    lexicon.read(query, &mut asked);
    let found: HashSet<usize> = titles.within(&asked).map(|(.., title)| title).collect();
    let mut named = vec![false; blocks.len()];
    for title in found {
        for &block in titles.blocks(title) {
            named.set(block, true);
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use contextfit_kernel::{Passage, Tokens, Unit};

    use super::*;

    #[track_caller]
    fn check(query: &str, titles: &[&str], expect: &[bool]) {
        let block = |title: &&str| Block::passage("", Passage::default().with_title(*title), "x");
        let blocks: Vec<Block> = titles.iter().map(block).collect();
        let unit = Unit { end: 1, tokens_through: Tokens::new(1), splits: true };
        let measured: Vec<_> =
            blocks.iter().map(|block| MeasuredBlock::new(block, vec![unit], Tokens::ZERO)).collect();
        assert_eq!(named_in(query, &measured), expect, "{query:?}");
    }

    #[test]
    fn titles_in_the_query() {
        let titles = ["Harrow Bridge", "Harrow", "How Do You Do It?", "Bridge Harrow", "Harrow Bridge"];
        check("When was the harrow bridge built?", &titles, &[true, false, false, false, true]);
        check("who sang how do you do it", &titles, &[false, false, true, false, false]);
        check("harrow, bridge harrow", &titles, &[true, false, false, true, true]);
        check("Harrow", &titles, &[false; 5]);
        check("", &titles, &[false; 5]);
        check("who is in Old Legend", &["Old Legend (film)", "(Old Legend)"], &[true, true]);
        check("x", &[], &[]);
    }

    #[test]
    fn brackets() {
        for (title, bare) in [
            ("Legend (film)", "Legend"),
            ("Legend (1985) (film) ", "Legend (1985)"),
            ("(film)", "(film)"),
            ("Legend)", "Legend)"),
            ("Legend (film) II", "Legend (film) II"),
            ("", ""),
        ] {
            assert_eq!(without_brackets(title), bare);
        }
    }
}
