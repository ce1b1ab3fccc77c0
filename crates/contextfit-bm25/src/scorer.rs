//! Scores texts like passages: by the best of their sentences.

use contextfit_kernel::{
    Block, Context, Measured, MeasuredBlock, Passage, Scorer, TokenCounter, Tokens, Unit,
};
use contextfit_text::{Shape, unit_ends};

use crate::{SentenceSelection, relevance::Relevance};

impl Scorer for SentenceSelection {
    /// The best sentence score of each text, in a context with these texts as passages: by its words and its passage's,
    /// by the rare names it shares with the strongest sentences, and by embeddings if the strategy has a model.
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        let blocks = texts.iter().map(|text| Block::passage("", Passage::default(), *text)).collect();
        let context = Context::new(blocks).with_query(query);
        let unit = |end| Unit { end, tokens_through: Tokens::ZERO, splits: true };
        let input = Measured {
            context: &context,
            counter: &Uncounted,
            blocks: context
                .blocks
                .iter()
                .map(|block| {
                    let ends = unit_ends(&block.text, Shape::Prose);
                    MeasuredBlock::new(block, ends.into_iter().map(unit).collect(), Tokens::ZERO)
                })
                .collect(),
            tokens: Tokens::ZERO,
            omission: Tokens::ZERO,
            record: Tokens::ZERO,
        };
        let Relevance { corpus, scores, .. } = self.relevance(&input, &[]);
        let best = |block| {
            scores.get(corpus.sentences(block)).unwrap_or_default().iter().copied().fold(0.0, f64::max)
        };
        (0..corpus.n_blocks()).map(best).collect()
    }
}

/// Scores need no counts.
struct Uncounted;

impl TokenCounter for Uncounted {
    fn name(&self) -> &str {
        "none"
    }

    fn count(&self, _: &str) -> Tokens {
        Tokens::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_worth_what_its_best_sentence_is() {
        let texts = ["It rained.", "The bridge was built in 1902. It rained.", "A bridge.", ""];
        let scores = SentenceSelection::default().score("when was the bridge built", &texts);
        assert!(scores[1] > scores[2] && scores[2] > scores[0], "{scores:?}");
        assert!(scores[3] <= 0.0 && scores.len() == 4);
        assert!(SentenceSelection::default().score("x", &[]).is_empty());
    }
}
