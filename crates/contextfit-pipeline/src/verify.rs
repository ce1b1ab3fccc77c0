//! Verification of a result against the originals.

use contextfit_kernel::{
    Budget, CompressionResult, Context, InvalidPlan, Measured, Outcome, Plan, Stage, TokenCounter, Tokens,
};
use thiserror::Error;

use crate::{
    measure::{Cuts, kinds, measure_by},
    outcome::{finished, unchanged},
    pipeline::rooms,
    remembered::Remembered,
    render::render,
    validity::check_carried_out,
};

/// The length of the quoted text at a difference, in characters.
const QUOTED_CHARS: usize = 40;

/// The text of a result, with its claimed tokens and plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim<'a> {
    /// The text.
    pub text: &'a str,
    /// The tokens that it claims to have.
    pub tokens: Tokens,
    /// The plan that it was made with; `None` if the context was within its budget.
    pub plan: Option<&'a Plan>,
}

impl<'a> From<&'a CompressionResult> for Claim<'a> {
    fn from(result: &'a CompressionResult) -> Self {
        Self { text: &result.text, tokens: result.metrics.tokens_after, plan: result.plan() }
    }
}

/// The first difference between a result and its claim.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Discrepancy {
    /// The plan breaks its contract: a part of the text is neither a source range nor a declared marker, rewrite, entry
    /// or summary, or a block that must be shown was touched.
    #[error("the plan is not valid for these originals: {0}")]
    Plan(#[from] InvalidPlan),
    /// The text differs from the one that the plan makes of the originals.
    #[error("byte {at} differs: expected {expected:?}, found {found:?}")]
    Text {
        /// The first byte that differs.
        at: usize,
        /// The expected text from there on, shortened.
        expected: String,
        /// The text of the result from there on, shortened.
        found: String,
    },
    /// The number of tokens of the text is not the claimed one.
    #[error("{claimed} tokens are claimed, {counted} were counted")]
    Count {
        /// The claim.
        claimed: Tokens,
        /// The count.
        counted: Tokens,
    },
    /// The number of tokens of a block is not the one in its step.
    #[error("block {id:?}: its step claims {claimed} tokens, {counted} were counted")]
    Step {
        /// The block.
        id: String,
        /// The claim.
        claimed: Tokens,
        /// The count.
        counted: Tokens,
    },
    /// The text has more tokens than its budget.
    #[error("{counted} tokens exceed the budget of {available}")]
    Budget {
        /// The count.
        counted: Tokens,
        /// Tokens available.
        available: Tokens,
    },
}

/// Checks that `claim` is exactly the text that its plan makes of `context`, and that it is within `budget`, in the
/// tokens of `counter`. Needs no model and no network. Linear in the length of the context.
///
/// ```
/// # mod contextfit {
/// #     pub use ::contextfit_kernel::{Block, Budget, Context, Passage, Tokens};
/// #     pub use ::contextfit_pipeline as pipeline;
/// #     pub use ::contextfit_text as text;
/// # }
/// use contextfit::{
///     Block, Budget, Context, Passage, Tokens,
///     pipeline::{Claim, Discrepancy, verify},
///     text::CharsPer,
/// };
///
/// let counter = CharsPer::new(1).ok_or("no length")?;
/// let context = Context::new(vec![Block::passage("a", Passage::default(), "all of it")]);
/// let claim = Claim { text: "all of it", tokens: Tokens::new(9), plan: None };
/// assert_eq!(verify(&context, &claim, &Budget::new(9), &counter), Ok(()));
///
/// let forged = Claim { text: "all if it", ..claim };
/// let error = verify(&context, &forged, &Budget::new(9), &counter).unwrap_err();
/// assert!(matches!(error, Discrepancy::Text { at: 4, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first [`Discrepancy`].
pub fn verify(
    context: &Context,
    claim: &Claim<'_>,
    budget: &Budget,
    counter: &dyn TokenCounter,
) -> Result<(), Discrepancy> {
    verified(context, claim, budget, counter).map(drop)
}

