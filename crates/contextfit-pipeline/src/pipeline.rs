//! The pipeline: tries strategies until a text fits.

use std::{cmp::Reverse, fmt, sync::Arc};

use async_trait::async_trait;
use contextfit_kernel::{
    Action, Block, Blocker, Budget, CompressionMetrics, CompressionResult, Context, ContextCompressor, Error,
    Hold, Measured, Outcome, Plan, Planner, Reason, Stage, Step, Strategy, TokenCounter, Tokens,
};
use contextfit_text::keep_shown;
use tracing::{debug, info, info_span};

use crate::{
    Summarizer, check_plan,
    handles::{Handles, name_originals},
    measure,
    measure::{Cuts, measure_by},
    remembered::Remembered,
    render::{Rendered, render, render_whole},
    summaries::{Answers, Part, Settled, settle},
};

/// How often a strategy may plan before the next one is tried. The room shrinks by the excess and a quarter more, plus
/// one token in [`SPARE`] of the room, then by twice as much, four times as much and so on: estimates miss by a few
/// tokens at the seams, never by quite the same number, so the second plan nearly always fits.
const ATTEMPTS: usize = 7;

/// A replan leaves one token in this many of the room free. In a large room a small excess is the sum of many seams,
/// some over and some under, and another plan has others: a third plan would cost more time than these tokens are
/// worth.
const SPARE: usize = 2048;

/// How often a model is asked for summaries in one call. Answers are shown within the room they were requested for, so
/// once is enough unless the plan had to be made again with less room.
const ROUNDS: usize = 4;

/// The name of the last resort in the trace.
const SMALLEST: &str = "smallest";

/// Fits contexts into budgets with its strategies, tried in order.
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
    summarizer: Option<Summarizer>,
    handles: Option<Handles>,
}

impl Pipeline {
    /// A pipeline that counts with `counter` and has no strategies yet.
    #[must_use]
    pub fn new(counter: Arc<dyn TokenCounter>) -> Self {
        Self { counter, strategies: Vec::new(), summarizer: None, handles: None }
    }

    /// Adds a strategy, tried after those before it.
    #[must_use]
    pub fn with_strategy(mut self, strategy: impl Strategy + 'static) -> Self {
        self.strategies.push(Arc::new(strategy));
        self
    }

    /// Sets the summarizer for plans that need summaries. Only
    /// [`compress_with_metrics`](ContextCompressor::compress_with_metrics) calls it; [`fit`](Self::fit) never does.
    #[must_use]
    pub fn with_summarizer(mut self, summarizer: Summarizer) -> Self {
        self.summarizer = Some(summarizer);
        self
    }

    /// Adds handles of originals to markers: the first marker of a block that is cut names its handle, as in
    /// `[... 12 lines, restore 7f3a9c1b]`. `handle` returns it for a block; `None` if no original is kept. The tokens
    /// of handles are counted.
    #[must_use]
    pub fn with_handles(mut self, handle: impl Fn(&Block) -> Option<String> + Send + Sync + 'static) -> Self {
        self.handles = Some(Arc::new(handle));
        self
    }

    /// The counter.
    #[must_use]
    pub fn counter(&self) -> &dyn TokenCounter {
        &*self.counter
    }

    /// Fits `context` into `budget`, and returns it with the trace and metrics.
    ///
    /// The budget is enforced here: each plan must keep the contract ([`check_plan`]), its text is recounted, and one
    /// over the budget is never a result. A context within the budget is returned as it is, with no stages. Each block
    /// is counted once; beyond that, the time is the strategy's, and linear. Blocks to be summarized are shown with the
    /// plan's fallback, as no model is called.
    ///
    /// # Errors
    /// [`Error::Infeasible`] if even the pinned blocks and the remains of shown ones exceed the budget.
    pub fn fit(&self, context: &Context, budget: &Budget) -> Result<CompressionResult, Error> {
        let memory = Remembered::new(self.counter());
        let measured = self.measured(context, &memory, budget.available());
        let models = Models { answers: &Answers::default(), max_input_tokens: Tokens::MAX, ask: false };
        match self.fitted(&measured, &memory, budget, models)? {
            Fitted::Done(result) => Ok(*result),
            // No model may be called.
            Fitted::Asks(_) => {
                let floor = smallest(&measured, Tokens::ZERO);
                Err(infeasible(measured.tokens, budget.available(), &measured, &floor))
            }
        }
    }

