//! The strategy that keeps the sentences most relevant to the query, which also scores texts.

use std::sync::Arc;

use contextfit_kernel::{
    Block, Context, Error, Measured, MeasuredBlock, Passage, Plan, Planner, Scorer, Strategy, TokenCounter,
    Tokens, Unit,
};
use contextfit_text::{Needs, Shape, unit_ends};

use crate::{
    Explanation, Fusion, SentenceOptions,
    plan::Planning,
    relevance::{Relevance, needs, score, texts_to_embed},
};

/// Keeps the sentences of all blocks that are most relevant to the query, whole and in order, with every gap marked.
/// Why it chooses as it does: ADR 0010, sentence selection.
///
/// Each sentence is scored by BM25 against the query, and its heading (title, path, symbols) counts as part of it. It
/// gains from the scores of its passage and of its better neighbour, and from names that lead from one passage to the
/// next. [`SentenceOptions`] has the weights. Sentences are taken in descending order of score, and those that do not
/// fit with their headings and markers are skipped. Sentences are the units of [`Measured`]; in code these are lines.
///
/// If there is no query or none of its words occurs, [`Unmatched`](crate::Unmatched) decides what is kept. Linear in
/// the length of the context, O(n log n) in the number of sentences.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Block, Budget, Context, Passage, Tokens};
/// #     pub use ::contextfit_pipeline::Pipeline;
/// #     pub use ::contextfit_text::counter;
/// #     pub use ::contextfit_bm25 as search;
/// # }
/// use contextfit::{Block, Budget, Context, Passage, Pipeline, Tokens, counter, search::SentenceSelection};
///
/// let text = "The town lies on a river. Its bridge was built in 1902. It has two schools. The market is held on Fridays.";
/// let passage = Passage::default().with_title("A town");
/// let context = Context::new(vec![Block::passage("p", passage, text)]).with_query("when was the bridge built");
/// let pipeline = Pipeline::new(counter("chars/1")?).with_strategy(SentenceSelection::default());
/// let result = pipeline.fit(&context, &Budget::new(Tokens::new(90)))?;
/// assert_eq!(result.text, "A town\nThe town lies on a river. Its bridge was built in 1902. [... 2 sentences]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SentenceSelection {
    options: SentenceOptions,
    scorer: Option<(Arc<dyn Scorer>, Fusion)>,
}

impl SentenceSelection {
    /// Creates the strategy with `options`.
    #[must_use]
    pub const fn new(options: SentenceOptions) -> Self {
        Self { options, scorer: None }
    }

    /// Combines the lexical scores with those of `scorer`, which gets each sentence and each whole block, preceded by
    /// its title. An embedding model finds matches that share no words with the query.
    #[must_use]
    pub fn with_scorer(mut self, scorer: Arc<dyn Scorer>, fusion: Fusion) -> Self {
        self.scorer = Some((scorer, fusion));
        self
    }

    /// Returns the texts for an embedding model, for [`Similarity::embed`](crate::Similarity::embed): the sentences of
    /// `input`, then its whole blocks.
    #[must_use]
    pub fn texts(input: &Measured<'_>) -> Vec<String> {
        texts_to_embed(input)
    }

    /// Explains the score of unit `unit` of block `block` as a tree of parts and terms: the score in
    /// [`Reason::Relevant`](contextfit_kernel::Reason), with the retriever's share, but without that of a scorer. `input`
    /// comes from `measure` in `contextfit-pipeline`. `None` if there is no such unit. Linear in the length of the
    /// context; for several units, use [`explain_all`](Self::explain_all).
    #[must_use]
    pub fn explain(&self, input: &Measured<'_>, block: usize, unit: usize) -> Option<Explanation> {
        self.explain_all(input, &[(block, unit)]).pop().flatten()
    }

    /// Explains several units, given as pairs of a block and a unit. Linear in the length of the context and the number
    /// of units.
    #[must_use]
    pub fn explain_all(&self, input: &Measured<'_>, units: &[(usize, usize)]) -> Vec<Option<Explanation>> {
        score(input, &needs(input, &self.options), &self.options, None, units).1
    }
}

impl SentenceSelection {
    /// Prepares everything that is independent of the room.
    fn prepare<'r, 'a>(&'r self, input: &'r Measured<'a>) -> Planning<'r, 'a> {
        let needs = needs(input, &self.options);
        let relevance = self.relevance(input, &needs);
        Planning::new(input, &self.options, &needs, relevance)
    }

    /// The relevance of each sentence of `input` to its query.
    pub(crate) fn relevance(&self, input: &Measured<'_>, needs: &[Needs]) -> Relevance {
        let scorer = self.scorer.as_ref().map(|(scorer, fusion)| (scorer.as_ref(), *fusion));
        score(input, needs, &self.options, scorer, &[]).0
    }
}

impl Strategy for SentenceSelection {
    fn name(&self) -> &str {
        "bm25"
    }

    fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
        Ok(self.prepare(input).plan(room))
    }

    fn planner<'a>(&'a self, input: &'a Measured<'a>) -> Planner<'a> {
        let planning = self.prepare(input);
        Box::new(move |room| Ok(planning.plan(room)))
    }
}

impl Scorer for SentenceSelection {
    /// The score of the best sentence of each text, in a context that has these texts as passages: by its words and
    /// those of its passage, by the rare names that it shares with the strongest sentences and, if the strategy has a
    /// scorer, by similarity.
    fn score(&self, query: &str, texts: &[&str]) -> Vec<f64> {
        let blocks = texts.iter().map(|text| Block::passage("", Passage::default(), *text)).collect();
        let context = Context::new(blocks).with_query(query);
        let unit = |end| Unit { end, tokens_through: Tokens::ZERO, splits: true };
        let measured = context.blocks.iter().map(|block| {
            let ends = unit_ends(&block.text, Shape::Prose);
            MeasuredBlock::new(block, ends.into_iter().map(unit).collect(), Tokens::ZERO)
        });
        let input = Measured::new(&context, &Uncounted, measured.collect(), Tokens::ZERO);
        let Relevance { corpus, scores, .. } = self.relevance(&input, &[]);
        let best = |block| {
            scores.get(corpus.sentences(block)).unwrap_or_default().iter().copied().fold(0.0, f64::max)
        };
        (0..corpus.n_blocks()).map(best).collect()
    }
}

/// A counter for scoring, which needs no token counts.
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
