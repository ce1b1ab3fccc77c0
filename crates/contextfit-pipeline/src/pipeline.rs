//! The pipeline: strategies in turn until a text fits.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use contextfit_kernel::{
    Action, Budget, CompressionMetrics, CompressionResult, Context, ContextCompressor, Error, Measured,
    Outcome, Plan, Planner, Reason, Stage, Step, Strategy, TokenCounter, Tokens,
};
use tracing::{debug, info, info_span};

use crate::{
    check_plan, measure,
    measure::measure_by,
    remembered::Remembered,
    render::{Rendered, render, render_whole},
};

/// How often a strategy is asked for a smaller plan before the next one has its turn. What a plan takes too much is
/// asked back, then twice over, four times over and so on: estimates miss by a few tokens at the seams, so that the
/// second plan nearly always fits.
const ATTEMPTS: usize = 7;

/// The name under which the last resort appears in the trace.
const PINNED_ONLY: &str = "pinned-only";

/// Fits contexts into budgets with the strategies it holds, tried in order.
///
/// ```
/// use contextfit_kernel::{Block, Budget, Context, Passage, Tokens};
/// use contextfit_pipeline::Pipeline;
/// use contextfit_text::counter;
///
/// let context = Context::new(vec![Block::passage("a", Passage::default(), "short enough")]);
/// let pipeline = Pipeline::new(counter("chars/4")?);
/// let result = pipeline.fit(&context, &Budget::new(Tokens::new(10)))?;
/// assert_eq!(result.text, "short enough");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Pipeline {
    counter: Arc<dyn TokenCounter>,
    strategies: Vec<Arc<dyn Strategy>>,
}

impl Pipeline {
    /// A pipeline that counts with `counter` and has no strategy yet.
    #[must_use]
    pub fn new(counter: Arc<dyn TokenCounter>) -> Self {
        Self { counter, strategies: Vec::new() }
    }

    /// The same pipeline with one more strategy, tried after those before it.
    #[must_use]
    pub fn with_strategy(mut self, strategy: impl Strategy + 'static) -> Self {
        self.strategies.push(Arc::new(strategy));
        self
    }

    /// The counter.
    #[must_use]
    pub fn counter(&self) -> &dyn TokenCounter {
        &*self.counter
    }

    /// The context within `budget`, with the trace of what was done and the metrics.
    ///
    /// A context within the budget comes back as it is, with no stages. Each block is counted once; the time beyond
    /// that is the strategy's, and linear.
    ///
    /// # Errors
    /// [`Error::Infeasible`] when even the pinned blocks alone exceed the budget.
    pub fn fit(&self, context: &Context, budget: &Budget) -> Result<CompressionResult, Error> {
        let memory = Remembered::new(self.counter());
        let measured = measure_by(&memory, context, &memory);
        let available = budget.available();
        let result = if measured.tokens <= available {
            unchanged(&measured, &memory)
        } else {
            self.shorten(&measured, &memory, available)?
        };
        log(&result.metrics);
        Ok(result)
    }

    /// Tries the strategies in turn.
    fn shorten(
        &self,
        input: &Measured<'_>,
        memory: &Remembered<'_>,
        available: Tokens,
    ) -> Result<CompressionResult, Error> {
        let floor = pinned_only(input);
        let smallest = render(input, memory, &floor);
        if smallest.tokens > available {
            return Err(Error::Infeasible {
                needed: smallest.tokens.min(input.tokens),
                available,
                blockers: kept_ids(&floor),
            });
        }
        let mut stages = Vec::new();
        for strategy in &self.strategies {
            let _span = info_span!("stage", strategy = strategy.name()).entered();
            let (stage, rendered) = attempt(strategy.as_ref(), input, memory, available);
            debug!(attempts = stage.attempts, outcome = ?stage.outcome, "stage ended");
            stages.push(stage);
            if let Some(rendered) = rendered {
                return Ok(finished(input, rendered, stages));
            }
        }
        stages.push(Stage::new(PINNED_ONLY, Some(floor), 1, Outcome::Applied));
        Ok(finished(input, smallest, stages))
    }
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strategies: Vec<_> = self.strategies.iter().map(Strategy::name).collect();
        f.debug_struct("Pipeline")
            .field("counter", &self.counter.name())
            .field("strategies", &strategies)
            .finish()
    }
}