    /// Measures the context, in units as fine as any of the strategies needs.
    fn measured<'a>(&self, context: &'a Context, memory: &'a Remembered<'_>, room: Tokens) -> Measured<'a> {
        let within_lines = self.strategies.iter().any(|strategy| strategy.cuts_within_lines(context));
        measure_by(memory, context, memory, Cuts { room, within_lines })
    }

    /// Fits the context with `summarizer`. Planning never waits: missing summaries are requested, then it plans again.
    async fn summarized(
        &self,
        summarizer: &Summarizer,
        context: &Context,
        budget: &Budget,
    ) -> Result<CompressionResult, Error> {
        let memory = Remembered::new(self.counter());
        let measured = self.measured(context, &memory, budget.available());
        let mut answers = Answers::default();
        let mut round = 0;
        loop {
            let models = Models {
                answers: &answers,
                max_input_tokens: summarizer.max_input_tokens(),
                ask: round < ROUNDS,
            };
            match self.fitted(&measured, &memory, budget, models)? {
                Fitted::Done(result) => return Ok(*result),
                Fitted::Asks(parts) => summarizer.ask(&parts, &measured, &memory, &mut answers).await,
            }
            round += 1;
        }
    }

    /// The result, as far as it is known without calling a model.
    fn fitted(
        &self,
        measured: &Measured<'_>,
        memory: &Remembered<'_>,
        budget: &Budget,
        models: Models<'_>,
    ) -> Result<Fitted, Error> {
        let available = budget.available();
        let fitted = if measured.tokens <= available {
            Fitted::Done(Box::new(unchanged(measured, memory)))
        } else {
            self.shorten(measured, memory, available, models)?
        };
        if let Fitted::Done(result) = &fitted {
            log(result);
        }
        Ok(fitted)
    }

    /// Tries the strategies in order.
    fn shorten(
        &self,
        input: &Measured<'_>,
        memory: &Remembered<'_>,
        available: Tokens,
        models: Models<'_>,
    ) -> Result<Fitted, Error> {
        let mut floor = smallest(input, Tokens::ZERO);
        let mut shown = render(input, memory, &floor, available)
            .map_err(|tokens| infeasible(tokens.min(input.tokens), available, input, &floor))?;
        let mut stages = Vec::new();
        for strategy in &self.strategies {
            let _span = info_span!("stage", strategy = strategy.name()).entered();
            let (stage, rendered) =
                match attempt(strategy.as_ref(), input, memory, available, models, self.handles.as_ref()) {
                    Attempt::Asks(parts) => return Ok(Fitted::Asks(parts)),
                    Attempt::Ended(stage, rendered) => (stage, rendered),
                };
            debug!(attempts = stage.attempts, outcome = ?stage.outcome, "stage ended");
            stages.push(stage);
            if let Some(rendered) = rendered {
                return Ok(Fitted::Done(Box::new(finished(input, *rendered, stages))));
            }
        }
        // Nothing else fits; but there may be room for more than markers of the blocks that must be shown.
        let fuller = smallest(input, available);
        if let Ok(rendered) = render(input, memory, &fuller, available) {
            (floor, shown) = (fuller, rendered);
        }
        stages.push(Stage::new(SMALLEST, Some(floor), 1, Outcome::Applied));
        Ok(Fitted::Done(Box::new(finished(input, shown, stages))))
    }
}

/// The answers of models so far, and whether more may be requested.
#[derive(Clone, Copy)]
struct Models<'a> {
    answers: &'a Answers,
    max_input_tokens: Tokens,
    ask: bool,
}

/// How far the context has been fitted.
enum Fitted {
    Done(Box<CompressionResult>),
    /// These must be summarized first.
    Asks(Vec<Part>),
}

/// The outcome of one strategy.
enum Attempt {
    Ended(Stage, Option<Box<Rendered>>),
    /// These must be summarized first.
    Asks(Vec<Part>),
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strategies: Vec<_> = self.strategies.iter().map(Strategy::name).collect();
        f.debug_struct("Pipeline")
            .field("counter", &self.counter.name())
            .field("strategies", &strategies)
            .field("summarizer", &self.summarizer)
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
        match &self.summarizer {
            Some(summarizer) => self.summarized(summarizer, &context, budget).await,
            None => self.fit(&context, budget),
        }
    }

    fn count_tokens(&self, context: &Context) -> Tokens {
        measure(context, self.counter()).tokens
    }
}

