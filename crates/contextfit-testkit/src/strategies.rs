//! The suite for strategies.

use std::sync::Arc;

use contextfit_kernel::{
    Action, Block, Budget, CompressionResult, Context, Hold, Outcome, Passage, Quote, QuoteSource, Stage,
    Step, Strategy, TokenCounter,
};
use contextfit_pipeline::{Pipeline, SMALLEST, measure};
use contextfit_text::CharsPer;
use proptest::{
    prelude::{Just, any},
    prop_oneof,
    test_runner::{Config, TestCaseError, TestError, TestRunner},
};

use crate::{
    fakes::PairCounter,
    inputs::{
        arbitrary_context, arbitrary_conversation, awkward_contexts, awkward_conversations, conversation_of,
    },
    invariants::fitted,
    quietly::quietly,
};

/// Checks every invariant of `strategy`: on awkward contexts at budgets from zero to beyond their size, arbitrary ones,
/// and 100,000 tiny chunks; with counters that split everywhere, sometimes and never. The strategy itself must answer
/// whenever there is an answer: a plan that breaks the contract or does not become smaller with the room fails here,
/// although a pipeline falls back to another.
///
/// # Panics
/// If an invariant is violated: with its number, the strategy, the counter, the budget, the context and the plan.
#[track_caller]
pub fn check_strategy(strategy: Arc<dyn Strategy>) {
    check_chain(&[strategy]);
}

/// Checks every invariant of `chain`, strategies tried in order; only the last one must answer whenever there is an
/// answer.
///
/// # Panics
/// As [`check_strategy`].
#[track_caller]
pub fn check_chain(chain: &[Arc<dyn Strategy>]) {
    let checked = check_each_counter(chain, awkward_contexts, arbitrary_context).and_then(|()| {
        Suite { chain, counter: Arc::new(CharsPer::new(4).unwrap()) }.check(&many_tiny_chunks(), 5_000)
    });
    if let Err(violation) = checked {
        panic!("{violation}");
    }
}

/// Checks every invariant of `strategy` on conversations, in which each block is a separate message: awkward and
/// arbitrary ones at budgets from zero to beyond their size, and one of 3,000 turns.
///
/// # Panics
/// As [`check_strategy`].
#[track_caller]
pub fn check_conversation_strategy(strategy: Arc<dyn Strategy>) {
    check_conversation_chain(&[strategy]);
}

/// Checks every invariant of `chain`, strategies tried in order, on conversations.
///
/// # Panics
/// As [`check_strategy`].
#[track_caller]
pub fn check_conversation_chain(chain: &[Arc<dyn Strategy>]) {
    let checked = check_each_counter(chain, awkward_conversations, arbitrary_conversation).and_then(|()| {
        let long = conversation_of(3_000);
        let suite = Suite { chain, counter: Arc::new(CharsPer::new(4).unwrap()) };
        let all = measure(&long, &suite.counter).tokens.get();
        [all / 50, all / 5].into_iter().try_for_each(|budget| suite.check(&long, budget))
    });
    if let Err(violation) = checked {
        panic!("{violation}");
    }
}

/// Checks `chain` on awkward and arbitrary contexts, with counters that split sometimes, everywhere and never.
fn check_each_counter<C: proptest::strategy::Strategy<Value = Context>>(
    chain: &[Arc<dyn Strategy>],
    awkward: impl Fn() -> Vec<Context>,
    arbitrary: impl Fn() -> C,
) -> Result<(), String> {
    let counters: [Arc<dyn TokenCounter>; 3] =
        [Arc::new(CharsPer::new(4).unwrap()), Arc::new(CharsPer::new(1).unwrap()), Arc::new(PairCounter)];
    counters.into_iter().try_for_each(|counter| {
        let suite = Suite { chain, counter };
        suite.check_awkward(awkward()).and_then(|()| suite.check_arbitrary(arbitrary()))
    })
}

/// The strategies to check, tried in order, and a counter.
struct Suite<'a> {
    chain: &'a [Arc<dyn Strategy>],
    counter: Arc<dyn TokenCounter>,
}

