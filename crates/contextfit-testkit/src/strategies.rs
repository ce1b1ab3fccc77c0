//! The suite for strategies.

use std::sync::Arc;

use contextfit_kernel::{Block, Context, Passage, Strategy, TokenCounter};
use contextfit_pipeline::{Pipeline, measure};
use contextfit_text::CharsPer;
use proptest::{
    prelude::{Just, any},
    prop_oneof,
    test_runner::{Config, TestRunner},
};

use crate::{
    fakes::PairCounter,
    inputs::{
        arbitrary_context, arbitrary_conversation, awkward_contexts, awkward_conversations, conversation_of,
    },
    invariants::check_fit,
};

/// Checks every invariant of `strategy`: on awkward contexts at budgets from zero to beyond their size, arbitrary ones,
/// and 100,000 tiny chunks; with counters that split everywhere, sometimes and never.
///
/// # Panics
/// If an invariant is violated.
pub fn check_strategy(strategy: Arc<dyn Strategy>) {
    for counter in counters() {
        let pipeline = Pipeline::new(counter).with_strategy(Arc::clone(&strategy));
        check_contexts(&pipeline, awkward_contexts());
        check_arbitrary(&pipeline, arbitrary_context(), strategy.name());
    }
    many_tiny_chunks(&strategy);
}

/// Checks every invariant of `strategy` on conversations, in which each block is a separate message: awkward and
/// arbitrary ones at budgets from zero to beyond their size, and one of 3,000 turns.
///
/// # Panics
/// If an invariant is violated.
pub fn check_conversation_strategy(strategy: Arc<dyn Strategy>) {
    check_conversation_chain(&[strategy]);
}

/// Checks every invariant of `chain`, strategies tried in order, on conversations.
///
/// # Panics
/// If an invariant is violated.
pub fn check_conversation_chain(chain: &[Arc<dyn Strategy>]) {
    let name = chain.iter().map(Strategy::name).collect::<Vec<_>>().join(", ");
    let pipeline = |counter| chain.iter().cloned().fold(Pipeline::new(counter), Pipeline::with_strategy);
    for counter in counters() {
        let pipeline = pipeline(counter);
        check_contexts(&pipeline, awkward_conversations());
        check_arbitrary(&pipeline, arbitrary_conversation(), &name);
    }
    let long = conversation_of(3_000);
    let pipeline = pipeline(Arc::new(CharsPer::new(4).unwrap()));
    let all = measure(&long, pipeline.counter()).tokens.get();
    for budget in [all / 50, all / 5] {
        check_fit(&pipeline, &long, budget);
    }
}

/// Counters that split sometimes, everywhere and never.
fn counters() -> [Arc<dyn TokenCounter>; 3] {
    [Arc::new(CharsPer::new(4).unwrap()), Arc::new(CharsPer::new(1).unwrap()), Arc::new(PairCounter)]
}

/// Fits each of `contexts` at many budgets.
fn check_contexts(pipeline: &Pipeline, contexts: Vec<Context>) {
    for context in contexts {
        let all = measure(&context, pipeline.counter()).tokens.get();
        for budget in [0, 1, 5, 20, 100, all / 10, all / 4, all / 2, all.saturating_sub(1), all, all + 1] {
            check_fit(pipeline, &context, budget);
        }
    }
}

/// Arbitrary contexts at arbitrary budgets: fewer than other properties take, since each counter has its own.
fn check_arbitrary(
    pipeline: &Pipeline,
    contexts: impl proptest::strategy::Strategy<Value = Context>,
    name: &str,
) {
    let budget = prop_oneof![Just(0_usize), 0..40_usize, 0..2_000_usize, any::<usize>()];
    let usual = Config::default();
    let mut runner =
        TestRunner::new(Config { cases: usual.cases * 3 / 4, failure_persistence: None, ..usual });
    let run = runner.run(&(contexts, budget), |(context, budget)| {
        check_fit(pipeline, &context, budget);
        Ok(())
    });
    if let Err(failure) = run {
        panic!("{name}: {failure}");
    }
}

/// 100,000 chunks of a few bytes: no quadratic time, and still within the budget.
fn many_tiny_chunks(strategy: &Arc<dyn Strategy>) {
    let score = |n: u32| Some(f64::from(n.wrapping_mul(2_654_435_761) >> 16));
    let chunk = |n: u32| {
        Block::passage(n.to_string(), Passage { score: score(n), ..Passage::default() }, "tiny chunk")
    };
    let context = Context::new((0..100_000).map(chunk).collect());
    let pipeline = Pipeline::new(Arc::new(CharsPer::new(4).unwrap())).with_strategy(Arc::clone(strategy));
    check_fit(&pipeline, &context, 5_000);
}
