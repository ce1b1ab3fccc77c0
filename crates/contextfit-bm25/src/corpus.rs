//! The corpus of a request: the terms of every sentence and every heading, each read once.

use std::{iter, ops::Range};

use contextfit_kernel::{Block, BlockKind, Measured, MeasuredBlock};
use contextfit_text::{Lexicon, Needs, Term};

/// The terms of a request. The sentences are the units of the blocks, numbered across all blocks.
#[derive(Default)]
pub(crate) struct Corpus {
    terms: Vec<Term>,
    /// For each sentence, the end of its terms.
    ends: Vec<usize>,
    /// For each block, the end of its sentences.
    blocks: Vec<usize>,
    passages: Vec<Passage>,
    /// For each sentence, its passage.
    passage_of: Vec<u32>,
}

/// The maximum number of terms of a heading. Further terms are ignored.
const HEADING: usize = 128;

/// A section of a block. A block without sentences is also one section.
#[derive(Default)]
pub(crate) struct Passage {
    /// The number of the block.
    pub(crate) block: usize,
    pub(crate) sentences: Range<usize>,
    /// The first sentence after its own headings, with which it begins.
    pub(crate) text: usize,
    /// The terms of the block's heading, then those of the section's headings.
    heading: Vec<Term>,
    /// The number of these terms that are from the block's heading.
    of_block: usize,
}

impl Passage {
    /// The terms of the block's heading and the section's headings.
    pub(crate) fn heading(&self) -> &[Term] {
        &self.heading
    }

    /// The terms of the block's heading.
    pub(crate) fn of_block(&self) -> &[Term] {
        self.heading.get(..self.of_block).unwrap_or_default()
    }
}

