//! The attempt of one strategy.

use std::panic::{self, AssertUnwindSafe};

use contextfit_kernel::{
    Action, Error, Measured, Outcome, Piece, Plan, Planner, Stage, Strategy, Summary, SummarySource, Tokens,
};

use crate::{
    check_plan,
    departures::{drop_pointers, name_departures},
    forgery::distinguish_gaps,
    handles::{Handles, name_originals},
    outcome::count_steps,
    remembered::Remembered,
    render::{Rendered, render},
    summaries::{Answers, Settled, SummaryPart, settle},
};

/// How often a strategy may plan before the next one is tried. The room shrinks by the excess and a quarter more, plus
/// one token in [`SPARE`] of the room; then by twice that, four times that and so on. Estimates miss by a few tokens at
/// the seams, so the second plan nearly always fits.
const PLAN_ATTEMPTS: usize = 7;

/// A second plan leaves one token in this many of the room free. In a large room the excess is the sum of the errors at
/// many seams, and another plan has other seams. A third plan would take more time than these tokens are worth.
const SPARE: usize = 2048;

/// A text that takes less than this share of the budget, in percent, is planned again for less room.
const WELL_USED: usize = 75;

/// The first of these plans has this share of the budget less, at least a token; each further one twice as much less,
/// down to half of the budget. What does not fit at one seam may fit at another, and more room must not show less.
const LESS: usize = 64;

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
    /// These parts must be summarized first.
    Asks(Vec<SummaryPart>),
}

/// The end of an attempt that needs no more summaries.
pub(crate) enum Ended {
    Fits(Box<Rendered>),
    /// None of its plans fits.
    TooLong,
    /// It failed, or its plan breaks the contract.
    Failed(Error),
}

/// Tries one strategy: it plans, with less room each time, until the counted text fits.
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
            let settled = match settled(strategy, &planner, input, room, models, handles) {
                Ok(settled) => settled,
                Err(error) => return failed(n, error),
            };
            if models.ask && !settled.open.is_empty() {
                return Attempt::Asks(settled.open);
            }
            if !missing.add(&settled.summaries, input.blocks.len()) {
                break (settled.plan, missing.all(settled.summaries));
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
            Ok(rendered) => {
                let (stage, rendered) = fuller(stage, rendered, available, &|room| {
                    let settled = settled(strategy, &planner, input, room, models, handles).ok()?;
                    let settled = Some(settled).filter(|settled| settled.summaries.is_empty())?;
                    let rendered = render(input, memory, &settled.plan, available).ok()?;
                    Some((settled.plan, rendered))
                });
                return Attempt::Ended(stage, Ended::Fits(Box::new(rendered)));
            }
            Err(tokens) => tokens,
        };
        let excess = tokens.saturating_sub(available).get();
        let spare = excess.div_ceil(4) + available.get() / SPARE;
        room = room.saturating_sub(Tokens::new((excess + spare).saturating_mul(1 << (n - 1))));
        tried = stage;
    }
    Attempt::Ended(tried, Ended::TooLong)
}

/// The fullest of the plan of `stage` and, as long as that leaves much of the room, of the plans for less room.
fn fuller(
    mut stage: Stage,
    mut rendered: Rendered,
    available: Tokens,
    plan: &dyn Fn(Tokens) -> Option<(Plan, Rendered)>,
) -> (Stage, Rendered) {
    let room_of = |percent: usize| Tokens::new(available.get().saturating_mul(percent) / 100);
    let mut less = available.get().div_ceil(LESS);
    let may_show_more = stage.summaries.is_empty() && stage.plan.as_ref().is_some_and(leaves_out);
    while may_show_more && rendered.tokens < room_of(WELL_USED) && less <= available.get() / 2 {
        let room = available.saturating_sub(Tokens::new(less));
        if rendered.tokens >= room {
            break;
        }
        stage.attempts += 1;
        if let Some((plan, fuller)) = plan(room).filter(|(_, fuller)| fuller.tokens > rendered.tokens) {
            (stage.plan, rendered) = (Some(plan), fuller);
        }
        less *= 2;
    }
    (stage, rendered)
}

/// Whether `plan` does not show all of its input.
fn leaves_out(plan: &Plan) -> bool {
    plan.steps.iter().any(|step| match &step.action {
        Action::Keep => false,
        Action::Cut { pieces } => pieces.iter().any(|piece| matches!(piece, Piece::Marker(_))),
        _ => true,
    })
}

/// The requested summaries that no model gave. The plan is made again without them.
#[derive(Default)]
struct Missing {
    summaries: Vec<Summary>,
    /// For each block, whether no summary of it may be requested again. If no summary was given at all, this is true
    /// for all blocks.
    blocks: Vec<bool>,
}

impl Missing {
    /// Adds the missing ones among the `summaries` of a plan. Returns whether any of them is new.
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

    /// All requested summaries, in order: the missing ones, and those of the plan made `without` them.
    fn all(&self, mut without: Vec<Summary>) -> Vec<Summary> {
        let known = |summary: &Summary| self.summaries.iter().any(|missing| missing.from == summary.from);
        without.retain(|summary| !known(summary));
        without.extend(self.summaries.iter().cloned());
        without.sort_by_key(|summary| summary.from);
        without
    }
}

/// Whether the error is that the smallest plan of a strategy needs more room, which is not a fault of the strategy.
const fn is_too_small(error: &Error) -> bool {
    matches!(error, Error::Infeasible { .. })
}

/// Returns the result of `run`, or an error that names `strategy` if it panics.
fn guarded<T>(strategy: &str, run: impl FnOnce() -> T) -> Result<T, Error> {
    // No state of a planner is used after its panic.
    panic::catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        let message = payload.downcast_ref::<&str>().copied();
        let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        Error::strategy(strategy, format!("it panicked: {}", message.unwrap_or("no message")))
    })
}

/// Makes a plan that keeps the contract, and settles its summaries.
fn settled(
    strategy: &dyn Strategy,
    planner: &Planner<'_>,
    input: &Measured<'_>,
    room: Tokens,
    models: Models<'_>,
    handles: Option<&Handles>,
) -> Result<Settled, Error> {
    let invalid = |fault| Error::Plan { strategy: strategy.name().into(), fault };
    let mut plan = guarded(strategy.name(), || planner(room))??;
    drop_pointers(&mut plan, input);
    if plan.steps.len() != input.blocks.len() {
        check_plan(input, &plan).map_err(invalid)?;
    }
    let mut settled = settle(plan, input, models.answers, models.max_input_tokens, input.counter);
    check_plan(input, &settled.plan).map_err(invalid)?;
    name_departures(&mut settled.plan, input, true);
    distinguish_gaps(&mut settled.plan, input);
    if let Some(handles) = handles {
        name_originals(&mut settled.plan, input, handles);
    }
    count_steps(&mut settled.plan, input);
    Ok(settled)
}
