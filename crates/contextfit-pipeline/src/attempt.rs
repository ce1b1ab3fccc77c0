//! Trying one strategy.

use std::panic::{self, AssertUnwindSafe};

use contextfit_kernel::{Error, Measured, Outcome, Planner, Stage, Strategy, Summary, SummarySource, Tokens};

use crate::{
    check_plan,
    departures::name_departures,
    forgery::tell_gaps,
    handles::{Handles, name_originals},
    remembered::Remembered,
    render::{Rendered, render},
    summaries::{Answers, Settled, SummaryPart, settle},
};

/// How often a strategy may plan before the next one is tried. The room shrinks by the excess and a quarter more, plus
/// one token in [`SPARE`] of the room, then by twice as much, four times as much and so on: estimates miss by a few
/// tokens at the seams, never by quite the same number, so the second plan nearly always fits.
const PLAN_ATTEMPTS: usize = 7;

/// A replan leaves one token in this many of the room free. In a large room a small excess is the sum of many seams,
/// some over and some under, and another plan has others: a third plan would cost more time than these tokens are
/// worth.
const SPARE: usize = 2048;

/// The answers of models so far, and whether more may be requested.
#[derive(Clone, Copy)]
pub(crate) struct Models<'a> {
    pub(crate) answers: &'a Answers,
    pub(crate) max_input_tokens: Tokens,
    pub(crate) ask: bool,
}

/// The outcome of one strategy.
pub(crate) enum Attempt {
    Ended(Stage, Ended),
    /// These must be summarized first.
    Asks(Vec<SummaryPart>),
}

/// How a strategy that asked for nothing ended.
pub(crate) enum Ended {
    Fits(Box<Rendered>),
    /// No plan fits.
    TooLong,
    /// It failed, or broke the contract.
    Failed(Error),
}

/// Tries one strategy: plans until the recount fits, with less room each time.
pub(crate) fn attempt(
    strategy: &dyn Strategy,
    input: &Measured<'_>,
    memory: &Remembered<'_>,
    available: Tokens,
    models: Models<'_>,
    handles: Option<&Handles>,
) -> Attempt {
    let mut room = available;
    let mut tried = Stage::new(strategy.name(), None, PLAN_ATTEMPTS, Outcome::TooLong(input.tokens));
    let failed = |attempts, error: Error| {
        let stage = Stage::new(strategy.name(), None, attempts, Outcome::Failed(error.to_string()));
        Attempt::Ended(stage, if is_too_small(&error) { Ended::TooLong } else { Ended::Failed(error) })
    };
    let mut planner = match guarded(strategy.name(), || strategy.planner(input)) {
        Ok(planner) => planner,
        Err(error) => return failed(1, error),
    };
    let mut missing = Missing::default();
    for n in 1..=PLAN_ATTEMPTS {
        let (plan, summaries) = loop {
            let settled = match plan(strategy, &planner, input, room, models, handles) {
                Ok(settled) => settled,
                Err(error) => return failed(n, error),
            };
            if models.ask && !settled.open.is_empty() {
                return Attempt::Asks(settled.open);
            }
            if !missing.add(&settled.summaries, input.blocks.len()) {
                break (settled.plan, missing.told(settled.summaries));
            }
            planner = match guarded(strategy.name(), || strategy.planner_without(input, &missing.blocks)) {
                Ok(planner) => planner,
                Err(error) => return failed(n, error),
            };
        };
        let rendered = render(input, memory, &plan, available);
        let outcome = rendered.as_ref().map_or_else(|tokens| Outcome::TooLong(*tokens), |_| Outcome::Applied);
        let stage = Stage::new(strategy.name(), Some(plan), n, outcome).with_summaries(summaries);
        let tokens = match rendered {
            Ok(rendered) => return Attempt::Ended(stage, Ended::Fits(Box::new(rendered))),
            Err(tokens) => tokens,
        };
        let excess = tokens.saturating_sub(available).get();
        let spare = excess.div_ceil(4) + available.get() / SPARE;
        room = room.saturating_sub(Tokens::new((excess + spare).saturating_mul(1 << (n - 1))));
        tried = stage;
    }
    Attempt::Ended(tried, Ended::TooLong)
}

/// The summaries that a plan wanted and a model did not give: what it is made again without.
#[derive(Default)]
struct Missing {
    summaries: Vec<Summary>,
    /// For each block, whether no summary may be asked for; all of them if no summary was given.
    blocks: Vec<bool>,
}

impl Missing {
    /// Adds what is missing of the `summaries` of a plan; returns whether anything new is.
    fn add(&mut self, summaries: &[Summary], blocks: usize) -> bool {
        let is_missing = |summary: &&Summary| matches!(summary.source, SummarySource::Fallback(_));
        let is_new = |summary: &&Summary| self.blocks.get(summary.from) != Some(&true);
        let new: Vec<Summary> = summaries.iter().filter(is_missing).filter(is_new).cloned().collect();
        if new.is_empty() {
            return false;
        }
        let is_all = summaries.iter().all(|summary| is_missing(&summary));
        self.blocks.resize(blocks, false);
        for summary in &new {
            let places = if is_all { 0..blocks } else { summary.from..summary.to };
            self.blocks.get_mut(places).into_iter().for_each(|blocks| blocks.fill(true));
        }
        self.summaries.extend(new);
        true
    }

    /// All summaries that were wanted, in order: the missing ones, and those of the plan made `without` them.
    fn told(&self, mut without: Vec<Summary>) -> Vec<Summary> {
        let known = |summary: &Summary| self.summaries.iter().any(|missing| missing.from == summary.from);
        without.retain(|summary| !known(summary));
        without.extend(self.summaries.iter().cloned());
        without.sort_by_key(|summary| summary.from);
        without
    }
}

/// Whether a strategy says that its smallest plan needs more room, which is no fault of its own.
const fn is_too_small(error: &Error) -> bool {
    matches!(error, Error::Infeasible { .. })
}

/// What `strategy` returns, or an error if it panics.
fn guarded<T>(strategy: &str, run: impl FnOnce() -> T) -> Result<T, Error> {
    // Nothing that a planner has touched is used after its panic.
    panic::catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let message = payload.downcast_ref::<&str>().copied();
        let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Error::strategy(strategy, format!("it panicked: {}", message.unwrap_or("no message")))
    })
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
    let plan = guarded(strategy.name(), || planner(room))??;
    if plan.steps.len() != input.blocks.len() {
        check_plan(input, &plan).map_err(invalid)?;
    }
    let mut settled = settle(plan, input, models.answers, models.max_input_tokens, input.counter);
    check_plan(input, &settled.plan).map_err(invalid)?;
    name_departures(&mut settled.plan, input, true);
    tell_gaps(&mut settled.plan, input);
    if let Some(handles) = handles {
        name_originals(&mut settled.plan, input, handles);
    }
    Ok(settled)
}