impl Corpus {
    /// Reads all blocks and their `needs`. Linear in their length.
    pub(crate) fn read(blocks: &[MeasuredBlock<'_>], needs: &[Needs], lexicon: &mut Lexicon) -> Self {
        let mut corpus = Self::default();
        read_texts(blocks, lexicon, &mut corpus);
        for (block, measured) in blocks.iter().enumerate() {
            let mut heading = Vec::new();
            heading_texts(measured.block()).for_each(|text| lexicon.read(text, &mut heading));
            heading.truncate(HEADING);
            corpus.divide(block, &heading, needs.get(block).map_or(&[], Needs::passages));
        }
        corpus
    }

    /// Divides a block with this `heading` into `sections`, given by their first units and the units of their headings.
    fn divide(&mut self, block: usize, heading: &[Term], sections: &[(usize, Vec<usize>)]) {
        let all = self.sentences(block);
        let first = sections.first().map_or(all.end, |(unit, _)| all.start + unit).min(all.end);
        if first > all.start || all.is_empty() {
            self.passage(block, all.start..first, heading, &[]);
        }
        for (n, (unit, headings)) in sections.iter().enumerate() {
            let end = sections.get(n + 1).map_or(all.end, |(unit, _)| all.start + unit).min(all.end);
            let headings: Vec<usize> = headings.iter().map(|unit| all.start + unit).collect();
            self.passage(block, all.start + unit..end, heading, &headings);
        }
    }

    fn passage(&mut self, block: usize, sentences: Range<usize>, heading: &[Term], headings: &[usize]) {
        let mut terms = heading.to_vec();
        headings.iter().for_each(|&n| terms.extend(self.sentence(n)));
        terms.truncate(HEADING);
        let text = headings.last().map_or(sentences.start, |last| last + 1);
        let number = u32::try_from(self.passages.len()).unwrap_or(u32::MAX);
        self.passage_of.extend(sentences.clone().map(|_| number));
        self.passages.push(Passage { block, sentences, text, heading: terms, of_block: heading.len() });
    }

    /// The number of sentences.
    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// The number of blocks.
    pub(crate) const fn n_blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The terms of sentence `n`.
    pub(crate) fn sentence(&self, n: usize) -> &[Term] {
        let start = n.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(n).and_then(|&end| self.terms.get(start..end)).unwrap_or_default()
    }

    /// The sentences of block `n`.
    pub(crate) fn sentences(&self, n: usize) -> Range<usize> {
        let start = n.checked_sub(1).and_then(|before| self.blocks.get(before)).copied().unwrap_or(0);
        start..self.blocks.get(n).copied().unwrap_or(start)
    }

    /// The block of sentence `n`.
    pub(crate) fn block_of(&self, n: usize) -> usize {
        self.passage_of(n).map_or(self.n_blocks(), |(_, passage)| passage.block)
    }

    /// The sections of all blocks, in order.
    pub(crate) fn passages(&self) -> &[Passage] {
        &self.passages
    }

    /// The number of the passage of sentence `n`, and the passage.
    pub(crate) fn passage_of(&self, n: usize) -> Option<(usize, &Passage)> {
        let number = *self.passage_of.get(n)? as usize;
        Some((number, self.passages.get(number)?))
    }

    /// All terms of all sentences.
    pub(crate) fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// All terms that occur, including those in headings.
    pub(crate) fn occurring(&self) -> impl Iterator<Item = &[Term]> {
        iter::once(self.terms.as_slice()).chain(self.passages.iter().map(Passage::heading))
    }

    /// Appends the sentences of a block.
    fn push(&mut self, measured: &MeasuredBlock<'_>, lexicon: &mut Lexicon) {
        for unit in 0..measured.units().len() {
            lexicon.read(measured.text(unit, unit + 1), &mut self.terms);
            self.ends.push(self.terms.len());
        }
        self.blocks.push(self.ends.len());
    }
}

/// Reads the texts of `blocks` one after another.
#[cfg(not(feature = "parallel"))]
fn read_texts(blocks: &[MeasuredBlock<'_>], lexicon: &mut Lexicon, corpus: &mut Corpus) {
    blocks.iter().for_each(|measured| corpus.push(measured, lexicon));
}

/// Reads the texts of `blocks` on all cores, in parts of a fixed size with one lexicon each, and merges them in order.
/// Only the numbers of terms depend on the division into parts, and no result depends on those numbers.
#[cfg(feature = "parallel")]
fn read_texts<'t>(blocks: &[MeasuredBlock<'t>], lexicon: &mut Lexicon, corpus: &mut Corpus) {
    use std::sync::Arc;

    use rayon::prelude::*;

    let mut parts: Vec<&[MeasuredBlock<'t>]> = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (n, measured) in blocks.iter().enumerate() {
        bytes += measured.block().text.len();
        if bytes >= SHARD_BYTES || n + 1 == blocks.len() {
            parts.extend(blocks.get(start..=n));
            (start, bytes) = (n + 1, 0);
        }
    }
    if let [_] = parts.as_slice() {
        blocks.iter().for_each(|measured| corpus.push(measured, lexicon));
        return;
    }
    let analyzer = lexicon.analyzer();
    let read = |part: &&[MeasuredBlock<'t>]| {
        let mut own = Lexicon::new(analyzer);
        let mut read = Corpus::default();
        part.iter().for_each(|measured| read.push(measured, &mut own));
        // Only the terms leave the thread, not the words that were read.
        (own.into_texts(), read)
    };
    let parts: Vec<(Vec<Arc<str>>, Corpus)> = parts.par_iter().map(read).collect();
    for (texts, part) in parts {
        let numbers = lexicon.absorb(&texts);
        let (terms, ends) = (corpus.terms.len(), corpus.ends.len());
        corpus.terms.extend(part.terms.iter().filter_map(|&term| numbers.get(term as usize)));
        corpus.ends.extend(part.ends.iter().map(|end| terms + end));
        corpus.blocks.extend(part.blocks.iter().map(|end| ends + end));
    }
}

/// The minimum bytes of a part that justify a separate thread.
#[cfg(feature = "parallel")]
const SHARD_BYTES: usize = 64 * 1024;

/// The texts of a block's heading: title, path, symbols.
pub(crate) fn heading_texts(block: &Block) -> impl Iterator<Item = &str> {
    let passage = match &block.kind {
        BlockKind::Passage(passage) => Some(passage),
        _ => None,
    };
    passage.into_iter().flat_map(|passage| {
        let symbols = &passage.symbols;
        let texts = [
            &passage.title,
            &passage.path,
            &symbols.class,
            &symbols.function,
            &symbols.type_name,
            &symbols.section,
        ];
        texts.into_iter().filter_map(Option::as_deref)
    })
}

/// The texts from which the language of a request is detected.
pub(crate) fn sample<'a>(input: &Measured<'a>) -> impl Iterator<Item = &'a str> {
    let query = input.context.query.as_deref();
    query.into_iter().chain(input.context.blocks.iter().map(|block| block.text.as_str()))
}
