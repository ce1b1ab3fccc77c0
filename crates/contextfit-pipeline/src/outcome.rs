//! The results and errors of a pipeline, and the plan of last resort.

use std::cmp::Reverse;

use contextfit_kernel::{
    Action, Blocker, CompressionMetrics, CompressionResult, Error, Hold, Measured, Plan, Reason, Stage, Step,
    Tokens,
};
use contextfit_text::keep_shown;
use tracing::{debug, info};

use crate::{
    departures::{SMALLEST, name_departures},
    forgery::distinguish_gaps,
    remembered::Remembered,
    render::{Rendered, render_whole},
};

/// The error that even `floor`, the smallest plan, needs too many tokens.
pub(crate) fn infeasible(needed: Tokens, available: Tokens, input: &Measured<'_>, floor: &Plan) -> Error {
    let steps = input.blocks.iter().zip(&floor.steps).zip(input.context.holds());
    let held = steps.filter(|(_, hold)| *hold != Hold::Free);
    let mut blockers: Vec<Blocker> = held
        .map(|((block, step), hold)| {
            // On its own, a block has a header and a separator that the whole text may not have.
            let tokens = block.cost(&step.action, input.counter).min(needed);
            Blocker { id: step.id.clone(), tokens, hold }
        })
        .collect();
    blockers.sort_by_key(|blocker| Reverse(blocker.tokens));
    Error::Infeasible { needed, available, blockers }
}

/// The plan of last resort: pinned blocks, and as much as fits into `room` of the blocks that must be shown, with at
/// least a marker for each. With a room of zero it is the smallest possible plan. If `calls` is false, the record does
/// not name the calls of omitted turns.
pub(crate) fn smallest(input: &Measured<'_>, room: Tokens, calls: bool) -> Plan {
    let steps = input.blocks.iter().zip(input.context.holds()).map(|(block, hold)| {
        let (action, reason) = match hold {
            Hold::Pinned => (Action::Keep, Reason::Pinned),
            _ => (Action::Drop, Reason::NoRoom { needed: block.cost(&Action::Keep, input.counter) }),
        };
        Step::new(&block.block().id, action, reason)
    });
    let mut plan = Plan { strategy: SMALLEST.into(), steps: steps.collect() };
    keep_shown(&mut plan, input, room);
    name_departures(&mut plan, input, calls);
    distinguish_gaps(&mut plan, input);
    count_steps(&mut plan, input);
    plan
}

/// Counts the steps of `plan` that have no tokens yet. The count depends on the units, so a verifier finds by it in which
/// units the plan was made.
pub(crate) fn count_steps(plan: &mut Plan, input: &Measured<'_>) {
    for (step, block) in plan.steps.iter_mut().zip(&input.blocks) {
        step.tokens.get_or_insert_with(|| block.cost(&step.action, input.counter));
    }
}

/// The result for an input that is returned unchanged.
pub(crate) fn unchanged(input: &Measured<'_>, memory: &Remembered<'_>) -> CompressionResult {
    let (text, tokens) = render_whole(input, memory);
    let blocks = input.blocks.len();
    let metrics = CompressionMetrics::default()
        .with_tokens_before(tokens + input.context.omitted_tokens)
        .with_tokens_after(tokens)
        .with_blocks_before(blocks + input.context.omitted)
        .with_blocks_after(blocks);
    let block_tokens = input.blocks.iter().map(|block| block.cost(&Action::Keep, input.counter)).collect();
    CompressionResult::new(input.context.clone(), text, block_tokens, metrics, Vec::new())
}

/// The result for a rendered plan.
pub(crate) fn finished(input: &Measured<'_>, rendered: Rendered, stages: Vec<Stage>) -> CompressionResult {
    let metrics = CompressionMetrics::default()
        .with_tokens_before(input.tokens + input.context.omitted_tokens)
        .with_tokens_after(rendered.tokens)
        .with_blocks_before(input.blocks.len() + input.context.omitted)
        .with_blocks_after(rendered.context.blocks.len())
        .with_metadata_only(rendered.metadata_only);
    CompressionResult::new(rendered.context, rendered.text, rendered.block_tokens, metrics, stages)
}

/// Logs the event `Compression metrics` of KB Labs Mind, with its fields, and one event per summary.
pub(crate) fn log(result: &CompressionResult) {
    for summary in result.stages.iter().flat_map(|stage| &stage.summaries) {
        debug!(
            blocks = summary.to - summary.from,
            source = ?summary.source,
            tokensIn = summary.tokens_in.get(),
            tokensOut = summary.tokens_out.get(),
            "summary"
        );
    }
    let metrics = &result.metrics;
    info!(
        totalChunks = metrics.blocks_before,
        metadataOnlyChunks = metrics.metadata_only,
        tokensBeforeCompression = metrics.tokens_before.get(),
        tokensAfterCompression = metrics.tokens_after.get(),
        tokensSaved = metrics.tokens_saved().get(),
        compressionRate = metrics.compression_rate(),
        "Compression metrics"
    );
}
