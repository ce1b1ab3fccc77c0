//! The pipeline, which tries strategies until a text fits.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use contextfit_kernel::{
    Block, Budget, CompressionResult, Context, ContextCompressor, Error, Measured, MeasuredBlock, Outcome,
    Stage, Strategy, TokenCounter, Tokens,
};
use tracing::{debug, info_span};

#[cfg(feature = "llm")]
use crate::Summarizer;
use crate::{
    attempt::{Attempt, Ended, Models, attempt},
    departures::SMALLEST,
    handles::Handles,
    measure,
    measure::{Cuts, kinds, measure_by},
    outcome::{finished, infeasible, log, smallest, unchanged},
    remembered::Remembered,
    render::render,
    summaries::{Answers, SummaryPart},
};

/// The maximum number of rounds of requests for summaries in one call. Answers are shown within the room they were
/// requested for, so one round is enough unless the strategy has to plan again with less room.
#[cfg(feature = "llm")]
const ROUNDS: usize = 4;

/// Fits contexts into budgets with its strategies, tried in order.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Block, Budget, Context, Error, Passage, Strategy, Tokens};
/// #     pub use ::contextfit_pipeline::Pipeline;
/// #     pub use ::contextfit_text::counter;
/// #     pub use ::contextfit_kernel as kernel;
/// # }
/// use contextfit::{
///     Block, Budget, Context, Error, Passage, Pipeline, Strategy, Tokens, counter,
///     kernel::{Action, Measured, Plan, Reason, Step},
/// };
///
/// /// Keeps the last block.
/// struct Last;
///
/// impl Strategy for Last {
///     fn name(&self) -> &str { "last" }
///     fn plan(&self, input: &Measured<'_>, room: Tokens) -> Result<Plan, Error> {
///         let blocks = &input.context.blocks;
///         let steps = blocks.iter().enumerate().map(|(at, block)| match at + 1 == blocks.len() {
///             true => Step::new(&block.id, Action::Keep, Reason::Fits),
///             false => Step::new(&block.id, Action::Drop, Reason::Other("not the last".into())),
///         });
///         Ok(Plan { strategy: "last".into(), steps: steps.collect() })
///     }
/// }
///
/// let block = |id: &str, text: &str| Block::passage(id, Passage::default(), text);
/// let context = Context::new(vec![block("a", "a first block, rather long"), block("b", "the last")]);
/// let pipeline = Pipeline::new(counter("chars/4")?).with_strategy(Last);
/// let result = pipeline.fit(&context, &Budget::new(8))?;
/// assert_eq!(result.text.lines().next(), Some("the last"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Pipeline {
    counter: Arc<dyn TokenCounter>,
    strategies: Vec<Arc<dyn Strategy>>,
    #[cfg(feature = "llm")]
    summarizer: Option<Summarizer>,
    handles: Option<Handles>,
    earlier: Vec<Stage>,
}

impl Pipeline {
    /// Creates a pipeline that counts with `counter`. It needs at least one strategy.
    #[must_use]
    pub fn new(counter: Arc<dyn TokenCounter>) -> Self {
        Self {
            counter,
            strategies: Vec::new(),
            #[cfg(feature = "llm")]
            summarizer: None,
            handles: None,
            earlier: Vec::new(),
        }
    }

    /// Adds a strategy, which is tried after the earlier ones.
    #[must_use]
    pub fn with_strategy(mut self, strategy: impl Strategy + 'static) -> Self {
        self.strategies.push(Arc::new(strategy));
        self
    }

    /// Sets the summarizer for plans that need summaries. Only
    /// [`compress_with_metrics`](ContextCompressor::compress_with_metrics) calls it; [`fit`](Self::fit) never does.
    #[cfg(feature = "llm")]
    #[must_use]
    pub fn with_summarizer(mut self, summarizer: Summarizer) -> Self {
        self.summarizer = Some(summarizer);
        self
    }

    /// Adds handles of originals to markers: the first marker of each cut block ends with `restore 7f3a9c1b`, if that is
    /// the handle. `handle` returns it for the index of a block and the block (ids need not be unique);
    /// `None` if no original is stored. The tokens of handles are counted.
    #[must_use]
    pub fn with_handles(
        mut self,
        handle: impl Fn(usize, &Block) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.handles = Some(Arc::new(handle));
        self
    }

    /// Puts `stage` first in the trace of every shortened context. It records an event before planning, such as an
    /// embedding model that could not be used.
    #[must_use]
    pub fn with_earlier_stage(mut self, stage: Stage) -> Self {
        self.earlier.push(stage);
        self
    }

    /// The counter of the pipeline.
    #[must_use]
    pub fn counter(&self) -> &dyn TokenCounter {
        &*self.counter
    }