/// As [`verify`], and returns the reconstructed result with its metrics and the tokens of each block. Its only stage is
/// the plan.
///
/// # Errors
/// The first [`Discrepancy`].
pub fn verified(
    context: &Context,
    claim: &Claim<'_>,
    budget: &Budget,
    counter: &dyn TokenCounter,
) -> Result<CompressionResult, Discrepancy> {
    let available = budget.available();
    let memory = Remembered::new(counter);
    let input = planned(&memory, context, &memory, budget, claim.plan, &|_| true)?;
    check_steps(&input, &memory, claim.plan)?;
    let result = remade(&input, &memory, claim.plan);
    let counted = result.metrics.tokens_after;
    if result.text != claim.text {
        return Err(first_difference(&result.text, claim.text));
    }
    if counted != claim.tokens {
        return Err(Discrepancy::Count { claimed: claim.tokens, counted });
    }
    if counted > available {
        return Err(Discrepancy::Budget { counted, available });
    }
    Ok(result)
}

/// Checks the tokens in the steps of `plan`, where they have any.
fn check_steps(
    input: &Measured<'_>,
    counter: &dyn TokenCounter,
    plan: Option<&Plan>,
) -> Result<(), Discrepancy> {
    let steps = plan.map(|plan| plan.steps.as_slice()).unwrap_or_default();
    for (block, step) in input.blocks.iter().zip(steps) {
        let Some(claimed) = step.tokens else { continue };
        let counted = block.cost(&step.action, counter);
        if claimed != counted {
            return Err(Discrepancy::Step { id: step.id.clone(), claimed, counted });
        }
    }
    Ok(())
}

/// Counts `context` in the units in which `plan` was made: strategies for machine output plan in finer units than
/// [`measure`](crate::measure) finds. Of several units in which it may have been made, those for which `is_right` holds
/// are preferred. Without a plan, the units are those of `measure`. Linear in the length of the context.
///
/// # Errors
/// [`InvalidPlan`] if the plan is valid for `context` in neither kind of units.
pub fn measure_planned<'a>(
    context: &'a Context,
    budget: &Budget,
    plan: Option<&Plan>,
    counter: &'a dyn TokenCounter,
    is_right: &dyn Fn(&Measured<'_>) -> bool,
) -> Result<Measured<'a>, InvalidPlan> {
    planned(&Remembered::new(counter), context, counter, budget, plan, is_right)
}

/// Tries all units in which a pipeline plans, because a claim does not name them: a plan may be valid in several, have
/// the claimed costs in fewer, and be right in only one.
fn planned<'a>(
    memory: &Remembered<'_>,
    context: &'a Context,
    counter: &'a dyn TokenCounter,
    budget: &Budget,
    plan: Option<&Plan>,
    is_right: &dyn Fn(&Measured<'_>) -> bool,
) -> Result<Measured<'a>, InvalidPlan> {
    let kinds = kinds(context);
    let checked = |cuts| {
        let input = measure_by(memory, context, counter, cuts, &kinds);
        plan.map_or(Ok(()), |plan| check_carried_out(&input, plan)).map(|()| input)
    };
    let rank = |input: &Result<Measured<'_>, _>| {
        let agrees = input.as_ref().is_ok_and(|input| check_steps(input, memory, plan).is_ok());
        (input.is_ok(), agrees, agrees && input.as_ref().is_ok_and(is_right))
    };
    let [whole, half] = rooms(budget).map(|room| Cuts { room, ..Cuts::default() });
    let first = checked(whole);
    let mut best = (rank(&first), first);
    for cuts in [Cuts { within_lines: true, ..whole }, half, Cuts { within_lines: true, ..half }] {
        if best.0 == (true, true, true) {
            break;
        }
        let other = checked(cuts);
        let rank = rank(&other);
        if rank > best.0 {
            best = (rank, other);
        }
    }
    best.1
}

/// The result that `plan`, which must be valid, makes of `input`.
fn remade(input: &Measured<'_>, memory: &Remembered<'_>, plan: Option<&Plan>) -> CompressionResult {
    let Some(plan) = plan else { return unchanged(input, memory) };
    // No text has more tokens than the maximum, so this does not fail.
    match render(input, memory, plan, Tokens::MAX) {
        Ok(rendered) => {
            let stage = Stage::new(plan.strategy.clone(), Some(plan.clone()), 1, Outcome::Applied);
            finished(input, rendered, vec![stage])
        }
        Err(_) => unchanged(input, memory),
    }
}

fn first_difference(expected: &str, found: &str) -> Discrepancy {
    let same = expected.bytes().zip(found.bytes()).take_while(|(a, b)| a == b).count();
    let at = expected.floor_char_boundary(same).min(found.floor_char_boundary(same));
    let quoted = |text: &str| text.get(at..).unwrap_or_default().chars().take(QUOTED_CHARS).collect();
    Discrepancy::Text { at, expected: quoted(expected), found: quoted(found) }
}