#[async_trait]
impl ContextCompressor for Pipeline {
    async fn compress_with_metrics(
        &self,
        context: Context,
        budget: &Budget,
    ) -> Result<CompressionResult, Error> {
        self.fit(&context, budget)
    }

    fn count_tokens(&self, context: &Context) -> Tokens {
        measure(context, self.counter()).tokens
    }
}

/// One strategy's turn: plans until the recount fits, with less room each time.
fn attempt(
    strategy: &dyn Strategy,
    input: &Measured<'_>,
    memory: &Remembered<'_>,
    available: Tokens,
) -> (Stage, Option<Rendered>) {
    let mut room = available;
    let mut tried = (None, Outcome::TooLong(input.tokens));
    let planner = strategy.planner(input);
    for n in 1..=ATTEMPTS {
        let plan = match plan(strategy, &planner, input, room) {
            Ok(plan) => plan,
            Err(error) => {
                return (Stage::new(strategy.name(), None, n, Outcome::Failed(error.to_string())), None);
            }
        };
        let rendered = render(input, memory, &plan);
        if rendered.tokens <= available {
            return (Stage::new(strategy.name(), Some(plan), n, Outcome::Applied), Some(rendered));
        }
        let excess = rendered.tokens.saturating_sub(available).get();
        room = room.saturating_sub(Tokens::new(excess.saturating_mul(1 << (n - 1))));
        tried = (Some(plan), Outcome::TooLong(rendered.tokens));
    }
    (Stage::new(strategy.name(), tried.0, ATTEMPTS, tried.1), None)
}

/// A plan that keeps the contract.
fn plan(
    strategy: &dyn Strategy,
    planner: &Planner<'_>,
    input: &Measured<'_>,
    room: Tokens,
) -> Result<Plan, Error> {
    let plan = planner(room)?;
    check_plan(input, &plan).map_err(|fault| Error::Plan { strategy: strategy.name().into(), fault })?;
    Ok(plan)
}

/// The smallest plan there can be: pinned blocks, and what shares a group with them.
fn pinned_only(input: &Measured<'_>) -> Plan {
    let steps = input.blocks.iter().zip(input.context.must_keep()).map(|(block, keep)| {
        let (action, reason) = match keep {
            true => (Action::Keep, Reason::Pinned),
            false => (Action::Drop, Reason::NoRoom { needed: block.cost(&Action::Keep, input.counter) }),
        };
        Step::new(&block.block().id, action, reason)
    });
    Plan { strategy: PINNED_ONLY.into(), steps: steps.collect() }
}

/// Ids of the blocks that a plan keeps.
fn kept_ids(plan: &Plan) -> Vec<String> {
    plan.steps.iter().filter(|step| step.action == Action::Keep).map(|step| step.id.clone()).collect()
}

/// The input as it is.
fn unchanged(input: &Measured<'_>, memory: &Remembered<'_>) -> CompressionResult {
    let (text, tokens) = render_whole(input, memory);
    let blocks = input.blocks.len();
    let metrics = CompressionMetrics {
        tokens_before: tokens,
        tokens_after: tokens,
        blocks_before: blocks + input.context.omitted,
        blocks_after: blocks,
        metadata_only: 0,
    };
    let block_tokens = input.blocks.iter().map(|block| block.cost(&Action::Keep, input.counter)).collect();
    CompressionResult::new(input.context.clone(), text, block_tokens, metrics, Vec::new())
}

/// The result of a rendered plan.
fn finished(input: &Measured<'_>, rendered: Rendered, stages: Vec<Stage>) -> CompressionResult {
    let metrics = CompressionMetrics {
        tokens_before: input.tokens,
        tokens_after: rendered.tokens,
        blocks_before: input.blocks.len() + input.context.omitted,
        blocks_after: rendered.context.blocks.len(),
        metadata_only: rendered.metadata_only,
    };
    CompressionResult::new(rendered.context, rendered.text, rendered.block_tokens, metrics, stages)
}

/// The event that seed 001 names, with its fields.
fn log(metrics: &CompressionMetrics) {
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
