//! Checking a result again, from the originals.

use contextfit_kernel::{
    Budget, CompressionResult, Context, InvalidPlan, Measured, Outcome, Plan, Stage, TokenCounter, Tokens,
};
use thiserror::Error;

use crate::{
    measure::{Cuts, kinds, measure_by},
    outcome::{finished, unchanged},
    remembered::Remembered,
    render::render,
    validity::check_carried_out,
};

/// How much of the text around a difference is quoted, in characters.
const QUOTED_CHARS: usize = 40;

/// What a result claims to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim<'a> {
    /// The text.
    pub text: &'a str,
    /// Its tokens.
    pub tokens: Tokens,
    /// The plan that it was made by; `None` if the context was within its budget.
    pub plan: Option<&'a Plan>,
}

impl<'a> From<&'a CompressionResult> for Claim<'a> {
    fn from(result: &'a CompressionResult) -> Self {
        Self { text: &result.text, tokens: result.metrics.tokens_after, plan: result.plan() }
    }
}

/// The first thing that is not as a result claims.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Discrepancy {
    /// The plan breaks its contract: something shown is neither a source range nor a declared marker, rewrite, entry or
    /// summary, or something that must stay was touched.
    #[error("the plan is not valid for these originals: {0}")]
    Plan(#[from] InvalidPlan),
    /// The text differs from the one that the plan gives from the originals.
    #[error("byte {at} differs: expected {expected:?}, found {found:?}")]
    Text {
        /// The first byte that differs.
        at: usize,
        /// What the originals give from there on, shortened.
        expected: String,
        /// What the text has, shortened.
        found: String,
    },
    /// The text has another number of tokens.
    #[error("{claimed} tokens are claimed, {counted} were counted")]
    Count {
        /// The claim.
        claimed: Tokens,
        /// The count.
        counted: Tokens,
    },
    /// A block takes another number of tokens than its step says.
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

/// Checks that `claim` is what its plan makes of `context`, byte for byte, and within `budget`, in the tokens of
/// `counter`. Needs no model and no network. Linear in the length of the context.
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

/// As [`verify`], and returns the result that was made again: its metrics, and the tokens of each block. Its only stage
/// is the plan.
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
    let input = planned(&memory, context, &memory, available, claim.plan)?;
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

/// Checks the tokens that the steps of `plan` claim, where they claim any.
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

/// Counts `context` in the units in which `plan` was made: strategies for machine output plan in finer ones than
/// [`measure`](crate::measure) finds. Without a plan, in the units of `measure`. Linear in the length of the context.
///
/// # Errors
/// [`InvalidPlan`] if the plan is not valid for `context` in either.
pub fn measure_planned<'a>(
    context: &'a Context,
    budget: &Budget,
    plan: Option<&Plan>,
    counter: &'a dyn TokenCounter,
) -> Result<Measured<'a>, InvalidPlan> {
    planned(&Remembered::new(counter), context, counter, budget.available(), plan)
}

/// Which units were used is not part of a claim, so both are tried: a plan may be valid in either, and cost what it says
/// in one.
fn planned<'a>(
    memory: &Remembered<'_>,
    context: &'a Context,
    counter: &'a dyn TokenCounter,
    room: Tokens,
    plan: Option<&Plan>,
) -> Result<Measured<'a>, InvalidPlan> {
    let kinds = kinds(context);
    let measured = |within_lines| measure_by(memory, context, counter, Cuts { room, within_lines }, &kinds);
    let checked =
        |input: Measured<'a>| plan.map_or(Ok(()), |plan| check_carried_out(&input, plan)).map(|()| input);
    let agrees = |input: &Measured<'_>| check_steps(input, memory, plan).is_ok();
    let coarse = checked(measured(false));
    if coarse.as_ref().is_ok_and(agrees) {
        return coarse;
    }
    let fine = checked(measured(true)).ok().filter(|fine| coarse.is_err() || agrees(fine));
    fine.map_or(coarse, Ok)
}

/// What `plan`, which is valid, makes of `input`.
fn remade(input: &Measured<'_>, memory: &Remembered<'_>, plan: Option<&Plan>) -> CompressionResult {
    let Some(plan) = plan else { return unchanged(input, memory) };
    // No text has more tokens than the largest number of them.
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