/// Tries one strategy: plans until the recount fits, with less room each time.
fn attempt(
    strategy: &dyn Strategy,
    input: &Measured<'_>,
    memory: &Remembered<'_>,
    available: Tokens,
    models: Models<'_>,
    handles: Option<&Handles>,
) -> Attempt {
    let mut room = available;
    let mut tried = Stage::new(strategy.name(), None, ATTEMPTS, Outcome::TooLong(input.tokens));
    let planner = strategy.planner(input);
    for n in 1..=ATTEMPTS {
        let Settled { plan, summaries, open } = match plan(strategy, &planner, input, room, models, handles) {
            Ok(settled) => settled,
            Err(error) => {
                let failed = Stage::new(strategy.name(), None, n, Outcome::Failed(error.to_string()));
                return Attempt::Ended(failed, None);
            }
        };
        if models.ask && !open.is_empty() {
            return Attempt::Asks(open);
        }
        let rendered = render(input, memory, &plan, available);
        let outcome = rendered.as_ref().map_or_else(|tokens| Outcome::TooLong(*tokens), |_| Outcome::Applied);
        let stage = Stage::new(strategy.name(), Some(plan), n, outcome).with_summaries(summaries);
        let tokens = match rendered {
            Ok(rendered) => return Attempt::Ended(stage, Some(Box::new(rendered))),
            Err(tokens) => tokens,
        };
        let excess = tokens.saturating_sub(available).get();
        let spare = excess.div_ceil(4) + available.get() / SPARE;
        room = room.saturating_sub(Tokens::new((excess + spare).saturating_mul(1 << (n - 1))));
        tried = stage;
    }
    Attempt::Ended(tried, None)
}

/// A plan that keeps the contract, with summaries settled.
fn plan(
    strategy: &dyn Strategy,
    planner: &Planner<'_>,
    input: &Measured<'_>,
    room: Tokens,
    models: Models<'_>,
    handles: Option<&Handles>,
) -> Result<Settled, Error> {
    let invalid = |fault| Error::Plan { strategy: strategy.name().into(), fault };
    let plan = planner(room)?;
    if plan.steps.len() != input.blocks.len() {
        check_plan(input, &plan).map_err(invalid)?;
    }
    let mut settled = settle(plan, input, models.answers, models.max_input_tokens, input.counter);
    check_plan(input, &settled.plan).map_err(invalid)?;
    if let Some(handles) = handles {
        name_originals(&mut settled.plan, input, handles);
    }
    Ok(settled)
}

/// The error if even `floor`, the smallest plan, needs too many tokens.
fn infeasible(needed: Tokens, available: Tokens, input: &Measured<'_>, floor: &Plan) -> Error {
    let steps = input.blocks.iter().zip(&floor.steps).zip(input.context.holds());
    let held = steps.filter(|(_, hold)| *hold != Hold::Free);
    let mut blockers: Vec<Blocker> = held
        .map(|((block, step), hold)| {
            let tokens = block.cost(&step.action, input.counter);
            Blocker { id: step.id.clone(), tokens, hold }
        })
        .collect();
    blockers.sort_by_key(|blocker| Reverse(blocker.tokens));
    Error::Infeasible { needed, available, blockers }
}

/// Pinned blocks, as much as `room` allows of those that must be shown, with at least a marker for each, and nothing
/// else. With no room, the smallest possible plan.
fn smallest(input: &Measured<'_>, room: Tokens) -> Plan {
    let steps = input.blocks.iter().zip(input.context.holds()).map(|(block, hold)| {
        let (action, reason) = match hold {
            Hold::Pinned => (Action::Keep, Reason::Pinned),
            _ => (Action::Drop, Reason::NoRoom { needed: block.cost(&Action::Keep, input.counter) }),
        };
        Step::new(&block.block().id, action, reason)
    });
    let mut plan = Plan { strategy: SMALLEST.into(), steps: steps.collect() };
    keep_shown(&mut plan, input, room);
    plan
}

/// The input unchanged.
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

/// Logs the event `Compression metrics` of KB Labs Mind, with its fields, and one event per summary.
fn log(result: &CompressionResult) {
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
