//! The relevance of each block.

use crate::feedback::State;
use contextfit_kernel::{Block, Context, Scorer};
use contextfit_text::float;

/// The minimum relevance of a block relative to the best. It is enough for the block to be named if there is room.
const LEAST_RELEVANCE: f64 = 0.02;

/// The [relevance] of each block, multiplied by the learned weight of its scope.
pub(crate) fn weighted(context: &Context, scorer: Option<&dyn Scorer>, feedback: Option<&State>) -> Vec<f64> {
    let mut relevance = relevance(context, scorer);
    for (relevance, block) in relevance.iter_mut().zip(&context.blocks) {
        if let Some((_, found)) = feedback.and_then(|state| state.of_block(block)) {
            *relevance *= found.worth.value;
        }
    }
    relevance
}

/// The relevance of each block, from 0.02 to 1.
///
/// It comes from the retriever's scores if there are any, scaled within the request; otherwise from `scorer` and the
/// query; otherwise from the order, because retrievers put the best first. Missing and non-finite scores count as the
/// lowest.
pub(crate) fn relevance(context: &Context, scorer: Option<&dyn Scorer>) -> Vec<f64> {
    let given = scores(context);
    if given.iter().flatten().any(|score| score.is_finite()) {
        return scaled(&given);
    }
    if let (Some(scorer), Some(query)) = (scorer, context.query.as_deref()) {
        let texts: Vec<&str> = context.blocks.iter().map(|block| block.text.as_str()).collect();
        let headers: Vec<String> = context.blocks.iter().map(Block::header).collect();
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        // The subject of the query in a path or a title counts as much as in the text.
        let found = scorer.score(query, &texts).into_iter().zip(scorer.score(query, &headers));
        let found: Vec<f64> = found.map(|(text, header)| text + header).collect();
        if found.iter().any(|score| *score > 0.0) {
            let found: Vec<Option<f64>> = (0..texts.len()).map(|n| found.get(n).copied()).collect();
            return scaled(&found);
        }
    }
    let last = context.blocks.len().saturating_sub(1).max(1);
    let share = |n: usize| float(n) / float(last);
    (0..context.blocks.len()).map(|n| 1.0 - (1.0 - LEAST_RELEVANCE) * share(n)).collect()
}

/// The retriever's scores.
pub(crate) fn scores(context: &Context) -> Vec<Option<f64>> {
    context.blocks.iter().map(|block| block.as_passage().and_then(|passage| passage.score)).collect()
}

/// Scores scaled to at most 1 and at least [`LEAST_RELEVANCE`]. If all are equal, they count as 1.
fn scaled(scores: &[Option<f64>]) -> Vec<f64> {
    let known = || scores.iter().flatten().copied().filter(|score| score.is_finite());
    let (low, high) = known().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), s| (l.min(s), h.max(s)));
    // If all scores are positive, their ratio to the highest is more informative than their position in the range.
    let low = if low > 0.0 { 0.0 } else { low };
    let worth = |score: f64| match high > low {
        true => ((score - low) / (high - low)).max(LEAST_RELEVANCE),
        false => 1.0,
    };
    scores
        .iter()
        .map(|score| score.filter(|score| score.is_finite()).map_or(LEAST_RELEVANCE, worth))
        .collect()
}