impl Suite<'_> {
    fn pipeline(&self) -> Pipeline {
        self.chain.iter().cloned().fold(Pipeline::new(Arc::clone(&self.counter)), Pipeline::with_strategy)
    }

    /// Fits each of `contexts` at many budgets.
    fn check_awkward(&self, contexts: Vec<Context>) -> Result<(), String> {
        contexts.into_iter().try_for_each(|context| {
            let all = measure(&context, &self.counter).tokens.get();
            let budgets = [0, 1, 5, 20, 100, all / 10, all / 4, all / 2, all.saturating_sub(1), all, all + 1];
            budgets.into_iter().try_for_each(|budget| self.check(&context, budget))
        })
    }

    /// Arbitrary contexts at arbitrary budgets: fewer than other properties take, since each counter has its own.
    fn check_arbitrary(
        &self,
        contexts: impl proptest::strategy::Strategy<Value = Context>,
    ) -> Result<(), String> {
        let budget = prop_oneof![Just(0_usize), 0..40_usize, 0..2_000_usize, any::<usize>()];
        let usual = Config::default();
        let config = Config { cases: usual.cases * 3 / 4, failure_persistence: None, ..usual };
        let run = TestRunner::new(config).run(&(contexts, budget), |(context, budget)| {
            self.check(&context, budget).map_err(TestCaseError::fail)
        });
        run.map_err(|failure| match failure {
            TestError::Fail(violation, _) => violation.to_string(),
            TestError::Abort(why) => why.to_string(),
        })
    }

    /// Checks one fit; the error says everything about it.
    fn check(&self, context: &Context, budget: usize) -> Result<(), String> {
        let pipeline = self.pipeline();
        let checked = quietly(|| {
            if let Some(result) = fitted(&pipeline, context, budget) {
                check_own(context, &result);
            }
        });
        checked.map_err(|violation| {
            let mut plans = String::new();
            let planned = quietly(|| plans = self.plans(context, budget));
            let plans = planned.err().unwrap_or(plans);
            let names = self.chain.iter().map(Strategy::name).collect::<Vec<_>>().join(", ");
            let counter = self.counter.name();
            format!("{names} violates an invariant with {counter} and a budget of {budget}\n  {violation}\n{}{plans}", told(context))
        })
    }

    /// The plans that the strategies make of `context`, as the trace of a fit has them.
    fn plans(&self, context: &Context, budget: usize) -> String {
        let Ok(result) = self.pipeline().fit(context, &Budget::new(budget)) else { return String::new() };
        let mut text = String::new();
        for stage in &result.stages {
            let Stage { strategy, attempts, outcome, .. } = stage;
            text += &format!("{strategy}, attempt {attempts}: {outcome:?}\n");
            let steps = stage.plan.iter().flat_map(|plan| &plan.steps);
            text += &listed(
                steps.map(|step| format!("{} {}", step.id, shortened(&format!("{:?}", step.action)))),
            );
        }
        text
    }
}

/// The strategies themselves must have answered, not the pipeline in their place. A last plan that shows nothing but what
/// must be shown has done its part: the pipeline adds the names of calls and attachments that leave a conversation.
fn check_own(context: &Context, result: &CompressionResult) {
    let mut tried = result.stages.iter().filter(|stage| stage.outcome != Outcome::Applied);
    for Stage { strategy, outcome, .. } in tried.clone() {
        if let Outcome::Failed(why) = outcome {
            panic!("3 to 8: {strategy} failed: {why}");
        }
    }
    let is_own = result.stages.last().is_none_or(|stage| stage.strategy != SMALLEST);
    let Some(Stage { strategy, attempts, plan: Some(plan), .. }) = tried.next_back().filter(|_| !is_own)
    else {
        return;
    };
    let blocks = plan.steps.iter().zip(&context.blocks).zip(context.holds());
    let shown = blocks.filter(|(_, hold)| *hold == Hold::Free).find(|((step, block), _)| {
        // The pipeline keeps entries of earlier records that name attachments.
        block.level.shows_source() && !is_dropped(&step.action)
    });
    if let Some(((Step { id, .. }, _), _)) = shown {
        let enough = result.metrics.tokens_after;
        panic!(
            "1: plans of {strategy} do not become smaller with the room: {enough} tokens are enough, but after {attempts} \
             attempts it still shows {id}"
        );
    }
}

/// Whether a block is dropped, apart from the names of its calls and attachments.
fn is_dropped(action: &Action) -> bool {
    let of_attachments = |quote: &Quote| matches!(quote.source, QuoteSource::Attachments { .. });
    match action {
        Action::Drop => true,
        Action::Record { entries } => {
            entries.iter().all(|entry| entry.lines.iter().flatten().all(of_attachments))
        }
        _ => false,
    }
}

/// A context, a line for each block.
fn told(context: &Context) -> String {
    let line = |(block, hold): (&Block, _)| {
        let group = block.group.as_deref().unwrap_or("none");
        format!("{} {hold:?}, group {group}: {}", block.id, shortened(&format!("{:?}", block.text)))
    };
    let query = shortened(&format!("{:?}", context.query));
    let blocks = listed(context.blocks.iter().zip(context.holds()).map(line));
    format!("blocks: {}, query: {query}\n{blocks}", context.blocks.len())
}

/// The first of `lines`, indented.
fn listed(lines: impl Iterator<Item = String>) -> String {
    const MOST: usize = 8;
    let mut text = String::new();
    for (n, line) in lines.take(MOST + 1).enumerate() {
        text += &if n < MOST { format!("  {line}\n") } else { "  ...\n".into() };
    }
    text
}

/// The beginning of `text`.
fn shortened(text: &str) -> String {
    const MOST: usize = 100;
    let head = &text[..text.floor_char_boundary(MOST)];
    if head.len() < text.len() { format!("{head}...") } else { head.into() }
}

/// 100,000 chunks of a few bytes: no quadratic time, and still within the budget.
fn many_tiny_chunks() -> Context {
    let score = |n: u32| Some(f64::from(n.wrapping_mul(2_654_435_761) >> 16));
    let chunk = |n: u32| Block::passage(n.to_string(), Passage::default().with_score(score(n)), "tiny chunk");
    Context::new((0..100_000).map(chunk).collect())
}
