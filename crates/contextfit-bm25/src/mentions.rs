//! The mention graph: texts that a relevant sentence names are relevant too.
//!
//! A two-step question ("when was the founder of X born") shares words only with the first passage, which names the
//! second one. That name can be followed without a model.

use std::collections::HashMap;

use contextfit_kernel::{Measured, Values};
use contextfit_text::{Lexicon, Term, words};
use foldhash::fast::FixedState;

use crate::{fields::Fields, names::Names, options::weight};

/// The maximum number of sentences that count as the strongest.
const STRONG: usize = 5;

/// A name is followed if it occurs in at most this many blocks. More common names do not distinguish blocks.
const MAX_BLOCKS_OF_NAME: usize = 3;

/// The number of names followed in succession, such as the director of a film and then his wife.
const NAME_HOPS: usize = 2;

/// The discount on a name that is already in the query, because it leads no further.
const ASKED: f64 = 0.4;

/// The exponent of a sentence's relative score in the gain by a shared rare name. Such a name is weaker evidence than a
/// title.
const SURELY: i32 = 3;

/// The gain of each sentence in blocks whose names occur in other documents, from the best sentence with the name. It
/// is full for the first sentence of a block and half for the others. Linear in the length of the request.
pub(crate) fn mentioned(fields: &Fields<'_>, names: &Names, scores: &[f64]) -> Vec<f64> {
    let corpus = fields.corpus;
    let mut gains = vec![0.0_f64; corpus.len()];
    let share = weight(fields.options.mention);
    if share == 0.0 || names.len() == 0 {
        return gains;
    }
    let mentions = names.mentions(corpus);
    let asked = names.shares(|term| fields.query.place(term).is_some());
    for _ in 0..NAME_HOPS {
        let mut best = vec![0.0_f64; names.len()];
        for &(name, sentence) in &mentions {
            let known =
                scores.get(sentence).zip(gains.get(sentence)).map_or(0.0, |(score, gain)| score + gain);
            best.change(name, |best| *best = best.max(known));
        }
        for (name, (best, asked)) in
            best.into_iter().zip(&asked).enumerate().filter(|(_, (best, _))| *best > 0.0)
        {
            let lent = share * best * (1.0 - ASKED * asked);
            for &block in names.blocks(name) {
                for (n, sentence) in corpus.sentences(block).enumerate() {
                    let gain = if n == 0 { lent } else { lent / 2.0 };
                    gains.change(sentence, |found| *found = found.max(gain));
                }
            }
        }
    }
    gains
}

/// The gain of each sentence that shares a rare name with one of the strongest sentences of other documents, unless the
/// name is in the query. Linear in the length of the request.
pub(crate) fn sharing_names(
    input: &Measured<'_>,
    fields: &Fields<'_>,
    lexicon: &Lexicon,
    scores: &[f64],
) -> Vec<f64> {
    let corpus = fields.corpus;
    let mut gains = vec![0.0_f64; corpus.len()];
    let share = weight(fields.options.shared_name);
    if share == 0.0 || corpus.n_blocks() < 2 {
        return gains;
    }
    // Pairs of a name and a sentence that lends its score.
    let mut lent: Vec<(Term, usize)> = Vec::new();
    for sentence in strongest(scores) {
        let block = corpus.block_of(sentence);
        let unit = sentence - corpus.sentences(block).start;
        let text = input.blocks.get(block).map_or("", |block| block.text(unit, unit + 1));
        let terms = proper_names(text)
            .filter_map(|word| lexicon.term(word))
            .filter(|&term| fields.query.place(term).is_none());
        lent.extend(terms.map(|term| (term, sentence)));
    }
    // A name that occurs repeatedly in a sentence counts once.
    lent.sort_unstable();
    lent.dedup();
    let mut spreads: HashMap<Term, Spread, FixedState> = HashMap::default();
    let mut wanted = vec![false; lexicon.len()];
    for &(term, _) in &lent {
        wanted.set(term as usize, true);
    }
    for block in 0..corpus.n_blocks() {
        for sentence in corpus.sentences(block) {
            let terms = corpus.sentence(sentence).iter();
            for &term in terms.filter(|&&term| wanted.at(term as usize)) {
                spreads.entry(term).or_default().add(block, sentence);
            }
        }
    }
    let best = scores.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    for (term, sentence) in lent {
        let Some(spread) = spreads.get(&term) else { continue };
        if spread.blocks > MAX_BLOCKS_OF_NAME {
            continue;
        }
        let own = corpus.block_of(sentence);
        let gain = share * best * (scores.at(sentence) / best).powi(SURELY);
        for &other in &spread.sentences {
            let block = corpus.block_of(other);
            if block != own && !is_same_document(input, block, own) {
                gains.change(other, |found| *found = found.max(gain));
            }
        }
    }
    gains
}

