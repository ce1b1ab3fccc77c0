//! One compression: what went in, what came out, and the plan in between.

use std::collections::HashMap;

use contextfit_kernel::{
    Action, Budget, CompressionResult, Context, InvalidPlan, Measured, Outcome, Plan, Stage, Step,
    TokenCounter, Tokens,
};
use contextfit_pipeline::{measure, measure_planned};

use crate::{
    outcome::{BlockOutcome, Fate},
    shown::Shown,
};

/// A context, the text that it became, and how.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Block, Budget, Context, Passage};
/// #     pub use ::contextfit_pipeline::Pipeline;
/// #     pub use ::contextfit_presets::preset;
/// #     pub use ::contextfit_report as report;
/// #     pub use ::contextfit_text as text;
/// # }
/// use contextfit::{
///     Block, Budget, Context, Passage, Pipeline, preset,
///     report::{Compression, Quality},
///     text::CharsPer,
/// };
/// use std::sync::Arc;
///
/// let counter = Arc::new(CharsPer::new(4).ok_or("no length")?);
/// let text = "The limit is 4096 bytes. Never raise it. Ask retry_count first.\n".to_owned() + &"So it goes. ".repeat(20);
/// let context = Context::new(vec![Block::passage("a", Passage::default(), text)]).with_query("limit in bytes");
/// let budget = Budget::new(24);
/// let result = preset("bm25", counter.clone())?.fit(&context, &budget)?;
///
/// let compression = Compression::of(&context, &result, &budget, &*counter);
/// let quality = Quality::of(&compression);
/// assert_eq!(quality.lost.numbers.total, 0);
/// assert_eq!(quality.lost.identifiers.names[0].name, "retry_count");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Compression<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: Tokens,
    pub(crate) budget: Budget,
    pub(crate) stages: &'a [Stage],
    pub(crate) plan: Option<&'a Plan>,
    pub(crate) measured: Measured<'a>,
    pub(crate) fault: Option<InvalidPlan>,
    /// What is shown of the text of each block.
    pub(crate) shown: Vec<Shown>,
    /// Scores of blocks, by id.
    scores: HashMap<String, f64>,
}

impl<'a> Compression<'a> {
    /// The compression of `input` to `result`. Counts the input; linear in its length.
    #[must_use]
    pub fn of(
        input: &'a Context,
        result: &'a CompressionResult,
        budget: &Budget,
        counter: &'a dyn TokenCounter,
    ) -> Self {
        Self::new(input, &result.text, result.metrics.tokens_after, budget, &result.stages, counter)
    }

    /// The compression of `input` to `text`, which has `tokens`, by the last of `stages` that was applied; without one,
    /// the input is shown whole. Counts the input; linear in its length.
    #[must_use]
    pub fn new(
        input: &'a Context,
        text: &'a str,
        tokens: Tokens,
        budget: &Budget,
        stages: &'a [Stage],
        counter: &'a dyn TokenCounter,
    ) -> Self {
        let applied = stages.iter().rev().find(|stage| stage.outcome == Outcome::Applied);
        let plan = applied.and_then(|stage| stage.plan.as_ref());
        let (measured, fault) = match measure_planned(input, budget, plan, counter, &|_| true) {
            Ok(measured) => (measured, None),
            Err(fault) => (measure(input, counter), Some(fault)),
        };
        let action =
            |n: usize| plan.and_then(|plan| plan.steps.get(n)).map_or(&Action::Keep, |step| &step.action);
        let blocks = input.blocks.iter().enumerate();
        let shown = blocks.map(|(n, block)| Shown::of(&block.text, action(n))).collect();
        Self { text, tokens, budget: *budget, stages, plan, measured, fault, shown, scores: HashMap::new() }
    }

    /// Sets the scores of blocks, by their ids, for those whose reason names none.
    #[must_use]
    pub fn with_scores(self, scores: HashMap<String, f64>) -> Self {
        Self { scores, ..self }
    }

    /// Why the plan is not valid for the input; `None` if it is.
    #[must_use]
    pub const fn fault(&self) -> Option<&InvalidPlan> {
        self.fault.as_ref()
    }

    /// The input.
    pub(crate) const fn input(&self) -> &'a Context {
        self.measured.context
    }

    /// The step for block `n`; `None` if the input is shown whole.
    pub(crate) fn step(&self, n: usize) -> Option<&'a Step> {
        self.plan?.steps.get(n)
    }

    /// What happened to each block, in order.
    #[must_use]
    pub fn outcomes(&self) -> Vec<BlockOutcome> {
        let blocks = self.measured.blocks.iter().enumerate();
        let outcome = |(n, block)| {
            let mut outcome = BlockOutcome::of(block, self.step(n), self.measured.counter);
            outcome.score = outcome.score.or_else(|| self.scores.get(&outcome.id).copied());
            outcome
        };
        blocks.map(outcome).collect()
    }

    /// Whether block `n` is shown as its own text: as a message, if the input is a conversation.
    pub(crate) fn is_shown(&self, n: usize) -> bool {
        matches!(Fate::of(self.step(n)), Fate::Kept | Fate::Cut)
    }
}
