//! Small requests and their results. Tokens are characters here, so that budgets are easy to read.

use std::sync::Arc;

use contextfit_bm25::{SentenceOptions, SentenceSelection};
use contextfit_kernel::{Block, Budget, CompressionResult, Context, Passage, Strategy, Tokens};
use contextfit_pipeline::Pipeline;
use contextfit_text::CharsPer;

/// A chunk with no metadata.
pub(crate) fn chunk(id: &str, text: &str) -> Block {
    Block::passage(id, Passage::default(), text)
}

/// A chunk of the document `title`.
pub(crate) fn titled(title: &str, text: &str) -> Block {
    Block::passage(title, Passage::default().with_title(title), text)
}

/// The result of `strategy` for `context` in `budget` characters. Fails if the fallback was used instead.
#[track_caller]
pub(crate) fn fit_with(
    strategy: impl Strategy + 'static,
    context: &Context,
    budget: usize,
) -> CompressionResult {
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(1).unwrap())).with_strategy(strategy);
    let result = pipeline.fit(context, &Budget::new(Tokens::new(budget))).unwrap();
    assert!(result.metrics.tokens_after <= Tokens::new(budget), "{:?}", result.metrics);
    assert_eq!(result.text.chars().count(), result.metrics.tokens_after.get());
    assert_eq!(result.strategy(), Some("bm25"), "{:?}", result.stages);
    result
}

/// The result of sentence selection with `options`.
#[track_caller]
pub(crate) fn fit(options: &SentenceOptions, context: &Context, budget: usize) -> CompressionResult {
    fit_with(SentenceSelection::new(options.clone()), context, budget)
}

/// Options that score sentences by their own words alone.
pub(crate) fn own_words() -> SentenceOptions {
    SentenceOptions::default()
        .with_heading(0.0)
        .with_passage(0.0)
        .with_neighbour(0.0)
        .with_phrase(0.0)
        .with_lead(0.0)
        .with_mention(0.0)
        .with_shared_name(0.0)
        .with_repetition(0.0)
        .with_retrieval(0.0)
        .with_min_relevance(0.0)
}