    /// Fits `context` into `budget`, and returns it with the trace and the metrics.
    ///
    /// The budget is enforced here: each plan must keep the contract ([`check_plan`](crate::check_plan)), its text is
    /// counted, and a text over the budget is never a result. A context within the budget is returned unchanged, with
    /// no stages. Each block is counted once, or twice if long units would leave more than half of the budget; the rest
    /// is linear, apart from the time of the strategy. No model is called, so strategies plan without summaries.
    ///
    /// If every plan is too long, the result consists of the pinned blocks and as much as fits of the shown ones. The
    /// last stage is then called `smallest`, and the earlier stages have the tokens of their plans.
    ///
    /// A panic of a strategy is caught and reported as its failure. The panic hook runs first and prints the message,
    /// unless the application sets another hook. With `panic = "abort"` a panic ends the process.
    ///
    /// # Errors
    /// [`Error::NoStrategy`] without a strategy, whatever the size of the context. [`Error::Infeasible`] if even the
    /// pinned blocks and the minimum of the shown ones exceed the budget. The first [`Error::Strategy`] or
    /// [`Error::Plan`] if a strategy fails, panics or breaks the contract and no other one fits; if another one fits,
    /// the failure is in the trace.
    pub fn fit(&self, context: &Context, budget: &Budget) -> Result<CompressionResult, Error> {
        let memory = Remembered::new(&*self.counter);
        let models = Models { answers: &Answers::default(), max_input_tokens: Tokens::MAX, ask: false };
        let mut best = Best::default();
        for room in rooms(budget) {
            let measured = self.measured(context, &memory, room);
            let result = match self.fitted(&measured, &memory, budget, models) {
                Ok(Fitted::Done(result)) => Ok(*result),
                // No model may be called.
                Ok(Fitted::Asks(_)) => {
                    let floor = smallest(&measured, Tokens::ZERO, false);
                    Err(infeasible(measured.tokens, budget.available(), &measured, &floor))
                }
                Err(error) => Err(error),
            };
            if best.add(result, &measured, budget)? {
                break;
            }
        }
        best.result()
    }

    /// Measures the context in the finest units that any of the strategies needs. A conversation that fits into `room` is
    /// only counted: agents ask before every call, most of the time nothing is to be done, and counting the texts takes a
    /// small part of the time of reading them.
    fn measured<'a>(&self, context: &'a Context, memory: &'a Remembered<'_>, room: Tokens) -> Measured<'a> {
        if context.layout.framing.is_some() {
            let cuts = Cuts { only_texts: true, ..Cuts::default() };
            let counted = measure_by(memory, context, memory, cuts, &[]);
            if counted.tokens <= room {
                return counted;
            }
        }
        let kinds = kinds(context);
        let within_lines = self.strategies.iter().any(|strategy| strategy.cuts_within_lines(context, &kinds));
        measure_by(memory, context, memory, Cuts { room, within_lines, ..Cuts::default() }, &kinds)
    }

    /// Fits the context with `summarizer`. Planning never waits: the missing summaries are requested between two plans.
    #[cfg(feature = "llm")]
    async fn summarized(
        &self,
        summarizer: &Summarizer,
        context: &Context,
        budget: &Budget,
    ) -> Result<CompressionResult, Error> {
        let memory = Remembered::new(&*self.counter);
        let mut answers = Answers::default();
        let mut round = 0;
        let mut best = Best::default();
        for room in rooms(budget) {
            let measured = self.measured(context, &memory, room);
            let result = loop {
                // Nothing more is asked for the sake of other units.
                let models = Models {
                    answers: &answers,
                    max_input_tokens: summarizer.max_input_tokens(),
                    ask: round < ROUNDS && best.0.is_none(),
                };
                match self.fitted(&measured, &memory, budget, models) {
                    Ok(Fitted::Done(result)) => break Ok(*result),
                    Ok(Fitted::Asks(parts)) => summarizer.ask(&parts, &measured, &memory, &mut answers).await,
                    Err(error) => break Err(error),
                }
                round += 1;
            };
            if best.add(result, &measured, budget)? {
                break;
            }
        }
        best.result()
    }

    /// The result, as far as it can be determined without calling a model.
    fn fitted(
        &self,
        measured: &Measured<'_>,
        memory: &Remembered<'_>,
        budget: &Budget,
        models: Models<'_>,
    ) -> Result<Fitted, Error> {
        if self.strategies.is_empty() {
            return Err(Error::NoStrategy);
        }
        let available = budget.available();
        if measured.tokens <= available {
            return Ok(Fitted::Done(Box::new(unchanged(measured, memory))));
        }
        self.shorten(measured, memory, available, models)
    }

    /// Tries the strategies in order.
    fn shorten(
        &self,
        input: &Measured<'_>,
        memory: &Remembered<'_>,
        available: Tokens,
        models: Models<'_>,
    ) -> Result<Fitted, Error> {
        let mut floor = smallest(input, Tokens::ZERO, false);
        let mut shown = render(input, memory, &floor, available)
            .map_err(|tokens| infeasible(tokens.min(input.tokens), available, input, &floor))?;
        let mut stages = self.earlier.clone();
        let mut failure = None;
        for strategy in &self.strategies {
            let _span = info_span!("stage", strategy = strategy.name()).entered();
            let (stage, ended) =
                match attempt(strategy.as_ref(), input, memory, available, models, self.handles.as_ref()) {
                    Attempt::Asks(parts) => return Ok(Fitted::Asks(parts)),
                    Attempt::Ended(stage, ended) => (stage, ended),
                };
            debug!(attempts = stage.attempts, outcome = ?stage.outcome, "stage ended");
            stages.push(stage);
            match ended {
                Ended::Fits(rendered) => {
                    return Ok(Fitted::Done(Box::new(finished(input, *rendered, stages))));
                }
                Ended::Failed(error) => failure = failure.or(Some(error)),
                Ended::TooLong => {}
            }
        }
        if let Some(error) = failure {
            return Err(error);
        }
        // No plan fits, but there may be room for more than markers of the blocks that must be shown.
        for fuller in [smallest(input, Tokens::ZERO, true), smallest(input, available, true)] {
            if let Ok(rendered) = render(input, memory, &fuller, available) {
                (floor, shown) = (fuller, rendered);
            }
        }
        stages.push(Stage::new(SMALLEST, Some(floor), 1, Outcome::Applied));
        Ok(Fitted::Done(Box::new(finished(input, shown, stages))))
    }
}