/// Whether two blocks have the same title.
fn is_same_document(input: &Measured<'_>, one: usize, other: usize) -> bool {
    let title = |n: usize| input.context.blocks.get(n).and_then(|block| block.as_passage()?.title.as_deref());
    title(one).is_some_and(|title_of_one| title(other) == Some(title_of_one))
}

/// The occurrences of a name, as long as it is rare.
#[derive(Debug, Clone, Default)]
struct Spread {
    blocks: usize,
    last: Option<usize>,
    sentences: Vec<usize>,
}

impl Spread {
    fn add(&mut self, block: usize, sentence: usize) {
        if self.last.replace(block) != Some(block) {
            self.blocks += 1;
        }
        if self.blocks <= MAX_BLOCKS_OF_NAME && self.sentences.last() != Some(&sentence) {
            self.sentences.push(sentence);
        }
    }
}

/// The indices of the highest scores above zero, at most [`STRONG`], in descending order. Of equal scores, the first.
/// Linear in the number of scores.
pub(crate) fn strongest(scores: &[f64]) -> Vec<usize> {
    let mut best: Vec<usize> = Vec::with_capacity(STRONG + 1);
    for n in (0..scores.len()).filter(|&n| scores.at(n) > 0.0) {
        let place = best.partition_point(|&other| scores.at(other) >= scores.at(n));
        if place < STRONG {
            best.insert(place, n);
            best.truncate(STRONG);
        }
    }
    best
}

/// The words of a sentence that look like names: with more than two bytes and a capital letter at the start. The first
/// word needs a second capital letter.
fn proper_names(sentence: &str) -> impl Iterator<Item = &str> {
    words(sentence)
        .enumerate()
        .filter(|(n, word)| {
            let mut letters = word.chars();
            let capital = letters.next().is_some_and(char::is_uppercase);
            capital && word.len() > 2 && (*n > 0 || letters.next().is_some_and(char::is_uppercase))
        })
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strongest_first() {
        assert_eq!(strongest(&[0.0, 2.0, 1.0, 0.0, 3.0]), [4, 1, 2]);
        assert_eq!(strongest(&[1.0; 9]), [0, 1, 2, 3, 4]);
        assert_eq!(strongest(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), [6, 5, 4, 3, 2]);
        assert!(strongest(&[0.0, f64::NAN]).is_empty());
    }

    #[track_caller]
    fn check(sentence: &str, expect: &[&str]) {
        assert_eq!(proper_names(sentence).collect::<Vec<_>>(), expect, "{sentence:?}");
    }

    #[test]
    fn names_have_capitals() {
        check("Its architect was Ada Quill.", &["Ada", "Quill"]);
        check("NATO met in Hale.", &["NATO", "Hale"]);
        check("The Of In", &[]);
        check("Über Ärzte", &["Ärzte"]);
        check("預算在這裡檢查。", &[]);
        check("", &[]);
    }

    #[test]
    fn a_rare_name_stands_in_few_blocks() {
        let mut spread = Spread::default();
        for (block, sentence) in [(0, 0), (0, 0), (0, 1), (4, 9), (7, 20), (8, 30), (9, 31)] {
            spread.add(block, sentence);
        }
        assert_eq!((spread.blocks, spread.sentences), (5, vec![0, 1, 9, 20]));
    }
}
