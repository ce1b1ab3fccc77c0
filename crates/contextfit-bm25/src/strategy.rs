//! The strategy that keeps the sentences that answer the query.

use std::{fmt, sync::Arc};

use contextfit_kernel::{Error, Measured, Plan, Planner, Scorer, Strategy, Tokens};

use crate::{
    Explanation, Fusion, SentenceOptions,
    plan::Planning,
    relevance::{Relevance, explain, meaning_texts},
};

/// Keeps the sentences of all blocks that answer the query best (seed 002), whole, in their order, every gap marked.
///
/// Each sentence is scored by BM25 against the query, its heading (title, path, symbols) counting as part of it; it gains by
/// its passage's score, its better neighbour's, and by names that lead from one passage to the next
/// ([`SentenceOptions`] has the weights). Sentences are taken in descending order of their scores, skipping what does not
/// fit; headings and markers are paid for. Sentences are the units of [`Measured`]; in code they are lines.
///
/// Without a query, or where no word of it occurs, [`Unmatched`](crate::Unmatched) says what to keep. Linear in the
/// length of the context, linear-logarithmic in the number of sentences.
///
/// ```
/// use contextfit_bm25::SentenceSelection;
/// use contextfit_kernel::{Block, Budget, Context, Passage, Tokens};
/// use contextfit_pipeline::Pipeline;
/// use contextfit_text::counter;
///
/// let text = "The town lies on a river. Its bridge was built in 1902. It has two schools. The market is held on Fridays.";
/// let passage = Passage { title: Some("A town".into()), ..Passage::default() };
/// let context = Context::new(vec![Block::passage("p", passage, text)]).with_query("when was the bridge built");
/// let pipeline = Pipeline::new(counter("chars/1")?).with_strategy(SentenceSelection::default());
/// let result = pipeline.fit(&context, &Budget::new(Tokens::new(90)))?;
/// assert_eq!(result.text, "A town\nThe town lies on a river. Its bridge was built in 1902. [... 2 sentences]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct SentenceSelection {
    options: SentenceOptions,
    meaning: Option<(Arc<dyn Scorer>, Fusion)>,
}

impl fmt::Debug for SentenceSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fusion = self.meaning.as_ref().map(|(_, fusion)| fusion);
        f.debug_struct("SentenceSelection").field("options", &self.options).field("fusion", &fusion).finish()
    }
}

impl SentenceSelection {
    /// The strategy with `options`.
    #[must_use]
    pub const fn new(options: SentenceOptions) -> Self {
        Self { options, meaning: None }
    }

    /// The same strategy, its scores brought together with those of `scorer`, which sees each sentence and each whole block behind its
    /// title: a model of meaning finds what the words do not say.
    #[must_use]
    pub fn with_meaning(mut self, scorer: Arc<dyn Scorer>, fusion: Fusion) -> Self {
        self.meaning = Some((scorer, fusion));
        self
    }

    /// The texts that a model of meaning is asked about, the sentences of `input` and then its whole blocks: for
    /// [`Similarity::embed`](crate::Similarity::embed).
    #[must_use]
    pub fn texts(input: &Measured<'_>) -> Vec<String> {
        meaning_texts(input)
    }

    /// Why unit `unit` of block `block` scores what it does by its words, as a tree of parts and terms; `None` when there
    /// is no such unit. Linear in the length of the context.
    #[must_use]
    pub fn explain(&self, input: &Measured<'_>, block: usize, unit: usize) -> Option<Explanation> {
        explain(input, &self.options, &[(block, unit)]).pop().flatten()
    }

    /// The same for many units at once, pairs of a block and a unit. Linear in the length of the context and the number
    /// of units.
    #[must_use]
    pub fn explain_all(&self, input: &Measured<'_>, units: &[(usize, usize)]) -> Vec<Option<Explanation>> {
        explain(input, &self.options, units)
    }
}

impl SentenceSelection {
    /// All that does not depend on the room.
    fn prepare<'r, 'a>(&'r self, input: &'r Measured<'a>) -> Planning<'r, 'a> {
        Planning::new(input, &self.options, self.relevance(input))
    }

    /// What each sentence of `input` is worth to its query.
    pub(crate) fn relevance(&self, input: &Measured<'_>) -> Relevance {
        let meaning = self.meaning.as_ref().map(|(scorer, fusion)| (scorer.as_ref(), *fusion));
        Relevance::new(input, &self.options, meaning)
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