/// The rooms for which units are divided, one after the other: the budget, and half of it. A unit that fits into the
/// budget may be too long beside its header and its markers, and then most of the budget would remain.
pub(crate) fn rooms(budget: &Budget) -> [Tokens; 2] {
    let available = budget.available();
    [available, Tokens::new(available.get() / 2)]
}

/// The result that uses the most of the budget.
#[derive(Default)]
struct Best(Option<CompressionResult>);

impl Best {
    /// Adds the `result` for a context `measured` in some units. Returns whether no other units need to be tried: all of
    /// the context fits, at least half of the budget is used, or no unit takes more than that.
    ///
    /// # Errors
    /// That of the first result.
    fn add(
        &mut self,
        result: Result<CompressionResult, Error>,
        measured: &Measured<'_>,
        budget: &Budget,
    ) -> Result<bool, Error> {
        let result = match (result, &self.0) {
            (Err(error), None) => return Err(error),
            (Err(_), Some(_)) => return Ok(true),
            (Ok(result), _) => result,
        };
        let [_, half] = rooms(budget);
        let used = result.metrics.tokens_after;
        let is_long = |block: &MeasuredBlock<'_>| {
            (0..block.units().len()).any(|unit| block.tokens_between(unit, unit + 1) > half)
        };
        let is_done =
            used >= half || measured.tokens <= budget.available() || !measured.blocks.iter().any(is_long);
        if self.0.as_ref().is_none_or(|best| best.metrics.tokens_after < used) {
            self.0 = Some(result);
        }
        Ok(is_done)
    }

    /// The result, which is logged.
    fn result(self) -> Result<CompressionResult, Error> {
        self.0.inspect(log).ok_or(Error::NoStrategy)
    }
}

/// The state of fitting a context.
enum Fitted {
    Done(Box<CompressionResult>),
    /// These parts must be summarized first.
    #[cfg_attr(not(feature = "llm"), allow(dead_code, reason = "nothing is ever asked for"))]
    Asks(Vec<SummaryPart>),
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strategies: Vec<_> = self.strategies.iter().map(Strategy::name).collect();
        let mut debug = f.debug_struct("Pipeline");
        debug.field("counter", &self.counter.name()).field("strategies", &strategies);
        #[cfg(feature = "llm")]
        debug.field("summarizer", &self.summarizer);
        debug.finish()
    }
}

#[async_trait]
impl ContextCompressor for Pipeline {
    async fn compress_with_metrics(
        &self,
        context: &Context,
        budget: &Budget,
    ) -> Result<CompressionResult, Error> {
        #[cfg(feature = "llm")]
        if let Some(summarizer) = &self.summarizer {
            return self.summarized(summarizer, context, budget).await;
        }
        self.fit(context, budget)
    }

    fn counter(&self) -> &dyn TokenCounter {
        &*self.counter
    }

    fn count_tokens(&self, context: &Context) -> Tokens {
        measure(context, &*self.counter).tokens
    }
}
